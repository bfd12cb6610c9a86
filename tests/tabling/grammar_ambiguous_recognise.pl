% grammar_ambiguous_recognise.pl – without trees the same grammar is polynomial: one answer per span.
:- table s/2.

s([a|S], S).
s(S0, S) :- s(S0, S1), s(S1, S).

letters(0, []).
letters(N, [a|L]) :- N > 0, M is N - 1, letters(M, L).

ends(N, Count) :- letters(N, L), findall(S, s(L, S), Ss), length(Ss, Count).

%? s([a,a,a],S).
%? s([a,b],[]).
%? ends(30,N).
