% Red-black trees: insertion as in C. Okasaki, Red-black trees in a functional setting, 1999; deletion as in S. Kahrs,
% Red-black trees with types, 2001. t(Root) is a tree; nil is empty, red(Left, Key, Value, Right) and
% black(Left, Key, Value, Right) have the keys less than Key in Left, in the standard order of terms. No red node has a red
% child, and all paths from a node down have the same number of black nodes.
:- module(rbtrees,
          [ rb_new/1, rb_empty/1, is_rbtree/1, list_to_rbtree/2, ord_list_to_rbtree/2, rb_lookup/3, rb_in/3, rb_min/3,
            rb_max/3, rb_next/4, rb_previous/4, rb_insert/4, rb_insert_new/4, rb_update/4, rb_update/5, rb_apply/4,
            rb_delete/3, rb_delete/4, rb_del_min/4, rb_del_max/4, rb_visit/2, rb_keys/2, rb_size/2, rb_map/2, rb_map/3,
            rb_partial_map/4, rb_fold/4, rb_clone/3
          ]).

rb_new(t(nil)).

rb_empty(t(nil)).

'$rbtrees_root'(Tree, Root) :- nonvar(Tree), Tree = t(Root).

% What is no tree is refused with the call that it was given to.
'$rbtrees_refuse'(Call) :- throw(error(existence_error(matching_rule, rbtrees:Call), _)).

'$rbtrees_node'(red(Left, Key, Value, Right), red, Left, Key, Value, Right).
'$rbtrees_node'(black(Left, Key, Value, Right), black, Left, Key, Value, Right).

%!  is_rbtree(@Tree) is semidet.
%   Colours, numbers of black nodes and the order of the keys are as they have to be.
is_rbtree(Tree) :-
    '$rbtrees_root'(Tree, Root),
    '$rbtrees_check'(Root, black, _),
    '$rbtrees_pairs'(Root, Pairs, []),
    '$rbtrees_ascending'(Pairs).

% The last argument is the number of black nodes on each path down.
'$rbtrees_check'(Node, _, _) :- var(Node), !, fail.
'$rbtrees_check'(nil, _, 0).
'$rbtrees_check'(red(Left, _, _, Right), black, Height) :-
    '$rbtrees_check'(Left, red, Height),
    '$rbtrees_check'(Right, red, Height).
'$rbtrees_check'(black(Left, _, _, Right), _, Height) :-
    '$rbtrees_check'(Left, black, Below),
    '$rbtrees_check'(Right, black, Below),
    Height is Below + 1.

'$rbtrees_ascending'([]).
'$rbtrees_ascending'([Key-_|Pairs]) :- '$rbtrees_ascending'(Pairs, Key).

'$rbtrees_ascending'([], _).
'$rbtrees_ascending'([Key-_|Pairs], Before) :- Before @< Key, '$rbtrees_ascending'(Pairs, Key).

%!  list_to_rbtree(+Pairs, -Tree) is det.
%   Each key should occur once.
list_to_rbtree(Pairs, Tree) :-
    must_be(list, Pairs),
    sort(Pairs, Sorted),
    ord_list_to_rbtree(Sorted, Tree).

%!  ord_list_to_rbtree(+Pairs, -Tree) is det.
%   The keys should ascend.
ord_list_to_rbtree(Pairs, Tree) :-
    must_be(list(pair), Pairs),
    length(Pairs, Number),
    Levels is msb(Number + 1),
    '$rbtrees_build'(Number, Levels, Pairs, _, Root),
    Tree = t(Root).

% The first Number pairs as a tree whose first Levels levels are full and black; what is below them is red.
'$rbtrees_build'(0, _, Pairs, Pairs, nil) :- !.
'$rbtrees_build'(Number, Levels, Pairs, Rest, Node) :-
    ToLeft is (Number - 1) // 2,
    ToRight is Number - ToLeft - 1,
    Below is Levels - 1,
    '$rbtrees_build'(ToLeft, Below, Pairs, [Key-Value|Pairs1], Left),
    '$rbtrees_build'(ToRight, Below, Pairs1, Rest, Right),
    ( Levels =:= 0 -> Node = red(Left, Key, Value, Right) ; Node = black(Left, Key, Value, Right) ).

%!  rb_lookup(+Key, -Value, +Tree) is semidet.
rb_lookup(Key, Value, Tree) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_lookup'(Root, Key, Value)
    ;   '$rbtrees_refuse'(rb_lookup(Key, Value, Tree))
    ).

'$rbtrees_lookup'(red(Left, Key0, Value0, Right), Key, Value) :-
    compare(Order, Key, Key0),
    '$rbtrees_lookup'(Order, Key, Value, Value0, Left, Right).
'$rbtrees_lookup'(black(Left, Key0, Value0, Right), Key, Value) :-
    compare(Order, Key, Key0),
    '$rbtrees_lookup'(Order, Key, Value, Value0, Left, Right).

'$rbtrees_lookup'(=, _, Value, Value, _, _).
'$rbtrees_lookup'(<, Key, Value, _, Left, _) :- '$rbtrees_lookup'(Left, Key, Value).
'$rbtrees_lookup'(>, Key, Value, _, _, Right) :- '$rbtrees_lookup'(Right, Key, Value).

%!  rb_in(?Key, ?Value, +Tree) is nondet.
%   The pairs in the order of their keys.
rb_in(Key, Value, Tree) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  ( ground(Key) -> '$rbtrees_lookup'(Root, Key, Value) ; '$rbtrees_in'(Root, Key, Value) )
    ;   '$rbtrees_refuse'(rb_in(Key, Value, Tree))
    ).

'$rbtrees_in'(Node, Key, Value) :-
    '$rbtrees_node'(Node, _, Left, Key0, Value0, Right),
    (   '$rbtrees_in'(Left, Key, Value)
    ;   Key = Key0,
        Value = Value0
    ;   '$rbtrees_in'(Right, Key, Value)
    ).

rb_min(Tree, Key, Value) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_node'(Root, _, Left, Key0, Value0, _),
        '$rbtrees_min'(Left, Key0, Value0, Key, Value)
    ;   '$rbtrees_refuse'(rb_min(Tree, Key, Value))
    ).

% The least key of a tree, or the one before it if the tree is empty.
'$rbtrees_min'(nil, Key, Value, Key, Value).
'$rbtrees_min'(red(Left, Key0, Value0, _), _, _, Key, Value) :- '$rbtrees_min'(Left, Key0, Value0, Key, Value).
'$rbtrees_min'(black(Left, Key0, Value0, _), _, _, Key, Value) :- '$rbtrees_min'(Left, Key0, Value0, Key, Value).

rb_max(Tree, Key, Value) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_node'(Root, _, _, Key0, Value0, Right),
        '$rbtrees_max'(Right, Key0, Value0, Key, Value)
    ;   '$rbtrees_refuse'(rb_max(Tree, Key, Value))
    ).

'$rbtrees_max'(nil, Key, Value, Key, Value).
'$rbtrees_max'(red(_, Key0, Value0, Right), _, _, Key, Value) :- '$rbtrees_max'(Right, Key0, Value0, Key, Value).
'$rbtrees_max'(black(_, Key0, Value0, Right), _, _, Key, Value) :- '$rbtrees_max'(Right, Key0, Value0, Key, Value).

%!  rb_next(+Tree, +Key, -Next, -Value) is semidet.
%   Key is in Tree, and Next is the least key greater than it.
rb_next(Tree, Key, Next, Value) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_next'(Root, Key, none, Next0-Value0),
        Next = Next0,
        Value = Value0
    ;   '$rbtrees_refuse'(rb_next(Tree, Key, Next, Value))
    ).

% Above is the least pair above the subtree that is greater than its keys.
'$rbtrees_next'(Node, Key, Above, Pair) :-
    '$rbtrees_node'(Node, _, Left, Key0, Value0, Right),
    compare(Order, Key, Key0),
    '$rbtrees_next'(Order, Key, Left, Key0-Value0, Right, Above, Pair).

'$rbtrees_next'(<, Key, Left, Pair0, _, _, Pair) :- '$rbtrees_next'(Left, Key, Pair0, Pair).
'$rbtrees_next'(>, Key, _, _, Right, Above, Pair) :- '$rbtrees_next'(Right, Key, Above, Pair).
'$rbtrees_next'(=, _, _, _, Right, Above, Pair) :-
    (   '$rbtrees_node'(Right, _, Left, Key0, Value0, _)
    ->  '$rbtrees_min'(Left, Key0, Value0, Key, Value),
        Pair = Key-Value
    ;   Pair = Above
    ).

%!  rb_previous(+Tree, +Key, -Previous, -Value) is semidet.
rb_previous(Tree, Key, Previous, Value) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_previous'(Root, Key, none, Previous0-Value0),
        Previous = Previous0,
        Value = Value0
    ;   '$rbtrees_refuse'(rb_previous(Tree, Key, Previous, Value))
    ).

'$rbtrees_previous'(Node, Key, Above, Pair) :-
    '$rbtrees_node'(Node, _, Left, Key0, Value0, Right),
    compare(Order, Key, Key0),
    '$rbtrees_previous'(Order, Key, Left, Key0-Value0, Right, Above, Pair).

'$rbtrees_previous'(<, Key, Left, _, _, Above, Pair) :- '$rbtrees_previous'(Left, Key, Above, Pair).
'$rbtrees_previous'(>, Key, _, Pair0, Right, _, Pair) :- '$rbtrees_previous'(Right, Key, Pair0, Pair).
'$rbtrees_previous'(=, _, Left, _, _, Above, Pair) :-
    (   '$rbtrees_node'(Left, _, _, Key0, Value0, Right)
    ->  '$rbtrees_max'(Right, Key0, Value0, Key, Value),
        Pair = Key-Value
    ;   Pair = Above
    ).

%!  rb_insert(+Tree, +Key, +Value, -Changed) is det.
%   Value takes the place of the value that Key may have had.
rb_insert(Tree, Key, Value, Changed) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_insert'(Root, Key, Value, old, Root1),
        '$rbtrees_blacken'(Root1, Root2),
        Changed = t(Root2)
    ;   '$rbtrees_refuse'(rb_insert(Tree, Key, Value, Changed))
    ).

%!  rb_insert_new(+Tree, +Key, +Value, -Changed) is semidet.
%   Key is not in Tree.
rb_insert_new(Tree, Key, Value, Changed) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_insert'(Root, Key, Value, new, Root1),
        '$rbtrees_blacken'(Root1, Root2),
        Changed = t(Root2)
    ;   '$rbtrees_refuse'(rb_insert_new(Tree, Key, Value, Changed))
    ).

% A red node may come with a red child; the black node above it repairs that. What may be there already is old.
'$rbtrees_insert'(nil, Key, Value, _, red(nil, Key, Value, nil)).
'$rbtrees_insert'(red(Left, Key0, Value0, Right), Key, Value, May, Node) :-
    compare(Order, Key, Key0),
    '$rbtrees_insert_red'(Order, Left, Key0, Value0, Right, Key, Value, May, Node).
'$rbtrees_insert'(black(Left, Key0, Value0, Right), Key, Value, May, Node) :-
    compare(Order, Key, Key0),
    '$rbtrees_insert_black'(Order, Left, Key0, Value0, Right, Key, Value, May, Node).

'$rbtrees_insert_red'(=, Left, Key, _, Right, _, Value, old, red(Left, Key, Value, Right)).
'$rbtrees_insert_red'(<, Left, Key0, Value0, Right, Key, Value, May, red(Left1, Key0, Value0, Right)) :-
    '$rbtrees_insert'(Left, Key, Value, May, Left1).
'$rbtrees_insert_red'(>, Left, Key0, Value0, Right, Key, Value, May, red(Left, Key0, Value0, Right1)) :-
    '$rbtrees_insert'(Right, Key, Value, May, Right1).

'$rbtrees_insert_black'(=, Left, Key, _, Right, _, Value, old, black(Left, Key, Value, Right)).
'$rbtrees_insert_black'(<, Left, Key0, Value0, Right, Key, Value, May, Node) :-
    '$rbtrees_insert'(Left, Key, Value, May, Left1),
    '$rbtrees_balance'(Left1, Key0, Value0, Right, Node).
'$rbtrees_insert_black'(>, Left, Key0, Value0, Right, Key, Value, May, Node) :-
    '$rbtrees_insert'(Right, Key, Value, May, Right1),
    '$rbtrees_balance'(Left, Key0, Value0, Right1, Node).

'$rbtrees_blacken'(nil, nil).
'$rbtrees_blacken'(red(Left, Key, Value, Right), black(Left, Key, Value, Right)).
'$rbtrees_blacken'(black(Left, Key, Value, Right), black(Left, Key, Value, Right)).

'$rbtrees_redden'(black(Left, Key, Value, Right), red(Left, Key, Value, Right)).

% A black node of which one side may have a red child of a red node: it becomes a red one with two black ones.
'$rbtrees_balance'(red(A, K1, V1, B), K, V, red(C, K2, V2, D), red(black(A, K1, V1, B), K, V, black(C, K2, V2, D))) :- !.
'$rbtrees_balance'(red(red(A, K1, V1, B), K2, V2, C), K, V, D, red(black(A, K1, V1, B), K2, V2, black(C, K, V, D))) :- !.
'$rbtrees_balance'(red(A, K1, V1, red(B, K2, V2, C)), K, V, D, red(black(A, K1, V1, B), K2, V2, black(C, K, V, D))) :- !.
'$rbtrees_balance'(A, K, V, red(B, K1, V1, red(C, K2, V2, D)), red(black(A, K, V, B), K1, V1, black(C, K2, V2, D))) :- !.
'$rbtrees_balance'(A, K, V, red(red(B, K1, V1, C), K2, V2, D), red(black(A, K, V, B), K1, V1, black(C, K2, V2, D))) :- !.
'$rbtrees_balance'(A, K, V, B, black(A, K, V, B)).

%!  rb_update(+Tree, +Key, +New, -Changed) is semidet.
rb_update(Tree, Key, New, Changed) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_replace'(Root, Key, _, New, Root1),
        Changed = t(Root1)
    ;   '$rbtrees_refuse'(rb_update(Tree, Key, New, Changed))
    ).

%!  rb_update(+Tree, +Key, ?Old, +New, -Changed) is semidet.
%   New takes the place of Old.
rb_update(Tree, Key, Old, New, Changed) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_replace'(Root, Key, Old0, New, Root1),
        Old = Old0,
        Changed = t(Root1)
    ;   '$rbtrees_refuse'(rb_update(Tree, Key, Old, New, Changed))
    ).

%!  rb_apply(+Tree, +Key, :Goal, -Changed) is nondet.
%   The value of Key becomes what Goal makes of it.
rb_apply(Tree, Key, Goal, Changed) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_replace'(Root, Key, Old, New, Root1),
        call(Goal, Old, New),
        Changed = t(Root1)
    ;   '$rbtrees_refuse'(rb_apply(Tree, Key, Goal, Changed))
    ).

'$rbtrees_replace'(red(Left, Key0, Value0, Right), Key, Old, New, red(Left1, Key0, Value, Right1)) :-
    compare(Order, Key, Key0),
    '$rbtrees_replace'(Order, Left, Value0, Right, Key, Old, New, Left1, Value, Right1).
'$rbtrees_replace'(black(Left, Key0, Value0, Right), Key, Old, New, black(Left1, Key0, Value, Right1)) :-
    compare(Order, Key, Key0),
    '$rbtrees_replace'(Order, Left, Value0, Right, Key, Old, New, Left1, Value, Right1).

'$rbtrees_replace'(=, Left, Old, Right, _, Old, New, Left, New, Right).
'$rbtrees_replace'(<, Left, Value, Right, Key, Old, New, Left1, Value, Right) :-
    '$rbtrees_replace'(Left, Key, Old, New, Left1).
'$rbtrees_replace'(>, Left, Value, Right, Key, Old, New, Left, Value, Right1) :-
    '$rbtrees_replace'(Right, Key, Old, New, Right1).

%!  rb_delete(+Tree, +Key, -Rest) is semidet.
rb_delete(Tree, Key, Rest) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_delete'(Root, key(Key), _, _, Root1),
        '$rbtrees_blacken'(Root1, Root2),
        Rest = t(Root2)
    ;   '$rbtrees_refuse'(rb_delete(Tree, Key, Rest))
    ).

%!  rb_delete(+Tree, +Key, -Value, -Rest) is semidet.
rb_delete(Tree, Key, Value, Rest) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_delete'(Root, key(Key), _, Value0, Root1),
        '$rbtrees_blacken'(Root1, Root2),
        Value = Value0,
        Rest = t(Root2)
    ;   '$rbtrees_refuse'(rb_delete(Tree, Key, Value, Rest))
    ).

rb_del_min(Tree, Key, Value, Rest) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_delete'(Root, min, Key0, Value0, Root1),
        '$rbtrees_blacken'(Root1, Root2),
        Key = Key0,
        Value = Value0,
        Rest = t(Root2)
    ;   '$rbtrees_refuse'(rb_del_min(Tree, Key, Value, Rest))
    ).

rb_del_max(Tree, Key, Value, Rest) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_delete'(Root, max, Key0, Value0, Root1),
        '$rbtrees_blacken'(Root1, Root2),
        Key = Key0,
        Value = Value0,
        Rest = t(Root2)
    ;   '$rbtrees_refuse'(rb_del_max(Tree, Key, Value, Rest))
    ).

% Which is key(Key), min or max. What is left of a black node has one black node less on each path; it may be red with a
% red child.
'$rbtrees_delete'(Node, Which, Key, Value, Rest) :-
    '$rbtrees_node'(Node, _, Left, Key0, Value0, Right),
    '$rbtrees_side'(Which, Left, Key0, Right, Side),
    '$rbtrees_delete'(Side, Left, Key0, Value0, Right, Which, Key, Value, Rest).

'$rbtrees_side'(key(Key), _, Key0, _, Side) :- compare(Side, Key, Key0).
'$rbtrees_side'(min, Left, _, _, Side) :- ( Left == nil -> Side = (=) ; Side = (<) ).
'$rbtrees_side'(max, _, _, Right, Side) :- ( Right == nil -> Side = (=) ; Side = (>) ).

'$rbtrees_delete'(=, Left, Key, Value, Right, _, Key, Value, Rest) :- '$rbtrees_join'(Left, Right, Rest).
'$rbtrees_delete'(<, Left, Key0, Value0, Right, Which, Key, Value, Rest) :-
    '$rbtrees_delete'(Left, Which, Key, Value, Left1),
    (   Left = black(_, _, _, _)
    ->  '$rbtrees_balance_left'(Left1, Key0, Value0, Right, Rest)
    ;   Rest = red(Left1, Key0, Value0, Right)
    ).
'$rbtrees_delete'(>, Left, Key0, Value0, Right, Which, Key, Value, Rest) :-
    '$rbtrees_delete'(Right, Which, Key, Value, Right1),
    (   Right = black(_, _, _, _)
    ->  '$rbtrees_balance_right'(Left, Key0, Value0, Right1, Rest)
    ;   Rest = red(Left, Key0, Value0, Right1)
    ).

% The left side has one black node less on each path than the right one.
'$rbtrees_balance_left'(red(A, K1, V1, B), K, V, C, red(black(A, K1, V1, B), K, V, C)) :- !.
'$rbtrees_balance_left'(A, K, V, black(B, K1, V1, C), Node) :- !, '$rbtrees_balance'(A, K, V, red(B, K1, V1, C), Node).
'$rbtrees_balance_left'(A, K, V, red(black(B, K1, V1, C), K2, V2, D), red(black(A, K, V, B), K1, V1, Right)) :-
    '$rbtrees_redden'(D, D1),
    '$rbtrees_balance'(C, K2, V2, D1, Right).

% The right side has one black node less on each path than the left one.
'$rbtrees_balance_right'(A, K, V, red(B, K1, V1, C), red(A, K, V, black(B, K1, V1, C))) :- !.
'$rbtrees_balance_right'(black(A, K1, V1, B), K, V, C, Node) :- !, '$rbtrees_balance'(red(A, K1, V1, B), K, V, C, Node).
'$rbtrees_balance_right'(red(A, K1, V1, black(B, K2, V2, C)), K, V, D, red(Left, K2, V2, black(C, K, V, D))) :-
    '$rbtrees_redden'(A, A1),
    '$rbtrees_balance'(A1, K1, V1, B, Left).

% Two sides, with the same number of black nodes on each path, of a node that is gone.
'$rbtrees_join'(nil, Node, Node) :- !.
'$rbtrees_join'(Node, nil, Node) :- !.
'$rbtrees_join'(red(A, K1, V1, B), red(C, K2, V2, D), Node) :-
    !,
    '$rbtrees_join'(B, C, Middle),
    (   Middle = red(B1, K, V, C1)
    ->  Node = red(red(A, K1, V1, B1), K, V, red(C1, K2, V2, D))
    ;   Node = red(A, K1, V1, red(Middle, K2, V2, D))
    ).
'$rbtrees_join'(black(A, K1, V1, B), black(C, K2, V2, D), Node) :-
    !,
    '$rbtrees_join'(B, C, Middle),
    (   Middle = red(B1, K, V, C1)
    ->  Node = red(black(A, K1, V1, B1), K, V, black(C1, K2, V2, D))
    ;   '$rbtrees_balance_left'(A, K1, V1, black(Middle, K2, V2, D), Node)
    ).
'$rbtrees_join'(A, red(B, K, V, C), red(Left, K, V, C)) :- !, '$rbtrees_join'(A, B, Left).
'$rbtrees_join'(red(A, K, V, B), C, red(A, K, V, Right)) :- '$rbtrees_join'(B, C, Right).

%!  rb_visit(+Tree, -Pairs) is det.
%   In the order of the keys.
rb_visit(Tree, Pairs) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_pairs'(Root, Pairs, [])
    ;   '$rbtrees_refuse'(rb_visit(Tree, Pairs))
    ).

'$rbtrees_pairs'(nil, Pairs, Pairs).
'$rbtrees_pairs'(red(Left, Key, Value, Right), Pairs, Rest) :-
    '$rbtrees_pairs'(Left, Pairs, [Key-Value|Pairs1]),
    '$rbtrees_pairs'(Right, Pairs1, Rest).
'$rbtrees_pairs'(black(Left, Key, Value, Right), Pairs, Rest) :-
    '$rbtrees_pairs'(Left, Pairs, [Key-Value|Pairs1]),
    '$rbtrees_pairs'(Right, Pairs1, Rest).

rb_keys(Tree, Keys) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_pairs'(Root, Pairs, []),
        pairs_keys(Pairs, Keys)
    ;   '$rbtrees_refuse'(rb_keys(Tree, Keys))
    ).

rb_size(Tree, Size) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_size'(Root, 0, Size)
    ;   '$rbtrees_refuse'(rb_size(Tree, Size))
    ).

'$rbtrees_size'(nil, Size, Size).
'$rbtrees_size'(red(Left, _, _, Right), Size0, Size) :- '$rbtrees_size'(Left, Right, Size0, Size).
'$rbtrees_size'(black(Left, _, _, Right), Size0, Size) :- '$rbtrees_size'(Left, Right, Size0, Size).

'$rbtrees_size'(Left, Right, Size0, Size) :-
    Size1 is Size0 + 1,
    '$rbtrees_size'(Left, Size1, Size2),
    '$rbtrees_size'(Right, Size2, Size).

%!  rb_map(+Tree, :Goal) is semidet.
%   Goal holds for each value.
rb_map(Tree, Goal) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_map'(Root, Goal)
    ;   '$rbtrees_refuse'(rb_map(Tree, Goal))
    ).

'$rbtrees_map'(nil, _).
'$rbtrees_map'(red(Left, _, Value, Right), Goal) :- '$rbtrees_map'(Left, Value, Right, Goal).
'$rbtrees_map'(black(Left, _, Value, Right), Goal) :- '$rbtrees_map'(Left, Value, Right, Goal).

'$rbtrees_map'(Left, Value, Right, Goal) :-
    '$rbtrees_map'(Left, Goal),
    call(Goal, Value),
    '$rbtrees_map'(Right, Goal).

%!  rb_map(+Tree, :Goal, -Mapped) is nondet.
rb_map(Tree, Goal, Mapped) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_mapped'(Root, Goal, Root1),
        Mapped = t(Root1)
    ;   '$rbtrees_refuse'(rb_map(Tree, Goal, Mapped))
    ).

'$rbtrees_mapped'(nil, _, nil).
'$rbtrees_mapped'(red(Left, Key, Value, Right), Goal, red(Left1, Key, Value1, Right1)) :-
    '$rbtrees_mapped'(Left, Value, Right, Goal, Left1, Value1, Right1).
'$rbtrees_mapped'(black(Left, Key, Value, Right), Goal, black(Left1, Key, Value1, Right1)) :-
    '$rbtrees_mapped'(Left, Value, Right, Goal, Left1, Value1, Right1).

'$rbtrees_mapped'(Left, Value, Right, Goal, Left1, Value1, Right1) :-
    '$rbtrees_mapped'(Left, Goal, Left1),
    call(Goal, Value, Value1),
    '$rbtrees_mapped'(Right, Goal, Right1).

%!  rb_partial_map(+Tree, +Keys, :Goal, -Mapped) is nondet.
%   Keys are some of those of Tree, in order, each once.
rb_partial_map(Tree, Keys, Goal, Mapped) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_partial'(Root, Keys, [], Goal, Root1),
        Mapped = t(Root1)
    ;   '$rbtrees_refuse'(rb_partial_map(Tree, Keys, Goal, Mapped))
    ).

% Rest are the keys behind those of the tree.
'$rbtrees_partial'(Node, [], Rest, _, Node1) :- !, Rest = [], Node1 = Node.
'$rbtrees_partial'(nil, Keys, Keys, _, nil).
'$rbtrees_partial'(red(Left, Key, Value, Right), Keys, Rest, Goal, red(Left1, Key, Value1, Right1)) :-
    '$rbtrees_partial'(Left, Key, Value, Right, Keys, Rest, Goal, Left1, Value1, Right1).
'$rbtrees_partial'(black(Left, Key, Value, Right), Keys, Rest, Goal, black(Left1, Key, Value1, Right1)) :-
    '$rbtrees_partial'(Left, Key, Value, Right, Keys, Rest, Goal, Left1, Value1, Right1).

'$rbtrees_partial'(Left, Key, Value, Right, [First|Keys], Rest, Goal, Left1, Value1, Right1) :-
    (   First @< Key
    ->  '$rbtrees_partial'(Left, [First|Keys], Keys1, Goal, Left1)
    ;   Keys1 = [First|Keys],
        Left1 = Left
    ),
    '$rbtrees_partial_here'(Keys1, Key, Value, Goal, Value1, Keys2),
    '$rbtrees_partial'(Right, Keys2, Rest, Goal, Right1).

% A key less than this one was not found on the left side.
'$rbtrees_partial_here'([], _, Value, _, Value, []).
'$rbtrees_partial_here'([First|Keys], Key, Value, Goal, Value1, Rest) :-
    compare(Order, First, Key),
    '$rbtrees_partial_here'(Order, First, Keys, Value, Goal, Value1, Rest).

'$rbtrees_partial_here'(=, _, Keys, Value, Goal, Value1, Keys) :- call(Goal, Value, Value1).
'$rbtrees_partial_here'(>, First, Keys, Value, _, Value, [First|Keys]).

%!  rb_fold(:Goal, +Tree, +Start, -End) is nondet.
%   Goal is called with each pair, in order, and what came of those before it.
rb_fold(Goal, Tree, Start, End) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_pairs'(Root, Pairs, []),
        foldl(Goal, Pairs, Start, End)
    ;   '$rbtrees_refuse'(rb_fold(Goal, Tree, Start, End))
    ).

%!  rb_clone(+Tree, -Clone, -Pairs) is det.
%   Clone has the keys of Tree, each with a new variable; Pairs are those of Clone.
rb_clone(Tree, Clone, Pairs) :-
    (   '$rbtrees_root'(Tree, Root)
    ->  '$rbtrees_clone'(Root, Root1),
        '$rbtrees_pairs'(Root1, Pairs, []),
        Clone = t(Root1)
    ;   '$rbtrees_refuse'(rb_clone(Tree, Clone, Pairs))
    ).

'$rbtrees_clone'(nil, nil).
'$rbtrees_clone'(red(Left, Key, _, Right), red(Left1, Key, _, Right1)) :-
    '$rbtrees_clone'(Left, Left1),
    '$rbtrees_clone'(Right, Right1).
'$rbtrees_clone'(black(Left, Key, _, Right), black(Left1, Key, _, Right1)) :-
    '$rbtrees_clone'(Left, Left1),
    '$rbtrees_clone'(Right, Right1).
