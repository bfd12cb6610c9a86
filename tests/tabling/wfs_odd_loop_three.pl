% wfs_odd_loop_three.pl – an odd loop through three propositions, and one that hangs on it.
:- table p/0, q/0, r/0, s/0.

p :- tnot(q).
q :- tnot(r).
r :- tnot(p).
s :- tnot(p).

%? p.
%? q.
%? r.
%? s.
