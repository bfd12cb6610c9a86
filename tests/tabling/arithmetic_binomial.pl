% arithmetic_binomial.pl – overlapping subproblems: ways through Pascal's triangle.
:- table choose/3.

choose(_, 0, 1).
choose(N, K, 0) :- K > N.
choose(N, K, C) :-
    K > 0,
    K =< N,
    M is N - 1,
    J is K - 1,
    choose(M, J, A),
    choose(M, K, B),
    C is A + B.

%? choose(5,2,C).
%? choose(30,15,C).
%? choose(2,3,C).
