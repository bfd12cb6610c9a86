% clause_order.pl – two clause orders, two body orders: the answers are the same set.
:- table down/2, up/2.

down(X, Y) :- edge(X, Y).
down(X, Y) :- down(X, Z), edge(Z, Y).

up(X, Y) :- up(Z, Y), edge(X, Z).
up(X, Y) :- edge(X, Y).

edge(1, 2).
edge(2, 3).
edge(3, 1).

differ(X, Y) :- down(X, Y), \+ up(X, Y).
differ(X, Y) :- up(X, Y), \+ down(X, Y).

%? down(1,X).
%? up(1,X).
%? differ(X,Y).
