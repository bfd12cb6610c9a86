% if_then_else_in_recursion.pl – a tabled recursion whose step is chosen by a test: Collatz lengths.
:- table steps/2.

steps(1, 0).
steps(N, S) :-
    N > 1,
    (   N mod 2 =:= 0
    ->  M is N // 2
    ;   M is 3 * N + 1
    ),
    steps(M, T),
    S is T + 1.

%? steps(6,S).
%? steps(27,S).
