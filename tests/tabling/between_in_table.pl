% between_in_table.pl – a nondeterministic built-in inside a tabled body leaves its choices to the
% table.
:- table pythagorean/3.

pythagorean(A, B, C) :-
    between(1, 20, A),
    between(A, 20, B),
    between(B, 20, C),
    C * C =:= A * A + B * B.

%? pythagorean(A,B,C).
%? pythagorean(3,B,C).
