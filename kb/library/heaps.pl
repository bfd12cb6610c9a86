% Priority queues as pairing heaps: M. L. Fredman, R. Sedgewick, D. D. Sleator, R. E. Tarjan, The pairing heap, 1986.
% heap(Tree, Size) has Size elements; Tree is nil or t(Priority, Key, Subtrees), in the roots of whose subtrees no priority is
% less than Priority, in the standard order of terms.
:- module(heaps,
          [ empty_heap/1, singleton_heap/3, is_heap/1, heap_size/2, add_to_heap/4, get_from_heap/4, delete_from_heap/4,
            min_of_heap/3, min_of_heap/5, merge_heaps/3, list_to_heap/2, heap_to_list/2
          ]).

empty_heap(heap(nil, 0)).

singleton_heap(heap(t(Priority, Key, []), 1), Priority, Key).

is_heap(Heap) :-
    nonvar(Heap),
    Heap = heap(Tree, Size),
    integer(Size),
    nonvar(Tree),
    '$heaps_is_heap'(Tree, Size).

'$heaps_is_heap'(nil, 0).
'$heaps_is_heap'(t(Priority, Key, Subtrees), Size) :- '$heaps_count'(t(Priority, Key, Subtrees), Priority, 0, Size).

% Size is Size0 and the number of elements of a tree in which no priority is less than Least.
'$heaps_count'(Tree, Least, Size0, Size) :-
    nonvar(Tree),
    Tree = t(Priority, _, Subtrees),
    Priority @>= Least,
    is_list(Subtrees),
    Size1 is Size0 + 1,
    '$heaps_count_all'(Subtrees, Priority, Size1, Size).

'$heaps_count_all'([], _, Size, Size).
'$heaps_count_all'([Tree|Trees], Least, Size0, Size) :-
    '$heaps_count'(Tree, Least, Size0, Size1),
    '$heaps_count_all'(Trees, Least, Size1, Size).

heap_size(heap(_, Size), Size).

%!  add_to_heap(+Heap, +Priority, +Key, -Larger) is semidet.
%   Goes before the elements of the same priority that are there.
add_to_heap(heap(Tree, Size), Priority, Key, heap(Tree1, Size1)) :-
    Size1 is Size + 1,
    '$heaps_meld'(Tree, t(Priority, Key, []), Tree1).

%!  get_from_heap(+Heap, -Priority, -Key, -Rest) is semidet.
%   An element of the least priority.
get_from_heap(heap(t(Priority, Key, Subtrees), Size), Priority, Key, heap(Tree, Size1)) :-
    Size1 is Size - 1,
    '$heaps_pair'(Subtrees, Tree).

%!  delete_from_heap(+Heap, -Priority, +Key, -Rest) is semidet.
delete_from_heap(heap(Tree, Size), Priority, Key, heap(Rest, Size1)) :-
    '$heaps_delete'(Tree, Priority0, Key, Rest0),
    !,
    Priority = Priority0,
    Rest = Rest0,
    Size1 is Size - 1.

'$heaps_delete'(t(Priority, Key, Subtrees), Priority, Key, Tree) :- '$heaps_pair'(Subtrees, Tree).
'$heaps_delete'(t(Priority0, Key0, Subtrees), Priority, Key, t(Priority0, Key0, Rest)) :-
    '$heaps_delete_from'(Subtrees, Priority, Key, Rest).

'$heaps_delete_from'([Tree|Trees], Priority, Key, Rest) :-
    '$heaps_delete'(Tree, Priority, Key, Tree1),
    ( Tree1 == nil -> Rest = Trees ; Rest = [Tree1|Trees] ).
'$heaps_delete_from'([Tree|Trees], Priority, Key, [Tree|Rest]) :- '$heaps_delete_from'(Trees, Priority, Key, Rest).

min_of_heap(heap(t(Priority, Key, _), _), Priority, Key).

%!  min_of_heap(+Heap, -Priority1, -Key1, -Priority2, -Key2) is semidet.
%   The two elements of the least priorities; fails if there are fewer.
min_of_heap(heap(t(Priority1, Key1, Subtrees), _), Priority1, Key1, Priority2, Key2) :-
    '$heaps_pair'(Subtrees, t(Priority2, Key2, _)).

merge_heaps(heap(Tree1, Size1), heap(Tree2, Size2), heap(Tree, Size)) :-
    Size is Size1 + Size2,
    '$heaps_meld'(Tree1, Tree2, Tree).

% The tree of the greater root becomes the first subtree of the other.
'$heaps_meld'(nil, Tree, Tree) :- !.
'$heaps_meld'(Tree, nil, Tree) :- !.
'$heaps_meld'(t(P1, K1, Subtrees1), t(P2, K2, Subtrees2), Tree) :-
    (   P1 @< P2
    ->  Tree = t(P1, K1, [t(P2, K2, Subtrees2)|Subtrees1])
    ;   Tree = t(P2, K2, [t(P1, K1, Subtrees1)|Subtrees2])
    ).

% Subtrees of a root that is gone are melded in pairs from the left, and these from the right.
'$heaps_pair'([], nil).
'$heaps_pair'([Tree|Trees], Melded) :- '$heaps_pair'(Trees, Tree, Melded).

'$heaps_pair'([], Tree, Tree).
'$heaps_pair'([Tree2|Trees], Tree1, Melded) :-
    '$heaps_meld'(Tree1, Tree2, Pair),
    '$heaps_pair'(Trees, Rest),
    '$heaps_meld'(Pair, Rest, Melded).

%!  list_to_heap(+Pairs, -Heap) is det.
list_to_heap(Pairs, Heap) :-
    must_be(list(pair), Pairs),
    foldl('$heaps_add', Pairs, heap(nil, 0), Heap).

'$heaps_add'(Priority-Key, Heap, Larger) :- add_to_heap(Heap, Priority, Key, Larger).

%!  heap_to_list(+Heap, -Pairs) is det.
%   In the order in which get_from_heap/4 takes them.
heap_to_list(heap(Tree, _), Pairs) :- '$heaps_list'(Tree, Pairs).

'$heaps_list'(nil, []).
'$heaps_list'(t(Priority, Key, Subtrees), [Priority-Key|Pairs]) :-
    '$heaps_pair'(Subtrees, Tree),
    '$heaps_list'(Tree, Pairs).
