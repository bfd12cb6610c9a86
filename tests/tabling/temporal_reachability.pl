% temporal_reachability.pl – model checking by tables: EF as a least fixpoint, AG as the negation
% of EF.
:- table ef/2.

ef(S, P) :- holds(S, P).
ef(S, P) :- trans(S, T), ef(T, P).

ag_not(S, P) :- state(S), \+ ef(S, P).

state(idle).
state(try).
state(work).
state(broken).

trans(idle, try).
trans(try, work).
trans(try, idle).
trans(work, idle).
trans(broken, broken).

holds(work, busy).
holds(broken, stuck).

%? ef(S,busy).
%? ag_not(S,stuck).
%? ag_not(S,busy).
