% exception_caught_inside.pl – an error caught inside the clause body is no error of the table.
:- table half/2.

half(X, Y) :- catch(Y is X // 2, error(type_error(_, _), _), Y = none).

%? half(7,Y).
%? half(a,Y).
