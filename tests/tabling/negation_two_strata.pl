% negation_two_strata.pl – the plainest stratified program: what cannot be reached, over a table
% that is complete before negation looks at it.
:- table reach/2.

reach(X, Y) :- edge(X, Y).
reach(X, Y) :- reach(X, Z), edge(Z, Y).

unreached(X, Y) :- node(X), node(Y), \+ reach(X, Y).

node(1).
node(2).
node(3).

edge(1, 2).
edge(2, 1).
edge(2, 3).

%? unreached(X,Y).
%? unreached(1,2).
%? unreached(3,X).
