% scc_two_entries.pl – one SCC shared by two callers that each add something of their own.
:- table left/1, right/1, core/1, mirror/1.

left(X) :- core(X).
left(l).
right(X) :- mirror(X).
right(r).
core(X) :- mirror(X).
core(c).
mirror(X) :- core(X).
mirror(m).

both(X, Y) :- left(X), right(Y).

%? left(X).
%? right(X).
%? both(l,X).
