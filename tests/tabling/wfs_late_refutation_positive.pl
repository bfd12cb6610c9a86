% wfs_late_refutation_positive.pl – the same with positive recursion: a asks for c, which denies b.
:- table a/0, b/0, c/0.

a :- c.
a.
b :- a.
b :- tnot(c).
c :- tnot(c), tnot(b).

%! swi-differs: 9.0.4 calls c undefined when c is asked for first; a is a fact, so b is true and c false
%? c.
%? b.
%? a.
