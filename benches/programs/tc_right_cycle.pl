% tc_right_cycle.pl – transitive closure of a cycle of 1,200 nodes, right-recursive: one SCC of 1,200 tables,
% none of which is complete before all have all their 1,200 answers.
%
%     swipl -O -g main -t halt tc_right_cycle.pl
%     flux run tc_right_cycle.pl -g main

:- table path/2.
:- dynamic edge/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).

main :-
    forall(between(1, 1200, X), ( Y is X mod 1200 + 1, assertz(edge(X, Y)) )),
    findall(Y, path(1, Y), Ys),
    length(Ys, N),
    write(N),
    nl.
