% Lists, and predicates applied to them, that most programs need. A program may define its own of the same names.

'$append'([], Ys, Ys).
'$append'([X|Xs], Ys, [X|Zs]) :- '$append'(Xs, Ys, Zs).

'$member'(X, [Y|Ys]) :- '$member'(Ys, X, Y).
'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).

append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :- append(Xs, Ys, Zs).

append(Lists, List) :- '$append_all'(Lists, List).

'$append_all'([], []).
'$append_all'([Xs|Lists], List) :- append(Xs, Rest, List), '$append_all'(Lists, Rest).

member(X, [Y|Ys]) :- '$member'(Ys, X, Y).

memberchk(X, Xs) :- '$member'(X, Xs), !.

length(List, Length) :-
    '$check_position'(Length),
    '$skip_list'(List, Known, Rest),
    (   Rest == []
    ->  Length = Known
    ;   var(Rest)
    ->  (   integer(Length)
        ->  Length >= Known,
            Missing is Length - Known,
            '$fresh_list'(Missing, Rest)
        ;   Rest \== Length,
            '$longer'(Rest, Known, Length)
        )
    ;   throw(error(type_error(list, List), _))
    ).

'$longer'([], Length, Length).
'$longer'([_|Rest], Known, Length) :- Next is Known + 1, '$longer'(Rest, Next, Length).

nth0(Index, List, Element) :-
    (   integer(Index)
    ->  Index >= 0, '$nth'(Index, List, Element)
    ;   var(Index)
    ->  List = [First|Rest], '$nth_any'(Rest, First, 0, Index, Element)
    ;   throw(error(type_error(integer, Index), _))
    ).

nth1(Index, List, Element) :-
    (   integer(Index)
    ->  Index >= 1, Position is Index - 1, '$nth'(Position, List, Element)
    ;   var(Index)
    ->  List = [First|Rest], '$nth_any'(Rest, First, 1, Index, Element)
    ;   throw(error(type_error(integer, Index), _))
    ).

'$nth'(0, [X|_], Y) :- !, X = Y.
'$nth'(N, [_|Xs], Y) :- M is N - 1, '$nth'(M, Xs, Y).

'$nth_any'(_, X, N, N, X).
'$nth_any'([X|Xs], _, N, Index, Y) :- M is N + 1, '$nth_any'(Xs, X, M, Index, Y).

nth0(Index, List, Element, Rest) :-
    (   integer(Index)
    ->  Index >= 0, '$nth_delete'(Index, List, Element, Rest)
    ;   '$nth_rest'(List, 0, Index, Element, Rest)
    ).

nth1(Index, List, Element, Rest) :-
    (   integer(Index)
    ->  Index >= 1, Position is Index - 1, '$nth_delete'(Position, List, Element, Rest)
    ;   '$nth_rest'(List, 1, Index, Element, Rest)
    ).

'$nth_delete'(0, [X|Xs], Y, Ys) :- !, X = Y, Xs = Ys.
'$nth_delete'(N, [X|Xs], Y, [X|Ys]) :- M is N - 1, '$nth_delete'(M, Xs, Y, Ys).

'$nth_rest'([X|Xs], N, N, X, Xs).
'$nth_rest'([X|Xs], N, Index, Y, [X|Ys]) :- M is N + 1, '$nth_rest'(Xs, M, Index, Y, Ys).

last([X|Xs], Last) :- '$last'(Xs, X, Last).

'$last'([], Last, Last).
'$last'([X|Xs], _, Last) :- '$last'(Xs, X, Last).

reverse(Xs, Ys) :- '$reverse'(Xs, [], Ys).

'$reverse'([], Ys, Ys).
'$reverse'([X|Xs], Rest, Ys) :- '$reverse'(Xs, [X|Rest], Ys).

permutation(Xs, Ys) :-
    '$skip_list'(Xs, Length, Rest),
    (   Rest == []
    ->  length(Ys, Length)
    ;   true
    ),
    '$permutation'(Xs, Ys).

'$permutation'([], []).
'$permutation'(Xs, [Y|Ys]) :- select(Y, Xs, Rest), '$permutation'(Rest, Ys).

select(X, [Y|Ys], Rest) :- '$select'(Ys, Y, X, Rest).

'$select'(Xs, X, X, Xs).
'$select'([Y|Ys], X, Z, [X|Rest]) :- '$select'(Ys, Y, Z, Rest).

selectchk(X, Xs, Rest) :- select(X, Xs, Rest), !.

select(X, Xs, Y, Ys) :- '$select4'(Xs, X, Y, Ys).

'$select4'([X|Xs], X, Y, [Y|Xs]).
'$select4'([Z|Xs], X, Y, [Z|Ys]) :- '$select4'(Xs, X, Y, Ys).

exclude(_, [], []).
exclude(Goal, [X|Xs], Ys) :-
    (   call(Goal, X)
    ->  Ys = Ys1
    ;   Ys = [X|Ys1]
    ),
    exclude(Goal, Xs, Ys1).

include(_, [], []).
include(Goal, [X|Xs], Ys) :-
    (   call(Goal, X)
    ->  Ys = [X|Ys1]
    ;   Ys = Ys1
    ),
    include(Goal, Xs, Ys1).

partition(_, [], [], []).
partition(Goal, [X|Xs], In, Out) :-
    (   call(Goal, X)
    ->  In = [X|In1], Out = Out1
    ;   In = In1, Out = [X|Out1]
    ),
    partition(Goal, Xs, In1, Out1).

partition(_, [], [], [], []).
partition(Goal, [X|Xs], Less, Equal, Greater) :-
    call(Goal, X, Order),
    '$partition'(Order, X, Less, Equal, Greater, Less1, Equal1, Greater1),
    partition(Goal, Xs, Less1, Equal1, Greater1).

'$partition'(<, X, [X|L], E, G, L, E, G).
'$partition'(=, X, L, [X|E], G, L, E, G).
'$partition'(>, X, L, E, [X|G], L, E, G).

maplist(Goal, As) :- '$maplist'(As, Goal).
maplist(Goal, As, Bs) :- '$maplist'(As, Bs, Goal).
maplist(Goal, As, Bs, Cs) :- '$maplist'(As, Bs, Cs, Goal).
maplist(Goal, As, Bs, Cs, Ds) :- '$maplist'(As, Bs, Cs, Ds, Goal).
maplist(Goal, As, Bs, Cs, Ds, Es) :- '$maplist'(As, Bs, Cs, Ds, Es, Goal).
maplist(Goal, As, Bs, Cs, Ds, Es, Fs) :- '$maplist'(As, Bs, Cs, Ds, Es, Fs, Goal).

'$maplist'([], _).
'$maplist'([A|As], Goal) :- call(Goal, A), '$maplist'(As, Goal).
'$maplist'([], [], _).
'$maplist'([A|As], [B|Bs], Goal) :- call(Goal, A, B), '$maplist'(As, Bs, Goal).
'$maplist'([], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], Goal) :- call(Goal, A, B, C), '$maplist'(As, Bs, Cs, Goal).
'$maplist'([], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], Goal) :-
    call(Goal, A, B, C, D),
    '$maplist'(As, Bs, Cs, Ds, Goal).
'$maplist'([], [], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], Goal) :-
    call(Goal, A, B, C, D, E),
    '$maplist'(As, Bs, Cs, Ds, Es, Goal).
'$maplist'([], [], [], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], Goal) :-
    call(Goal, A, B, C, D, E, F),
    '$maplist'(As, Bs, Cs, Ds, Es, Fs, Goal).

foldl(Goal, As, S0, S) :- '$foldl'(As, Goal, S0, S).
foldl(Goal, As, Bs, S0, S) :- '$foldl'(As, Bs, Goal, S0, S).
foldl(Goal, As, Bs, Cs, S0, S) :- '$foldl'(As, Bs, Cs, Goal, S0, S).

'$foldl'([], _, S, S).
'$foldl'([A|As], Goal, S0, S) :- call(Goal, A, S0, S1), '$foldl'(As, Goal, S1, S).
'$foldl'([], [], _, S, S).
'$foldl'([A|As], [B|Bs], Goal, S0, S) :- call(Goal, A, B, S0, S1), '$foldl'(As, Bs, Goal, S1, S).
'$foldl'([], [], [], _, S, S).
'$foldl'([A|As], [B|Bs], [C|Cs], Goal, S0, S) :-
    call(Goal, A, B, C, S0, S1),
    '$foldl'(As, Bs, Cs, Goal, S1, S).

sum_list(Xs, Sum) :- '$sum_list'(Xs, 0, Sum).
sumlist(Xs, Sum) :- '$sum_list'(Xs, 0, Sum).

'$sum_list'([], Sum, Sum).
'$sum_list'([X|Xs], Sum0, Sum) :- Sum1 is Sum0 + X, '$sum_list'(Xs, Sum1, Sum).

max_list([X|Xs], Max) :- '$max_list'(Xs, X, Max).

'$max_list'([], Max, Max).
'$max_list'([X|Xs], Max0, Max) :- Max1 is max(Max0, X), '$max_list'(Xs, Max1, Max).

min_list([X|Xs], Min) :- '$min_list'(Xs, X, Min).

'$min_list'([], Min, Min).
'$min_list'([X|Xs], Min0, Min) :- Min1 is min(Min0, X), '$min_list'(Xs, Min1, Min).

max_member(Max, [X|Xs]) :- '$max_member'(Xs, X, Max).

'$max_member'([], Max, Max).
'$max_member'([X|Xs], Max0, Max) :-
    ( X @> Max0 -> '$max_member'(Xs, X, Max) ; '$max_member'(Xs, Max0, Max) ).

min_member(Min, [X|Xs]) :- '$min_member'(Xs, X, Min).

'$min_member'([], Min, Min).
'$min_member'([X|Xs], Min0, Min) :-
    ( X @< Min0 -> '$min_member'(Xs, X, Min) ; '$min_member'(Xs, Min0, Min) ).

numlist(Low, High, List) :-
    '$must_be_integer'(Low),
    '$must_be_integer'(High),
    Low =< High,
    !,
    '$numlist'(Low, High, List).
numlist(_, _, []) :- fail.

'$numlist'(High, High, List) :- !, List = [High].
'$numlist'(Low, High, [Low|Rest]) :- Next is Low + 1, '$numlist'(Next, High, Rest).

subtract([], _, []).
subtract([X|Xs], Ys, Zs) :-
    ( memberchk(X, Ys) -> Zs = Zs1 ; Zs = [X|Zs1] ),
    subtract(Xs, Ys, Zs1).

intersection([], _, []).
intersection([X|Xs], Ys, Zs) :-
    ( memberchk(X, Ys) -> Zs = [X|Zs1] ; Zs = Zs1 ),
    intersection(Xs, Ys, Zs1).

union([], Ys, Ys).
union([X|Xs], Ys, Zs) :-
    ( memberchk(X, Ys) -> Zs = Zs1 ; Zs = [X|Zs1] ),
    union(Xs, Ys, Zs1).

%!  list_to_set(+List, -Set) is det.
%   The first of equal elements stays. Equal ones meet in a sorted list; their places tell which was the first.
list_to_set(List, Set) :-
    '$must_be'(list, List),
    '$numbered'(List, 1, Numbered),
    sort(1, @<, Numbered, Firsts),
    sort(2, @<, Firsts, Ordered),
    pairs_keys(Ordered, Set).

'$numbered'([], _, []).
'$numbered'([X|Xs], N, [X-N|Pairs]) :- M is N + 1, '$numbered'(Xs, M, Pairs).

delete([], _, []).
delete([X|Xs], Y, Zs) :-
    ( X \= Y -> Zs = [X|Zs1] ; Zs = Zs1 ),
    delete(Xs, Y, Zs1).

flatten(List, Flat) :- '$flatten'(List, [], Flat0), !, Flat = Flat0.

'$flatten'(X, Tail, [X|Tail]) :- var(X), !.
'$flatten'([], Tail, Tail) :- !.
'$flatten'([X|Xs], Tail, Flat) :- !, '$flatten'(X, Rest, Flat), '$flatten'(Xs, Tail, Rest).
'$flatten'(X, Tail, [X|Tail]).



pairs_keys_values([], [], []).
pairs_keys_values([K-V|Pairs], [K|Ks], [V|Vs]) :- pairs_keys_values(Pairs, Ks, Vs).

pairs_keys([], []).
pairs_keys([K-_|Pairs], [K|Ks]) :- pairs_keys(Pairs, Ks).

pairs_values([], []).
pairs_values([_-V|Pairs], [V|Vs]) :- pairs_values(Pairs, Vs).

%!  predsort(:Order, +List, -Sorted) is semidet.
predsort(Order, List, Sorted) :-
    length(List, Length),
    '$predsort'(Order, Length, List, _, Sorted).

'$predsort'(_, 0, Rest, Rest, []) :- !.
'$predsort'(_, 1, [X|Rest], Rest, [X]) :- !.
'$predsort'(Order, N, List, Rest, Sorted) :-
    Left is N // 2,
    Right is N - Left,
    '$predsort'(Order, Left, List, Rest1, Sorted1),
    '$predsort'(Order, Right, Rest1, Rest, Sorted2),
    '$predmerge'(Sorted1, Sorted2, Order, Sorted).

'$predmerge'([], Ys, _, Ys) :- !.
'$predmerge'(Xs, [], _, Xs) :- !.
'$predmerge'([X|Xs], [Y|Ys], Order, Zs) :-
    call(Order, Which, X, Y),
    '$predmerge'(Which, X, Xs, Y, Ys, Order, Zs).

'$predmerge'(<, X, Xs, Y, Ys, Order, [X|Zs]) :- '$predmerge'(Xs, [Y|Ys], Order, Zs).
'$predmerge'(>, X, Xs, Y, Ys, Order, [Y|Zs]) :- '$predmerge'([X|Xs], Ys, Order, Zs).
'$predmerge'(=, X, Xs, _, Ys, Order, Zs) :- '$predmerge'([X|Xs], Ys, Order, Zs).


% Ordered sets: lists in the standard order of terms, without duplicates. Two are gone through side by side.

list_to_ord_set(List, Set) :- sort(List, Set).

ord_union([], Bs, Bs).
ord_union([A|As], Bs, Cs) :- '$ord_union'(Bs, A, As, Cs).

'$ord_union'([], A, As, [A|As]).
'$ord_union'([B|Bs], A, As, Cs) :- compare(Order, A, B), '$ord_union'(Order, A, As, B, Bs, Cs).

'$ord_union'(<, A, As, B, Bs, [A|Cs]) :- '$ord_union'(As, B, Bs, Cs).
'$ord_union'(=, A, As, _, Bs, [A|Cs]) :- ord_union(As, Bs, Cs).
'$ord_union'(>, A, As, B, Bs, [B|Cs]) :- '$ord_union'(Bs, A, As, Cs).

ord_subtract([], _, []).
ord_subtract([A|As], Bs, Cs) :- '$ord_subtract'(Bs, A, As, Cs).

'$ord_subtract'([], A, As, [A|As]).
'$ord_subtract'([B|Bs], A, As, Cs) :- compare(Order, A, B), '$ord_subtract'(Order, A, As, B, Bs, Cs).

'$ord_subtract'(<, A, As, B, Bs, [A|Cs]) :- ord_subtract(As, [B|Bs], Cs).
'$ord_subtract'(=, _, As, _, Bs, Cs) :- ord_subtract(As, Bs, Cs).
'$ord_subtract'(>, A, As, _, Bs, Cs) :- '$ord_subtract'(Bs, A, As, Cs).

ord_intersection([], _, []).
ord_intersection([A|As], Bs, Cs) :- '$ord_intersection'(Bs, A, As, Cs).

'$ord_intersection'([], _, _, []).
'$ord_intersection'([B|Bs], A, As, Cs) :- compare(Order, A, B), '$ord_intersection'(Order, A, As, B, Bs, Cs).

'$ord_intersection'(<, _, As, B, Bs, Cs) :- '$ord_intersection'(As, B, Bs, Cs).
'$ord_intersection'(=, A, As, _, Bs, [A|Cs]) :- ord_intersection(As, Bs, Cs).
'$ord_intersection'(>, A, As, _, Bs, Cs) :- '$ord_intersection'(Bs, A, As, Cs).

ord_memberchk(X, [Y|Ys]) :- compare(Order, X, Y), '$ord_memberchk'(Order, X, Ys).

'$ord_memberchk'(=, _, _).
'$ord_memberchk'(>, X, Ys) :- ord_memberchk(X, Ys).

ord_insert(Set, X, Set1) :- ord_union(Set, [X], Set1).
ord_add_element(Set, X, Set1) :- ord_union(Set, [X], Set1).
ord_del_element(Set, X, Set1) :- ord_subtract(Set, [X], Set1).
ord_subset(As, Bs) :- ord_subtract(As, Bs, []).

subset([], _).
subset([X|Xs], Ys) :- memberchk(X, Ys), subset(Xs, Ys).
