% repeated_derivations.pl – many proofs, one answer.
:- table p/1.

p(X) :- q(X).
p(X) :- r(X).
p(X) :- q(X), r(X).
p(1).

q(1).
q(2).
q(1).
r(2).
r(1).

%? p(X).
