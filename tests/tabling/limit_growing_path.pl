% limit_growing_path.pl – paths as lists on a cycle: infinitely many answers for finitely many nodes.
:- table path/3.

path(X, Y, [X, Y]) :- edge(X, Y).
path(X, Y, P) :- path(X, Z, Q), edge(Z, Y), P = [Y|Q].

edge(1, 2).
edge(2, 1).

%! limit
%? path(1,X,P).
