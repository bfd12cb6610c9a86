% Hash tables that are changed in place and restored when their program backtracks: lists of pairs, doubled when they are
% full. ht(Size, Buckets) has Size keys, told apart by ==.
:- module(hashtables,
          [ ht_new/1, ht_is_hashtable/1, ht_size/2, ht_put/3, ht_put/5, ht_put_new/3, ht_update/4, ht_get/3, ht_gen/3,
            ht_del/3, ht_pairs/2, ht_keys/2, ht_values/2
          ]).

ht_new(ht(0, Buckets)) :- '$hashtables_buckets'(8, Buckets).

'$hashtables_buckets'(Number, Buckets) :-
    length(Lists, Number),
    maplist(=([]), Lists),
    Buckets =.. [buckets|Lists].

ht_is_hashtable(Table) :-
    nonvar(Table),
    Table = ht(Size, Buckets),
    integer(Size),
    compound(Buckets),
    functor(Buckets, buckets, _).

ht_size(ht(Size, _), Size).

'$hashtables_bucket'(Table, Key, Buckets, Place, Bucket) :-
    must_be(nonvar, Table),
    Table = ht(_, Buckets),
    '$hashtables_place'(Key, Buckets, Place),
    arg(Place, Buckets, Bucket).

'$hashtables_place'(Key, Buckets, Place) :-
    variant_hash(Key, Hash),
    functor(Buckets, _, Number),
    Place is Hash mod Number + 1.

% The pair of a key in a bucket.
'$hashtables_find'([Pair0|Bucket], Key, Pair) :-
    Pair0 = Key0-_,
    ( Key0 == Key -> Pair = Pair0 ; '$hashtables_find'(Bucket, Key, Pair) ).

%!  ht_get(+Table, +Key, -Value) is semidet.
ht_get(Table, Key, Value) :-
    '$hashtables_bucket'(Table, Key, _, _, Bucket),
    '$hashtables_find'(Bucket, Key, _-Value0),
    Value = Value0.

%!  ht_put(!Table, +Key, +Value) is det.
ht_put(Table, Key, Value) :- ht_put(Table, Key, Value, _, _).

%!  ht_put_new(!Table, +Key, +Value) is semidet.
%   Key is not in Table.
ht_put_new(Table, Key, Value) :-
    '$hashtables_bucket'(Table, Key, Buckets, Place, Bucket),
    \+ '$hashtables_find'(Bucket, Key, _),
    '$hashtables_add'(Table, Buckets, Place, Key-Value, Bucket).

%!  ht_put(!Table, +Key, +Value, +IfNew, -Old) is det.
%   Old is the value that Key had, IfNew if it had none.
ht_put(Table, Key, Value, IfNew, Old) :-
    '$hashtables_bucket'(Table, Key, Buckets, Place, Bucket),
    (   '$hashtables_find'(Bucket, Key, Pair)
    ->  arg(2, Pair, Old0),
        setarg(2, Pair, Value),
        Old = Old0
    ;   '$hashtables_add'(Table, Buckets, Place, Key-Value, Bucket),
        Old = IfNew
    ).

'$hashtables_add'(Table, Buckets, Place, Pair, Bucket) :-
    setarg(Place, Buckets, [Pair|Bucket]),
    arg(1, Table, Size),
    Size1 is Size + 1,
    setarg(1, Table, Size1),
    functor(Buckets, _, Number),
    ( Size1 > 2 * Number -> '$hashtables_double'(Table, Number) ; true ).

'$hashtables_double'(Table, Number) :-
    Double is 2 * Number,
    '$hashtables_buckets'(Double, Buckets1),
    '$hashtables_pairs'(Table, Pairs),
    '$hashtables_move'(Pairs, Buckets1),
    setarg(2, Table, Buckets1).

'$hashtables_move'([], _).
'$hashtables_move'([Key-Value|Pairs], Buckets) :-
    '$hashtables_place'(Key, Buckets, Place),
    arg(Place, Buckets, Bucket),
    setarg(Place, Buckets, [Key-Value|Bucket]),
    '$hashtables_move'(Pairs, Buckets).

%!  ht_update(!Table, +Key, ?Old, +New) is semidet.
%   New takes the place of Old.
ht_update(Table, Key, Old, New) :-
    '$hashtables_bucket'(Table, Key, _, _, Bucket),
    '$hashtables_find'(Bucket, Key, Pair),
    arg(2, Pair, Old),
    setarg(2, Pair, New).

%!  ht_del(!Table, +Key, ?Value) is semidet.
ht_del(Table, Key, Value) :-
    '$hashtables_bucket'(Table, Key, Buckets, Place, Bucket),
    '$hashtables_without'(Bucket, Key, Value0, Rest),
    Value = Value0,
    setarg(Place, Buckets, Rest),
    arg(1, Table, Size),
    Size1 is Size - 1,
    setarg(1, Table, Size1).

'$hashtables_without'([Pair|Bucket], Key, Value, Rest) :-
    Pair = Key0-Value0,
    (   Key0 == Key
    ->  Value = Value0,
        Rest = Bucket
    ;   Rest = [Pair|Rest1],
        '$hashtables_without'(Bucket, Key, Value, Rest1)
    ).

'$hashtables_pairs'(ht(_, Buckets), Pairs) :- Buckets =.. [_|Lists], append(Lists, Pairs).

%!  ht_pairs(?Table, ?Pairs) is det.
%   In the order of the keys. Makes a table of pairs if Table is unbound.
ht_pairs(Table, Pairs) :-
    (   nonvar(Table)
    ->  '$hashtables_pairs'(Table, Pairs0),
        keysort(Pairs0, Pairs)
    ;   must_be(list(pair), Pairs),
        ht_new(Table),
        '$hashtables_put_all'(Pairs, Table)
    ).

'$hashtables_put_all'([], _).
'$hashtables_put_all'([Key-Value|Pairs], Table) :- ht_put(Table, Key, Value), '$hashtables_put_all'(Pairs, Table).

ht_keys(Table, Keys) :- ht_pairs(Table, Pairs), pairs_keys(Pairs, Keys).

ht_values(Table, Values) :- ht_pairs(Table, Pairs), pairs_values(Pairs, Values).

%!  ht_gen(+Table, ?Key, ?Value) is nondet.
ht_gen(Table, Key, Value) :- ht_pairs(Table, Pairs), '$member'(Key-Value, Pairs).
