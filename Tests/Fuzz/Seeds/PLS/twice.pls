[playlist]
File1=a
File1=b
