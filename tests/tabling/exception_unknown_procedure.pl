% exception_unknown_procedure.pl – a call to a predicate that does not exist is an error, not false.
:- table p/1.

p(X) :- q(X).
p(1).

%? p(X).
