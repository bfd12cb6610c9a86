% closure_cycle.pl – on a cycle every node reaches every node, itself included.
:- table path/2.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

edge(1, 2).
edge(2, 3).
edge(3, 1).

%? path(1,X).
%? path(X,X).
%? path(X,Y).
