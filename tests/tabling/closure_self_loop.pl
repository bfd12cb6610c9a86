% closure_self_loop.pl – the smallest cycle: a node that is its own successor.
:- table path/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).

edge(a, a).
edge(a, b).

%? path(a,X).
%? path(b,X).
%? path(b,a).
