% wfs_true_then_conditional.pl – the unconditional proof comes first: the condition must not weaken it.
:- table p/0, q/0.

p.
p :- tnot(q).
q :- tnot(p).

%? q.
%? p.
