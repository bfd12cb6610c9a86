% wfs_conditional_then_true_by_rule.pl – the unconditional proof comes from another table, after the
% conditional answer has been handed on.
:- table p/1, q/1, r/1.

r(X) :- p(X).
p(X) :- d(X), tnot(q(X)).
p(X) :- e(X).
q(X) :- d(X), tnot(p(X)).

d(1).
d(2).
e(1).

%? r(X).
%? q(1).
%? q(2).
