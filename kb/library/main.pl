% Arguments of the command line: flags in the notation of GNU's getopt_long, typed by the program.
%
% opt_type(Flag, Option, Type) says that the flag makes Option(Value), a Value of Type: boolean, boolean(Value), integer,
% nonneg, float, number, between(Low, High), atom, string, oneof(Atoms), term, term(Options), file, file(Mode), or A | B.
% opt_help(Option, Text) and opt_meta(Option, Name) describe the option and its value; opt_help(help(Part), Text) has what is
% said before all flags, Part header or usage, or behind them, Part footer. Without opt_type/3 all long flags are options.
:- module(main, [ main/0, argv_options/3, argv_options/4, argv_usage/1 ]).

%!  main is semidet.
%   Calls main/1 with the arguments of the program.
main :-
    current_prolog_flag(argv, [_|Arguments]),
    Goal =.. [main, Arguments],
    call(Goal).

%!  argv_options(+Arguments, -Positional, -Options) is det.
%   What is wrong is said, and the program ends.
argv_options(Arguments, Positional, Options) :-
    catch(argv_options(Arguments, Positional, Options, []), error(opt_error(Fault), _), '$main_fault'(Fault)).

'$main_fault'(Fault) :-
    '$main_fault_text'(Fault, Text),
    format(user_error, '~w (-h for help)~n', [Text]),
    halt(1).

'$main_fault_text'(unknown_option(_:Flag), Text) :-
    '$main_dashed'(Flag, Dashed),
    atomic_list_concat(['unknown flag ', Dashed], Text).
'$main_fault_text'(missing_value(Flag, Type), Text) :-
    '$main_dashed'(Flag, Dashed),
    format(atom(Text), 'flag ~w needs a value of type ~w', [Dashed, Type]).
'$main_fault_text'(value_type(Flag, Type, Value), Text) :-
    '$main_dashed'(Flag, Dashed),
    format(atom(Text), 'flag ~w needs a value of type ~w, not ~w', [Dashed, Type, Value]).
'$main_fault_text'(access_file(File, Mode), Text) :- format(atom(Text), 'no access to ~w: ~w', [File, Mode]).

'$main_dashed'(Flag, Dashed) :-
    atom_length(Flag, Length),
    ( Length =:= 1 -> atom_concat(-, Flag, Dashed) ; atom_concat(--, Flag, Dashed) ).

%!  argv_options(+Arguments, -Positional, -Options, +How) is det.
%   How may have options_after_arguments(false): the first argument that is no flag ends them, and unknown_option(pass): an
%   unknown flag is positional. Flags may be followed by `--`.
argv_options(Arguments, Positional, Options, How) :-
    must_be(list, Arguments),
    (   '$main_is_defined'(opt_type, 3)
    ->  option(options_after_arguments(After), How, true),
        option(unknown_option(Unknown), How, error),
        '$main_typed'(Arguments, how(After, Unknown), Positional, Options)
    ;   '$main_untyped'(Arguments, Positional, Options)
    ).

'$main_is_defined'(Name, Arity) :- functor(Head, Name, Arity), predicate_property(Head, defined), !.

'$main_opt_type'(Flag, Option, Type) :- call(opt_type, Flag, Option, Type).

'$main_untyped'([], [], []).
'$main_untyped'([--|Arguments], Positional, Options) :- !, Positional = Arguments, Options = [].
'$main_untyped'([Argument|Arguments], Positional, Options) :-
    (   '$main_long'(Argument, Flag, Value)
    ->  '$main_untyped_option'(Value, Flag, Option),
        Options = [Option|Options1],
        '$main_untyped'(Arguments, Positional, Options1)
    ;   Positional = [Argument|Positional1],
        '$main_untyped'(Arguments, Positional1, Options)
    ).

'$main_untyped_option'(value(Text), Flag, Option) :-
    !,
    ( atom_number(Text, Number) -> Value = Number ; Value = Text ),
    Option =.. [Flag, Value].
'$main_untyped_option'(none, Flag, Option) :-
    (   atom_concat(no_, Name, Flag)
    ->  Option =.. [Name, false]
    ;   Option =.. [Flag, true]
    ).

% The flag and the value of --flag=value; none if there is no value. Dashes in the name are underscores.
'$main_long'(Argument, Flag, Value) :-
    atom_concat(--, Text, Argument),
    (   sub_atom(Text, Before, 1, After, =)
    ->  sub_atom(Text, 0, Before, _, Name),
        sub_atom(Text, _, After, 0, Value0),
        Value = value(Value0)
    ;   Name = Text,
        Value = none
    ),
    !,
    atomic_list_concat(Parts, -, Name),
    atomic_list_concat(Parts, '_', Flag).

'$main_typed'([], _, [], []).
'$main_typed'([--|Arguments], _, Positional, Options) :- !, Positional = Arguments, Options = [].
'$main_typed'([Argument|Arguments], How, Positional, Options) :-
    '$main_long'(Argument, Flag, Value),
    !,
    (   '$main_long_flag'(Flag, Value, Arguments, Rest, Option)
    ->  Options = [Option|Options1],
        '$main_typed'(Rest, How, Positional, Options1)
    ;   '$main_unknown'(How, Flag),
        Positional = [Argument|Positional1],
        '$main_typed'(Arguments, How, Positional1, Options)
    ).
'$main_typed'([Argument|Arguments], How, Positional, Options) :-
    atom_concat(-, Text, Argument),
    Text \== '',
    !,
    atom_chars(Text, Flags),
    '$main_short'(Flags, How, Arguments, Rest, Passed, Options, Options1),
    (   Passed == []
    ->  Positional = Positional1
    ;   atomic_list_concat([-|Passed], Unknown),
        Positional = [Unknown|Positional1]
    ),
    '$main_typed'(Rest, How, Positional1, Options1).
'$main_typed'([Argument|Arguments], How, [Argument|Positional], Options) :-
    (   How = how(false, _)
    ->  Positional = Arguments,
        Options = []
    ;   '$main_typed'(Arguments, How, Positional, Options)
    ).

'$main_unknown'(how(_, pass), _) :- !.
'$main_unknown'(_, Flag) :- '$main_is_help'(Flag), !, argv_usage([]), halt.
'$main_unknown'(_, Flag) :- throw(error(opt_error(unknown_option(user:Flag)), _)).

'$main_is_help'(help).
'$main_is_help'(h).
'$main_is_help'(?).

% Fails for a flag that is not known.
'$main_long_flag'(Flag, value(Text), Rest, Rest, Option) :-
    !,
    '$main_opt_type'(Flag, Name, Type),
    '$main_value'(Flag, Type, Text, Value),
    Option =.. [Name, Value].
'$main_long_flag'(Flag, none, Rest, Rest, Option) :-
    '$main_boolean'(Flag, Name, Value),
    !,
    Option =.. [Name, Value].
'$main_long_flag'(Flag, none, Arguments, Rest, Option) :-
    '$main_opt_type'(Flag, Name, Type),
    !,
    '$main_next'(Arguments, Flag, Type, Name, Rest, Option).
'$main_long_flag'(Flag, none, Rest, Rest, Option) :-
    ( atom_concat(no_, Positive, Flag) ; atom_concat(no, Positive, Flag) ),
    '$main_boolean'(Positive, Name, Value0),
    !,
    '$main_negated'(Value0, Value),
    Option =.. [Name, Value].

'$main_boolean'(Flag, Name, Value) :-
    '$main_opt_type'(Flag, Name, Type),
    !,
    ( Type == boolean -> Value = true ; nonvar(Type), Type = boolean(Value) ).

'$main_negated'(true, false).
'$main_negated'(false, true).

% The value is the next argument, whatever it looks like.
'$main_next'([Text|Rest], Flag, Type, Name, Rest, Option) :-
    !,
    '$main_value'(Flag, Type, Text, Value),
    Option =.. [Name, Value].
'$main_next'([], Flag, Type, _, _, _) :- throw(error(opt_error(missing_value(Flag, Type)), _)).

% Flags of one character behind one dash; the last one may have a value, behind it or as the next argument. Passed are
% those that are not known.
'$main_short'([], _, Rest, Rest, [], Options, Options).
'$main_short'([Flag|Flags], How, Arguments, Rest, Passed, Options, Options1) :-
    (   '$main_boolean'(Flag, Name, Value)
    ->  Option =.. [Name, Value],
        Options = [Option|Options2],
        '$main_short'(Flags, How, Arguments, Rest, Passed, Options2, Options1)
    ;   '$main_opt_type'(Flag, Name, Type)
    ->  (   Flags == []
        ->  '$main_next'(Arguments, Flag, Type, Name, Rest, Option)
        ;   atomic_list_concat(Flags, Text),
            '$main_value'(Flag, Type, Text, Value),
            Option =.. [Name, Value],
            Rest = Arguments
        ),
        Passed = [],
        Options = [Option|Options1]
    ;   '$main_unknown'(How, Flag),
        Passed = [Flag|Passed1],
        '$main_short'(Flags, How, Arguments, Rest, Passed1, Options, Options1)
    ).

'$main_value'(Flag, Type, Text, Value) :-
    (   '$main_convert'(Type, Text, Value0)
    ->  Value = Value0
    ;   throw(error(opt_error(value_type(Flag, Type, Text)), _))
    ).

'$main_convert'(Type, _, _) :- var(Type), !, throw(error(instantiation_error, _)).
'$main_convert'(A | B, Text, Value) :- !, ( '$main_convert'(A, Text, Value) -> true ; '$main_convert'(B, Text, Value) ).
'$main_convert'((A ; B), Text, Value) :- !, '$main_convert'(A | B, Text, Value).
'$main_convert'(boolean, Text, Value) :- downcase_atom(Text, Lower), '$main_truth'(Lower, Value).
'$main_convert'(boolean(_), Text, Value) :- '$main_convert'(boolean, Text, Value).
'$main_convert'(integer, Text, Value) :- atom_number(Text, Value), integer(Value).
'$main_convert'(nonneg, Text, Value) :- '$main_convert'(integer, Text, Value), Value >= 0.
'$main_convert'(number, Text, Value) :- atom_number(Text, Value).
'$main_convert'(float, Text, Value) :- atom_number(Text, Number), Value is float(Number).
'$main_convert'(between(Low, High), Text, Value) :-
    (   integer(Low), integer(High)
    ->  '$main_convert'(integer, Text, Value)
    ;   '$main_convert'(float, Text, Value)
    ),
    Value >= Low,
    Value =< High.
'$main_convert'(atom, Text, Value) :- atom_string(Value, Text).
'$main_convert'(string, Text, Value) :- atom_string(Text, Value).
'$main_convert'(oneof(Atoms), Text, Value) :- atom_string(Value, Text), memberchk(Value, Atoms).
'$main_convert'(term, Text, Value) :- '$main_convert'(term([]), Text, Value).
'$main_convert'(term(Options), Text, Value) :-
    atom_to_term(Text, Term, Names),
    ( option(variable_names(_), Options) -> Value = Term-Names ; Value = Term ).
'$main_convert'(file, Text, Value) :- atom_string(Value, Text).
'$main_convert'(file(Mode), Text, Value) :-
    atom_string(Value, Text),
    (   memberchk(Mode, [read, exist]), \+ exists_file(Value)
    ->  throw(error(opt_error(access_file(Value, Mode)), _))
    ;   true
    ).

'$main_truth'(true, true).
'$main_truth'(on, true).
'$main_truth'('1', true).
'$main_truth'(false, false).
'$main_truth'(off, false).
'$main_truth'('0', false).

%!  argv_usage(+Options) is det.
%   Prints what the program says of its flags.
argv_usage(_) :-
    '$main_help_part'(header, Header),
    '$main_help_part'(usage, Usage0),
    '$main_help_part'(footer, Footer),
    ( Usage0 == '' -> Usage = ' [options]' ; Usage = Usage0 ),
    current_prolog_flag(argv, [Program|_]),
    findall(Option, ( '$main_is_defined'(opt_type, 3), '$main_opt_type'(_, Option, _) ), Options0),
    list_to_set(Options0, Options),
    findall(Left-Right, ( '$member'(Option, Options), '$main_help_line'(Option, Left, Right) ), Lines),
    ( Header == '' -> true ; format('~w~n', [Header]) ),
    format('Usage: ~w~w~n~nOptions:~n', [Program, Usage]),
    forall('$member'(Left-Right, ['-h, -?, --help'-'print this text'|Lines]), format('  ~w~t~30| ~w~n', [Left, Right])),
    ( Footer == '' -> true ; format('~w~n', [Footer]) ).

'$main_help_part'(Part, Text) :- ( '$main_help'(help(Part), Text0) -> Text = Text0 ; Text = '' ).

'$main_help'(Option, Text) :- '$main_is_defined'(opt_help, 2), call(opt_help, Option, Text), !.

'$main_help_line'(Option, Left, Right) :-
    findall(Dashed, ( '$main_opt_type'(Flag, Option, _), '$main_dashed'(Flag, Dashed) ), Flags),
    ( '$main_opt_type'(_, Option, Type) -> true ),
    atomic_list_concat(Flags, ', ', Text),
    (   ( Type == boolean ; Type = boolean(_) )
    ->  Left = Text
    ;   '$main_meta'(Option, Type, Meta),
        atomic_list_concat([Text, ' ', Meta], Left)
    ),
    ( '$main_help'(Option, Right0) -> Right = Right0 ; Right = '' ).

'$main_meta'(Option, _, Meta) :- '$main_is_defined'(opt_meta, 2), call(opt_meta, Option, Meta0), !, Meta = Meta0.
'$main_meta'(_, Type, Meta) :- functor(Type, Name, _), upcase_atom(Name, Meta).
