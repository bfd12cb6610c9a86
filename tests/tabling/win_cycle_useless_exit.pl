% win_cycle_useless_exit.pl – the only way out of the cycle leads to a won position, so it is never
% taken, and the cycle stays undefined.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(a, b).
move(b, a).
move(b, c).
move(c, d).

%? win(a).
%? win(b).
%? win(c).
%? win(d).
