% wfs_delay_to_false.pl – the delayed literal is refuted by an answer that comes later.
:- table p/0, q/0, r/0.

p :- tnot(q).
q :- tnot(p).
q :- r.
r.

%? p.
%? q.
