% main.pl – main/0 runs unless the program says what to run.
main :- write(main), nl.
