% arithmetic_ackermann.pl – recursion on a result: the inner call decides the argument of the outer.
:- table ack/3.

ack(0, N, R) :- R is N + 1.
ack(M, 0, R) :- M > 0, M1 is M - 1, ack(M1, 1, R).
ack(M, N, R) :- M > 0, N > 0, M1 is M - 1, N1 is N - 1, ack(M, N1, S), ack(M1, S, R).

%? ack(2,3,R).
%? ack(3,3,R).
