% terms_and_text.pl – terms and texts that say what they are.

%? term_to_atom(f(X), 'f(a)').
%= X = a
%? term_to_atom(1+2, '1 + 2').
%= true
%? term_to_atom(f(_, _), A), atom_length(A, 0).
%= false
%? term_to_atom(f(a, "b", 'C'), A).
%= A = 'f(a,"b",\'C\')'
%? term_to_atom(T, 'foo(X, b)'), T = foo(c, _).
%= T = foo(c,b)
%? term_string(f(X), "f(a)").
%= X = a
%? term_to_atom(g(X), 'f(a)').
%= false
%? term_to_atom(f(a), 'f(').
%= error: syntax_error('unclosed parenthesis')
%~ SWI-Prolog says end_of_file.
%? number_chars(1, [[]]).
%= error: type_error(character,[])
%~ SWI-Prolog wants a character code.
%? number_codes(N, "12").
%= N = 12
%? number_chars(N, "-1.5e3").
%= N = -1500.0
%? atom_chars(A, "ab").
%= A = ab

% Terms in quotes as the option says.
%? atom_to_term('p("a")', T, _).
%= T = p("a")

% Column stops: what does not divide evenly goes to the last ones.
%? format(atom(A), '~w~t~w~t~w~t~w~t~w~15|', [a, b, c, d, e]).
%= A = 'a  b  c   d   e'
%? format(atom(A), '~w~t~w~10|~w', [a, b, c]).
%= A = 'a        bc'
