% character_types.pl – char_type/2 and code_type/2.

%? char_type('_', alpha).
%= false
%? char_type('1', alpha).
%= false
%? char_type('1', alnum).
%= true
%? char_type('_', csym).
%= true
%? char_type('1', csymf).
%= false
%? code_type(0' , white).
%= true
%? char_type('\n', white).
%= false
%? char_type('\n', space).
%= true
%? char_type('\n', end_of_line).
%= true
%? char_type(a, lower(U)).
%= U = 'A'
%? char_type('A', upper(L)).
%= L = a
%? char_type(a, upper(_)).
%= false
%? char_type('A', lower(_)).
%= false
%? code_type(0'7, digit(W)).
%= W = 7
%? code_type(0'f, xdigit(W)).
%= W = 15
%? char_type('(', paren(C)).
%= C = ')'
%? once(char_type(X, digit(3))).
%= X = '3'
%? char_type('.', prolog_symbol).
%= true
%? char_type('é', punct).
%= false
%? char_type(a, to_lower(X)).
%= X = a
%~ SWI-Prolog 9.0.4 takes the upper case, against its manual.
%? char_type(a, foo).
%= error: domain_error(char_type,foo)
%~ SWI-Prolog says that it is a type error.
%? atom_number(' 3', X).
%= false
%? format(atom(X), "x~sy", [[]]).
%= X = xy
%? open_null_stream(S), format(S, "~w", [a]), close(S), fail.
%= false
