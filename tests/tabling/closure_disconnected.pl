% closure_disconnected.pl – what is not connected is false, and asking for it ends too.
:- table path/2.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

edge(1, 2).
edge(2, 1).
edge(3, 4).

%? path(1,3).
%? path(1,4).
%? path(3,X).
%? path(5,X).
%? path(X,Y).
