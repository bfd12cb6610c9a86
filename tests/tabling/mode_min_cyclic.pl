% mode_min_cyclic.pl – shortest distances on a cyclic weighted graph: without min there would be
% infinitely many answers.
:- table path(_, _, min).

path(X, Y, C) :- edge(X, Y, C).
path(X, Y, C) :- path(X, Z, A), edge(Z, Y, B), C is A + B.

edge(a, b, 5).
edge(a, c, 1).
edge(c, b, 2).
edge(b, a, 1).
edge(b, d, 7).
edge(d, c, 1).

%? path(a,d,C).
%? path(a,X,C).
%? path(d,X,C).
