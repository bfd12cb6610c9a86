% deep_linear_recursion.pl – 10,000 tables under way at once: depth is bounded by memory, not by
% the call stack.
:- table down/2.

down(0, 0).
down(N, S) :- N > 0, M is N - 1, down(M, T), S is T + N.

%? down(10000,S).
