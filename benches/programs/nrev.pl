% nrev.pl – naive reverse of 500 elements, 500 times: 125,751 inferences each, no tables. The classic
% measure of plain resolution: unification of lists and last calls.
%
%     swipl -O -g main -t halt nrev.pl
%     flux run nrev.pl -g main

main :-
    numbers(500, [], L),
    rounds(500, L, 0, N),
    write(N),
    nl.

rounds(0, _, N, N) :- !.
rounds(R, L, N0, N) :-
    nrev(L, M),
    count(M, 0, Count),
    N1 is N0 + Count,
    Q is R - 1,
    rounds(Q, L, N1, N).

nrev([], []).
nrev([X|L], R) :- nrev(L, M), app(M, [X], R).

app([], L, L).
app([X|L], M, [X|N]) :- app(L, M, N).

numbers(0, L, L) :- !.
numbers(N, L0, L) :- M is N - 1, numbers(M, [N|L0], L).

count([], N, N).
count([_|L], N0, N) :- N1 is N0 + 1, count(L, N1, N).
