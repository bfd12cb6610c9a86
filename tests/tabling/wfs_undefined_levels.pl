% wfs_undefined_levels.pl – undefined through several strata, and where it stops.
:- table a/0, b/0, c/0, d/0, e/0, f/0, g/0, h/0.

a :- tnot(b).
b :- tnot(a).
c :- a.
d :- tnot(c).
e :- d, tnot(h).
f :- e, h.
g :- tnot(f).
h :- h.

%? c.
%? d.
%? e.
%? f.
%? g.
%? h.
