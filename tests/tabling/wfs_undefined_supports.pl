% wfs_undefined_supports.pl – an undefined fact supports further answers, conditional like itself.
:- table unknown/0, edge/2, path/2.

unknown :- tnot(unknown).

edge(1, 2).
edge(2, 3) :- unknown.
edge(3, 4).

path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).

%? path(1,X).
%? path(X,4).
%? path(3,X).
