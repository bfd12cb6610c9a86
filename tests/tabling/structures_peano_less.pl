% structures_peano_less.pl – an order on numbers written as terms; the guard bounds the answers, which
% would have no end if any term were greater than 0.
:- table less/2.

less(0, s(X)) :- number_term(X).
less(s(X), s(Y)) :- less(X, Y).

number_term(0).
number_term(s(0)).
number_term(s(s(0))).

%? less(X,s(s(s(0)))).
%? less(s(0),X).
