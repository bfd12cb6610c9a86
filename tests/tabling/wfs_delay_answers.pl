% wfs_delay_answers.pl – delaying with arguments: conditional answers for some instances become
% true, for others they vanish or stay.
:- table p/1, q/1.

p(X) :- d(X), tnot(q(X)).
q(X) :- d(X), tnot(p(X)), keep(X).
q(2).

d(1).
d(2).
d(3).
keep(1).
keep(2).

%? p(1).
%? p(2).
%? p(3).
%? q(1).
%? q(2).
%? q(3).
