% deep_mutual_recursion.pl – two predicates call each other 5,000 times over.
:- table even/1, odd/1.

even(0).
even(N) :- N > 0, M is N - 1, odd(M).
odd(N) :- N > 0, M is N - 1, even(M).

%? even(5000).
%? odd(5000).
