% conjunction_query.pl – one query calls two tables, the second with what the first bound.
:- table path/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).

edge(1, 2).
edge(2, 3).

meet(X, Y, Z) :- path(X, Z), path(Y, Z), X < Y.

%? meet(X,Y,Z).
%? meet(1,2,X).
