% forall_over_table.pl – a universal condition over a complete table.
:- table ancestor/2.

ancestor(X, Y) :- parent(X, Y).
ancestor(X, Y) :- ancestor(X, Z), parent(Z, Y).

parent(ann, bob).
parent(ann, cid).
parent(bob, dan).

person(ann).
person(bob).
person(cid).
person(dan).

founder(X) :- person(X), forall(( person(Y), Y \== X ), ancestor(X, Y)).

%? founder(X).
