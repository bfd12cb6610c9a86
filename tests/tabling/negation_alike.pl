% negation_alike.pl – a greatest fixpoint as the negation of a least one: two states of
% deterministic systems are alike if nothing tells them apart.
:- table apart/2.

apart(X, Y) :- label(X, A), label(Y, B), A \== B.
apart(X, Y) :- step(X, X1), step(Y, Y1), apart(X1, Y1).

alike(X, Y) :- label(X, _), label(Y, _), X @< Y, \+ apart(X, Y).

% p and q are clocks of period 2; r ticks like them and then stays.
label(p1, tick).
label(p2, tock).
label(q1, tick).
label(q2, tock).
label(q3, tick).
label(q4, tock).
label(r1, tick).
label(r2, tock).

step(p1, p2).
step(p2, p1).
step(q1, q2).
step(q2, q3).
step(q3, q4).
step(q4, q1).
step(r1, r2).
step(r2, r2).

%? alike(X,Y).
%? apart(p1,r1).
%? apart(p1,q3).
