% mode_lattice_join.pl – answers are joined by a predicate of the program: here unions of sets.
:- table below(_, lattice(join/3)).

below(X, [X]) :- node(X).
below(X, S) :- edge(X, Y), below(Y, S).

join(S0, S1, S) :- append(S0, S1, L), sort(L, S).

node(1).
node(2).
node(3).
node(4).

edge(1, 2).
edge(2, 3).
edge(3, 2).
edge(1, 4).

%? below(1,S).
%? below(2,S).
%? below(4,S).
