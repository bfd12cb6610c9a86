% unification.pl – unification with occurs check ends, also where plain unification would make a cyclic term.

%? unify_with_occurs_check(f(X, Y, X), f(a(X), a(Y), Y)).
%= false
%? unify_with_occurs_check(X, f(X)).
%= false
%? unify_with_occurs_check(X, X).
%= true
%? unify_with_occurs_check(f(X, Y), f(Y, g(Z))), Z = 1.
%= X = g(1), Y = g(1), Z = 1
%? X = f(X), ( acyclic_term(X) -> true ; Y = cyclic ), X = a.
%= false
%? acyclic_term(f(X, X)).
%= true
%? X = f(_, X), \+ acyclic_term(X), Y = done, X = f(_, _), fail.
%= false
