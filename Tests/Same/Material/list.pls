[playlist]
File1=short-44100.flac
Title1=Short
File2=stereo.mp3
NumberOfEntries=2
Version=2
