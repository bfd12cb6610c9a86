% wfs_unfounded_after_delay.pl – p and q first rest on a delayed literal; when that turns out false
% they support only each other, and must go (answer completion).
:- table p/0, q/0, s/0, t/0, u/0.

p :- q.
q :- p.
q :- tnot(s).
s :- tnot(t).
t :- tnot(s), u.
u :- p, u.

% u is unfounded, so t is false, s true, and q has no other support.
%? p.
%? q.
%? s.
%? t.
