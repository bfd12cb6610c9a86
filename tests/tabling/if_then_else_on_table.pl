% if_then_else_on_table.pl – a complete table as a condition: the branch is chosen by its first
% answer and never both are taken.
:- table path/2.

path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).

edge(1, 2).
edge(2, 1).
edge(3, 3).

node(1).
node(2).
node(3).
node(4).

status(X, S) :-
    node(X),
    (   path(X, X)
    ->  S = cyclic
    ;   S = acyclic
    ).

%? status(X,S).
%? status(4,S).
