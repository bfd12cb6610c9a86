% records.pl – what is kept under keys.

%? recorded(k, X).
%= false
%? recordz(k, a), recordz(k, b), recorda(k, c).
%= true
%? recorded(k, X).
%= X = c
%= X = a
%= X = b
%? recordz(t(x), d), recorded(t(y), X).
%= X = d
%? recorded(k, a, _R), erase(_R).
%= true
%? recorded(k, X).
%= X = c
%= X = b
%? flag(f, X, X + 5), flag(f, Y, Y * 2), flag(f, Z, Z).
%= X = 0, Y = 5, Z = 10
%? gensym(g, X), gensym(g, Y), reset_gensym(g), gensym(g, Z).
%= X = g1, Y = g2, Z = g1
%? erase(_).
%= error: instantiation_error
