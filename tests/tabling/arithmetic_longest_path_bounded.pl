% arithmetic_longest_path_bounded.pl – the longest walk with at most K edges on a cyclic graph: the bound is
% part of the call, so the recursion ends.
:- table walk/4.

% walk(K, X, Y, L): L is a length of a walk from X to Y with at most K edges.
walk(_, X, X, 0).
walk(K, X, Y, L) :- K > 0, J is K - 1, edge(X, Z, C), walk(J, Z, Y, M), L is M + C.

longest(K, X, Y, L) :-
    findall(M, walk(K, X, Y, M), Ms),
    maximum(Ms, L).

maximum([M|Ms], L) :- maximum(Ms, M, L).

maximum([], L, L).
maximum([M|Ms], N, L) :- K is max(M, N), maximum(Ms, K, L).

edge(a, b, 1).
edge(b, c, 2).
edge(c, a, 3).
edge(b, a, 5).

%? longest(4,a,a,L).
%? longest(5,a,b,L).
%? longest(1,a,c,L).
