% win_mixed.pl – true, false and undefined in one graph: the example by which
% well-founded semantics is usually explained.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(a, b).
move(b, a).
move(b, c).
move(c, d).
move(e, f).
move(f, e).
move(f, c).
move(g, e).

truth(X, T) :- position(X), value(X, T).

value(X, won) :- win(X).
value(X, lost) :- tnot(win(X)).

position(a).
position(b).
position(c).
position(d).
position(e).
position(f).
position(g).

% c is won (d is lost); a-b and e-f are undecided; g can only move to e.
%? truth(X,T).
