% exception_in_scc.pl – an error deep in a loop of tables abandons the whole SCC.
:- table p/1, q/1.

p(X) :- q(X).
q(X) :- p(Y), X is Y + 1, check(X).
q(1).

check(X) :- X < 3.
check(X) :- X >= 3, throw(too_large(X)).

safe(caught(B)) :- catch(( p(_), fail ; true ), B, true), nonvar(B).

%? p(X).
%? safe(B).
