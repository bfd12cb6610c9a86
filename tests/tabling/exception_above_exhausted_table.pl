% exception_above_exhausted_table.pl – q/1 is called above many choice points and waits for p/1; later the continuation
% of q/1 runs below the place where its generator was. A catch in it gives up what was begun above it, not q/1.
:- table p/1, q/1, r/1.

p(X) :- deep(20), q(X).
p(0).

q(Y) :- p(X), r(X), Y is X + 1, Y < 4.

r(X) :- catch(throw(X), _, true).

deep(0).
deep(N) :- N > 0, M is N - 1, deep(M).
deep(N) :- N > 100.

%? p(X).
%? q(X).
