% wfs_residual_program.pl – the clauses that leave an answer undefined, without what is true or false.

:- table p/0, q/0, r/1, win/1.

p :- tnot(q), t.
q :- tnot(p).
q :- u.

r(X) :- s(X), p.
r(3).

s(1).
s(2).
t.
u :- fail.

win(X) :- move(X, Y), tnot(win(Y)).

move(a, b).
move(b, a).
move(c, d).

%? call_residual_program(p,C)
%? call_residual_program(r(1),C)
%? call_residual_program(r(3),C)
%? call_residual_program(win(a),C)
%? call_residual_program(win(c),C)
%? call_residual_program(win(d),C)
%? not_exists(win(d))
%? not_exists(win(c))
%? not_exists(move(d,_))
