% tables.pl – tables are looked at and taken back.

:- table path/2.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
edge(a, b).
edge(b, c).
edge(c, a).

:- table double/2.
double(X, Y) :- calls(N), M is N + 1, retract(calls(N)), assertz(calls(M)), Y is 2 * X.
:- dynamic calls/1.
calls(0).

%? once(path(a, _)), current_table(path(X, _), _).
%= X = a
%~ looks for the variant itself
%? once(path(b, _)), findall(X, current_table(path(X, _), _), Xs).
%= Xs = [a,b]
%~ looks for the variant itself
%? double(3, X), double(3, Y), calls(N).
%= X = 6, Y = 6, N = 1
%? untable((path/2, double/2)).
%= true
%? current_table(path(_, _), _).
%= false
%? double(3, X), double(3, Y), calls(N).
%= X = 6, Y = 6, N = 3
%? untable(X).
%= error: instantiation_error
