% win_large_ring.pl – an undecided ring of 30 positions and one of 31; long chains of delays.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(e(X), e(Y)) :- between(1, 30, X), Y is X mod 30 + 1.
move(o(X), o(Y)) :- between(1, 31, X), Y is X mod 31 + 1.

%? win(e(1)).
%? win(o(1)).
%? win(e(30)).
