% operators.pl – operator precedence, shown without operators.
p :- a, b ; c -> d ; e.
p(1 - 2 - 3, 2 ^ 3 ^ 4, - a ^ 2, -1 ^ 2, - 1, -(1), 1 - 1, a - -1, -(-(a)), - - a).
p(X) :- X is 1 + 2 * 3 mod 4, \+ X =:= 2, \+ (a, b).
p(-, +, :-, [-], [- | +], \+, dynamic).
- = x.
X = - a, b.
f(a :- b, (c, d)).
a:b:c.
{a, b}.
x --> "abc", {y}, [z], !, x.
:- dynamic foo/1, bar/2.
:- table path(_, min).
p :- (a | b).
f(;, '|', !, [], {}, '[]').
