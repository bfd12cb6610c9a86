% mode_max_dag.pl – longest paths of an acyclic graph.
:- table longest(_, _, max).

longest(X, Y, C) :- edge(X, Y, C).
longest(X, Y, C) :- edge(X, Z, A), longest(Z, Y, B), C is A + B.

edge(s, a, 3).
edge(s, b, 1).
edge(b, a, 4).
edge(a, t, 2).
edge(b, t, 5).

%? longest(s,t,C).
%? longest(X,a,C).
