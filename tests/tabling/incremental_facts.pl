% incremental_facts.pl – tables follow changes of incremental dynamic predicates: facts that come and
% go, and what is only reached through other predicates, tabled or not.

:- dynamic (edge/2, blocked/1) as incremental.
:- table (path/2, stuck/1) as incremental.

edge(a, b).
edge(b, c).

path(X, Y) :- open(X, Y).
path(X, Y) :- path(X, Z), open(Z, Y).

open(X, Y) :- edge(X, Y), \+ blocked(Y).

stuck(X) :- edge(_, X), tnot(path(X, _)).

%? path(a,X)
%? stuck(X)
%? path(a,b),assertz(edge(c,d))
%? path(a,X)
%? stuck(X)
%? assertz(blocked(c))
%? path(a,X)
%? retract(blocked(c)),path(a,d)
%? retractall(edge(b,_)),path(b,X)
