[playlist]
File1=a.wav
Title1=One
Length1=12
File2=d\b.wav
Length2=-1
NumberOfEntries=2
Version=2
