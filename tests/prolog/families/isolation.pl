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

put_assoc(a, b, c, d).
vertices(mine).

%? list_to_assoc([x-1], _A), get_assoc(x, _A, V).
%= V = 1
%? list_to_assoc([x-1], _A), vertices(V), add_vertices([], [v], G).
%= V = mine, G = [v-[]]
%? put_assoc(A, B, C, D).
%= A = a, B = b, C = c, D = d
%? assertz(flatten(mine, yes)), flatten(X, Y).
%= X = mine, Y = yes
%? retractall(nextto(_, _, _)), nextto(X, Y, [1, 2]).
%= false
