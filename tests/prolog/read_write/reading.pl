% reading.pl – text as terms [ISO 6, 8.14].

%? X = 0'a.
%= X = 97
%? X = 0x1F.
%= X = 31
%? X = 0b101.
%= X = 5
%? X = 0o17.
%= X = 15
%? X = 0'''.
%= X = 39
%? X = "ab", atom_length(X, N).
%= X = "ab", N = 2
%? X = 'a''b'.
%= X = 'a\'b'
%? X = '\x41\'.
%= X = 'A'
%? X = a:b:c, X = (P:Q).
%= X = a:b:c, P = a, Q = b:c
%? X = (a , b), X =.. L.
%= X = (a,b), L = [',',a,b]
%? - (1) = -(1).
%= true
%? -(1) == -1.
%= false
%? 1 - 1 = -(1, 1).
%= true
%? [a|[b|[]]] = [a, b].
%= true
%? {a} = '{}'(a).
%= true
%? term_to_atom(X, 'f(A, B, A)'), X = f(1, 2, Y).
%= X = f(1,2,1), Y = 1
%? catch(term_to_atom(_, 'f('), error(syntax_error(_), _), true).
%= true
%? catch(term_to_atom(_, 'a b'), error(syntax_error(_), _), true).
%= true
%? catch(term_to_atom(_, 'a = = b'), error(syntax_error(_), _), true).
%= true
%? catch(term_to_atom(_, 'X is 1 =:= 2 =:= 3'), error(syntax_error(_), _), true).
%= true
%? read_term(user_input, _, _).
%= error: instantiation_error
%? read_term(user_input, _, foo).
%= error: type_error(list,foo)
%? read_term(user_input, _, [foo|_]).
%= error: instantiation_error
%~ SWI-Prolog looks at the options from the left.
