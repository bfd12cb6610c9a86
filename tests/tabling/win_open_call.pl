% win_open_call.pl – the same with an unbound argument: one table whose own answers it negates.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(a, b).
move(b, a).
move(b, c).
move(d, a).
move(e, f).
move(f, e).

%? win(X).
