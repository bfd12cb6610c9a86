% wfs_late_refutation_asked_last.pl – the program of wfs_late_refutation, asked from the other end: the
% answer must not depend on which goal comes first.
:- table a/0, b/0, d/0.

a :- tnot(d).
a.
b :- a.
b :- tnot(d).
d :- tnot(d), tnot(b).

%! swi-differs: 9.0.4 calls d undefined here too, although b is already known to be true
%? a.
%? b.
%? d.
