% wfs_choice_conclusion.pl – c follows in either case, but well-founded semantics does not argue
% by cases: c is undefined.
:- table a/0, b/0, c/0.

a :- tnot(b).
b :- tnot(a).
c :- a.
c :- b.

%? c.
