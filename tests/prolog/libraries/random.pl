% random.pl – random numbers: in their range, and the same after the same seed.

%? \+ \+ ( between(1, 100, _), X is random(10), \+ ( integer(X), X >= 0, X < 10 ) ).
%= false
%? \+ \+ ( Y is random_float, Y > 0, Y < 1 ).
%= true
%? findall(X, ( between(1, 100, _), random_between(1, 3, X) ), _Xs), sort(_Xs, Set).
%= Set = [1,2,3]
%? random_between(3, 3, X).
%= X = 3
%? random_between(3, 2, X).
%= false
%? \+ \+ ( random(X), X > 0, X < 1 ).
%= true
%? random(1, 2, X).
%= X = 1
%? random_member(X, [a]).
%= X = a
%? random_member(X, []).
%= false
%? \+ \+ ( random_permutation([1, 2, 3], P), msort(P, [1, 2, 3]) ).
%= true
%? random_select(X, [a], R).
%= X = a, R = []
%? random_subseq([], S, R).
%= S = [], R = []
%? \+ \+ ( set_random(seed(5)), random_between(1, 1000000, X), set_random(seed(5)), random_between(1, 1000000, X) ).
%= true
