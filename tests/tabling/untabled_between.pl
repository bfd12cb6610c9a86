% untabled_between.pl – an untabled predicate stands between two tabled ones: its choice points
% belong to the consumer that is suspended inside it.
:- table path/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- step(X, Y).

step(X, Y) :- hop(X, Z), edge(Z, Y).
hop(X, Z) :- path(X, Z).
hop(X, X) :- edge(X, _), fail.
hop(X, Z) :- path(X, Y), path(Y, Z).

edge(1, 2).
edge(2, 3).
edge(3, 1).
edge(3, 4).

%? path(1,X).
%? path(4,X).
