% limit_growing_number.pl – a counter without an end.
:- table count/1.

count(0).
count(N) :- count(M), N is M + 1.

%! limit
%? count(N).
