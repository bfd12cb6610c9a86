% Lists, pairs, ordered sets and higher-order predicates beyond those that are always there.
:- module(lists,
          [ same_length/2, proper_length/2, prefix/2, nextto/3, selectchk/4, max_member/3, min_member/3, clumped/2,
            is_set/1, subseq/3, group_pairs_by_key/2, map_list_to_pairs/3, transpose_pairs/2,
            foldl/7, convlist/3, scanl/4, scanl/5,
            is_ordset/1, ord_empty/1, ord_disjoint/2, ord_intersect/2, ord_intersection/2, ord_intersection/4,
            ord_seteq/2, ord_selectchk/3, ord_symdiff/3, ord_union/2, ord_union/4
          ]).

same_length([], []).
same_length([_|Xs], [_|Ys]) :- same_length(Xs, Ys).

proper_length(List, Length) :- is_list(List), length(List, Length).

prefix([], _).
prefix([X|Xs], [X|Ys]) :- prefix(Xs, Ys).

nextto(X, Y, [X,Y|_]).
nextto(X, Y, [_|Zs]) :- nextto(X, Y, Zs).

selectchk(X, Xs, Y, Ys) :- select(X, Xs, Y, Ys), !.

%!  max_member(:Order, -Max, +List) is semidet.
%   Order is a predicate like @=<.
max_member(Order, Max, [X|Xs]) :- '$lists_max'(Xs, Order, X, Max).

'$lists_max'([], _, Max, Max).
'$lists_max'([X|Xs], Order, Max0, Max) :-
    ( call(Order, X, Max0) -> Max1 = Max0 ; Max1 = X ),
    '$lists_max'(Xs, Order, Max1, Max).

%!  min_member(:Order, -Min, +List) is semidet.
min_member(Order, Min, [X|Xs]) :- '$lists_min'(Xs, Order, X, Min).

'$lists_min'([], _, Min, Min).
'$lists_min'([X|Xs], Order, Min0, Min) :-
    ( call(Order, Min0, X) -> Min1 = Min0 ; Min1 = X ),
    '$lists_min'(Xs, Order, Min1, Min).

%!  clumped(+Items, -Pairs) is det.
%   Pairs of each run of equal items and its length.
clumped([], []).
clumped([X|Xs], Pairs) :- '$lists_clumped'(Xs, X, 1, Pairs).

'$lists_clumped'([], X, Number, [X-Number]).
'$lists_clumped'([Y|Ys], X, Number, Pairs) :-
    (   X == Y
    ->  Next is Number + 1,
        '$lists_clumped'(Ys, X, Next, Pairs)
    ;   Pairs = [X-Number|Rest],
        '$lists_clumped'(Ys, Y, 1, Rest)
    ).

is_set(Set) :- is_list(Set), length(Set, Length), sort(Set, Sorted), length(Sorted, Length).

%!  subseq(+List, -Sub, -Rest) is nondet.
subseq([], [], []).
subseq([X|Xs], Ys, [X|Zs]) :- subseq(Xs, Ys, Zs).
subseq([X|Xs], [X|Ys], Zs) :- subseq(Xs, Ys, Zs).

%!  group_pairs_by_key(+Pairs, -Groups) is det.
%   Pairs with the same key side by side become one, with the list of their values.
group_pairs_by_key([], []).
group_pairs_by_key([Key-Value|Pairs], [Key-[Value|Values]|Groups]) :-
    '$lists_same_key'(Pairs, Key, Values, Rest),
    group_pairs_by_key(Rest, Groups).

'$lists_same_key'([Key0-Value|Pairs], Key, [Value|Values], Rest) :-
    Key0 == Key,
    !,
    '$lists_same_key'(Pairs, Key, Values, Rest).
'$lists_same_key'(Rest, _, [], Rest).

%!  map_list_to_pairs(:Key, +List, -Pairs) is semidet.
map_list_to_pairs(_, [], []).
map_list_to_pairs(Goal, [X|Xs], [Key-X|Pairs]) :- call(Goal, X, Key), map_list_to_pairs(Goal, Xs, Pairs).

transpose_pairs(Pairs, Transposed) :-
    findall(Value-Key, '$member'(Key-Value, Pairs), Flipped),
    keysort(Flipped, Transposed).

foldl(Goal, As, Bs, Cs, Ds, S0, S) :- '$lists_foldl'(As, Bs, Cs, Ds, Goal, S0, S).

'$lists_foldl'([], [], [], [], _, S, S).
'$lists_foldl'([A|As], [B|Bs], [C|Cs], [D|Ds], Goal, S0, S) :-
    call(Goal, A, B, C, D, S0, S1),
    '$lists_foldl'(As, Bs, Cs, Ds, Goal, S1, S).

%!  convlist(:Goal, +List, -Mapped) is det.
%   What Goal makes of the elements for which it holds.
convlist(_, [], []).
convlist(Goal, [X|Xs], Ys) :-
    ( call(Goal, X, Y) -> Ys = [Y|Ys1] ; Ys = Ys1 ),
    convlist(Goal, Xs, Ys1).

%!  scanl(:Goal, +List, +Start, -Values) is semidet.
%   Start and each value that foldl/4 goes through.
scanl(Goal, Xs, Start, [Start|Values]) :- '$lists_scanl'(Xs, Goal, Start, Values).

'$lists_scanl'([], _, _, []).
'$lists_scanl'([X|Xs], Goal, Value0, [Value|Values]) :-
    call(Goal, X, Value0, Value),
    '$lists_scanl'(Xs, Goal, Value, Values).

scanl(Goal, Xs, Ys, Start, [Start|Values]) :- '$lists_scanl'(Xs, Ys, Goal, Start, Values).

'$lists_scanl'([], [], _, _, []).
'$lists_scanl'([X|Xs], [Y|Ys], Goal, Value0, [Value|Values]) :-
    call(Goal, X, Y, Value0, Value),
    '$lists_scanl'(Xs, Ys, Goal, Value, Values).

is_ordset(Set) :- is_list(Set), '$lists_ordered'(Set).

'$lists_ordered'([]).
'$lists_ordered'([X|Xs]) :- '$lists_ordered'(Xs, X).

'$lists_ordered'([], _).
'$lists_ordered'([Y|Ys], X) :- X @< Y, '$lists_ordered'(Ys, Y).

ord_empty([]).

ord_disjoint(As, Bs) :- \+ ord_intersect(As, Bs).

ord_intersect(As, Bs) :- ord_intersection(As, Bs, [_|_]).

ord_intersection([], []).
ord_intersection([Set|Sets], Intersection) :- foldl(ord_intersection, Sets, Set, Intersection).

%!  ord_intersection(+Set, +Other, -Intersection, -New) is det.
%   New has the elements of Other that are not in Set.
ord_intersection(Set, Other, Intersection, New) :- ord_intersection(Set, Other, Intersection), ord_subtract(Other, Set, New).

ord_seteq(As, Bs) :- As == Bs.

ord_selectchk(X, Set, Rest) :- '$member_identical'(X, Set), !, ord_del_element(Set, X, Rest).

ord_symdiff(As, Bs, Cs) :- ord_subtract(As, Bs, Ds), ord_subtract(Bs, As, Es), ord_union(Ds, Es, Cs).

ord_union(Sets, Union) :- append(Sets, All), sort(All, Union).

%!  ord_union(+Set, +Other, -Union, -New) is det.
%   New has the elements of Other that are not in Set.
ord_union(Set, Other, Union, New) :- ord_subtract(Other, Set, New), ord_union(Set, New, Union).
