% grammar_long_input.pl – a left-recursive list of 300 items: every prefix that is a list is an
% answer.
:- table items/2.

items(S0, S) :- items(S0, S1), S1 = [comma, item|S].
items([item|S], S).

input(1, [item]) :- !.
input(N, [item, comma|L]) :- M is N - 1, input(M, L).

prefixes(N, Count) :- input(N, L), findall(S, items(L, S), Ss), length(Ss, Count).
accepts(N) :- input(N, L), items(L, []).

%? prefixes(300,N).
%? accepts(300).
