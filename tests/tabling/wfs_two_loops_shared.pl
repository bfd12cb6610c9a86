% wfs_two_loops_shared.pl – two even loops that share a proposition: the second is settled when the
% first is.
:- table a/0, b/0, c/0.

a :- tnot(b).
b :- tnot(a).
b :- tnot(c).
c :- tnot(b), c.

% c is unfounded; so b is true and a false.
%? a.
%? b.
%? c.
