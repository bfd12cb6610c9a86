% mutual_recursion.pl – walks of even and of odd length on a ring of 701 nodes with chords: two mutually
% recursive predicates, called for every start; the two tables of a start form an SCC.
%
%     swipl -O -g main -t halt mutual_recursion.pl
%     flux run mutual_recursion.pl -g main

:- table even/2, odd/2.
:- dynamic edge/2.

even(X, X).
even(X, Y) :- odd(X, Z), edge(Z, Y).
odd(X, Y) :- even(X, Z), edge(Z, Y).

main :-
    forall(between(1, 701, X), ( Y is X mod 701 + 1, assertz(edge(X, Y)) )),
    forall(between(1, 701, X), ( Y is X * 7 mod 701 + 1, assertz(edge(X, Y)) )),
    findall(X-Y, ( between(1, 701, X), even(X, Y) ), Evens),
    findall(X-Y, ( between(1, 701, X), odd(X, Y) ), Odds),
    length(Evens, M),
    length(Odds, N),
    S is M + N,
    write(S),
    nl.
