% Sets that only grow, also when their program backtracks: hash tables with lists, doubled when they are full. Elements are
% told apart up to renaming of variables. nb_set(Size, Buckets) has Size elements.
:- module(nb_sets, [ empty_nb_set/1, add_nb_set/2, add_nb_set/3, gen_nb_set/2, nb_set_to_list/2, size_nb_set/2 ]).

empty_nb_set(nb_set(0, Buckets)) :- '$nb_sets_buckets'(16, Buckets).

'$nb_sets_buckets'(Number, Buckets) :-
    length(Lists, Number),
    maplist(=([]), Lists),
    Buckets =.. [buckets|Lists].

add_nb_set(Term, Set) :- add_nb_set(Term, Set, _).

%!  add_nb_set(+Term, !Set, ?New) is semidet.
%   New is true if Term was not in Set, else false. Nothing is added if New is false.
add_nb_set(Term, Set, New) :-
    must_be(nonvar, Set),
    Set = nb_set(Size, Buckets),
    '$nb_sets_place'(Term, Buckets, Place),
    arg(Place, Buckets, Bucket),
    (   '$nb_sets_has'(Bucket, Term)
    ->  New = false
    ;   New = true,
        nb_setarg(Place, Buckets, [Term|Bucket]),
        Size1 is Size + 1,
        nb_setarg(1, Set, Size1),
        functor(Buckets, _, Number),
        ( Size1 > 2 * Number -> '$nb_sets_double'(Set, Number) ; true )
    ).

'$nb_sets_place'(Term, Buckets, Place) :-
    variant_hash(Term, Hash),
    functor(Buckets, _, Number),
    Place is Hash mod Number + 1.

'$nb_sets_has'([Known|Bucket], Term) :- ( Known =@= Term -> true ; '$nb_sets_has'(Bucket, Term) ).

'$nb_sets_double'(Set, Number) :-
    arg(2, Set, Buckets),
    Double is 2 * Number,
    '$nb_sets_buckets'(Double, Buckets1),
    '$nb_sets_terms'(Buckets, Terms),
    '$nb_sets_move'(Terms, Buckets1),
    nb_setarg(2, Set, Buckets1).

'$nb_sets_terms'(Buckets, Terms) :- Buckets =.. [_|Lists], append(Lists, Terms).

'$nb_sets_move'([], _).
'$nb_sets_move'([Term|Terms], Buckets) :-
    '$nb_sets_place'(Term, Buckets, Place),
    arg(Place, Buckets, Bucket),
    setarg(Place, Buckets, [Term|Bucket]),
    '$nb_sets_move'(Terms, Buckets).

%!  nb_set_to_list(+Set, -Terms) is det.
%   In the standard order.
nb_set_to_list(nb_set(_, Buckets), Terms) :-
    '$nb_sets_terms'(Buckets, Terms0),
    sort(Terms0, Terms).

%!  gen_nb_set(+Set, -Term) is nondet.
gen_nb_set(Set, Term) :-
    nb_set_to_list(Set, Terms),
    '$member'(Term, Terms).

size_nb_set(nb_set(Size, _), Size).
