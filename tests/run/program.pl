% program.pl – what a program writes comes out as it is written, and goals decide the exit code.
:- initialization(greet).
greet :- write('hello, world'), nl.
ok :- write(ok), nl.
no :- write(trying), fail.
wrong :- X is foo + 1, write(X).
stop :- write(stopping), nl, halt(9).
endless :- endless.
