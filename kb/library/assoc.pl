% Association lists as AVL trees (G. M. Adelson-Velsky, E. M. Landis 1962), as in SWI-Prolog: t is empty,
% t(Key, Value, Balance, Left, Right) has the keys less than Key in Left, in the standard order of terms. Balance is <
% where the left side is one deeper, > where the right side is, and - where both are equally deep.
:- module(assoc,
          [ empty_assoc/1, is_assoc/1, list_to_assoc/2, ord_list_to_assoc/2, assoc_to_list/2, assoc_to_keys/2,
            assoc_to_values/2, get_assoc/3, get_assoc/5, gen_assoc/3, put_assoc/4, del_assoc/4, del_min_assoc/4,
            del_max_assoc/4, min_assoc/3, max_assoc/3, map_assoc/2, map_assoc/3,
            '$assoc_build'/5, '$assoc_get'/3, '$assoc_put'/5
          ]).

empty_assoc(t).

is_assoc(Assoc) :- nonvar(Assoc), '$assoc_depth'(Assoc, _), assoc_to_keys(Assoc, Keys), '$assoc_ascending'(Keys).

'$assoc_depth'(Tree, _) :- var(Tree), !, fail.
'$assoc_depth'(t, 0).
'$assoc_depth'(t(_, _, Balance, Left, Right), Depth) :-
    '$assoc_depth'(Left, L),
    '$assoc_depth'(Right, R),
    Difference is R - L,
    '$assoc_balance'(Difference, Balance0),
    Balance == Balance0,
    Depth is max(L, R) + 1.

'$assoc_balance'(-1, <).
'$assoc_balance'(0, -).
'$assoc_balance'(1, >).

'$assoc_ascending'([]).
'$assoc_ascending'([Key|Keys]) :- '$assoc_ascending'(Keys, Key).

'$assoc_ascending'([], _).
'$assoc_ascending'([Key|Keys], Before) :- Before @< Key, '$assoc_ascending'(Keys, Key).

%!  list_to_assoc(+Pairs, -Assoc) is det.
%   Each key occurs once.
list_to_assoc(Pairs, Assoc) :-
    '$assoc_check_pairs'(Pairs),
    keysort(Pairs, Sorted),
    ( '$assoc_unique'(Sorted) -> true ; throw(error(domain_error(unique_key_pairs, Pairs), _)) ),
    '$assoc_of_sorted'(Sorted, Assoc).

%!  ord_list_to_assoc(+Pairs, -Assoc) is det.
%   The keys ascend.
ord_list_to_assoc(Pairs, Assoc) :-
    '$assoc_check_pairs'(Pairs),
    pairs_keys(Pairs, Keys),
    ( '$assoc_ascending'(Keys) -> true ; throw(error(domain_error(key_ordered_pairs, Pairs), _)) ),
    '$assoc_of_sorted'(Pairs, Assoc).

'$assoc_of_sorted'(Pairs, Assoc) :- length(Pairs, Number), '$assoc_build'(Number, Pairs, [], Assoc, _).

'$assoc_check_pairs'(Pairs) :- must_be(list, Pairs), forall('$member'(Pair, Pairs), '$assoc_pair'(Pair)).

'$assoc_pair'(Pair) :- var(Pair), !, throw(error(instantiation_error, _)).
'$assoc_pair'(_-_) :- !.
'$assoc_pair'(Pair) :- throw(error(type_error(pair, Pair), _)).

'$assoc_unique'([]).
'$assoc_unique'([Key-_|Pairs]) :- '$assoc_unique'(Pairs, Key).

'$assoc_unique'([], _).
'$assoc_unique'([Key-_|Pairs], Before) :- Before \== Key, '$assoc_unique'(Pairs, Key).

% The first Number pairs as a tree of the least depth, the left side with the larger half.
'$assoc_build'(0, Pairs, Pairs, t, 0) :- !.
'$assoc_build'(Number, Pairs, Rest, t(Key, Value, Balance, Left, Right), Depth) :-
    ToLeft is Number // 2,
    ToRight is Number - ToLeft - 1,
    '$assoc_build'(ToLeft, Pairs, [Key-Value|Pairs1], Left, L),
    '$assoc_build'(ToRight, Pairs1, Rest, Right, R),
    Difference is R - L,
    '$assoc_balance'(Difference, Balance),
    Depth is L + 1.

assoc_to_list(Assoc, Pairs) :- '$assoc_pairs'(Assoc, Pairs, []).

'$assoc_pairs'(t, Pairs, Pairs).
'$assoc_pairs'(t(Key, Value, _, Left, Right), Pairs, Rest) :-
    '$assoc_pairs'(Left, Pairs, [Key-Value|Pairs1]),
    '$assoc_pairs'(Right, Pairs1, Rest).

assoc_to_keys(Assoc, Keys) :- assoc_to_list(Assoc, Pairs), pairs_keys(Pairs, Keys).

assoc_to_values(Assoc, Values) :- assoc_to_list(Assoc, Pairs), pairs_values(Pairs, Values).

get_assoc(Key, Assoc, Value) :-
    must_be(nonvar, Assoc),
    '$assoc_get'(Assoc, Key, Value).

'$assoc_get'(t(Key0, Value0, _, Left, Right), Key, Value) :-
    compare(Order, Key, Key0),
    '$assoc_get'(Order, Key, Value, Value0, Left, Right).

'$assoc_get'(=, _, Value, Value, _, _).
'$assoc_get'(<, Key, Value, _, Left, _) :- '$assoc_get'(Left, Key, Value).
'$assoc_get'(>, Key, Value, _, _, Right) :- '$assoc_get'(Right, Key, Value).

%!  get_assoc(+Key, +Assoc, ?Value, ?New, -Changed) is semidet.
%   Changed is Assoc with New in the place of Value.
get_assoc(Key, Assoc, Value, New, Changed) :- get_assoc(Key, Assoc, Value), put_assoc(Key, Assoc, New, Changed).

%!  gen_assoc(?Key, +Assoc, ?Value) is nondet.
gen_assoc(Key, Assoc, Value) :-
    (   ground(Key)
    ->  get_assoc(Key, Assoc, Value)
    ;   must_be(nonvar, Assoc),
        '$assoc_gen'(Assoc, Key, Value)
    ).

'$assoc_gen'(t(_, _, _, Left, _), Key, Value) :- '$assoc_gen'(Left, Key, Value).
'$assoc_gen'(t(Key, Value, _, _, _), Key, Value).
'$assoc_gen'(t(_, _, _, _, Right), Key, Value) :- '$assoc_gen'(Right, Key, Value).

put_assoc(Key, Assoc, Value, Changed) :-
    must_be(nonvar, Assoc),
    '$assoc_put'(Assoc, Key, Value, Changed, _).

% The last argument is yes if the tree is deeper than before.
'$assoc_put'(t, Key, Value, t(Key, Value, -, t, t), yes).
'$assoc_put'(t(Key0, Value0, Balance, Left, Right), Key, Value, Tree, Grown) :-
    compare(Order, Key, Key0),
    '$assoc_put'(Order, t(Key0, Value0, Balance, Left, Right), Key, Value, Tree, Grown).

'$assoc_put'(=, t(Key, _, Balance, Left, Right), _, Value, t(Key, Value, Balance, Left, Right), no).
'$assoc_put'(<, t(Key0, Value0, Balance, Left, Right), Key, Value, Tree, Grown) :-
    '$assoc_put'(Left, Key, Value, Left1, GrownLeft),
    '$assoc_left_grown'(GrownLeft, t(Key0, Value0, Balance, Left1, Right), Tree, Grown).
'$assoc_put'(>, t(Key0, Value0, Balance, Left, Right), Key, Value, Tree, Grown) :-
    '$assoc_put'(Right, Key, Value, Right1, GrownRight),
    '$assoc_right_grown'(GrownRight, t(Key0, Value0, Balance, Left, Right1), Tree, Grown).

'$assoc_left_grown'(no, Tree, Tree, no).
'$assoc_left_grown'(yes, t(Key, Value, Balance, Left, Right), Tree, Grown) :-
    '$assoc_more_left'(Balance, Key, Value, Left, Right, Tree, Grown).

'$assoc_right_grown'(no, Tree, Tree, no).
'$assoc_right_grown'(yes, t(Key, Value, Balance, Left, Right), Tree, Grown) :-
    '$assoc_more_right'(Balance, Key, Value, Left, Right, Tree, Grown).

% The left side has become one deeper than the balance says, or the right side one less deep. The last argument is yes
% if the tree is as deep as its left side asks: deeper than before if that has grown, as deep as before if the right side
% has shrunk.
'$assoc_more_left'(-, Key, Value, Left, Right, t(Key, Value, <, Left, Right), yes).
'$assoc_more_left'(>, Key, Value, Left, Right, t(Key, Value, -, Left, Right), no).
'$assoc_more_left'(<, Key, Value, t(Key1, Value1, Balance1, Left1, Right1), Right, Tree, Deep) :-
    '$assoc_rotate_right'(Balance1, Key1, Value1, Left1, Right1, Key, Value, Right, Tree, Deep).

'$assoc_rotate_right'(<, K1, V1, L1, R1, K, V, R, t(K1, V1, -, L1, t(K, V, -, R1, R)), no).
'$assoc_rotate_right'(-, K1, V1, L1, R1, K, V, R, t(K1, V1, >, L1, t(K, V, <, R1, R)), yes).
'$assoc_rotate_right'(>, K1, V1, L1, t(K2, V2, B2, L2, R2), K, V, R,
                      t(K2, V2, -, t(K1, V1, BL, L1, L2), t(K, V, BR, R2, R)), no) :-
    '$assoc_split'(B2, BL, BR).

'$assoc_more_right'(-, Key, Value, Left, Right, t(Key, Value, >, Left, Right), yes).
'$assoc_more_right'(<, Key, Value, Left, Right, t(Key, Value, -, Left, Right), no).
'$assoc_more_right'(>, Key, Value, Left, t(Key1, Value1, Balance1, Left1, Right1), Tree, Deep) :-
    '$assoc_rotate_left'(Balance1, Key1, Value1, Left1, Right1, Key, Value, Left, Tree, Deep).

'$assoc_rotate_left'(>, K1, V1, L1, R1, K, V, L, t(K1, V1, -, t(K, V, -, L, L1), R1), no).
'$assoc_rotate_left'(-, K1, V1, L1, R1, K, V, L, t(K1, V1, <, t(K, V, >, L, L1), R1), yes).
'$assoc_rotate_left'(<, K1, V1, t(K2, V2, B2, L2, R2), R1, K, V, L,
                     t(K2, V2, -, t(K, V, BL, L, L2), t(K1, V1, BR, R2, R1)), no) :-
    '$assoc_split'(B2, BL, BR).

% The balances of the two halves of a tree that is taken apart.
'$assoc_split'(<, -, >).
'$assoc_split'(-, -, -).
'$assoc_split'(>, <, -).

%!  del_assoc(+Key, +Assoc, ?Value, -Rest) is semidet.
del_assoc(Key, Assoc, Value, Rest) :-
    must_be(nonvar, Assoc),
    '$assoc_delete'(Assoc, Key, Value, Rest, _).

% The last argument is yes if the tree is less deep than before.
'$assoc_delete'(t(Key0, Value0, Balance, Left, Right), Key, Value, Tree, Shrunk) :-
    compare(Order, Key, Key0),
    '$assoc_delete'(Order, t(Key0, Value0, Balance, Left, Right), Key, Value, Tree, Shrunk).

'$assoc_delete'(=, t(_, Value, Balance, Left, Right), _, Value, Tree, Shrunk) :-
    '$assoc_join'(Left, Right, Balance, Tree, Shrunk).
'$assoc_delete'(<, t(Key0, Value0, Balance, Left, Right), Key, Value, Tree, Shrunk) :-
    '$assoc_delete'(Left, Key, Value, Left1, ShrunkLeft),
    '$assoc_left_shrunk'(ShrunkLeft, t(Key0, Value0, Balance, Left1, Right), Tree, Shrunk).
'$assoc_delete'(>, t(Key0, Value0, Balance, Left, Right), Key, Value, Tree, Shrunk) :-
    '$assoc_delete'(Right, Key, Value, Right1, ShrunkRight),
    '$assoc_right_shrunk'(ShrunkRight, t(Key0, Value0, Balance, Left, Right1), Tree, Shrunk).

% Both sides of a node that is gone. The nearest key of the deeper side takes its place, that of the left one if both are
% equally deep.
'$assoc_join'(t, Right, _, Right, yes) :- !.
'$assoc_join'(Left, t, _, Left, yes) :- !.
'$assoc_join'(Left, Right, >, Tree, Shrunk) :-
    !,
    '$assoc_delete_min'(Right, Key, Value, Right1, ShrunkRight),
    '$assoc_right_shrunk'(ShrunkRight, t(Key, Value, >, Left, Right1), Tree, Shrunk).
'$assoc_join'(Left, Right, Balance, Tree, Shrunk) :-
    '$assoc_delete_max'(Left, Key, Value, Left1, ShrunkLeft),
    '$assoc_left_shrunk'(ShrunkLeft, t(Key, Value, Balance, Left1, Right), Tree, Shrunk).

'$assoc_left_shrunk'(no, Tree, Tree, no).
'$assoc_left_shrunk'(yes, t(Key, Value, Balance, Left, Right), Tree, Shrunk) :-
    '$assoc_more_right'(Balance, Key, Value, Left, Right, Tree, Deep),
    '$assoc_not'(Deep, Shrunk).

'$assoc_right_shrunk'(no, Tree, Tree, no).
'$assoc_right_shrunk'(yes, t(Key, Value, Balance, Left, Right), Tree, Shrunk) :-
    '$assoc_more_left'(Balance, Key, Value, Left, Right, Tree, Deep),
    '$assoc_not'(Deep, Shrunk).

'$assoc_not'(yes, no).
'$assoc_not'(no, yes).

del_min_assoc(Assoc, Key, Value, Rest) :-
    must_be(nonvar, Assoc),
    '$assoc_delete_min'(Assoc, Key, Value, Rest, _).

'$assoc_delete_min'(t(Key, Value, _, t, Right), Key, Value, Right, yes) :- !.
'$assoc_delete_min'(t(Key0, Value0, Balance, Left, Right), Key, Value, Tree, Shrunk) :-
    '$assoc_delete_min'(Left, Key, Value, Left1, ShrunkLeft),
    '$assoc_left_shrunk'(ShrunkLeft, t(Key0, Value0, Balance, Left1, Right), Tree, Shrunk).

del_max_assoc(Assoc, Key, Value, Rest) :-
    must_be(nonvar, Assoc),
    '$assoc_delete_max'(Assoc, Key, Value, Rest, _).

'$assoc_delete_max'(t(Key, Value, _, Left, t), Key, Value, Left, yes) :- !.
'$assoc_delete_max'(t(Key0, Value0, Balance, Left, Right), Key, Value, Tree, Shrunk) :-
    '$assoc_delete_max'(Right, Key, Value, Right1, ShrunkRight),
    '$assoc_right_shrunk'(ShrunkRight, t(Key0, Value0, Balance, Left, Right1), Tree, Shrunk).

min_assoc(Assoc, Key, Value) :- must_be(nonvar, Assoc), '$assoc_min'(Assoc, Key, Value).

'$assoc_min'(t(Key, Value, _, t, _), Key, Value) :- !.
'$assoc_min'(t(_, _, _, Left, _), Key, Value) :- '$assoc_min'(Left, Key, Value).

max_assoc(Assoc, Key, Value) :- must_be(nonvar, Assoc), '$assoc_max'(Assoc, Key, Value).

'$assoc_max'(t(Key, Value, _, _, t), Key, Value) :- !.
'$assoc_max'(t(_, _, _, _, Right), Key, Value) :- '$assoc_max'(Right, Key, Value).

%!  map_assoc(:Goal, +Assoc) is semidet.
%   Goal holds for each value.
map_assoc(Goal, Assoc) :- '$assoc_map'(Assoc, Goal).

'$assoc_map'(t, _).
'$assoc_map'(t(_, Value, _, Left, Right), Goal) :-
    '$assoc_map'(Left, Goal),
    call(Goal, Value),
    '$assoc_map'(Right, Goal).

%!  map_assoc(:Goal, +Assoc, -Mapped) is semidet.
map_assoc(Goal, Assoc, Mapped) :- '$assoc_map'(Assoc, Goal, Mapped).

'$assoc_map'(t, _, t).
'$assoc_map'(t(Key, Value, Balance, Left, Right), Goal, t(Key, Value1, Balance, Left1, Right1)) :-
    '$assoc_map'(Left, Goal, Left1),
    call(Goal, Value, Value1),
    '$assoc_map'(Right, Goal, Right1).
