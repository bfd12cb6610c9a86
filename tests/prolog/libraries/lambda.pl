% lambda.pl – lambda expressions: what is shared with the outside and what is not.

%? maplist([X, Y]>>(Y is X * 2), [1, 2], L).
%= L = [2,4]
%? maplist([X]>>(Z = X), [1]).
%= true
%? F = 3, maplist({F}/[X, Y]>>(Y is X * F), [1, 2], L).
%= F = 3, L = [3,6]
%? maplist({Z}/[X]>>(Z = X), [1, 1]).
%= Z = 1
%? F = 3, maplist(F/[X, Y]>>(Y is X * F), [1, 2], L).
%= error: type_error(lambda_free,3)
%? foldl([X, A, B]>>(B is A + X), [1, 2, 3], 0, S).
%= S = 6
%? call([X]>>atom_length(X), abc, L).
%= L = 3
%? maplist([X]>>([Y]>>(Y > X)), [1, 2], [2, 3]).
%= true
%? call([]>>true).
%= true
