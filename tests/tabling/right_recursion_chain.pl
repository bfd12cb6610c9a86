% right_recursion_chain.pl – the recursive call has a new first argument each time, so
% every node on the way gets a table of its own.
:- table path/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).

edge(1, 2).
edge(2, 3).
edge(3, 4).

%? path(1,X).
%? path(3,X).
%? path(4,X).
