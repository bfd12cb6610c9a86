% exception_division.pl – evaluation errors keep their ISO form.
:- table ratio/3.

ratio(X, Y, Z) :- Z is X // Y.

%? ratio(7,2,Z).
%? ratio(1,0,Z).
%? ratio(1,_,Z).
