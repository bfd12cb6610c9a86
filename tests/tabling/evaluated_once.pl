% evaluated_once.pl – a complete table answers from memory: the clause body ran once.
:- table square/2.
:- dynamic ran/1.

square(X, Y) :- assertz(ran(X)), Y is X * X.

runs(N) :- findall(X, ran(X), Xs), length(Xs, N).

%? square(3,X).
%? square(3,X).
%? square(4,X).
%? runs(N).
