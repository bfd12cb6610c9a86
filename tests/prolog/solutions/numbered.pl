% numbered.pl – the first solutions, all but the first, and solutions by number.

p(a).
p(b).
p(c).

%? limit(2, p(X)).
%= X = a
%= X = b
%? limit(0, p(X)).
%= false
%? limit(5, p(X)).
%= X = a
%= X = b
%= X = c
%? limit(-1, p(_)).
%= false
%? limit(_, p(_)).
%= error: instantiation_error
%? offset(1, p(X)).
%= X = b
%= X = c
%? offset(3, p(X)).
%= false
%? limit(1, offset(1, p(X))).
%= X = b
%? call_nth(p(X), 2).
%= X = b
%? call_nth(p(X), N).
%= X = a, N = 1
%= X = b, N = 2
%= X = c, N = 3
%? call_nth(p(X), 4).
%= false
%? findall(X-Y, (p(X), limit(1, p(Y))), L).
%= L = [a-a,b-a,c-a]

% Bindings that would make terms equal, and variables that occur once.
%? unifiable(f(X, b), f(a, b), U), U == [X = a].
%= U = [X=a]
%? unifiable(f(X, Y), f(a, b), [Y1 = V, X1 = W]), Y1 == Y, X1 == X.
%= Y1 = Y, V = b, X1 = X, W = a
%? unifiable(a, b, _).
%= false
%? term_singletons(f(X, Y, X, g(Z)), L), L == [Y, Z].
%= L = [Y,Z]
