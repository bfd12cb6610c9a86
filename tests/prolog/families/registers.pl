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

% arg/3 whose result occurs first: in a register, in a slot, behind a condition, from where it enumerates.
a1(N, T, R) :- arg(N, T, X), arg(N, T, Y), pair(X, Y, R).
a2(T, R) :- arg(1, T, X), noted(X), arg(2, T, Y), noted(Y), R = X-Y.
a3(T, R) :- ( arg(1, T, X), X == b -> R = first(X) ; arg(2, T, X), R = second(X) ).
a4(T) :- arg(1, T, X), noted(X), X = 3.
a5(T, R) :- findall(N-X, a5(N, T, X), R).
a5(N, T, X) :- arg(N, T, X), noted(X).
a6(T, N) :- arg(N, T, _).
pair(X, Y, X-Y).
noted(_).

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
%? a1(2, f(a, b, c), R).
%= R = b-b
%? a1(1, [a, b], R).
%= R = a-a
%? a1(4, f(a, b, c), R).
%= false
%? a1(0, f(a), R).
%= false
%? a1(18446744073709551617, f(a), R).
%= false
%? T = f(Z), a1(1, T, R), Z = 1.
%= T = f(1), Z = 1, R = 1-1
%? a1(a, f(b), R).
%= error: type_error(integer,a)
%? a1(1, f, R).
%= error: type_error(compound,f)
%? a2(f(a, b), R).
%= R = a-b
%? a2(f(a), R).
%= false
%? a3(f(b, c), R).
%= R = first(b)
%? a3(f(a, c), R).
%= R = second(c)
%? a4(f(X)).
%= X = 3
%? a5(f(a, b), R).
%= R = [1-a,2-b]
%? a6(f(a), N).
%= N = 1
