% Control: calls that are made once, often or never, residual programs, cleanup. [ISO] 7.8, SWI-Prolog 9.

%!  once(:Goal) is semidet.
once(Goal) :- call(Goal), !.

%!  ignore(:Goal) is det.
ignore(Goal) :- call(Goal), !.
ignore(_).

%!  forall(:Condition, :Action) is semidet.
%   Each is called as a goal of its own: one that is none is the culprit itself, whether the negation is compiled or called.
forall(Condition, Action) :- \+ (call(Condition), \+ Action).

%!  limit(+Count, :Goal) is nondet.
%   The first Count solutions.
limit(Count, Goal) :-
    '$must_be_integer'(Count),
    Count > 0,
    State = count(0),
    call(Goal),
    '$count_up'(State, Number),
    ( Number =:= Count -> ! ; true ).

%!  offset(+Count, :Goal) is nondet.
%   All solutions but the first Count.
offset(Count, Goal) :-
    '$must_be_count'(Count),
    State = count(0),
    call(Goal),
    '$count_up'(State, Number),
    Number > Count.

%!  call_nth(:Goal, ?Nth) is nondet.
%   The solution of this number; each solution with its number if Nth is unbound.
call_nth(Goal, Nth) :-
    (   var(Nth)
    ->  true
    ;   '$must_be_count'(Nth),
        Nth > 0
    ),
    State = count(0),
    call(Goal),
    '$count_up'(State, Number),
    (   var(Nth)
    ->  Nth = Number
    ;   Number =:= Nth,
        !
    ).

'$count_up'(State, Number) :-
    arg(1, State, Before),
    Number is Before + 1,
    nb_setarg(1, State, Number).

'$must_be_count'(Count) :-
    '$must_be_integer'(Count),
    ( Count >= 0 -> true ; throw(error(type_error(not_less_than_zero, Count), _)) ).

%!  apply(:Goal, +Extra) is nondet.
apply(Goal, Extra) :-
    '$must_be_callable'(Goal),
    Goal =.. Parts,
    '$append'(Parts, Extra, All),
    Called =.. All,
    call(Called).

repeat.
repeat :- repeat.

%!  between(+Low, +High, ?Value) is nondet.
between(Low, High, Value) :-
    '$must_be_integer'(Low),
    (   ( High == inf ; High == infinite )
    ->  true
    ;   '$must_be_integer'(High)
    ),
    (   integer(Value)
    ->  Value >= Low,
        ( atom(High) -> true ; Value =< High )
    ;   nonvar(Value)
    ->  throw(error(type_error(integer, Value), _))
    ;   atom(High)
    ->  '$between_up'(Low, Value)
    ;   Low =< High,
        '$between'(Low, High, Value)
    ).

'$between'(High, High, Value) :- !, Value = High.
'$between'(Low, _, Low).
'$between'(Low, High, Value) :- Next is Low + 1, '$between'(Next, High, Value).

'$between_up'(Low, Low).
'$between_up'(Low, Value) :- Next is Low + 1, '$between_up'(Next, Value).

'$must_be_integer'(X) :- integer(X), !.
'$must_be_integer'(X) :- var(X), !, throw(error(instantiation_error, _)).
'$must_be_integer'(X) :- throw(error(type_error(integer, X), _)).

'$must_be_callable'(X) :- callable(X), !.
'$must_be_callable'(X) :- var(X), !, throw(error(instantiation_error, _)).
'$must_be_callable'(X) :- throw(error(type_error(callable, X), _)).

'$must_be_list_or_partial'(X) :-
    '$skip_list'(X, _, Rest),
    ( var(Rest) -> true ; Rest == [] -> true ; throw(error(type_error(list, X), _)) ).

%!  call_delays(:Goal, -Condition) is nondet.
%   Condition is the conjunction of the literals that are undefined and on which this answer of Goal
%   rests; true if there are none. The answer stays undefined under them.
call_delays(Goal, Condition) :-
    '$delay_count'(Before),
    call(Goal),
    '$delays_since'(Before, Condition).

%!  call_residual_program(:Goal, -Program) is nondet.
%   Program has the clauses, simplified by what is true and false, that leave this answer of Goal
%   undefined. The tables are complete, so the delays of a clause's body are what is left of it.
call_residual_program(Goal, Program) :-
    '$must_be_callable'(Goal),
    call_delays(Goal, Condition),
    '$delayed_atoms'(Condition, Atoms, []),
    '$residual_program'(Atoms, [], Program).

'$delayed_atoms'((A, B), Atoms, Rest) :- !, '$delayed_atoms'(A, Atoms, Atoms1), '$delayed_atoms'(B, Atoms1, Rest).
'$delayed_atoms'(true, Atoms, Atoms) :- !.
'$delayed_atoms'(undefined, Atoms, Atoms) :- !.
'$delayed_atoms'(tnot(A), [A|Atoms], Atoms) :- !.
'$delayed_atoms'(\+ A, [A|Atoms], Atoms) :- !.
'$delayed_atoms'(A, [A|Atoms], Atoms).

'$residual_program'([], _, []).
'$residual_program'([Atom|Atoms], Seen, Program) :-
    '$member'(Known, Seen),
    Known =@= Atom,
    !,
    '$residual_program'(Atoms, Seen, Program).
'$residual_program'([Atom|Atoms], Seen, Program) :-
    '$findall'((Atom :- Condition), '$residual_clause'(Atom, Condition), Clauses0),
    '$clauses_of_answer'(Clauses0, Atom, Clauses1),
    '$without_variants'(Clauses1, [], Clauses),
    '$delayed_in_clauses'(Clauses, Found, []),
    '$append'(Atoms, Found, Next),
    '$append'(Clauses, Program1, Program),
    '$residual_program'(Next, [Atom|Seen], Program1).

%   Those that derive this answer and no instance of it, in its variables.
'$clauses_of_answer'([], _, []).
'$clauses_of_answer'([Clause|Clauses], Atom, Kept) :-
    Clause = (Head :- _),
    (   Head =@= Atom
    ->  Head = Atom,
        Kept = [Clause|Kept1]
    ;   Kept = Kept1
    ),
    '$clauses_of_answer'(Clauses, Atom, Kept1).

%   Several clauses may leave the same.
'$without_variants'([], _, []).
'$without_variants'([Clause|Clauses], Seen, Different) :-
    (   '$member'(Known, Seen),
        Known =@= Clause
    ->  Different = Different1
    ;   Different = [Clause|Different1]
    ),
    '$without_variants'(Clauses, [Clause|Seen], Different1).

'$residual_clause'(Atom, Condition) :-
    '$all_clauses'(Atom, References),
    '$member'(Reference, References),
    '$clause'(Reference, Atom, Body),
    call_delays(Body, Condition),
    Condition \== true.

'$delayed_in_clauses'([], Atoms, Atoms).
'$delayed_in_clauses'([(_ :- Condition)|Clauses], Atoms, Rest) :-
    '$delayed_atoms'(Condition, Atoms, Atoms1),
    '$delayed_in_clauses'(Clauses, Atoms1, Rest).

%!  setup_call_cleanup(:Setup, :Goal, :Cleanup) is nondet.
%   Cleanup runs once, as soon as Goal is finished: it failed, threw, was cut, or left no choice points.
setup_call_cleanup(Setup, Goal, Cleanup) :-
    once(Setup),
    '$must_be_callable'(Cleanup),
    '$call_cleanup'(Goal, Cleanup).

call_cleanup(Goal, Cleanup) :- setup_call_cleanup(true, Goal, Cleanup).

%   All cleanups run; then the first exception among theirs is thrown.
'$run_cleanups'([]).
'$run_cleanups'([Cleanup|Cleanups]) :-
    catch(ignore(Cleanup), Error, true),
    '$run_cleanups'(Cleanups),
    ( nonvar(Error) -> throw(Error) ; true ).
