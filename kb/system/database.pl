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
    (   '$member'(Property, Properties)
    ;   '$meta_predicate'(Name, Arity, Meta),
        Property = meta_predicate(Meta)
    ).

%   As the program declares it, or the system; a predicate of the program may have the name of one of the system.
'$meta_predicate'(Name, Arity, Meta) :-
    atom(Name),
    (   '$declared_meta'(Name, Arity, Declared)
    ->  Meta = Declared
    ;   \+ '$is_of_program'(Name, Arity),
        functor(Meta, Name, Arity),
        '$meta_specification'(Meta)
    ).

'$is_of_program'(Name, Arity) :-
    '$predicate'(Name, Arity, Properties),
    \+ '$predicate_is_system'(Properties).

'$predicate_is_system'(Properties) :- '$member'(system, Properties), !.

%   Predicates of the system that call what they are given: 0 a goal, N a goal that gets N more arguments, ^ a goal whose
%   variables may be bound in it.
'$meta_specification'((0, 0)).
'$meta_specification'((0 ; 0)).
'$meta_specification'((0 -> 0)).
'$meta_specification'((0 *-> 0)).
'$meta_specification'(\+ 0).
'$meta_specification'(call(0)).
'$meta_specification'(call(1, ?)).
'$meta_specification'(call(2, ?, ?)).
'$meta_specification'(call(3, ?, ?, ?)).
'$meta_specification'(call(4, ?, ?, ?, ?)).
'$meta_specification'(call(5, ?, ?, ?, ?, ?)).
'$meta_specification'(call(6, ?, ?, ?, ?, ?, ?)).
'$meta_specification'(call(7, ?, ?, ?, ?, ?, ?, ?)).
'$meta_specification'(not(0)).
'$meta_specification'(tnot(0)).
'$meta_specification'(once(0)).
'$meta_specification'(ignore(0)).
'$meta_specification'(forall(0, 0)).
'$meta_specification'(catch(0, ?, 0)).
'$meta_specification'(call_cleanup(0, 0)).
'$meta_specification'(setup_call_cleanup(0, 0, 0)).
'$meta_specification'(findall(?, 0, -)).
'$meta_specification'(findall(?, 0, -, ?)).
'$meta_specification'(aggregate_all(?, 0, -)).
'$meta_specification'(aggregate_all(?, ?, 0, -)).
'$meta_specification'(bagof(?, ^, -)).
'$meta_specification'(setof(?, ^, -)).
'$meta_specification'(limit(+, 0)).
'$meta_specification'(offset(+, 0)).
'$meta_specification'(call_nth(0, ?)).
'$meta_specification'(with_output_to(?, 0)).
'$meta_specification'(maplist(1, ?)).
'$meta_specification'(maplist(2, ?, ?)).
'$meta_specification'(maplist(3, ?, ?, ?)).
'$meta_specification'(maplist(4, ?, ?, ?, ?)).
'$meta_specification'(include(1, +, -)).
'$meta_specification'(exclude(1, +, -)).
'$meta_specification'(partition(1, ?, ?, ?)).
'$meta_specification'(foldl(3, +, +, -)).
'$meta_specification'(foldl(4, +, +, +, -)).

current_predicate(Spec) :-
    nonvar(Spec),
    ( Spec = Name//Count ; Spec = _:Name//Count ),
    !,
    (   integer(Count)
    ->  Arity is Count + 2,
        current_predicate(Name/Arity)
    ;   current_predicate(Name/Arity),
        Arity >= 2,
        Count is Arity - 2
    ).
current_predicate(Spec) :-
    ( nonvar(Spec), Spec = _:Name/Arity -> true ; Spec = Name/Arity -> true
    ; throw(error(type_error(predicate_indicator, Spec), _)) ),
    ( var(Name) -> true ; atom(Name) -> true ; throw(error(type_error(predicate_indicator, Spec), _)) ),
    ( var(Arity) -> true ; integer(Arity), Arity >= 0 -> true ; throw(error(type_error(predicate_indicator, Spec), _)) ),
    '$predicates'(List),
    '$member'(Name/Arity, List).

%!  listing(+Spec) is det.
%   Prints the clauses of the predicates of a name, or of one of them.
listing(_:Spec) :- !, listing(Spec).
listing(Specs) :- '$is_list_cell'(Specs), !, forall('$member'(Spec, Specs), listing(Spec)).
listing(Name/Arity) :-
    !,
    functor(Head, Name, Arity),
    ( predicate_property(Head, dynamic) -> format(":- dynamic ~q.~n~n", [Name/Arity]) ; true ),
    forall(clause(Head, Body), portray_clause((Head :- Body))),
    nl.
listing(Name) :-
    '$predicates'(List),
    forall('$member'(Name/Arity, List), listing(Name/Arity)).

listing :-
    '$predicates'(List),
    forall('$member'(Indicator, List), listing(Indicator)).

%!  portray_clause(+Clause) is det.
%   Prints a clause as people write it, its variables as `A`, `B`, …, and `_` where they occur once.
portray_clause(Clause) :- current_output(Stream), portray_clause(Stream, Clause).

portray_clause(Stream, Clause) :-
    \+ \+ (
        copy_term(Clause, Copy),
        numbervars(Copy, 0, _, [singletons(true)]),
        with_output_to(string(Text), '$portray'(Copy)),
        write(Stream, Text)
    ).

'$portray'((Head :- true)) :- !, '$portray_term'(Head, 1199), write('.\n').
'$portray'((Head :- Body)) :- !, '$portray_term'(Head, 1199), write(' :-'), '$portray_body'(Body, 1).
'$portray'((Head --> Body)) :- !, '$portray_term'(Head, 1199), write(' -->'), '$portray_body'(Body, 1).
'$portray'((:- Goal)) :- !, write(':- '), '$portray_term'(Goal, 1199), write('.\n').
'$portray'(Fact) :- '$portray_term'(Fact, 1199), write('.\n').

'$portray_body'(Body, Depth) :- '$portray_line'(Depth), '$portray_goals'(Body, Depth), write('.\n').

'$portray_term'(Term, Priority) :-
    write_term(Term, [quoted(true), numbervars(true), spacing(next_argument), priority(Priority)]).

'$portray_line'(Depth) :- nl, Columns is 4 * Depth, tab(Columns).

%   A conjunction, a goal a line, from where the line is at this depth.
'$portray_goals'((A, B), Depth) :-
    !,
    '$portray_goals'(A, Depth),
    write(','),
    '$portray_line'(Depth),
    '$portray_goals'(B, Depth).
'$portray_goals'(Goal, Depth) :-
    '$portray_branches'(Goal),
    !,
    write('(   '),
    '$portray_choice'(Goal, Depth),
    '$portray_line'(Depth),
    write(')').
'$portray_goals'(\+ Goal, Depth) :-
    !,
    (   '$is_construct'(Goal)
    ->  write('\\+ ( '),
        '$portray_inner'(Goal, Depth),
        '$portray_line'(Depth),
        write('   )')
    ;   write('\\+ '),
        '$portray_term'(Goal, 200)
    ).
'$portray_goals'(Goal, _) :- '$portray_term'(Goal, 999).

'$is_construct'((_, _)).
'$is_construct'(Goal) :- '$portray_branches'(Goal).

'$portray_branches'((_ ; _)).
'$portray_branches'((_ -> _)).
'$portray_branches'((_ *-> _)).

%   Alternatives, each begun by a sign of four columns.
'$portray_choice'((A ; B), Depth) :-
    !,
    '$portray_alternative'(A, Depth),
    '$portray_sign'(';   ', Depth),
    '$portray_choice'(B, Depth).
'$portray_choice'(Goal, Depth) :- '$portray_alternative'(Goal, Depth).

'$portray_alternative'((A -> B), Depth) :- !, '$portray_condition'(A, '->  ', B, Depth).
'$portray_alternative'((A *-> B), Depth) :- !, '$portray_condition'(A, '*-> ', B, Depth).
'$portray_alternative'(Goal, Depth) :- '$portray_inner'(Goal, Depth).

'$portray_condition'(Condition, Sign, Then, Depth) :-
    '$portray_inner'(Condition, Depth),
    '$portray_sign'(Sign, Depth),
    '$portray_inner'(Then, Depth).

'$portray_sign'(Sign, Depth) :- '$portray_line'(Depth), write(Sign).

'$portray_inner'(Goals, Depth) :- Inner is Depth + 1, '$portray_goals'(Goals, Inner).
