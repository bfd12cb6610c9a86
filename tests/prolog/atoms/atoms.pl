% atoms.pl – atomic term processing [ISO 8.16].

%? atom_length('enchanted evening', N).
%= N = 17
%? atom_length('', N).
%= N = 0
%? atom_length(_, _).
%= error: instantiation_error
%? atom_length(f(a), _).
%= error: type_error(atom,f(a))
%~ SWI-Prolog does not say which type it wants.
%? atom_length(abc, foo).
%= error: type_error(integer,foo)
%? atom_length(abc, -1).
%= error: domain_error(not_less_than_zero,-1)
%~ SWI-Prolog fails.
%? atom_concat(hello, ' world', X).
%= X = 'hello world'
%? atom_concat(X, ' world', 'small world').
%= X = small
%? atom_concat(hello, ' world', 'small world').
%= false
%? atom_concat(X, Y, ab).
%= X = '', Y = ab
%= X = a, Y = b
%= X = ab, Y = ''
%? atom_concat(_, b, _).
%= error: instantiation_error
%? atom_concat(f(a), b, _).
%= error: type_error(atomic,f(a))
%? sub_atom(abracadabra, 0, 5, A, S).
%= A = 6, S = abrac
%? sub_atom(abracadabra, B, 5, 0, S).
%= B = 6, S = dabra
%? sub_atom(abracadabra, B, 2, A, ab).
%= B = 0, A = 9
%= B = 7, A = 2
%? sub_atom(ab, B, L, A, S).
%= B = 0, L = 0, A = 2, S = ''
%= B = 0, L = 1, A = 1, S = a
%= B = 0, L = 2, A = 0, S = ab
%= B = 1, L = 0, A = 1, S = ''
%= B = 1, L = 1, A = 0, S = b
%= B = 2, L = 0, A = 0, S = ''
%? sub_atom(_, _, _, _, a).
%= error: instantiation_error
%? sub_atom(f(a), _, _, _, _).
%= error: type_error(atom,f(a))
%? sub_atom(abc, a, _, _, _).
%= error: type_error(integer,a)
%? sub_atom(abc, _, -1, _, _).
%= error: domain_error(not_less_than_zero,-1)
%? sub_atom(abc, _, _, _, f(a)).
%= error: type_error(atom,f(a))
%? atom_chars([], L).
%= L = ['[',']']
%~ In SWI-Prolog [] is no atom.
%? atom_chars('', L).
%= L = []
%? atom_chars(X, [s, o, p]).
%= X = sop
%? atom_chars('North', ['N'|X]).
%= X = [o,r,t,h]
%? atom_chars(_, _).
%= error: instantiation_error
%? atom_chars(_, [a|_]).
%= error: instantiation_error
%? atom_chars(_, [a, _]).
%= error: instantiation_error
%? atom_chars(_, [a, f(b)]).
%= error: type_error(character,f(b))
%? atom_chars(_, [a|b]).
%= error: type_error(list,[a|b])
%? atom_chars(f(a), _).
%= error: type_error(atom,f(a))
%? atom_codes(abc, L).
%= L = [97,98,99]
%? atom_codes(X, [0'x, 0'y]).
%= X = xy
%? atom_codes(_, _).
%= error: instantiation_error
%? atom_codes(f(a), _).
%= error: type_error(atom,f(a))
%? atom_codes(_, [0'a, -1]).
%= error: representation_error(character_code)
%~ SWI-Prolog has a type of character codes.
%? char_code(a, X).
%= X = 97
%? char_code(X, 98).
%= X = b
%? char_code(a, x).
%= error: type_error(integer,x)
%? number_chars(_, ['4', 2]).
%= error: type_error(character,2)
%? number_codes(_, [0'4, a]).
%= error: type_error(integer,a)
%~ SWI-Prolog has a type of character codes.
%? atom_chars(_, [a, 2]).
%= error: type_error(character,2)
%? char_code(_, _).
%= error: instantiation_error
%? char_code(ab, _).
%= error: type_error(character,ab)
%? char_code(_, a).
%= error: type_error(integer,a)
%? char_code(_, -2).
%= error: representation_error(character_code)
%~ SWI-Prolog has a type of character codes.
%? number_chars(X, ['3', '1']).
%= X = 31
%? number_chars(X, [' ', '3']).
%= X = 3
%? number_chars(X, ['0', x, f]).
%= X = 15
%? number_chars(X, ['0', '''', a]).
%= X = 97
%? number_chars(X, ['4', '.', '2']).
%= X = 4.2
%? number_chars(X, ['3', '.', '3', 'E', +, '0', '1']).
%= X = 33.0
%? number_chars(33, L).
%= L = ['3','3']
%? number_chars(33, ['0', '3', '3']).
%= true
%? number_chars(_, _).
%= error: instantiation_error
%? number_chars(_, ['3'|_]).
%= error: instantiation_error
%? number_chars(_, ['3', _]).
%= error: instantiation_error
%? number_chars(a, _).
%= error: type_error(number,a)
%? number_chars(_, ['3', f(a)]).
%= error: type_error(character,f(a))
%? number_chars(_, [a|b]).
%= error: type_error(list,[a|b])
%? catch(number_chars(_, ['3', ' ']), error(syntax_error(_), _), true).
%= true
%? catch(number_chars(_, [a]), error(syntax_error(_), _), true).
%= true
%? number_codes(X, [0'-, 0'1]).
%= X = -1
%? number_codes(33, L).
%= L = [51,51]
%? number_codes(_, _).
%= error: instantiation_error
%? number_codes(_, [0'1|_]).
%= error: instantiation_error
%? number_codes(a, _).
%= error: type_error(number,a)
