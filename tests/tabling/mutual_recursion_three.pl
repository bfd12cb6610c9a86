% mutual_recursion_three.pl – a cycle of three predicates, entered at each of them: the model
% must not depend on which becomes the leader.
:- table a/1, b/1, c/1.

a(X) :- b(X).
a(1).
b(X) :- c(X).
b(2).
c(X) :- a(X).
c(3).

%? b(X).
%? c(X).
%? a(X).
