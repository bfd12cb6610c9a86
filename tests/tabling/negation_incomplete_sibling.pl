% negation_incomplete_sibling.pl – a negative literal meets a table of a lower SCC that is not complete
% yet, because its evaluation has just begun one literal earlier.
:- table p/1, q/1.

p(X) :- q(1), d(X), \+ q(X).

q(X) :- q(Y), next(Y, X).
q(1).

next(1, 2).
next(2, 4).

d(1).
d(2).
d(3).
d(4).
d(5).

%? p(X).
