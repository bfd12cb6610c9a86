% wfs_conditional_then_true.pl – an answer found first under a condition and then without one is true.
:- table p/0, q/0.

p :- tnot(q).
p.
q :- tnot(p).

%? p.
%? q.
