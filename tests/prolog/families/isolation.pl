% isolation.pl – a program may have its own predicates of names of the library; the library goes on to use its own.

early(X) :- between(a, b, X).

append(_, _, _) :- fail.
select(a, b, c).
between(a, b, c).
msort(_, mine).

%? early(X).
%= X = c
%? between(a, b, X).
%= X = c
%? append([1], [2], X).
%= false
%? ord_union([a], [b], X).
%= X = [a,b]
%? permutation([1, 2], P).
%= P = [1,2]
%= P = [2,1]
%? atom_concat(X, Y, ab).
%= X = '', Y = ab
%= X = a, Y = b
%= X = ab, Y = ''
