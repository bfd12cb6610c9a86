% limit_growing_call.pl – every call makes a larger one: new tables without end, and no answer.
:- table p/1.

p(X) :- p(f(X)).

%! limit
%? p(a).
