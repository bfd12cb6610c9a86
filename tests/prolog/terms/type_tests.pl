% type_tests.pl – type testing [ISO 8.3].

%? var(_).
%= true
%? X = a, var(X).
%= false
%? atom([]).
%= true
%~ In SWI-Prolog [] is no atom.
%? atom(1).
%= false
%? atom(f(a)).
%= false
%? integer(3.0).
%= false
%? float(3).
%= false
%? float(3.5).
%= true
%? atomic(f(a)).
%= false
%? atomic('').
%= true
%? compound(-(1)).
%= true
%? compound(- 1).
%= true
%? compound(-1).
%= false
%? compound([a]).
%= true
%? compound(_).
%= false
%? callable(a).
%= true
%? callable(3).
%= false
%? callable((a, 1)).
%= true
%? nonvar(_).
%= false
%? number(a).
%= false
%? ground(f(a, [b])).
%= true
%? ground(f(a, _)).
%= false
%? is_list([a|_]).
%= false
