[Playlist]
file10=b.wav
FILE2=file:///nowhere/c.wav
NumberOfEntries=9
X=1
