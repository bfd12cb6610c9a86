% win_chain.pl – on a chain every position is won or lost, from the end backwards.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(1, 2).
move(2, 3).
move(3, 4).
move(4, 5).

%? win(X).
%? win(4).
%? win(5).
%? win(1).
