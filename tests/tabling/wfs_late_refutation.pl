% wfs_late_refutation.pl – d denies itself and b; b follows from a, which is a fact behind a
% rule that asks for d. a is true, so b is, so d is false.
:- table a/0, b/0, d/0.

a :- tnot(d).
a.
b :- a.
b :- tnot(d).
d :- tnot(d), tnot(b).

%! swi-differs: 9.0.4 calls d undefined when d is asked for first; b is true, so no rule of d can be used
%? d.
%? b.
%? a.
