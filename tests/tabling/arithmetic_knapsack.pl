% arithmetic_knapsack.pl – best value within a weight limit, by comparing two table entries.
:- table best/3.

item(1, 12, 4).
item(2, 2, 2).
item(3, 1, 1).
item(4, 1, 2).
item(5, 4, 10).

% best(I, W, V): V is the best value of items 1..I weighing at most W.
best(0, _, 0).
best(I, W, V) :-
    I > 0,
    J is I - 1,
    best(J, W, V1),
    item(I, Weight, Value),
    (   Weight =< W
    ->  Rest is W - Weight,
        best(J, Rest, V2),
        V is max(V1, V2 + Value)
    ;   V = V1
    ).

%? best(5,15,V).
%? best(5,3,V).
