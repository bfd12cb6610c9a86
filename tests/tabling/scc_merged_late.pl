% scc_merged_late.pl – two groups of goals look independent until the last clause of the inner
% one calls back into the outer one: the two SCCs become one.
:- table outer/1, middle/1, inner/1.

outer(X) :- middle(X).
outer(1).
middle(X) :- inner(X).
middle(2).
inner(X) :- middle(X).
inner(3).
inner(Y) :- outer(X), X < 4, Y is X + 1.

%? outer(X).
%? inner(X).
%? middle(X).
