% cyclic.pl – terms that contain themselves: what is defined for them ends, and what needs a finite term refuses them.

:- dynamic fact/1.
:- table tabled/1.
tabled(_).

% A term with 2^N leaves in N cells.
shared(0, leaf).
shared(N, f(T, T)) :- N > 0, M is N - 1, shared(M, T).

text(T, A) :- format(atom(A), "~w", [T]).

% Unification and comparison.
%? X = f(X), Y = f(Y), X = Y, R = same.
%= X = @(S_1,[S_1=f(S_1)]), Y = @(S_1,[S_1=f(S_1)]), R = same
%? \+ \+ (X = f(X, a), Y = f(f(Y, a), a), X == Y).
%= true
%? \+ \+ (X = f(X), Y = g(Y), X \= Y).
%= true
%? \+ \+ (X = f(X, V), Y = f(Y, W), X = Y, V == W).
%= true
%? \+ \+ (X = [a, b|X], Y = [a, b, a, b|Y], X == Y).
%= true
%? \+ \+ (X = f(X, a), Y = f(Y, b), X @< Y, compare(>, Y, X)).
%= true
%? \+ \+ (X = f(X, _), copy_term(X, Y), X =@= Y, X \== Y).
%= true
%? \+ \+ (X = f(X), unify_with_occurs_check(X, Y), X == Y).
%= true

% Tests, variables, copies, lists.
%? \+ \+ (X = f(X), cyclic_term(X), \+ acyclic_term(X), ground(X)).
%= true
%? \+ cyclic_term(f(_, a)).
%= true
%? X = f(X, A, B), term_variables(X, Vs), X = f(_, _, _), Vs == [A, B], X = f(c, _, _).
%= false
%? X = f(X, A, B, A), term_variables(X, Vs), length(Vs, N), text(N, T), X = f(_, 1, 2, _), T = R, fail.
%= false
%? X = f(X, 1), findall(X, true, [Y]), Y == X, text(Y, T), T == '@(S_1,[S_1=f(S_1,1)])', fail ; R = reached.
%= R = reached
%? \+ \+ (X = [a|X], \+ is_list(X)).
%= true
%? X = [a|X], catch(length(X, _), error(type_error(T, _), _), true), T == list, fail ; R = reached.
%= R = reached
%? catch((X = [a|X], msort(X, _)), error(type_error(T, _), _), true), R = T, fail ; true.
%= true

% Output.
%? \+ \+ (X = f(X, Y, X), text(X, T), sub_atom(T, 0, _, _, '@(S_1,[S_1=f(S_1,')).
%= true
%? \+ \+ (X = [1, 2|X], text(X, '@(S_1,[S_1=[1,2|S_1]])')).
%= true
%? \+ \+ (X = [1|Y], Y = [2|Y], text(X, '@([1|S_1],[S_1=[2|S_1]])')).
%= true

% What must be finite.
%? X = f(X), assertz(fact(X)).
%= error: representation_error(cyclic_term)
%? fact(_).
%= false
%? X = (true, X), call(X).
%= error: representation_error(cyclic_term)
%? X = f(X), tabled(X).
%= error: representation_error(cyclic_term)
%~ SWI-Prolog throws a type error.
%? catch((X = 1 + X, _ is X), error(type_error(T, _), _), true), R = T, X = 1, fail ; true.
%= true

% Terms that share much.
%? shared(60, X), shared(60, Y), X == Y, X = Y, \+ X \= Y, ground(X), acyclic_term(X), X = f(_, _), fail ; true.
%= true
%? shared(60, X), copy_term(g(X, V), g(Y, W)), Y == X, W \== V, term_variables(g(X, V), [V1]), V1 == V, fail ; R = left.
%= R = left
