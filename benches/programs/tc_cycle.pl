% tc_cycle.pl – transitive closure of a cycle of 2,000 nodes, left-recursive: the last answer leads back
% to the first and must be recognised. All nodes reached from node 1, 700 times with fresh tables.
%
%     swipl -O -g main -t halt tc_cycle.pl
%     flux run tc_cycle.pl -g main

:- table path/2.
:- dynamic edge/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).

main :-
    forall(between(1, 2000, X), ( Y is X mod 2000 + 1, assertz(edge(X, Y)) )),
    rounds(700, 0, N),
    write(N),
    nl.

rounds(0, N, N) :- !.
rounds(R, N0, N) :-
    abolish_all_tables,
    findall(Y, path(1, Y), Ys),
    length(Ys, Count),
    N1 is N0 + Count,
    Q is R - 1,
    rounds(Q, N1, N).
