% database_view.pl – the logical update view [ISO, 7.5.4]: an enumeration sees the clauses of its beginning.

:- dynamic insect/1, n/1, q/1.

insect(ant).
insect(bee).
n(1).
n(2).

:- dynamic loaded/1, alone/1.
loaded(G) :- G, true.
alone(G) :- G.

%? findall(I, ( retract(insect(I)), ( retract(insect(bee)) -> true ; true ) ), L).
%= L = [ant,bee]
%? findall(X, ( n(X), Y is X + 10, X < 10, assertz(n(Y)) ), L).
%= L = [1,2]
%? findall(X, ( clause(n(X), true), retractall(n(_)) ), L).
%= L = [1,2,11,12]
%? assertz((q(X) :- X = 1, true)), clause(q(A), B).
%= B = (A=1,true)
%? assertz((h :- foo, bar)), clause(h, B).
%= B = (foo,bar)
%? assertz((v(G) :- G, true)), clause(v(G), B).
%= B = (call(G),true)
%? clause(loaded(G), B).
%= B = (call(G),true)
%? clause(alone(G), B).
%= B = call(G)
%? assertz((w(G) :- G)), clause(w(G), B).
%= B = call(G)
