% glued_operators.pl – an operator that a parenthesis follows directly is an operator where an operand stands before it,
% and the name of a compound elsewhere.
p(X, Y) :- X is 3*(2+1), Y = a/(-1).
p(X, Y) :- X = -(1), Y = [-(1), a-(b)].
p(X) :- X = f(+(1, 2), b*(c)), \+(q(X)), (a ; b)=(c).
:- dynamic(foo/(1)).
