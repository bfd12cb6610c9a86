% grammar_ambiguous_trees.pl – every parse tree once: the trees of n letters are counted by the
% Catalan numbers.
:- table s/3.

s(a, [a|S], S).
s(t(L, R), S0, S) :- s(L, S0, S1), s(R, S1, S).

count(Text, N) :- findall(T, s(T, Text, []), Ts), length(Ts, N).

%? s(T,[a,a,a],[]).
%? count([a,a,a,a],N).
%? count([a,a,a,a,a,a],N).
