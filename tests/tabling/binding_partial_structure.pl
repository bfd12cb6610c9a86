% binding_partial_structure.pl – calls that differ inside a structure are different calls.
:- table holds/1.

holds(at(X, Y)) :- place(X, Y).
holds(near(X, Y)) :- holds(at(X, Z)), holds(at(Y, Z)), X \== Y.

place(ann, hill).
place(bob, hill).
place(cid, lake).

%? holds(at(ann,X)).
%? holds(near(X,Y)).
%? holds(near(cid,Y)).
%? holds(X).
