% win_acyclic.pl – on an acyclic graph the model is two-valued although the program is not
% stratified.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(a, b).
move(a, c).
move(b, d).
move(c, d).
move(c, e).
move(d, f).

position(a).
position(b).
position(c).
position(d).
position(e).
position(f).

state(X) :- position(X), win(X).

%? state(X).
%? win(a).
%? win(b).
