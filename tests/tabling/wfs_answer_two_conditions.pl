% wfs_answer_two_conditions.pl – one answer with two conditions: it stands as long as one of them does.
:- table p/0, a/0, b/0, c/0, f/0.

p :- a.
p :- b.
a :- tnot(c), f.
c :- tnot(a), f.
b :- tnot(b).
f :- f.

%? p.
%? a.
%? b.
