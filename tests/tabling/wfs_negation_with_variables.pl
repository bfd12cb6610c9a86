% wfs_negation_with_variables.pl – three-valued negation over a domain: the safe rule binds X before
% tnot sees it.
:- table reach/1, blocked/1.

reach(a).
reach(Y) :- reach(X), edge(X, Y), tnot(blocked(Y)).
blocked(X) :- gate(X), tnot(open(X)).
blocked(X) :- doubt(X), tnot(blocked(X)).

:- table open/1.
open(b).
open(X) :- key(X).

edge(a, b).
edge(b, c).
edge(a, d).
edge(d, e).
edge(a, f).
edge(f, g).

gate(b).
gate(d).
doubt(f).
key(none).

%? reach(b).
%? reach(c).
%? reach(d).
%? reach(e).
%? reach(f).
%? reach(g).
