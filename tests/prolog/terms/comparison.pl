% comparison.pl – term comparison, sorting [ISO 8.4].

%? 1.0 @=< 1.
%= true
%? 1.0 @< 1.
%= true
%? 1 @< a.
%= true
%? aardvark @< zebra.
%= true
%? short @< shorter.
%= true
%? f(a, b) @< g(a).
%= false
%? f(b) @< f(a, a).
%= true
%? f(X, Y) == f(X, Y).
%= true
%? f(_) == f(_).
%= false
%? X \== X.
%= false
%? compare(>, 3, 3.0).
%= true
%? compare(<, 3, 5).
%= true
%? compare(<, a, a).
%= false
%? compare(a, 3, 5).
%= error: domain_error(order,a)
%? compare(1, 3, 5).
%= error: type_error(atom,1)
%? sort([c, a, b, a], L).
%= L = [a,b,c]
%? sort([1, 1.0, a, f(x)], L).
%= L = [1.0,1,a,f(x)]
%? sort([a|_], _).
%= error: instantiation_error
%? sort(_, _).
%= error: instantiation_error
%? sort([a|b], _).
%= error: type_error(list,[a|b])
%? sort([a], [b|c]).
%= error: type_error(list,[b|c])
%~ SWI-Prolog does not check the second argument.
%? msort([b, a, b], L).
%= L = [a,b,b]
%? keysort([b-1, a-2, b-0, a-1], L).
%= L = [a-2,a-1,b-1,b-0]
%? keysort([a|_], _).
%= error: instantiation_error
%? keysort([a], _).
%= error: type_error(pair,a)
%? keysort([_], _).
%= error: instantiation_error
%? keysort([a-1|b], _).
%= error: type_error(list,[a-1|b])
%? keysort([a-1], [b]).
%= error: type_error(pair,b)
%~ SWI-Prolog does not check the second argument.
%? keysort([a-1], [b|c]).
%= error: type_error(list,[b|c])
%~ SWI-Prolog does not check the second argument.
