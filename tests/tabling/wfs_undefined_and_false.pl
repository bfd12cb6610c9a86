% wfs_undefined_and_false.pl – false wins over undefined in a conjunction, true in a disjunction.
:- table u/0, f/0, t/0, a/0, b/0, c/0, d/0.

u :- tnot(u).
f :- f.
t.
a :- u, f.
b :- f, u.
c :- u.
c :- t.
d :- u, t.

%? a.
%? b.
%? c.
%? d.
