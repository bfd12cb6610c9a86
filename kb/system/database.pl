% The database: clauses read, removed and printed. [ISO] 8.8, 8.9.

%!  clause(+Head, ?Body) is nondet.
clause(Head, Body) :-
    (   nonvar(Body), \+ callable(Body)
    ->  throw(error(type_error(callable, Body), _))
    ;   true
    ),
    '$clause_scan'(Head, Body, access, _).

%!  clause(+Head, ?Body, ?Reference) is nondet.
clause(Head, Body, Reference) :- nonvar(Reference), !, '$clause'(Reference, Head, Body).
clause(Head, Body, Reference) :- '$clause_scan'(Head, Body, access, Reference).

%!  retract(+Clause) is nondet.
retract(Clause) :-
    '$retractable'(Clause),
    '$split_clause'(Clause, Head, Body),
    '$clause_scan'(Head, Body, modify, Reference),
    '$erase'(Reference).

'$split_clause'(Clause, Head, Body) :- Clause = (Head :- Body), !.
'$split_clause'(Head, Head, true).

predicate_property(Head, Property) :-
    nonvar(Head),
    ( Head = _:Plain -> true ; Plain = Head ),
    functor(Plain, Name, Arity),
    '$predicate'(Name, Arity, Properties),
    '$member'(Property, Properties).

current_predicate(Spec) :-
    ( nonvar(Spec), Spec = _:Name/Arity -> true ; Spec = Name/Arity -> true
    ; throw(error(type_error(predicate_indicator, Spec), _)) ),
    ( var(Name) -> true ; atom(Name) -> true ; throw(error(type_error(predicate_indicator, Spec), _)) ),
    ( var(Arity) -> true ; integer(Arity) -> true ; throw(error(type_error(predicate_indicator, Spec), _)) ),
    '$predicates'(List),
    '$member'(Name/Arity, List).

%!  listing(+Spec) is det.
listing(Name/Arity) :-
    !,
    functor(Head, Name, Arity),
    ( predicate_property(Head, dynamic) -> format(":- dynamic ~q.~n~n", [Name/Arity]) ; true ),
    forall(clause(Head, Body), portray_clause((Head :- Body))),
    nl.
listing(Name) :-
    '$predicates'(List),
    forall('$member'(Name/Arity, List), listing(Name/Arity)).

%!  portray_clause(+Clause) is det.
portray_clause(Clause) :-
    \+ \+ ( copy_term(Clause, Copy), numbervars(Copy, 0, _), '$portray'(Copy) ).

'$portray'((Head :- true)) :- !, format("~q.~n", [Head]).
'$portray'((Head :- Body)) :- !, format("~q :-", [Head]), '$portray_body'(Body), write('.'), nl.
'$portray'(Clause) :- format("~q.~n", [Clause]).

'$portray_body'((A, B)) :- !, '$portray_body'(A), write(','), '$portray_body'(B).
'$portray_body'(Goal) :- nl, tab(4), print(Goal).
