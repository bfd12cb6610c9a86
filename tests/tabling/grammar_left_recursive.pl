% grammar_left_recursive.pl – an expression grammar written as it stands in the book, left
% recursion and all; values are computed left to right.
:- table expr/3, term/3.

expr(V, S0, S) :- expr(V1, S0, R), R = [-|S1], term(V2, S1, S), V is V1 - V2.
expr(V, S0, S) :- expr(V1, S0, R), R = [+|S1], term(V2, S1, S), V is V1 + V2.
expr(V, S0, S) :- term(V, S0, S).

term(V, S0, S) :- term(V1, S0, R), R = [*|S1], factor(V2, S1, S), V is V1 * V2.
term(V, S0, S) :- factor(V, S0, S).

factor(V, [V|S], S) :- integer(V).
factor(V, [open|S0], S) :- expr(V, S0, R), R = [close|S].

%? expr(V,[8,-,3,-,2],[]).
%? expr(V,[2,+,3,*,4],[]).
%? expr(V,[open,2,+,3,close,*,4],[]).
%? expr(V,[1,+],[]).
%? expr(V,[1,-,1],S).
