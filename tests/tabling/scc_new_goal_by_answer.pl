% scc_new_goal_by_answer.pl – an answer that comes back through the loop opens a call nobody made
% before, which joins the running SCC.
:- table need/1, have/2.

need(X) :- have(start, X).
need(X) :- need(Y), have(Y, X).

have(start, 1).
have(1, X) :- need(3), X = 4.
have(1, 2).
have(2, 3).

%? need(X).
%? have(1,X).
