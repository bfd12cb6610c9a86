% wfs_unfounded_through_undefined.pl – the loop needs an undefined proposition too; it is unfounded all
% the same.
:- table p/0, q/0, u/0, r/0.

u :- tnot(u).
p :- q, u.
q :- p.
r :- tnot(q).

%? p.
%? q.
%? r.
