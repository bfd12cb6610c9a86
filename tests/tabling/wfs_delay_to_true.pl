% wfs_delay_to_true.pl – q is delayed in the loop through p and r; r fails in the end, which
% makes p true and q false.
:- table p/0, q/0, r/0.

p :- tnot(q).
q :- tnot(p), r.
r :- r, tnot(q).

%? p.
%? q.
%? r.
