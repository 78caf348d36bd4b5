// the program
