% left_recursion_chain.pl – the recursive call comes first: plain SLD resolution
% loops before it gives a single answer, a table ends it.
:- table path/2.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

edge(1, 2).
edge(2, 3).
edge(3, 4).

%? path(1,X).
%? path(X,Y).
