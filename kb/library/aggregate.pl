% Aggregates of all answers to a goal: count, sum(X), max(X), min(X), max(X, Witness), min(X, Witness), bag(X), set(X), or a
% compound of such. Numbers and expressions are compared by value, anything else in the standard order of terms.
:- module(aggregate, [ aggregate_all/3, aggregate_all/4, aggregate/3, aggregate/4, foreach/2 ]).

%!  aggregate_all(+Aggregate, :Goal, -Result) is semidet.
%   Fails where there is no answer for max and min.
aggregate_all(Aggregate, Goal, Result) :-
    '$aggregate_template'(Aggregate, Template),
    findall(Template, Goal, Answers),
    '$aggregate_of'(Aggregate, Answers, Result).

%!  aggregate_all(+Aggregate, +Discriminator, :Goal, -Result) is semidet.
%   Answers with the same discriminator count once.
aggregate_all(Aggregate, Discriminator, Goal, Result) :-
    '$aggregate_template'(Aggregate, Template),
    findall(Discriminator-Template, Goal, Pairs),
    sort(Pairs, Sorted),
    '$aggregate_one_each'(Sorted, Answers),
    '$aggregate_of'(Aggregate, Answers, Result).

%!  aggregate(+Aggregate, :Goal, -Result) is nondet.
%   One result for each binding of the variables that are free in Goal, as of bagof/3.
aggregate(Aggregate, Goal, Result) :-
    '$aggregate_template'(Aggregate, Template),
    bagof(Template, Goal, Answers),
    '$aggregate_of'(Aggregate, Answers, Result).

%!  aggregate(+Aggregate, +Discriminator, :Goal, -Result) is nondet.
aggregate(Aggregate, Discriminator, Goal, Result) :-
    '$aggregate_template'(Aggregate, Template),
    setof(Discriminator-Template, Goal, Pairs),
    '$aggregate_one_each'(Pairs, Answers),
    '$aggregate_of'(Aggregate, Answers, Result).

'$aggregate_one_each'([], []).
'$aggregate_one_each'([Key-X|Pairs], [X|Xs]) :-
    '$aggregate_behind'(Pairs, Key, Rest),
    '$aggregate_one_each'(Rest, Xs).

'$aggregate_behind'([Key0-_|Pairs], Key, Rest) :- Key0 == Key, !, '$aggregate_behind'(Pairs, Key, Rest).
'$aggregate_behind'(Rest, _, Rest).

% What is kept of an answer.
'$aggregate_template'(Aggregate, _) :- var(Aggregate), !, throw(error(instantiation_error, _)).
'$aggregate_template'(count, x) :- !.
'$aggregate_template'(count(_), x) :- !.
'$aggregate_template'(sum(X), X) :- !.
'$aggregate_template'(max(X), X) :- !.
'$aggregate_template'(min(X), X) :- !.
'$aggregate_template'(bag(X), X) :- !.
'$aggregate_template'(set(X), X) :- !.
'$aggregate_template'(max(X, Witness), X-Witness) :- !.
'$aggregate_template'(min(X, Witness), X-Witness) :- !.
'$aggregate_template'(Aggregate, Template) :-
    compound(Aggregate),
    !,
    Aggregate =.. [Name|Aggregates],
    maplist('$aggregate_template', Aggregates, Templates),
    Template =.. [Name|Templates].
'$aggregate_template'(Aggregate, _) :- throw(error(domain_error(aggregate_spec, Aggregate), _)).

'$aggregate_of'(count, Answers, Count) :- !, length(Answers, Count).
'$aggregate_of'(count(_), Answers, Count) :- !, length(Answers, Count).
'$aggregate_of'(sum(_), Answers, Sum) :- !, sum_list(Answers, Sum).
'$aggregate_of'(bag(_), Answers, Bag) :- !, Bag = Answers.
'$aggregate_of'(set(_), Answers, Set) :- !, sort(Answers, Set).
'$aggregate_of'(max(_), Answers, Max) :- !, '$aggregate_best'(Answers, >, Max).
'$aggregate_of'(min(_), Answers, Min) :- !, '$aggregate_best'(Answers, <, Min).
'$aggregate_of'(max(_, _), Answers, max(Max, Witness)) :- !, '$aggregate_best'(Answers, >, Max, Witness).
'$aggregate_of'(min(_, _), Answers, min(Min, Witness)) :- !, '$aggregate_best'(Answers, <, Min, Witness).
'$aggregate_of'(Aggregate, Answers, Result) :-
    Aggregate =.. [Name|Aggregates],
    '$aggregate_columns'(Aggregates, 1, Answers, Results),
    Result =.. [Name|Results].

'$aggregate_columns'([], _, _, []).
'$aggregate_columns'([Aggregate|Aggregates], Position, Answers, [Result|Results]) :-
    maplist(arg(Position), Answers, Column),
    '$aggregate_of'(Aggregate, Column, Result),
    Next is Position + 1,
    '$aggregate_columns'(Aggregates, Next, Answers, Results).

% The first of the best ones, as a value if it is one.
'$aggregate_best'([X|Xs], Order, Best) :- '$aggregate_value'(X, Value), foldl('$aggregate_better'(Order), Xs, Value, Best).

'$aggregate_better'(Order, X, Best0, Best) :-
    '$aggregate_value'(X, Value),
    ( '$aggregate_compare'(Order, Value, Best0) -> Best = Value ; Best = Best0 ).

'$aggregate_best'([X-Of|Pairs], Order, Best, Witness) :-
    '$aggregate_value'(X, Value),
    foldl('$aggregate_better_pair'(Order), Pairs, Value-Of, Best-Witness).

'$aggregate_better_pair'(Order, X-Of, Best0-Witness0, Best) :-
    '$aggregate_value'(X, Value),
    ( '$aggregate_compare'(Order, Value, Best0) -> Best = Value-Of ; Best = Best0-Witness0 ).

'$aggregate_value'(X, Value) :-
    ( number(X) -> Value = X ; catch(Value is X, error(_, _), fail) -> true ; Value = X ).

'$aggregate_compare'(>, X, Y) :- ( number(X), number(Y) -> X > Y ; X @> Y ).
'$aggregate_compare'(<, X, Y) :- ( number(X), number(Y) -> X < Y ; X @< Y ).

%!  foreach(:Generator, :Goal) is semidet.
%   Goal holds for each answer of Generator, with what it binds.
foreach(Generator, Goal) :-
    term_variables(Generator, Of),
    term_variables(Goal, In),
    '$aggregate_shared'(Of, In, Shared),
    Template =.. [v|Shared],
    findall(Template, Generator, Answers),
    '$aggregate_foreach'(Answers, Template, Goal).

'$aggregate_shared'([], _, []).
'$aggregate_shared'([V|Vs], In, Shared) :-
    ( '$member_identical'(V, In) -> Shared = [V|Shared1] ; Shared = Shared1 ),
    '$aggregate_shared'(Vs, In, Shared1).

'$aggregate_foreach'([], _, _).
'$aggregate_foreach'([Answer|Answers], Template, Goal) :-
    '$aggregate_instance'(Goal, Template, Answer, Instance),
    call(Instance),
    '$aggregate_foreach'(Answers, Template, Goal).

% Goal with the variables of Template replaced. What is ground stays the same term, which Goal may change in place.
'$aggregate_instance'(Goal, Template, Answer, Instance) :-
    (   var(Goal)
    ->  (   functor(Template, _, Number),
            between(1, Number, Place),
            arg(Place, Template, Variable),
            Variable == Goal
        ->  arg(Place, Answer, Instance)
        ;   Instance = Goal
        )
    ;   ground(Goal)
    ->  Instance = Goal
    ;   Goal =.. [Name|Arguments],
        '$aggregate_instances'(Arguments, Template, Answer, Instances),
        Instance =.. [Name|Instances]
    ).

'$aggregate_instances'([], _, _, []).
'$aggregate_instances'([Goal|Goals], Template, Answer, [Instance|Instances]) :-
    '$aggregate_instance'(Goal, Template, Answer, Instance),
    '$aggregate_instances'(Goals, Template, Answer, Instances).
