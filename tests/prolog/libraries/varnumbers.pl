% varnumbers.pl – variables in the place of numbered ones.

%? varnumbers(f('$VAR'(1), '$VAR'(2), '$VAR'(1)), f(_X, _Y, _Z)), _X == _Z, _X \== _Y.
%= true
%? varnumbers(f('$VAR'(1), '$VAR'(2)), 2, T), T = f(_, b).
%= T = f(B,b)
%? varnumbers(f('$VAR'(x), '$VAR'(-1), '$VAR'(1, 2), a, "s"), _T), writeq(_T).
%= true
%? T = f(A, B, A), numbervars(T, 5, _), varnumbers(T, 6, T1), T1 = f(_, x, _).
%= T = f(F,G,F), A = F, B = G, T1 = f(F,x,F)
%? varnumbers(f(X), T), T = f(1).
%= X = 1, T = f(1)
%? max_var_number(f('$VAR'(3), g('$VAR'(7)), '$VAR'(x)), 0, M).
%= M = 7
%? max_var_number(f('$VAR'(3)), 9, M).
%= M = 9
%? varnumbers_names(f('$VAR'(1), '$VAR'('X'), g('$VAR'('X'))), T, Bs), T = f(a, b, _).
%= T = f(a,b,g(b)), Bs = [1=a,'X'=b]
%? varnumbers_names(a, T, Bs).
%= T = a, Bs = []
