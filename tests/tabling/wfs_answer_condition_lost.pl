% wfs_answer_condition_lost.pl – a conditional answer whose condition turns out false is taken back, and so
% is what it had led to.
:- table p/1, q/1, r/1.

p(X) :- d(X), tnot(q(X)).
q(X) :- d(X), tnot(p(X)).
q(X) :- d(X), X > 1.
r(Y) :- p(X), Y is X * 10.

d(1).
d(2).

%? p(1).
%? p(2).
%? r(X).
