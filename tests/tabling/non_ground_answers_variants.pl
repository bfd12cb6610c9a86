% non_ground_answers_variants.pl – answers are compared as variants: a renamed copy is the same answer,
% an instance is another one.
:- table p/1.

p(f(_, _)).
p(f(_, _)).
p(f(X, X)).
p(f(a, _)).
p(f(a, a)).

%? p(X).
%? p(f(b,Y)).
