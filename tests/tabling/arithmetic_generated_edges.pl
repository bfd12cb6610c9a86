% arithmetic_generated_edges.pl – the graph is a rule, not a list of facts: divisors by counting.
:- table multiple/2.

multiple(X, Y) :- between(1, 12, X), Y is 2 * X, Y =< 12.
multiple(X, Y) :- between(1, 12, X), Y is 3 * X, Y =< 12.
multiple(X, Y) :- multiple(X, Z), multiple(Z, Y).

%? multiple(1,X).
%? multiple(X,12).
%? multiple(5,X).
