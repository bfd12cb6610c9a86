% mutual_left_recursion.pl – left recursion that goes through another predicate: neither clause
% looks left-recursive by itself.
:- table walk/2, hop/2.

walk(X, Y) :- hop(X, Z), edge(Z, Y).
walk(X, Y) :- edge(X, Y).
hop(X, Y) :- walk(X, Y).

edge(a, b).
edge(b, c).
edge(c, a).

%? walk(a,X).
%? hop(b,X).
