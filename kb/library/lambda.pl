% Lambda expressions, as in the library yall of SWI-Prolog: Parameters>>Body is called with arguments for the parameters;
% further ones are added to the body. Each call is one of a copy, in which only the variables of Free in
% {Free}/Parameters>>Body are those of the outside.
:- module(lambda,
          [ (>>)/2, (>>)/3, (>>)/4, (>>)/5, (>>)/6, (>>)/7, (>>)/8, (>>)/9,
            (/)/2, (/)/3, (/)/4, (/)/5, (/)/6, (/)/7, (/)/8, (/)/9, is_lambda/1
          ]).

Ps >> Body :- '$lambda_call'(Ps, Body, []).
>>(Ps, Body, A) :- '$lambda_call'(Ps, Body, [A]).
>>(Ps, Body, A, B) :- '$lambda_call'(Ps, Body, [A, B]).
>>(Ps, Body, A, B, C) :- '$lambda_call'(Ps, Body, [A, B, C]).
>>(Ps, Body, A, B, C, D) :- '$lambda_call'(Ps, Body, [A, B, C, D]).
>>(Ps, Body, A, B, C, D, E) :- '$lambda_call'(Ps, Body, [A, B, C, D, E]).
>>(Ps, Body, A, B, C, D, E, F) :- '$lambda_call'(Ps, Body, [A, B, C, D, E, F]).
>>(Ps, Body, A, B, C, D, E, F, G) :- '$lambda_call'(Ps, Body, [A, B, C, D, E, F, G]).

Free / Body :- '$lambda_free'(Free, Body, []).
/(Free, Body, A) :- '$lambda_free'(Free, Body, [A]).
/(Free, Body, A, B) :- '$lambda_free'(Free, Body, [A, B]).
/(Free, Body, A, B, C) :- '$lambda_free'(Free, Body, [A, B, C]).
/(Free, Body, A, B, C, D) :- '$lambda_free'(Free, Body, [A, B, C, D]).
/(Free, Body, A, B, C, D, E) :- '$lambda_free'(Free, Body, [A, B, C, D, E]).
/(Free, Body, A, B, C, D, E, F) :- '$lambda_free'(Free, Body, [A, B, C, D, E, F]).
/(Free, Body, A, B, C, D, E, F, G) :- '$lambda_free'(Free, Body, [A, B, C, D, E, F, G]).

is_lambda(Term) :- compound(Term), ( Term = (_ >> _) -> true ; Term = (Free / _), '$lambda_is_free'(Free) ).

'$lambda_call'(Parameters, Body, Arguments) :-
    '$lambda_copy'(Parameters, Body, Parameters1, Body1),
    '$lambda_parameters'(Parameters1, List),
    '$lambda_bind'(List, Arguments, Rest),
    '$lambda_body'(Body1, Rest).

% Parameters with {Free}/ before them: the free variables are those of the outside.
'$lambda_copy'(Parameters, Body, Parameters1, Body1) :-
    (   nonvar(Parameters), Parameters = Free/_
    ->  '$lambda_check'(Free),
        copy_term(Parameters-Body, Parameters1-Body1),
        Parameters1 = Free/_
    ;   copy_term(Parameters-Body, Parameters1-Body1)
    ).

'$lambda_check'(Free) :- var(Free), !, throw(error(instantiation_error, _)).
'$lambda_check'(Free) :- '$lambda_is_free'(Free), !.
'$lambda_check'(Free) :- throw(error(type_error(lambda_free, Free), _)).

'$lambda_is_free'(Free) :- nonvar(Free), ( Free = {_} -> true ; Free == {} ).

'$lambda_parameters'(Parameters, List) :-
    ( nonvar(Parameters), Parameters = _/List0 -> true ; List0 = Parameters ),
    (   is_list(List0)
    ->  List = List0
    ;   var(List0)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(lambda_parameters, List0), _))
    ).

'$lambda_bind'([], Rest, Rest).
'$lambda_bind'([Parameter|Parameters], Arguments, Rest) :-
    (   Arguments = [Argument|Others]
    ->  Parameter = Argument,
        '$lambda_bind'(Parameters, Others, Rest)
    ;   Rest = []
    ).

'$lambda_body'(Body, Rest) :-
    (   Rest == []
    ->  call(Body)
    ;   Goal =.. [call, Body|Rest],
        call(Goal)
    ).

'$lambda_free'(Free, Body, Arguments) :-
    '$lambda_check'(Free),
    copy_term(Free/Body, Free/Body1),
    '$lambda_body'(Body1, Arguments).
