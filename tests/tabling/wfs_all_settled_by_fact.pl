% wfs_all_settled_by_fact.pl – one fact settles everything: b, so not a, so not f, so c, so not e;
% the loops through negation are all cut.
:- table a/0, b/0, c/0, e/0, f/0.

a :- tnot(f), tnot(b).
b :- e.
b.
c :- b.
c :- tnot(f).
e :- tnot(c).
f :- a.

%! swi-differs: 9.0.4 calls e undefined when it is asked for first; c is true, so e is false
%? e.
%? c.
%? a.
%? f.
%? b.
