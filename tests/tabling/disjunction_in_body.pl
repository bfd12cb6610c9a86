% disjunction_in_body.pl – both branches of a disjunction consume the table they fill.
:- table reach/1.

reach(1).
reach(X) :- ( reach(Y), odd(Y, X) ; reach(Y), even(Y, X) ).

odd(1, 2).
odd(3, 4).
even(2, 3).
even(4, 1).

%? reach(X).
