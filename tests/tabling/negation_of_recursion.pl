% negation_of_recursion.pl – a recursive predicate with negation of a lower recursive one in its
% body: paths that avoid the nodes from which the trap is reached.
:- table bad/1, safe/2.

bad(trap).
bad(X) :- edge(X, Y), bad(Y).

safe(X, Y) :- edge(X, Y), \+ bad(Y).
safe(X, Y) :- safe(X, Z), edge(Z, Y), \+ bad(Y).

edge(a, b).
edge(b, c).
edge(c, a).
edge(c, d).
edge(d, e).
edge(e, trap).
edge(b, f).
edge(f, f).

% a, b, c and d all lead to the trap; only f does not.
%? bad(X).
%? safe(a,X).
%? safe(b,X).
%? safe(f,X).
