% mode_input_arguments.pl – `+` is a plain argument: one answer for each value of all of those.
%! swi-differs: SWI-Prolog 9.0 keeps what po/1 calls worse, against its manual; a bound moded argument is an error

:- table cost(+, +, max), first_of(+, first), sum_of(+, sum), last_of(+, last), set_of(+, lattice(union/3)),
   newest(+, po(later/2)).

cost(X, Y, C) :- item(X, Y, C).
first_of(X, C) :- item(X, _, C).
sum_of(X, C) :- item(X, _, C).
last_of(X, C) :- item(X, _, C).
set_of(X, [C]) :- item(X, _, C).
newest(X, C) :- item(X, _, C).

union(A, B, C) :- append(A, B, D), sort(D, C).
later(A, B) :- A < B.

item(a, b, 4).
item(a, b, 9).
item(a, c, 1).
item(d, b, 2).

%? cost(X,Y,C)
%? cost(a,b,C)
%? cost(a,Y,1)
%? first_of(X,C)
%? sum_of(X,C)
%? last_of(X,C)
%? set_of(X,C)
%? newest(a,C)
