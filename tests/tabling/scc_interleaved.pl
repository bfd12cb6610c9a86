% scc_interleaved.pl – three SCCs entered in turn: 1-2 calls into 3-4 before it is complete, and
% 3-4 into 5-6; each must be completed before what hangs on it, and none before it is done.
:- table path/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).

edge(1, 2).
edge(2, 3).
edge(2, 1).
edge(3, 4).
edge(4, 5).
edge(4, 3).
edge(5, 6).
edge(6, 5).

%? path(1,X).
%? path(3,X).
%? path(5,X).
