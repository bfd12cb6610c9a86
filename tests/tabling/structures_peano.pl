% structures_peano.pl – answers that are structures; the recursion ends because it goes down.
:- table plus/3.

plus(0, Y, Y).
plus(s(X), Y, s(Z)) :- plus(X, Y, Z).

%? plus(s(s(0)),s(0),X).
%? plus(X,Y,s(s(0))).
%? plus(X,X,s(s(0))).
