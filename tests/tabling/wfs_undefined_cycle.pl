% wfs_undefined_cycle.pl – a cycle closed by an undefined edge: only what needs that edge is
% undefined.
:- table unknown/0, edge/2, path/2.

unknown :- tnot(unknown).

edge(1, 2).
edge(2, 3).
edge(3, 1) :- unknown.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

%? path(1,X).
%? path(3,X).
%? path(X,X).
