% lists_permutations.pl – lists as arguments and answers of two tabled predicates.
:- table perm/2, pick/3.

perm([], []).
perm(L, [X|M]) :- pick(X, L, R), perm(R, M).

pick(X, [X|L], L).
pick(X, [Y|L], [Y|M]) :- pick(X, L, M).

%? perm([a,b,c],X).
%? perm([a,a],X).
%? pick(X,[a,b],R).
