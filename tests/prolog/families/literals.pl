% literals.pl – floats and large integers in every position: the words of their values are no cells, whatever bits
% they have. -5764607523034234881 is one whose value looks like the header of a boxed number.

:- dynamic kept/1.

f(0.1).
f(9223372036854775802).
f(-9223372036854775808).
g(X, s(X, 2.5, [0.25|_])).
b(X) :- X = p(1.0e300, 4611686018427387904), true.
asserted(X) :- retractall(kept(_)), assertz((kept(Y) :- Y = h(0.5, 9223372036854775807))), kept(X).

%? f(X).
%= X = 0.1
%= X = 9223372036854775802
%= X = -9223372036854775808
%? f(9223372036854775802).
%= true
%? g(1.5, S), arg(2, S, X).
%= S = s(1.5,2.5,[0.25|_A]), X = 2.5
%~ names of variables
%? b(X).
%= X = p(1.0e300,4611686018427387904)
%~ exponent
%? asserted(X).
%= X = h(0.5,9223372036854775807)
%? findall(X, member(X, [2305843009213693951, 0.5, -2305843009213693953]), L).
%= L = [2305843009213693951,0.5,-2305843009213693953]
%? catch(throw(e(0.125, 4611686018427387905)), E, true).
%= E = e(0.125,4611686018427387905)
