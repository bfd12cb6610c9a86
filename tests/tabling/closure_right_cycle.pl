% closure_right_cycle.pl – right recursion on a cycle: the tables of all nodes wait for each
% other and form one SCC.
:- table path/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).

edge(1, 2).
edge(2, 3).
edge(3, 1).
edge(3, 4).

%? path(1,X).
%? path(4,X).
%? path(2,4).
