% terms.pl – what terms are made of, and errors to throw.

%? findall(S, sub_term(S, f(a, g(b))), L).
%= L = [f(a,g(b)),a,g(b),b]
%? occurrences_of_term(a, f(a, g(a)), N).
%= N = 2
%? occurrences_of_var(X, f(X, g(X, Y)), N).
%= N = 2
%? free_of_term(c, f(a)), \+ free_of_term(a, f(a)).
%= true
%? mapargs([X, Y]>>(Y = g(X)), f(1, 2), T).
%= T = f(g(1),g(2))
%? mapsubterms([a, b]>>true, f(a, g(a), c), T).
%= T = f(b,g(b),c)
%? foldsubterms([X, A, B]>>(integer(X), B is A + X), f(1, g(2), c), 0, S).
%= S = 3
%? comma_list((a, b, c), L).
%= L = [a,b,c]
%? comma_list(C, [a, b, c]).
%= C = (a,b,c)
%? compound_name_arguments(T, f, [1, 2]).
%= T = f(1,2)
%? compound_name_arguments(f(1, 2), N, As).
%= N = f, As = [1,2]
%? compound_name_arity(f(1, 2), N, A).
%= N = f, A = 2
%? type_error(integer, a).
%= error: type_error(integer,a)
%? domain_error(positive, -1).
%= error: domain_error(positive,-1)
%? existence_error(file, f).
%= error: existence_error(file,f)
%? divmod(-7, 2, Q, R).
%= Q = -4, R = 1
%? nth_integer_root_and_remainder(3, 30, R, M).
%= R = 3, M = 3
%? nth_integer_root_and_remainder(3, -30, R, M).
%= R = -3, M = -3
%? assertion(1 =:= 1).
%= true
%? same_functor(f(a), f(b), N, A).
%= N = f, A = 1
%? term_size(f(a, g(b)), S).
%= S = 5
%? is_most_general_term(f(_, _)), \+ is_most_general_term(f(a)), \+ is_most_general_term(f(X, X)).
%= true
%? name(X, "12").
%= X = 12
%? name(ab, L).
%= L = [97,98]
%? name(X, "a1").
%= X = a1
