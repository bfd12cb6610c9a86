% wfs_call_delays.pl – on which undefined literals an answer rests. What is true rests on none; an
% answer of a table on itself, whatever it was derived from; a conjunction on all its parts.

:- table p/0, q/0, r/1, s/0, win/1.

p :- tnot(q).
q :- tnot(p).

r(1) :- p.
r(2).

s.

win(X) :- move(X, Y), tnot(win(Y)).

move(a, b).
move(b, a).
move(b, c).
move(d, d).

plain(X) :- r(X), p.

%? call_delays(s,D)
%? call_delays(p,D)
%? call_delays(r(X),D)
%? call_delays(tnot(q),D)
%? call_delays(tnot(s),D)
%? call_delays((p,q),D)
%? call_delays((p,p),D)
%? call_delays(plain(X),D)
%? call_delays(win(X),D)
%? call_delays(fail,D)
%? p,call_delays(s,D)
