% Lists of options, Name(Value) or Name = Value.
:- module(options, [ option/2, option/3, select_option/3, select_option/4, merge_options/3 ]).

%!  option(?Option, +Options) is semidet.
option(Option, Options) :- '$options_wanted'(Option, Name, Value), '$options_find'(Options, Name, Value0), !, Value = Value0.

%!  option(?Option, +Options, +Default) is semidet.
option(Option, Options, Default) :-
    '$options_wanted'(Option, Name, Value),
    ( '$options_find'(Options, Name, Value0) -> Value = Value0 ; Value = Default ).

'$options_wanted'(Option, _, _) :- var(Option), !, throw(error(instantiation_error, _)).
'$options_wanted'(Name = Value, Name, Value) :- !.
'$options_wanted'(Option, Name, Value) :- Option =.. [Name, Value].

'$options_find'([Option|Options], Name, Value) :-
    (   nonvar(Option), '$options_wanted'(Option, Name0, Value0), Name0 == Name
    ->  Value = Value0
    ;   '$options_find'(Options, Name, Value)
    ).

select_option(Option, Options, Rest) :-
    '$options_wanted'(Option, Name, Value),
    '$options_take'(Options, Name, Value0, Rest0),
    !,
    Value = Value0,
    Rest = Rest0.

select_option(Option, Options, Rest, Default) :-
    '$options_wanted'(Option, Name, Value),
    ( '$options_take'(Options, Name, Value0, Rest0) -> Value = Value0, Rest = Rest0 ; Value = Default, Rest = Options ).

'$options_take'([Option|Options], Name, Value, Rest) :-
    (   nonvar(Option), '$options_wanted'(Option, Name0, Value0), Name0 == Name
    ->  Value = Value0,
        Rest = Options
    ;   Rest = [Option|Rest1],
        '$options_take'(Options, Name, Value, Rest1)
    ).

%!  merge_options(+New, +Old, -Merged) is det.
%   Sorted by name, as Name(Value); what is new goes before what is old.
merge_options(New, Old, Merged) :-
    '$options_pairs'(New, 0, Pairs, Pairs1),
    '$options_pairs'(Old, 1, Pairs1, []),
    sort(1, @=<, Pairs, Sorted),
    '$options_first'(Sorted, Merged).

'$options_pairs'([], _, Rest, Rest).
'$options_pairs'([Option|Options], Age, [key(Name, Age)-Value|Pairs], Rest) :-
    '$options_wanted'(Option, Name, Value),
    '$options_pairs'(Options, Age, Pairs, Rest).

'$options_first'([], []).
'$options_first'([key(Name, _)-Value|Pairs], [Option|Options]) :-
    Option =.. [Name, Value],
    '$options_others'(Pairs, Name, Rest),
    '$options_first'(Rest, Options).

'$options_others'([key(Name0, _)-_|Pairs], Name, Rest) :- Name0 == Name, !, '$options_others'(Pairs, Name, Rest).
'$options_others'(Rest, _, Rest).
