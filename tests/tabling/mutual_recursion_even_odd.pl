% mutual_recursion_even_odd.pl – two predicates in one SCC; neither table is complete before
% the other is.
:- table even/1, odd/1.

even(zero).
even(X) :- before(Y, X), odd(Y).
odd(X) :- before(Y, X), even(Y).

before(zero, one).
before(one, two).
before(two, three).
before(three, four).
before(four, zero).

% A ring of five: going round once more reaches every node with the other parity.
%? even(X).
%? odd(X).
