% wfs_undefined_beside_true.pl – true and undefined answers stand in one table, each with its own
% truth value.
:- table win/1, may_end/1.

win(X) :- move(X, Y), tnot(win(Y)).

may_end(X) :- win(X).
may_end(c).

move(a, b).
move(b, a).

%? may_end(X).
%? may_end(b).
