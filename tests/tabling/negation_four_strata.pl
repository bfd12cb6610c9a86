% negation_four_strata.pl – each stratum negates the one below, all of them tabled.
:- table s1/1, s2/1, s3/1, s4/1.

s1(X) :- d(X), X < 3.
s2(X) :- d(X), \+ s1(X).
s3(X) :- d(X), \+ s2(X).
s4(X) :- d(X), \+ s3(X), X < 5.

d(1).
d(2).
d(3).
d(4).
d(5).

%? s4(X).
%? s3(X).
%? s2(X).
%? s1(X).
