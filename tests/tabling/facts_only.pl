% facts_only.pl – a tabled predicate without rules, and one without clauses that match.
:- table colour/1, shade/2.

colour(red).
colour(green).
shade(red, dark).

%? colour(X).
%? colour(blue).
%? shade(green,X).
%? shade(X,Y).
