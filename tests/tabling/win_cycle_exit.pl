% win_cycle_exit.pl – a cycle with a way out: the exit decides, the detour does not matter.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(a, b).
move(b, a).
move(b, c).

% c is lost, so b is won, so a is lost.
%? win(a).
%? win(b).
%? win(c).
