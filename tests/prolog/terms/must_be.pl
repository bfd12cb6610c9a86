% must_be.pl – the type checks of programs, with the errors of the standard.

%? must_be(list(integer), [x]).
%= error: type_error(integer,x)
%? must_be(list(integer), [1,2]).
%= true
%? must_be(list(integer), [1|2]).
%= error: type_error(list(integer),[1|2])
%? must_be(rational, a).
%= error: type_error(rational,a)
%? must_be(rational, f(_)).
%= error: instantiation_error
%? must_be(rational, 1).
%= true
%? must_be(integer, _).
%= error: instantiation_error
%? must_be(positive_integer, 0).
%= error: type_error(positive_integer,0)
%? must_be(nonneg, a).
%= error: type_error(integer,a)
%~ SWI-Prolog 9.0.4 raises a type error of the type as it is given
%? must_be(between(1,3), 4).
%= error: domain_error(between(1,3),4)
%~ SWI-Prolog 9.0.4 raises a type error of the type as it is given
%? must_be(between(1,3), a).
%= error: type_error(integer,a)
%~ SWI-Prolog 9.0.4 raises a type error of the type as it is given
%? must_be(oneof([a,b]), c).
%= error: type_error(oneof([a,b]),c)
%? must_be(boolean, 1).
%= error: type_error(boolean,1)
%? must_be(no_such_type, 1).
%= error: existence_error(type,no_such_type)
%? acyclic_term(f(X,X)).
%= true
%? number_chars(_, 4).
%= error: type_error(list,4)
%? number_codes(_, [0'1|_]).
%= error: instantiation_error
