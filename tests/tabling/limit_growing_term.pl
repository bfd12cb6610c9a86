% limit_growing_term.pl – each answer makes a larger one: the table never completes.
:- table nat/1.

nat(0).
nat(s(X)) :- nat(X).

%! limit
%? nat(X).
