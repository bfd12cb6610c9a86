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

:- table shape/2, other/2, unknown/1.
shape(X, f(Y)) :- other(X, g(Y)).
other(_, _) :- unknown(1).
unknown(X) :- tnot(unknown(X)).

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
%? call_delays(shape(A, B), D), D == shape(A, B).
%= B = f(_A), D = shape(A,f(_A)) (undefined)
%~ the condition is qualified by its module
%? call_residual_program(shape(X, Y), [(Head :- Body)|_]), Head == shape(X, Y), Body = other(A, g(B)), A == X, Y == f(B).
%= Y = f(B), Head = shape(X,f(B)), Body = other(X,g(B)), A = X (undefined)
%~ truth values are not shown
%? table(limited/1 as max_answers(3)).
%= error: domain_error(table_option,max_answers(3))
%~ has limits of tables
%? table(limited/1 as (subsumptive, subgoal_abstract(2))).
%= error: domain_error(table_option,subgoal_abstract(2))
%~ has limits of tables
%? table(limited/1 as (incremental, shared)).
%= true
