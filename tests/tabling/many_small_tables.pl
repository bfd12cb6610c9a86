% many_small_tables.pl – one table for each of 2,000 calls: tables must be cheap.
:- table square/2.

square(X, Y) :- Y is X * X.

total(S) :- findall(Y, ( between(1, 2000, X), square(X, Y) ), Ys), sum(Ys, 0, S).

sum([], S, S).
sum([X|Xs], S0, S) :- S1 is S0 + X, sum(Xs, S1, S).

%? total(S).
%? square(2000,Y).
