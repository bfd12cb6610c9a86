% mutable_terms.pl – terms written in a clause are fresh at each call, so that setarg/3 and nb_setarg/3 change no clause.

count(N) :- C = c(0), ( member(_, [a, b, c]), arg(1, C, N0), N1 is N0 + 1, nb_setarg(1, C, N1), fail ; arg(1, C, N) ).
undone(X) :- D = c(0), ( setarg(1, D, 7), fail ; arg(1, D, X) ).
kept(X) :- D = c(0), ( member(Y, [1, 2]), nb_setarg(1, D, f(Y, Z, Z)), fail ; arg(1, D, X) ).
handed(X) :- D = c(0), change(D), D = c(X).
change(D) :- setarg(1, D, 5).

%? count(N).
%= N = 3
%? count(N).
%= N = 3
%? undone(X).
%= X = 0
%? kept(X), X = f(2, a, A).
%= X = f(2,a,a), A = a
%? handed(X).
%= X = 5
%? D = c(0), setarg(1, D, 7).
%= D = c(7)
