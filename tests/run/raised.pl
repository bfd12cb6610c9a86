% A directive that raises an exception in a clause of the program, called by one of the library.
go(N) :- N > 0, M is N - 1, go(M), write(N).

:- catch(go(a), error(type_error(_, _), _), true).
:- findall(X, (member(X, [c]), go(X), true), _).

% A clause that is refused is shown where it is, without the calls of the directives before.
atom_length(go, 2).
