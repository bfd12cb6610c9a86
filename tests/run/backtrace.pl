% Exceptions that nobody catches, a few calls deep and many.
main :- go(3), write(done), nl.

go(0) :- check([1, a]), write(checked).
go(N) :- N > 0, M is N - 1, go(M), write(N).

check([]).
check([X|Xs]) :-
    (   X > 1
    ->  Y is X + 1
    ;   Y = X
    ),
    write(Y), nl,
    check(Xs),
    write(Y).

deep(0) :- missing, write(never).
deep(N) :- M is N - 1, deep(M), write(N).

caught :- catch(deep(10), error(existence_error(_, _), _), (write(caught), nl)).
