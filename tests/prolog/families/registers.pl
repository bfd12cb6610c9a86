% registers.pl – a variable that occurs first inside an argument of a built-in, or as an operand, does not take the
% register of another argument, though a later call wants it there.

p1(G, R) :- G =.. [_|As], w(As, R).
p2(G, R) :- copy_term(f(G), f(As)), w(As, R).
p3(A, R) :- functor(T, g, 1), arg(1, T, X), w(X, A), T = g(R).
p4(L, R) :- sort(L, [A|_]), w(A, R).
p5(X, R) :- ( X @< Y -> R = less ; R = not_less ), w(Y, _).
p6(X, Y, R) :- T = t(Y, Z, X), w(Z, 1), T =.. L, w(L, R).
p7(X, R) :- length(L, X), copy_term(L-B, M-B), w(M, R).
w(X, X).

% The last goal wants B where A still is when the terms are compared.
p8(A, R) :- p8(A, A, R).
p8(A, A, below) :- A @=< [A, {}, B], w(B, _).
p8(_, _, above).

%? p1(q(4), R).
%= R = [4]
%? p2(q(4), R).
%= R = q(4)
%? p3(a, R).
%= R = a
%? p4([b, a, c], R).
%= R = a
%? p5(a, R).
%= R = not_less
%? p6(a, b, R).
%= R = [t,b,1,a]
%? p7(2, R), R = [1, 2].
%= R = [1,2]
%? p8(f(_, -1), R).
%= R = above
