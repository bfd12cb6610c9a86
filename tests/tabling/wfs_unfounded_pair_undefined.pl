% wfs_unfounded_pair_undefined.pl – two propositions that support each other, one of them also by an
% undefined one: both undefined.
:- table p/0, q/0, u/0, v/0.

u :- tnot(v).
v :- tnot(u).
p :- q.
q :- p.
q :- u.

%? p.
%? q.
