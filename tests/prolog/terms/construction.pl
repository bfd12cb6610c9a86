% construction.pl – term creation and decomposition [ISO 8.5].

%? functor(foo(a, b, c), N, A).
%= N = foo, A = 3
%? functor(X, foo, 2), X = foo(a, b).
%= X = foo(a,b)
%? functor(X, foo, 0).
%= X = foo
%? functor(X, 1.1, 0).
%= X = 1.1
%  DIVERGENCE: the standard says '.'; as in SWI-Prolog a list is no term that dots make.
%? functor([_|_], N, A).
%= N = '[|]', A = 2
%? functor([], N, A).
%= N = [], A = 0
%? functor(_, _, 3).
%= error: instantiation_error
%? functor(_, foo, _).
%= error: instantiation_error
%? functor(_, foo(a), 1).
%= error: type_error(atomic,foo(a))
%? functor(_, 1.5, 1).
%= error: type_error(atom,1.5)
%? functor(_, foo, -1).
%= error: domain_error(not_less_than_zero,-1)
%? functor(_, foo, a).
%= error: type_error(integer,a)
%? functor(_, foo(a), 0).
%= error: type_error(atomic,foo(a))
%? arg(1, foo(a, b), X).
%= X = a
%? arg(3, foo(a, b), _).
%= false
%? arg(0, foo(a, b), _).
%= false
%? arg(N, foo(a, b), X).
%= N = 1, X = a
%= N = 2, X = b
%? arg(N, foo(a, b, a), a).
%= N = 1
%= N = 3
%? X is 1 + 1, arg(X, foo(a, b), A).
%= X = 2, A = b
%? (fail, N > 1 ; arg(N, foo(a), A)).
%= N = 1, A = a
%? findall(N-M, (arg(N, f(_, 2), Z), arg(M, g(Z, N), 1)), L).
%= L = [1-1,1-2]
%? findall(N-M, (arg(N, f(a, b), X), \+ X = b, arg(M, g(b, a, a), X)), L).
%= L = [1-2,1-3]
%? ( arg(N, f(a, b, c), b) -> true ; N = 0 ).
%= N = 2
%? findall(N, (arg(N, f(a, b, c), _), N >= 2, !), L).
%= L = [2]
%? G = arg(N, f(a, b), b), call(G).
%= G = arg(2,f(a,b),b), N = 2
%? arg(_, _, _).
%= error: instantiation_error
%? arg(_, atom, _).
%= error: type_error(compound,atom)
%? arg(1, _, _).
%= error: instantiation_error
%? arg(1, 3, _).
%= error: type_error(compound,3)
%? arg(1, atom, _).
%= error: type_error(compound,atom)
%? arg(a, foo(a, b), _).
%= error: type_error(integer,a)
%? arg(-1, foo(a, b), _).
%= error: domain_error(not_less_than_zero,-1)
%? foo(a, b) =.. L.
%= L = [foo,a,b]
%? X =.. [foo, a, b].
%= X = foo(a,b)
%? X =.. [1.5].
%= X = 1.5
%? 4 =.. L.
%= L = [4]
%? _ =.. _.
%= error: instantiation_error
%? _ =.. [foo|_].
%= error: instantiation_error
%? _ =.. [foo|bar].
%= error: type_error(list,[foo|bar])
%? _ =.. [_, bar].
%= error: instantiation_error
%? _ =.. [3, 1].
%= error: type_error(atom,3)
%? _ =.. [a(b), 1].
%= error: type_error(atom,a(b))
%? _ =.. [a(b)].
%= error: type_error(atomic,a(b))
%? _ =.. [].
%= error: domain_error(non_empty_list,[])
%? foo(a) =.. [b|c].
%= error: type_error(list,[b|c])
%~ SWI-Prolog fails.
%? copy_term(f(X, Y, X), Z), Z = f(1, 2, V).
%= Z = f(1,2,1), V = 1
%? copy_term(a, b).
%= false
%? term_variables(f(X, g(Y), X), [X1, Y1]), X1 == X, Y1 == Y.
%= X1 = X, Y1 = Y
%? term_variables(a, L).
%= L = []
%? term_variables(t, [x|a]).
%= error: type_error(list,[x|a])
%~ SWI-Prolog does not check the last argument.
%? term_variables(f(X), [Y|T]).
%= Y = X, T = []
