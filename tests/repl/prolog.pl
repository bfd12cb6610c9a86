% prolog.pl – a program beside or without a game.
:- table path/2.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
edge(b, c).
edge(c, a).

:- table shaves/1.
shaves(X) :- man(X), \+ shaves(X).
man(barber).

greet :- write(hello), nl.
count(0).
count(N) :- count(M), N is M + 1.
