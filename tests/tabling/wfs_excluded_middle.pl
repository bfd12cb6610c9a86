% wfs_excluded_middle.pl – p or not p, for an undefined p: undefined as well.
:- table p/0, r/0, s/0.

p :- tnot(p).
r :- p.
r :- tnot(p).
s :- p, tnot(p).

%? r.
%? s.
