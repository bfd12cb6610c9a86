% What is kept under keys: the recorded database, flags that count, names that are new.
:- module(records,
          [ recorda/2, recorda/3, recordz/2, recordz/3, recorded/2, recorded/3, erase/1, instance/2, current_key/1,
            flag/3, gensym/2, reset_gensym/1, reset_gensym/0
          ]).

recorda(Key, Value) :- recorda(Key, Value, _).

recorda(Key, Value, '$record'(Number)) :-
    '$records_key'(Key, General),
    '$records_next'(Number),
    asserta('$records_entry'(General, Value, Number)).

recordz(Key, Value) :- recordz(Key, Value, _).

recordz(Key, Value, '$record'(Number)) :-
    '$records_key'(Key, General),
    '$records_next'(Number),
    assertz('$records_entry'(General, Value, Number)).

recorded(Key, Value) :- recorded(Key, Value, _).

% Nothing was recorded as long as there is no such predicate, which clause/2 takes for one without clauses.
recorded(Key, Value, '$record'(Number)) :-
    ( var(Key) -> General = Key ; '$records_key'(Key, General) ),
    clause('$records_entry'(General, Value, Number), true),
    Key = General.

% Keys are told apart by name and arity.
'$records_key'(Key, General) :-
    must_be(nonvar, Key),
    ( compound(Key) -> functor(Key, Name, Arity), functor(General, Name, Arity) ; General = Key ).

'$records_next'(Number) :-
    ( retract('$records_number'(Before)) -> true ; Before = 0 ),
    Number is Before + 1,
    assertz('$records_number'(Number)).

erase(Reference) :-
    must_be(nonvar, Reference),
    (   Reference = '$record'(Number)
    ->  retract('$records_entry'(_, _, Number))
    ;   clause(_, _, Reference)
    ->  '$erase'(Reference)
    ),
    !.

instance('$record'(Number), Value) :- !, clause('$records_entry'(_, Value, Number), true), !.
instance(Reference, (Head :- Body)) :- clause(Head, Body, Reference).

current_key(Key) :-
    findall(Key0, clause('$records_entry'(Key0, _, _), true), Keys),
    list_to_set(Keys, Set),
    '$member'(Key, Set).

%!  flag(+Key, -Old, +New) is det.
%   New is evaluated when Old is known; a flag that was never set is 0.
flag(Key, Old, New) :-
    '$records_key'(Key, General),
    ( clause('$records_flag'(General, Old0), true) -> true ; Old0 = 0 ),
    Old = Old0,
    Value is New,
    retractall('$records_flag'(General, _)),
    assertz('$records_flag'(General, Value)).

gensym(Base, Name) :-
    ( retract('$records_count'(Base, Count0)) -> true ; Count0 = 0 ),
    Count is Count0 + 1,
    assertz('$records_count'(Base, Count)),
    atomic_list_concat([Base, Count], Name).

reset_gensym(Base) :- retractall('$records_count'(Base, _)).

reset_gensym :- retractall('$records_count'(_, _)).
