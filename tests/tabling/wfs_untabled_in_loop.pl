% wfs_untabled_in_loop.pl – the loop through negation runs through an untabled predicate.
:- table p/1.

p(X) :- step(X, Y), refuse(Y).

refuse(Y) :- tnot(p(Y)).

step(1, 2).
step(2, 1).
step(3, 1).
step(3, 4).

%? p(1).
%? p(3).
%? p(4).
