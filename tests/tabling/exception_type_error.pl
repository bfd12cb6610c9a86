% exception_type_error.pl – an error inside a tabled goal reaches the caller, and the table that was
% under way is thrown away: the predicate can be called again.
:- table double/2.

double(X, Y) :- Y is X * 2.

%? double(a,Y).
%? double(3,Y).
%? double(a,Y).
