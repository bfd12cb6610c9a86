% same_generation_cyclic.pl – the same rules on a cyclic relation: generations repeat, the tables
% do not.
:- table sg/2.

sg(X, X) :- node(X).
sg(X, Y) :- up(X, P), sg(P, Q), up(Y, Q).

node(1).
node(2).
node(3).
node(4).

up(1, 2).
up(2, 3).
up(3, 1).
up(4, 1).

% 4 and 3 share a parent; going up and down the ring pairs them with nobody else.
%? sg(4,X).
%? sg(3,X).
%? sg(X,Y).
