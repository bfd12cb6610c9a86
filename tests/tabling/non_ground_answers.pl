% non_ground_answers.pl – an answer may keep variables; it stands for all its instances.
:- table pair/2, any/1.

pair(X, f(X)).
pair(X, Y) :- pair(Y, X).
any(_).

%? pair(X,Y).
%? pair(a,Y).
%? pair(f(b),Y).
%? any(X).
