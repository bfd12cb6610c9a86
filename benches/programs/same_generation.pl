% same_generation.pl – cousins of every degree in a binary tree of eleven levels: up, across, down. The
% open call fills one table with 1,398,101 pairs by a join on both sides.
%
%     swipl -O -g main -t halt same_generation.pl
%     flux run same_generation.pl -g main

:- table sg/2.
:- dynamic parent/2.

sg(1, 1).
sg(X, Y) :- sg(P, Q), parent(P, X), parent(Q, Y).

% Node N has the children 2N and 2N+1.
main :-
    forall(between(1, 1023, P), ( L is 2 * P, R is 2 * P + 1, assertz(parent(P, L)), assertz(parent(P, R)) )),
    findall(X-Y, sg(X, Y), Pairs),
    length(Pairs, N),
    write(N),
    nl.
