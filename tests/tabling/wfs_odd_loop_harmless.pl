% wfs_odd_loop_harmless.pl – an odd loop that never gets going: its other condition is false.
:- table p/0, q/0, r/0.

p :- q, tnot(p).
q :- r.
r :- q.

%? p.
%? q.
