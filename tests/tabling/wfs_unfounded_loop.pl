% wfs_unfounded_loop.pl – a positive loop does not support itself: false, not undefined, and its
% negation is true.
:- table p/0, q/0, r/0.

p :- q.
q :- p.
r :- tnot(p).

%? p.
%? q.
%? r.
