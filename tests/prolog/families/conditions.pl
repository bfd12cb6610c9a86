% conditions.pl – a cut in a condition is local to it [ISO, 7.8.7 and 7.8.8], compiled, called and bound at run time.

p(1).
p(2).

a(R) :- ( p(X), !, X > 1 -> R = then ; R = else ).
b(yes) :- \+ ( p(X), !, X > 1 ).
c(R) :- ( p(X), !, X > 1 *-> R = then ; R = else ).
d(X) :- ( p(X), ! *-> true ).
d(9).
e(X) :- ( p(X), ( true ; true ), ! -> true ; X = none ).
e(9).
f(X) :- p(X), ( true -> ! ; true ).
f(9).
deep(X) :- ( ( ( p(X), ! ; X = 8 ), X > 1 -> true ; X = 7 ), ! -> true ; X = 6 ).

negated(B) :- \+ ( nb_setval(negated, ran), B ).
alone(B) :- \+ B.
inner(B) :- \+ ( nb_setval(negated, ran), \+ B ).

%? nb_setval(negated, no), catch(negated(1), error(E, _), true), nb_getval(negated, Ran).
%= E = type_error(callable,(nb_setval(negated,ran),1)), Ran = no
%~ SWI-Prolog compiles the negation in place and runs what stands before the number
%? nb_setval(negated, no), catch(inner(1), error(E, _), true), nb_getval(negated, Ran).
%= E = type_error(callable,1), Ran = ran
%? negated(fail).
%= true
%? negated(true).
%= false
%? negated(!).
%= false
%? catch(alone(1), error(E, _), true).
%= E = type_error(callable,1)
%? a(R).
%= R = else
%? b(R).
%= R = yes
%? c(R).
%= R = else
%? d(X).
%= X = 1
%= X = 9
%? e(X).
%= X = 1
%= X = 9
%? f(X).
%= X = 1
%? deep(X).
%= X = 7
%? findall(Z-X, call((Z = !, p(X), Z)), L).
%= L = [!-1,!-2]
%? G = (p(X), !), call(G).
%= G = (p(1),!), X = 1
%? call((p(X), ! -> true ; fail)).
%= X = 1
%? findall(X, (p(X), !), L).
%= L = [1]
%? G = (p(X), !, X > 1), ( \+ G -> R = yes ; R = no ).
%= G = (p(X),!,X>1), R = yes
