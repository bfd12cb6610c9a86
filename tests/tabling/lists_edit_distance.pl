% lists_edit_distance.pl – dynamic programming over pairs of suffixes: without tables the number
% of calls is exponential.
:- table distance/3.

distance([], L, N) :- length(L, N).
distance([X|Xs], [], N) :- length([X|Xs], N).
distance([X|Xs], [Y|Ys], N) :-
    distance(Xs, Ys, A0),
    ( X == Y -> A = A0 ; A is A0 + 1 ),
    distance([X|Xs], Ys, B0),
    distance(Xs, [Y|Ys], C0),
    N is min(A, min(B0, C0) + 1).

%? distance([k,i,t,t,e,n],[s,i,t,t,i,n,g],N).
%? distance([],[a],N).
