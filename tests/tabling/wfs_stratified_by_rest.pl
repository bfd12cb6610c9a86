% wfs_stratified_by_rest.pl – a loop through negation whose other literals make it harmless: nothing
% stays undefined.
:- table p/1, q/1.

p(X) :- d(X), tnot(q(X)), odd(X).
q(X) :- d(X), tnot(p(X)), even(X).

d(1).
d(2).
odd(1).
even(2).

%? p(1).
%? p(2).
%? q(1).
%? q(2).
