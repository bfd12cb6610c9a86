% wfs_truth_before_delay.pl – a literal that is true already need not be delayed, and one that is false
% ends the branch before the loop is entered.
:- table p/0, q/0, t/0, f/0.

t.
f :- f.
p :- tnot(t), tnot(q).
q :- tnot(f), tnot(p).

%? p.
%? q.
