% unification.pl – term unification [ISO 8.2].

%? 1 = 1.
%= true
%? X = 1, X = Y.
%= X = 1, Y = 1
%? f(X, b) = f(a, Y).
%= X = a, Y = b
%? 1 = 1.0.
%= false
%? f(a) = f(a, b).
%= false
%? unify_with_occurs_check(X, f(X)).
%= false
%? unify_with_occurs_check(f(X, Y), f(Y, g(X))).
%= false
%? unify_with_occurs_check(f(X, a), f(b, Y)).
%= X = b, Y = a
%? X \= 1.
%= false
%? f(X, 1) \= f(a, X).
%= true
%? subsumes_term(f(_), f(a)).
%= true
%? subsumes_term(f(a), f(_)).
%= false
%? subsumes_term(X, f(X)).
%= false
%? subsumes_term(f(X, X), f(_, _)).
%= false
