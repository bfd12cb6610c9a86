% win_large_ring_exit.pl – one exit at position 1 decides the whole ring: all delays are resolved.
:- table win/1.

win(X) :- move(X, Y), tnot(win(Y)).

move(p(X), p(Y)) :- between(1, 30, X), Y is X mod 30 + 1.
move(p(1), exit).

count(N) :- findall(X, ( between(1, 30, X), win(p(X)) ), Xs), length(Xs, N).

% 1 is won; going backwards 30 is lost, 29 won, and so on.
%? count(N).
%? win(p(1)).
%? win(p(30)).
%? win(p(29)).
