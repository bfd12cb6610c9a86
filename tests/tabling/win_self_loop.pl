% win_self_loop.pl – a move that changes nothing: undefined, unless there is a better one.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(a, a).
move(b, b).
move(b, c).
move(d, b).
move(e, a).

%? win(a).
%? win(b).
%? win(d).
%? win(e).
