% calls.pl – control constructs [ISO 7.8] and logic and control [ISO 8.15].

a(1).
a(2).
a(3).

cut(X) :- a(X), !.
cut(9).

local(X) :- call((a(X), !)).
local(9).

%? true.
%= true
%? fail.
%= false
%? call(!).
%= true
%? call((a(X), !)).
%= X = 1
%? cut(X).
%= X = 1
%? local(X).
%= X = 1
%= X = 9
%? call((fail, 1)).
%= error: type_error(callable,(fail,1))
%? call((write(3), 1)).
%= error: type_error(callable,(write(3),1))
%? call((1 ; true)).
%= error: type_error(callable,(1;true))
%? call(_).
%= error: instantiation_error
%? call(1).
%= error: type_error(callable,1)
%? call((fail, _)).
%= false
%? call((a(X), _)).
%= error: instantiation_error
%? call((1, true)).
%= error: type_error(callable,(1,true))
%? (a(X), X > 1 ; X = none).
%= X = 2
%= X = 3
%= X = none
%? (a(X) -> Y = yes ; Y = no).
%= X = 1, Y = yes
%? (fail -> true).
%= false
%? (fail -> true ; X = else).
%= X = else
%? (a(X) *-> true ; X = none).
%= X = 1
%= X = 2
%= X = 3
%? (X = 1 ; X = 2), X > 1.
%= X = 2
%? \+ fail.
%= true
%? \+ a(_).
%= false
%? \+ _.
%= error: instantiation_error
%? \+ 3.
%= error: type_error(callable,3)
%~ SWI-Prolog names the whole goal.
%? \+ (fail, 1).
%= error: type_error(callable,(fail,1))
%~ SWI-Prolog names the whole goal.
%? \+ !.
%= false
%? once(a(X)).
%= X = 1
%? once(_).
%= error: instantiation_error
%? once(3).
%= error: type_error(callable,3)
%? ignore(fail).
%= true
%? call(a, X), X > 2.
%= X = 3
%? call(=(1), X).
%= X = 1
%? call(_, 1).
%= error: instantiation_error
%? call(1, a).
%= error: type_error(callable,1)
%? call((a, b), c).
%= error: existence_error(procedure,(',')/3)
%~ SWI-Prolog writes the indicator as ',' /3.
%? undefined_procedure(1).
%= error: existence_error(procedure,undefined_procedure/1)
%~ SWI-Prolog has an additional argument for the module in some versions.
%? findall(X, (repeat, !, X = 1), L).
%= L = [1]
%? forall(a(X), X > 0).
%= true
%? forall(a(X), X > 1).
%= false
%? catch(throw(my), my, true).
%= true
%? catch(throw(f(_)), f(X), X = 1).
%= X = 1
%? catch(throw(my), other, true).
%= error: my
%? throw(_).
%= error: instantiation_error
%? catch((a(X), X > 1, throw(got(X))), got(Y), true).
%= Y = 2
%? catch(number_codes(_, [0'3, 0' , 0'1]), error(syntax_error(_), _), true).
%= true
%? catch(a(X), _, true).
%= X = 1
%= X = 2
%= X = 3
