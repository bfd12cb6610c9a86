% negation_double.pl – the negation of a negation of a table has the table's truth value and
% binds nothing.
:- table p/1.

p(a).
p(b) :- p(a).
p(c) :- p(d).

yes(X) :- c(X), \+ \+ p(X).

c(a).
c(b).
c(c).

%? yes(X).
%? p(X).
