% wfs_odd_loop_settled.pl – the odd loop's proposition has a proof of its own, so the loop's rule
% is simply unusable.
:- table p/0, q/0.

p :- tnot(p).
p :- q.
q.

%? p.
%? q.
