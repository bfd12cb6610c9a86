% double_recursion_chain.pl – two recursive calls in one body: the first consumes the table
% it fills, the second one that belongs to the answer just found.
:- table path/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), path(Z, Y).

edge(1, 2).
edge(2, 3).
edge(3, 4).
edge(4, 5).

%? path(1,X).
%? path(X,5).
