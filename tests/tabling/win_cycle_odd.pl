% win_cycle_odd.pl – an odd cycle has no stable model at all; well-founded semantics leaves its
% positions undefined and goes on.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(1, 2).
move(2, 3).
move(3, 1).

%? win(1).
%? win(2).
%? win(3).
