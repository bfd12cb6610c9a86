% tc_right_chain.pl – transitive closure of a chain of 2,000 nodes, right-recursive: 2,000 tables, each
% the consumer of the next, with 1,999,000 answers in all.
%
%     swipl -O -g main -t halt tc_right_chain.pl
%     flux run tc_right_chain.pl -g main

:- table path/2.
:- dynamic edge/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).

main :-
    forall(between(1, 1999, X), ( Y is X + 1, assertz(edge(X, Y)) )),
    findall(Y, path(1, Y), Ys),
    length(Ys, N),
    write(N),
    nl.
