% Lists of options, Name(Value) or Name = Value.
:- module(options, [ option/2, option/3, select_option/3, select_option/4, merge_options/3, meta_options/3 ]).

%!  option(?Option, +Options) is semidet.
%   Option unifies with the first option of its name and arity.
option(Option, Options) :-
    '$options_check'(Option, Options),
    functor(Option, Name, Arity),
    '$options_find'(Options, Name, Arity, Found),
    !,
    Option = Found.

%!  option(?Option, +Options, +Default) is semidet.
%   Default is the first argument if there is no such option.
option(Option, Options, Default) :-
    '$options_check'(Option, Options),
    functor(Option, Name, Arity),
    ( '$options_find'(Options, Name, Arity, Found) -> Option = Found ; arg(1, Option, Default) ).

'$options_check'(Option, Options) :- must_be(nonvar, Option), must_be(list, Options).

% Name = Value is Name(Value).
'$options_canonical'(Option, _) :- var(Option), !, throw(error(instantiation_error, _)).
'$options_canonical'(Name = Value, Option) :- !, Option =.. [Name, Value].
'$options_canonical'(Option, Option).

'$options_find'([Option0|Options], Name, Arity, Found) :-
    '$options_canonical'(Option0, Option),
    ( functor(Option, Name, Arity) -> Found = Option ; '$options_find'(Options, Name, Arity, Found) ).

%!  select_option(?Option, +Options, -Rest) is semidet.
select_option(Option, Options, Rest) :-
    '$options_check'(Option, Options),
    functor(Option, Name, Arity),
    '$options_take'(Options, Name, Arity, Found, Rest0),
    !,
    Option = Found,
    Rest = Rest0.

%!  select_option(?Option, +Options, -Rest, +Default) is semidet.
select_option(Option, Options, Rest, Default) :-
    '$options_check'(Option, Options),
    functor(Option, Name, Arity),
    (   '$options_take'(Options, Name, Arity, Found, Rest0)
    ->  Option = Found,
        Rest = Rest0
    ;   arg(1, Option, Default),
        Rest = Options
    ).

'$options_take'([Option0|Options], Name, Arity, Found, Rest) :-
    '$options_canonical'(Option0, Option),
    (   functor(Option, Name, Arity)
    ->  Found = Option,
        Rest = Options
    ;   Rest = [Option0|Rest1],
        '$options_take'(Options, Name, Arity, Found, Rest1)
    ).

%!  merge_options(+New, +Old, -Merged) is det.
%   Sorted by name and arity, as Name(Value); what is new takes the place of what is old.
merge_options(New, Old, Merged) :-
    must_be(list, New),
    must_be(list, Old),
    (   New == []
    ->  maplist('$options_canonical', Old, Merged)
    ;   maplist('$options_pair', New, Pairs1),
        maplist('$options_pair', Old, Pairs2),
        '$options_others'(Pairs2, Pairs1, Pairs3),
        append(Pairs1, Pairs3, Pairs),
        keysort(Pairs, Sorted),
        pairs_values(Sorted, Merged)
    ).

'$options_pair'(Option0, Name/Arity-Option) :- '$options_canonical'(Option0, Option), functor(Option, Name, Arity).

% The pairs whose keys are not among those of others.
'$options_others'([], _, []).
'$options_others'([Key-Option|Pairs], Others, Rest) :-
    ( memberchk(Key-_, Others) -> Rest = Rest1 ; Rest = [Key-Option|Rest1] ),
    '$options_others'(Pairs, Others, Rest1).

%!  meta_options(:IsMeta, +Options, -Qualified) is det.
%   All predicates share one space, so goals in options need no module.
meta_options(_, Options, Qualified) :- maplist('$options_canonical', Options, Qualified).
