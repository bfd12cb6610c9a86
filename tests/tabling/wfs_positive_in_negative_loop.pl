% wfs_positive_in_negative_loop.pl – positive recursion inside a loop through negation.
:- table p/1, q/1.

p(X) :- edge(X, Y), p(Y).
p(X) :- last(X), tnot(q(X)).
q(X) :- last(X), tnot(p(X)).
q(X) :- edge(Y, X), q(Y).

edge(1, 2).
edge(2, 3).
edge(4, 5).
last(3).

%? p(1).
%? p(4).
%? q(3).
%? p(X).
