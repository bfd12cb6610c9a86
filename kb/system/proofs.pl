% Proofs and the reasons of failures: what `why` asks the machine.

%!  '$explain'(+Call, +Instance, -Why, -Children) is semidet.
%   One level of a proof of Instance, an answer of Call. Why is builtin, negation, undefined or
%   clause(Reference); Children are pairs of a call and its answer. What an answer of a table rests
%   on in tables has lower stamps, so that no proof rests on itself.
'$explain'(Call, Instance, Why, Children) :-
    '$explain_kind'(Call, Kind),
    '$explain'(Kind, Call, Instance, Why, Children),
    !.

'$explain'(negation, _, Instance, Why, []) :-
    '$negated'(Instance, Goal),
    ( '$truth'(\+ Goal, undefined) -> Why = undefined ; Why = negation ).
'$explain'(builtin, Call, Instance, builtin, []) :-
    call(Call),
    Call =@= Instance.
'$explain'(control, Call, Instance, body, Children) :-
    '$explain_body'(Call, none, Children, []),
    Call =@= Instance.
'$explain'(tabled, Call, Instance, Why, Children) :-
    '$table_answers'(Call, Answers),
    '$member'(a(Instance1, Stamp, Truth), Answers),
    Instance1 =@= Instance,
    !,
    (   Truth == undefined
    ->  Why = undefined,
        Children = []
    ;   '$explain_clause'(Call, Instance, Stamp, Why, Children)
    ).
'$explain'(user, Call, Instance, Why, Children) :-
    '$explain_clause'(Call, Instance, none, Why, Children).

'$explain_clause'(Call, Instance, Stamp, clause(Reference), Children) :-
    copy_term(Call, Head),
    '$all_clauses'(Head, References),
    '$member'(Reference, References),
    '$clause'(Reference, Head, Body),
    '$explain_body'(Body, Stamp, Children, []),
    Head =@= Instance.

'$explain_kind'(Goal, Kind) :- '$negated'(Goal, _), !, Kind = negation.
'$explain_kind'(Goal, Kind) :- '$is_control'(Goal), !, Kind = control.
'$explain_kind'(Goal, Kind) :- '$kind'(Goal, Kind).

'$negated'(\+ Goal, Goal).
'$negated'(not(Goal), Goal).
'$negated'(tnot(Goal), Goal).

'$is_control'((_, _)).
'$is_control'((_ ; _)).
'$is_control'((_ -> _)).
'$is_control'((_ *-> _)).
'$is_control'(!).

'$explain_body'(true, _, Children, Children) :- !.
'$explain_body'(!, _, Children, Children) :- !.
'$explain_body'((A, B), Stamp, Children0, Children) :-
    !,
    '$explain_body'(A, Stamp, Children0, Children1),
    '$explain_body'(B, Stamp, Children1, Children).
'$explain_body'((C -> T ; E), Stamp, Children0, Children) :-
    !,
    (   '$explain_body'(C, Stamp, Children0, Children1)
    ->  '$explain_body'(T, Stamp, Children1, Children)
    ;   '$explain_body'(E, Stamp, Children0, Children)
    ).
'$explain_body'((C *-> T ; E), Stamp, Children0, Children) :-
    !,
    (   '$explain_body'(C, Stamp, Children0, Children1)
    *-> '$explain_body'(T, Stamp, Children1, Children)
    ;   '$explain_body'(E, Stamp, Children0, Children)
    ).
'$explain_body'((A ; B), Stamp, Children0, Children) :-
    !,
    (   '$explain_body'(A, Stamp, Children0, Children)
    ;   '$explain_body'(B, Stamp, Children0, Children)
    ).
'$explain_body'((C -> T), Stamp, Children0, Children) :-
    !,
    '$explain_body'((C -> T ; fail), Stamp, Children0, Children).
'$explain_body'(Goal, Stamp, [Call-Goal|Children], Children) :-
    copy_term(Goal, Call),
    (   '$explain_kind'(Goal, tabled)
    ->  '$table_answers'(Goal, Answers),
        '$member'(a(Goal, Own, _), Answers),
        ( Stamp == none -> true ; Own < Stamp )
    ;   call(Goal)
    ).

%!  '$why_not'(+Goal, -Reasons) is det.
%   Reasons has r(Reference, Position, Literal) for each clause whose head unifies with Goal: the
%   first literal that failed under the bindings that reached furthest; position 0 if none did.
'$why_not'(Goal, Reasons) :-
    '$all_clauses'(Goal, References),
    '$findall'(Reason, ( '$member'(Reference, References), '$why_not'(Reference, Goal, Reason) ), Reasons).

'$why_not'(Reference, Goal, r(Reference, Position, Literal)) :-
    '$clause'(Reference, Goal, Body),
    '$literals'(Body, Literals, []),
    nb_setval('$furthest', 0-true),
    (   '$reach'(Literals, 1)
    ->  Position = 0,
        Literal = true
    ;   nb_getval('$furthest', Position-Literal)
    ).

'$literals'(Goal, [Goal|Goals], Goals) :- var(Goal), !.
'$literals'((A, B), Goals0, Goals) :- !, '$literals'(A, Goals0, Goals1), '$literals'(B, Goals1, Goals).
'$literals'(true, Goals, Goals) :- !.
'$literals'(!, Goals, Goals) :- !.
'$literals'(Goal, [Goal|Goals], Goals).

'$reach'([], _).
'$reach'([Goal|Goals], Position) :-
    nb_getval('$furthest', Furthest-_),
    ( Position > Furthest -> nb_setval('$furthest', Position-Goal) ; true ),
    call(Goal),
    Next is Position + 1,
    '$reach'(Goals, Next).

%   The answers of a tabled goal. A moded table is called by its general variant.
'$table_answers'(Goal, Answers) :-
    (   '$complete_answers'(Goal, Answers)
    ->  true
    ;   copy_term(Goal, Call),
        \+ \+ ( call(Call) ; true ),
        (   '$complete_answers'(Goal, Answers)
        ->  true
        ;   '$findall'(a(Call, 0, Truth), ( call(Call), '$delayed'(Truth) ), Answers)
        )
    ).

'$truth'(Goal, Truth) :- call(Goal), !, '$delayed'(Truth).
