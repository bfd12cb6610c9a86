% text.pl – what is written can be read back; parts of text; the checks of types.

%? T = (-)-(-), with_output_to(atom(A), writeq(T)), term_to_atom(T2, A), T2 == T.
%= T = (-)-(-), A = '(-)-(-)', T2 = (-)-(-)
%? with_output_to(atom(A), writeq([- (1), 1 - (-1), - a, \+ (-), f(-), [-], {-}, - (-(1))])).
%= A = '[- 1,1- -1,-a,\\+ (-),f(-),[-],{-},- - 1]'
%? T = {}(x), T = '{}'(X).
%= T = {x}, X = x
%? split_string("//a//b//", "/", "/", L).
%= L = ["a","b"]
%? split_string("/home//jan", "/", "", L).
%= L = ["","home","","jan"]
%? split_string("  a , b  ", ",", " ", L).
%= L = ["a","b"]
%? split_string("", "", "", L).
%= L = [""]
%? with_output_to(atom(A), write_term(f(X, Y, X), [variable_names(['X'=X, 'Y'=Y])])).
%= A = 'f(X,Y,X)'
%? must_be(list(integer), [x]).
%= error: type_error(integer,x)
%? must_be(list(integer), [1|_]).
%= error: instantiation_error
%? must_be(boolean, 1).
%= error: type_error(boolean,1)
%? must_be(between(1, 3), 4).
%= error: domain_error(between(1,3),4)
%~ SWI-Prolog says type_error(between(1,3),4)
%? must_be(oneof([a, b]), c).
%= error: type_error(oneof([a,b]),c)
%? must_be(positive_integer, 0).
%= error: type_error(positive_integer,0)
%? number_chars(N, 4).
%= error: type_error(list,4)
%? sub_atom(abc, A, B, A, B).
%= false
%? sub_atom(abc, _, 1, A, A).
%= false
%? sub_atom(abc, B, 1, A, S), atom(S), S \== b.
%= B = 0, A = 2, S = a
%= B = 2, A = 0, S = c
%? length(f(x), y).
%= error: type_error(integer,y)
%? length([a], -1).
%= error: domain_error(not_less_than_zero,-1)
%? length(f(x), 1).
%= error: type_error(list,f(x))
