% all_solutions.pl – findall/3, bagof/3, setof/3 [ISO 8.10].

p(1, a).
p(2, b).
p(3, a).

%? findall(X, (X = 1 ; X = 2), L).
%= L = [1,2]
%? findall(X + _, (X = 1), [1 + Y]).
%= true
%? findall(_, fail, L).
%= L = []
%? findall(X, (X = 1 ; X = 1), L).
%= L = [1,1]
%? findall(_, _, _).
%= error: instantiation_error
%? findall(_, 4, _).
%= error: type_error(callable,4)
%? findall(X, X = 1, [a|b]).
%= error: type_error(list,[a|b])
%~ SWI-Prolog does not check the last argument.
%? findall(X, X = 1, foo).
%= error: type_error(list,foo)
%~ SWI-Prolog does not check the last argument.
%? findall(X, X = 1, [A|T]).
%= A = 1, T = []
%? bagof(X, p(X, a), L).
%= L = [1,3]
%? bagof(X, p(X, Y), L).
%= Y = a, L = [1,3]
%= Y = b, L = [2]
%? bagof(X, Y^p(X, Y), L).
%= L = [1,2,3]
%? bagof(_, fail, _).
%= false
%? bagof(X, (X = 1 ; X = 1), L).
%= L = [1,1]
%? bagof(_, _, _).
%= error: instantiation_error
%? bagof(_, 1, _).
%= error: type_error(callable,1)
%? bagof(X, _^_, _).
%= error: instantiation_error
%? bagof(X, X = 1, [a|b]).
%= error: type_error(list,[a|b])
%~ SWI-Prolog does not check the last argument.
%? setof(X, (X = 2 ; X = 1 ; X = 2), L).
%= L = [1,2]
%? setof(Y-X, p(X, Y), L).
%= L = [a-1,a-3,b-2]
%? setof(X, p(X, Y), L).
%= Y = a, L = [1,3]
%= Y = b, L = [2]
%? setof(X, member(X, [f(U, b), f(V, c)]), [A|_]), A = f(1, _), U == 1.
%= U = 1, A = f(1,b)
%? setof(_, fail, _).
%= false
%? setof(_, _, _).
%= error: instantiation_error
%? setof(X, X = 1, [a|b]).
%= error: type_error(list,[a|b])
%~ SWI-Prolog does not check the last argument.
