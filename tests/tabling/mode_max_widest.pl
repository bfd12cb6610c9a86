% mode_max_widest.pl – the widest path on a cyclic graph: the best of the narrowest places.
:- table wide(_, _, max).

wide(X, Y, W) :- pipe(X, Y, W).
wide(X, Y, W) :- wide(X, Z, A), pipe(Z, Y, B), W is min(A, B).

pipe(a, b, 4).
pipe(b, c, 9).
pipe(a, c, 3).
pipe(c, a, 8).
pipe(c, d, 5).

%? wide(a,X,W).
%? wide(c,d,W).
