% win_cycle_even.pl – two positions, each the way out of the other: nobody can force
% anything, both are undefined.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(a, b).
move(b, a).

%? win(a).
%? win(b).
%? win(X).
