% binding_patterns.pl – five ways to call one predicate give five tables, and the same relation.
:- table path/2.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

edge(a, b).
edge(b, c).
edge(c, b).

%? path(X,Y).
%? path(a,Y).
%? path(X,b).
%? path(X,X).
%? path(a,c).
%? path(c,a).
