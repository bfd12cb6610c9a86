% operators.pl – operators and their arguments.
a = b = c.
X = \+ a.
p :- .
p :- q r.
p :- q
r(1).
f(,).
f(a,).
f().
[a|b|c].
[a|b, c].
[|a].
[a|].
X(a).
p :- a :- b.
- .
:- op(1201, xfx, foo).
:- op(700, yfy, foo).
.
ok.
