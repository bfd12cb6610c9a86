% findall_over_table.pl – findall collects from a table that is complete; it may stand in another
% tabled predicate as long as it does not close a loop.
:- table path/2, degree/2.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

edge(1, 2).
edge(2, 3).
edge(3, 2).

degree(X, N) :- node(X), findall(Y, path(X, Y), Ys), length(Ys, N).

node(1).
node(2).
node(3).
node(4).

%? degree(X,N).
%? degree(4,N).
