% same_generation_acyclic.pl – the middle recursion of deductive databases: up, across, down.
:- table sg/2.

sg(X, X) :- person(X).
sg(X, Y) :- parent(X, P), sg(P, Q), parent(Y, Q).

person(X) :- parent(X, _).
person(ann).

parent(bob, ann).
parent(cid, ann).
parent(dan, bob).
parent(eva, cid).
parent(fay, cid).

%? sg(dan,X).
%? sg(bob,X).
%? sg(ann,X).
