/*  library.pl – the predicates of the engine that are written in Prolog.

    Purpose
        Everything that has several solutions, or is easier said in Prolog than in Rust. The machine
        loads this text first; programs may define predicates of the same names over those of the
        list library, not over those of the language.

    Source
        [ISO] for the core; names and argument orders of SWI-Prolog 9 for the rest.

    Predicates whose names begin with `$` belong to the machine.
*/

% ---- Control ---------------------------------------------------------------------------------

%!  once(:Goal) is semidet.
once(Goal) :- call(Goal), !.

%!  ignore(:Goal) is det.
ignore(Goal) :- call(Goal), !.
ignore(_).

%!  forall(:Condition, :Action) is semidet.
forall(Condition, Action) :- \+ (Condition, \+ Action).

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
    '$findall'((Atom :- Condition), '$residual_clause'(Atom, Condition), Clauses),
    '$delayed_in_clauses'(Clauses, Found, []),
    '$append'(Atoms, Found, Next),
    '$append'(Clauses, Program1, Program),
    '$residual_program'(Next, [Atom|Seen], Program1).

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

% ---- All solutions ---------------------------------------------------------------------------

findall(Template, Goal, List) :-
    '$must_be_list_or_partial'(List),
    '$findall'(Template, Goal, List).

findall(Template, Goal, List, Tail) :-
    '$findall'(Template, Goal, Found),
    '$append'(Found, Tail, List).

%!  bagof(+Template, :Goal, -Bag) is nondet.
bagof(Template, Goal, Bag) :-
    '$must_be_list_or_partial'(Bag),
    '$free_variables'(Template, Goal, Inner, Free),
    (   Free == []
    ->  '$findall'(Template, Inner, Bag),
        Bag \== []
    ;   Witness =.. [v|Free],
        '$findall'(Witness-Template, Inner, Pairs),
        keysort(Pairs, Sorted),
        '$pick'(Sorted, Witness, Bag)
    ).

%!  setof(+Template, :Goal, -Set) is nondet.
setof(Template, Goal, Set) :-
    '$must_be_list_or_partial'(Set),
    bagof(Template, Goal, Bag),
    % Set may be free in Goal: a witness that is no list lets setof/3 fail, where sort/2 would throw.
    sort(Bag, Sorted),
    Set = Sorted.

'$free_variables'(Template, Goal, Inner, Free) :-
    '$strip_carets'(Goal, Template, Inner, Bound),
    term_variables(Bound, BoundVariables),
    term_variables(Inner, Variables),
    '$remove_identical'(Variables, BoundVariables, Free).

'$strip_carets'(Goal, Bound, Goal, Bound) :- var(Goal), !.
'$strip_carets'(Variables^Goal, Bound0, Inner, Bound) :-
    !,
    '$strip_carets'(Goal, Variables-Bound0, Inner, Bound).
'$strip_carets'(Module:Goal, Bound0, Inner, Bound) :-
    atom(Module),
    !,
    '$strip_carets'(Goal, Bound0, Inner, Bound).
'$strip_carets'(Goal, Bound, Goal, Bound).

'$remove_identical'([], _, []).
'$remove_identical'([X|Xs], Ys, Zs) :-
    (   '$member_identical'(X, Ys)
    ->  Zs = Zs1
    ;   Zs = [X|Zs1]
    ),
    '$remove_identical'(Xs, Ys, Zs1).

'$member_identical'(X, [Y|Ys]) :- ( X == Y -> true ; '$member_identical'(X, Ys) ).

'$pick'(Pairs, Witness, Bag) :-
    Pairs = [First-_|_],
    '$same_witness'(Pairs, First, Bag1, Rest),
    (   Rest == []
    ->  Witness = First,
        Bag = Bag1
    ;   (   Witness = First,
            Bag = Bag1
        ;   '$pick'(Rest, Witness, Bag)
        )
    ).

'$same_witness'([], _, [], []).
'$same_witness'([W-T|Pairs], Witness, Bag, Rest) :-
    (   W =@= Witness
    ->  W = Witness,
        Bag = [T|Bag1],
        '$same_witness'(Pairs, Witness, Bag1, Rest)
    ;   Rest = [W-T|Rest1],
        '$same_witness'(Pairs, Witness, Bag, Rest1)
    ).

_ ^ Goal :- call(Goal).

% ---- The database ----------------------------------------------------------------------------

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

% ---- Flags, operators, streams ---------------------------------------------------------------

current_op(Priority, Type, Name) :-
    ( var(Priority) -> true ; integer(Priority), Priority >= 0, Priority =< 1200 -> true
    ; throw(error(domain_error(operator_priority, Priority), _)) ),
    ( var(Type) -> true ; '$member'(Type, [xfx, xfy, yfx, fy, fx, xf, yf]) -> true
    ; throw(error(domain_error(operator_specifier, Type), _)) ),
    ( var(Name) -> true ; atom(Name) -> true ; throw(error(type_error(atom, Name), _)) ),
    '$operators'(List),
    '$member'(op(Priority, Type, Name), List).

current_prolog_flag(Flag, Value) :-
    (   var(Flag)
    ->  '$member'(Flag, [
            bounded, max_integer, min_integer, integer_rounding_function, char_conversion, debug,
            max_arity, unknown, double_quotes, occurs_check, iso, argv
        ])
    ;   atom(Flag)
    ->  true
    ;   throw(error(type_error(atom, Flag), _))
    ),
    '$flag'(Flag, Value).

with_output_to(Sink, Goal) :-
    '$redirect'(Depth),
    (   catch(Goal, Error, ( '$end_redirect'(Depth, _), throw(Error) ))
    ->  '$end_redirect'(Depth, Text),
        '$into_sink'(Sink, Text)
    ;   '$end_redirect'(Depth, _),
        fail
    ).

'$into_sink'(atom(Atom), Text) :- !, atom_string(Atom, Text).
'$into_sink'(string(String), Text) :- !, String = Text.
'$into_sink'(codes(Codes), Text) :- !, string_codes(Text, Codes).
'$into_sink'(chars(Chars), Text) :- !, string_chars(Text, Chars).
'$into_sink'(Sink, _) :- throw(error(domain_error(output_sink, Sink), _)).

%!  stream_property(?Stream, ?Property) is nondet.
stream_property(Stream, Property) :-
    (   var(Stream)
    ->  true
    ;   Stream = '$stream'(_)
    ->  '$check_stream'(Stream)
    ;   throw(error(domain_error(stream, Stream), _))
    ),
    '$check_stream_property'(Property),
    '$streams'(List),
    '$member'(s(Stream, Properties), List),
    '$member'(Property, Properties).

'$check_stream_property'(Property) :- var(Property), !.
'$check_stream_property'(input) :- !.
'$check_stream_property'(output) :- !.
'$check_stream_property'(Property) :-
    compound(Property),
    functor(Property, Name, 1),
    '$member'(Name, [mode, type, reposition, eof_action, alias, end_of_stream, file_name, position, newline, encoding, line_count]),
    !.
'$check_stream_property'(Property) :- throw(error(domain_error(stream_property, Property), _)).

is_stream(Stream) :- nonvar(Stream), Stream = '$stream'(_), catch('$check_stream'(Stream), _, fail).

see(File) :- open(File, read, Stream), set_input(Stream).
seen :- current_input(Stream), close(Stream).
tell(File) :- open(File, write, Stream), set_output(Stream).
told :- current_output(Stream), close(Stream).

%!  consult(:File) is det.
%   Adds the clauses of a file and runs its directives, while the program runs.
consult(Files) :- '$is_list_cell'(Files), !, forall('$member'(File, Files), consult(File)).
consult(File) :-
    '$open_source'(File, Stream),
    setup_call_cleanup(true, '$load_stream'(Stream), close(Stream)).

ensure_loaded(library(_)) :- !.
ensure_loaded(File) :- consult(File).

'$open_source'(File, Stream) :-
    catch(open(File, read, Stream), error(existence_error(_, _), _), fail),
    !.
'$open_source'(File, Stream) :-
    must_be(atom, File),
    atom_concat(File, '.pl', Full),
    catch(open(Full, read, Stream), error(existence_error(_, _), _), throw(error(existence_error(source_sink, File), _))).

'$load_stream'(Stream) :-
    repeat,
    read(Stream, Clause),
    '$load_clause'(Clause),
    Clause == end_of_file,
    !.

'$load_clause'(end_of_file) :- !.
'$load_clause'((:- Goal)) :- !, ignore(Goal).
'$load_clause'((Head --> Body)) :- !, dcg_translate_rule((Head --> Body), Clause), assertz(Clause).
'$load_clause'(Clause) :- assertz(Clause).

%!  char_conversion(+From, +To) is det.
%   Conversions are accepted and mean nothing, as if the flag char_conversion were off.
char_conversion(From, To) :- '$must_be_character'(From), '$must_be_character'(To).

current_char_conversion(From, To) :-
    '$may_be_character'(From),
    '$may_be_character'(To),
    (   nonvar(From)
    ->  To = From
    ;   nonvar(To)
    ->  From = To
    ;   between(0, 255, Code),
        char_code(From, Code),
        To = From
    ).

'$must_be_character'(X) :- var(X), !, throw(error(instantiation_error, _)).
'$must_be_character'(X) :- '$may_be_character'(X).

'$may_be_character'(X) :- var(X), !.
'$may_be_character'(X) :- atom(X), atom_length(X, 1), !.
'$may_be_character'(X) :- throw(error(type_error(character, X), _)).

print_message(_, _).
print_message_lines(_, _, _).
message_to_codes(_, _, _) :- fail.

% Declarations that need no more than to be accepted.
module(_, _).
use_module(_).
use_module(_, _).
set_stream(_, _).
style_check(_).
license(_).
module_transparent(_).
meta_predicate(_).
public(_).
noprofile(_).
garbage_collect_atoms.
table(Specification) :- '$table'(Specification).

%!  current_table(?Variant, -Table) is nondet.
%   Tables are numbered in the order of their calls.
current_table(Variant, '$table'(Number)) :-
    '$tabled_calls'(Calls),
    nth1(Number, Calls, Variant).

%!  dynamic(+Predicates, +Options) is det.
dynamic(Predicates, Options) :-
    (   '$member_identical'(incremental(true), Options)
    ->  dynamic(Predicates as incremental)
    ;   dynamic(Predicates)
    ).

%   Tables are dropped whole: a subgoal or a module has none of its own.
abolish_module_tables(_) :- abolish_all_tables.
abolish_table_subgoals(_) :- abolish_all_tables.

% ---- Terms -----------------------------------------------------------------------------------

numbervars(Term) :- numbervars(Term, 0, _).

subsumes_term(General, Specific) :-
    \+ \+ (
        term_variables(Specific, Before),
        unify_with_occurs_check(General, Specific),
        term_variables(Before, After),
        Before == After
    ).

term_variables(Term, Variables, Tail) :-
    term_variables(Term, List),
    '$append'(List, Tail, Variables).

atom_to_term(Text, Term, Bindings) :- '$read_text'(Text, Term, Bindings).
read_term_from_atom(Text, Term, _) :- '$read_text'(Text, Term, _).
sformat(String, Format, Arguments) :- format(string(String), Format, Arguments).
term_to_string(Term, String) :- term_string(String, Term).

nb_current(Name, Value) :- atom(Name), catch(nb_getval(Name, Value), _, fail).

%!  must_be(+Type, @X) is det.
must_be(Type, _) :- var(Type), !, throw(error(instantiation_error, _)).
must_be(Type, X) :- '$must_be'(Type, X).

'$must_be'(any, _) :- !.
'$must_be'(var, X) :- !, ( var(X) -> true ; throw(error(uninstantiation_error(X), _)) ).
'$must_be'(list(Type), X) :- !, '$must_be'(list, X), '$must_all_be'(X, Type).
'$must_be'(list_of(Type), X) :- !, '$must_be'(list(Type), X).
'$must_be'(oneof(Values), X) :-
    !,
    '$must_be'(nonvar, X),
    ( '$member_identical'(X, Values) -> true ; throw(error(type_error(oneof(Values), X), _)) ).
'$must_be'(between(Low, High), X) :-
    !,
    ( integer(Low), integer(High) -> '$must_be'(integer, X) ; '$must_be'(number, X) ),
    ( X >= Low, X =< High -> true ; throw(error(domain_error(between(Low, High), X), _)) ).
'$must_be'(positive_integer, X) :-
    !,
    '$must_be'(integer, X),
    ( X > 0 -> true ; throw(error(type_error(positive_integer, X), _)) ).
'$must_be'(nonneg, X) :-
    !,
    '$must_be'(integer, X),
    ( X >= 0 -> true ; throw(error(type_error(nonneg, X), _)) ).
'$must_be'(Type, X) :-
    (   '$is_of_type'(Type, X, Test, Name)
    ->  (   call(Test)
        ->  true
        ;   '$is_partial'(Type, X)
        ->  throw(error(instantiation_error, _))
        ;   throw(error(type_error(Name, X), _))
        )
    ;   throw(error(existence_error(type, Type), _))
    ).

'$must_all_be'([], _).
'$must_all_be'([X|Xs], Type) :- '$must_be'(Type, X), '$must_all_be'(Xs, Type).

%   Whether X is not instantiated enough to be of the type or not.
'$is_partial'(_, X) :- var(X), !.
'$is_partial'(list_or_partial, _) :- !, fail.
'$is_partial'(Type, X) :-
    '$member'(Type, [list, proper_list, text, chars, codes]),
    '$skip_list'(X, _, Tail),
    var(Tail).

%   The test of a type, and the name of the type in errors.
'$is_of_type'(integer, X, integer(X), integer).
'$is_of_type'(atom, X, atom(X), atom).
'$is_of_type'(symbol, X, atom(X), symbol).
'$is_of_type'(atomic, X, atomic(X), atomic).
'$is_of_type'(callable, X, callable(X), callable).
'$is_of_type'(number, X, number(X), number).
'$is_of_type'(float, X, float(X), float).
'$is_of_type'(string, X, string(X), string).
'$is_of_type'(compound, X, compound(X), compound).
'$is_of_type'(nonvar, X, nonvar(X), nonvar).
'$is_of_type'(ground, X, ground(X), ground).
'$is_of_type'(acyclic, X, acyclic_term(X), acyclic).
'$is_of_type'(boolean, X, '$member_identical'(X, [true, false]), boolean).
'$is_of_type'(bool, X, '$member_identical'(X, [true, false]), bool).
'$is_of_type'(list, X, is_list(X), list).
'$is_of_type'(proper_list, X, is_list(X), list).
'$is_of_type'(list_or_partial, X, ( '$skip_list'(X, _, Tail), ( var(Tail) ; Tail == [] ) ), list_or_partial).
'$is_of_type'(chars, X, ( is_list(X), '$all'(X, character) ), chars).
'$is_of_type'(codes, X, ( is_list(X), '$all'(X, code) ), codes).
'$is_of_type'(char, X, ( atom(X), atom_length(X, 1) ), char).
'$is_of_type'(character, X, ( atom(X), atom_length(X, 1) ), character).
'$is_of_type'(code, X, ( integer(X), X >= 0, X =< 0x10ffff ), code).
'$is_of_type'(text, X, ( atom(X) ; string(X) ; is_list(X), ( '$all'(X, character) ; '$all'(X, code) ) ), text).
'$is_of_type'(pair, X, ( nonvar(X), X = _-_ ), pair).

'$all'([], _).
'$all'([X|Xs], Type) :- '$is_of_type'(Type, X, Test, _), call(Test), '$all'(Xs, Type).

%!  is_of_type(+Type, @X) is semidet.
is_of_type(Type, X) :- nonvar(X), !, catch('$must_be'(Type, X), error(_, _), fail).
is_of_type(Type, X) :- ( Type == any ; Type == var ; Type == list_or_partial ), !, var(X).

% ---- Atoms and strings -----------------------------------------------------------------------

atom_concat(A, B, C) :-
    (   nonvar(A), nonvar(B)
    ->  '$atom_concat'(A, B, C)
    ;   var(C)
    ->  throw(error(instantiation_error, _))
    ;   nonvar(A)
    ->  atom_length(A, Length), sub_atom(C, 0, Length, _, A), sub_atom(C, Length, _, 0, B)
    ;   nonvar(B)
    ->  atom_length(B, Length), sub_atom(C, Before, Length, 0, B), sub_atom(C, 0, Before, _, A)
    ;   atom_length(C, Total),
        between(0, Total, Length),
        sub_atom(C, 0, Length, _, A),
        sub_atom(C, Length, _, 0, B)
    ).

string_concat(A, B, C) :-
    (   nonvar(A), nonvar(B)
    ->  '$string_concat'(A, B, C)
    ;   var(C)
    ->  throw(error(instantiation_error, _))
    ;   string_length(C, Total),
        between(0, Total, Length),
        sub_string(C, 0, Length, _, A0),
        sub_string(C, Length, _, 0, B0),
        '$same_text'(A, A0),
        '$same_text'(B, B0)
    ).

'$same_text'(A, Text) :- ( var(A) -> A = Text ; text_to_string(A, Text) ).

sub_atom(Atom, Before, Length, After, Sub) :-
    '$check_sub'(Atom, Before, Length, After, Sub),
    '$sub_atoms'(Atom, Before, Length, After, Sub, Solutions),
    '$member'(s(Before, Length, After, Sub), Solutions).

sub_string(String, Before, Length, After, Sub) :-
    '$sub_strings'(String, Before, Length, After, Sub, Solutions),
    '$member'(s(Before, Length, After, Sub), Solutions).

'$check_sub'(Atom, Before, Length, After, Sub) :-
    ( var(Atom) -> throw(error(instantiation_error, _)) ; true ),
    ( compound(Atom) -> throw(error(type_error(atom, Atom), _)) ; true ),
    ( var(Sub) -> true ; atomic(Sub), \+ number(Sub) -> true ; throw(error(type_error(atom, Sub), _)) ),
    '$check_position'(Before),
    '$check_position'(Length),
    '$check_position'(After).

'$check_position'(X) :- var(X), !.
'$check_position'(X) :- integer(X), !, ( X >= 0 -> true ; throw(error(domain_error(not_less_than_zero, X), _)) ).
'$check_position'(X) :- throw(error(type_error(integer, X), _)).

%!  name(?Atomic, ?Codes) is det.
%   Codes that can be read as a number are one.
name(Atomic, Codes) :-
    (   nonvar(Atomic)
    ->  must_be(atomic, Atomic),
        atom_codes(Atomic, Codes)
    ;   catch(number_codes(Number, Codes), error(syntax_error(_), _), fail)
    ->  Atomic = Number
    ;   atom_codes(Atomic, Codes)
    ).

concat_atom(List, Atom) :- atomic_list_concat(List, Atom).
concat_atom(List, Separator, Atom) :- atomic_list_concat(List, Separator, Atom).

% ---- Lists -----------------------------------------------------------------------------------

'$append'([], Ys, Ys).
'$append'([X|Xs], Ys, [X|Zs]) :- '$append'(Xs, Ys, Zs).

'$member'(X, [Y|Ys]) :- '$member'(Ys, X, Y).
'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).

append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :- append(Xs, Ys, Zs).

append(Lists, List) :- '$append_all'(Lists, List).

'$append_all'([], []).
'$append_all'([Xs|Lists], List) :- append(Xs, Rest, List), '$append_all'(Lists, Rest).

member(X, [Y|Ys]) :- '$member'(Ys, X, Y).

memberchk(X, Xs) :- '$member'(X, Xs), !.

length(List, Length) :-
    '$check_position'(Length),
    '$skip_list'(List, Known, Rest),
    (   Rest == []
    ->  Length = Known
    ;   var(Rest)
    ->  (   integer(Length)
        ->  Length >= Known,
            Missing is Length - Known,
            '$fresh_list'(Missing, Rest)
        ;   Rest \== Length,
            '$longer'(Rest, Known, Length)
        )
    ;   throw(error(type_error(list, List), _))
    ).

'$longer'([], Length, Length).
'$longer'([_|Rest], Known, Length) :- Next is Known + 1, '$longer'(Rest, Next, Length).

nth0(Index, List, Element) :-
    (   integer(Index)
    ->  Index >= 0, '$nth'(Index, List, Element)
    ;   var(Index)
    ->  List = [First|Rest], '$nth_any'(Rest, First, 0, Index, Element)
    ;   throw(error(type_error(integer, Index), _))
    ).

nth1(Index, List, Element) :-
    (   integer(Index)
    ->  Index >= 1, Position is Index - 1, '$nth'(Position, List, Element)
    ;   var(Index)
    ->  List = [First|Rest], '$nth_any'(Rest, First, 1, Index, Element)
    ;   throw(error(type_error(integer, Index), _))
    ).

'$nth'(0, [X|_], Y) :- !, X = Y.
'$nth'(N, [_|Xs], Y) :- M is N - 1, '$nth'(M, Xs, Y).

'$nth_any'(_, X, N, N, X).
'$nth_any'([X|Xs], _, N, Index, Y) :- M is N + 1, '$nth_any'(Xs, X, M, Index, Y).

nth0(Index, List, Element, Rest) :-
    (   integer(Index)
    ->  Index >= 0, '$nth_delete'(Index, List, Element, Rest)
    ;   '$nth_rest'(List, 0, Index, Element, Rest)
    ).

nth1(Index, List, Element, Rest) :-
    (   integer(Index)
    ->  Index >= 1, Position is Index - 1, '$nth_delete'(Position, List, Element, Rest)
    ;   '$nth_rest'(List, 1, Index, Element, Rest)
    ).

'$nth_delete'(0, [X|Xs], Y, Ys) :- !, X = Y, Xs = Ys.
'$nth_delete'(N, [X|Xs], Y, [X|Ys]) :- M is N - 1, '$nth_delete'(M, Xs, Y, Ys).

'$nth_rest'([X|Xs], N, N, X, Xs).
'$nth_rest'([X|Xs], N, Index, Y, [X|Ys]) :- M is N + 1, '$nth_rest'(Xs, M, Index, Y, Ys).

last([X|Xs], Last) :- '$last'(Xs, X, Last).

'$last'([], Last, Last).
'$last'([X|Xs], _, Last) :- '$last'(Xs, X, Last).

reverse(Xs, Ys) :- '$reverse'(Xs, [], Ys).

'$reverse'([], Ys, Ys).
'$reverse'([X|Xs], Rest, Ys) :- '$reverse'(Xs, [X|Rest], Ys).

permutation(Xs, Ys) :-
    '$skip_list'(Xs, Length, Rest),
    (   Rest == []
    ->  length(Ys, Length)
    ;   true
    ),
    '$permutation'(Xs, Ys).

'$permutation'([], []).
'$permutation'(Xs, [Y|Ys]) :- select(Y, Xs, Rest), '$permutation'(Rest, Ys).

select(X, [Y|Ys], Rest) :- '$select'(Ys, Y, X, Rest).

'$select'(Xs, X, X, Xs).
'$select'([Y|Ys], X, Z, [X|Rest]) :- '$select'(Ys, Y, Z, Rest).

selectchk(X, Xs, Rest) :- select(X, Xs, Rest), !.

select(X, Xs, Y, Ys) :- '$select4'(Xs, X, Y, Ys).

'$select4'([X|Xs], X, Y, [Y|Xs]).
'$select4'([Z|Xs], X, Y, [Z|Ys]) :- '$select4'(Xs, X, Y, Ys).

exclude(_, [], []).
exclude(Goal, [X|Xs], Ys) :-
    (   call(Goal, X)
    ->  Ys = Ys1
    ;   Ys = [X|Ys1]
    ),
    exclude(Goal, Xs, Ys1).

include(_, [], []).
include(Goal, [X|Xs], Ys) :-
    (   call(Goal, X)
    ->  Ys = [X|Ys1]
    ;   Ys = Ys1
    ),
    include(Goal, Xs, Ys1).

partition(_, [], [], []).
partition(Goal, [X|Xs], In, Out) :-
    (   call(Goal, X)
    ->  In = [X|In1], Out = Out1
    ;   In = In1, Out = [X|Out1]
    ),
    partition(Goal, Xs, In1, Out1).

partition(_, [], [], [], []).
partition(Goal, [X|Xs], Less, Equal, Greater) :-
    call(Goal, X, Order),
    '$partition'(Order, X, Less, Equal, Greater, Less1, Equal1, Greater1),
    partition(Goal, Xs, Less1, Equal1, Greater1).

'$partition'(<, X, [X|L], E, G, L, E, G).
'$partition'(=, X, L, [X|E], G, L, E, G).
'$partition'(>, X, L, E, [X|G], L, E, G).

maplist(Goal, As) :- '$maplist'(As, Goal).
maplist(Goal, As, Bs) :- '$maplist'(As, Bs, Goal).
maplist(Goal, As, Bs, Cs) :- '$maplist'(As, Bs, Cs, Goal).
maplist(Goal, As, Bs, Cs, Ds) :- '$maplist'(As, Bs, Cs, Ds, Goal).
maplist(Goal, As, Bs, Cs, Ds, Es) :- '$maplist'(As, Bs, Cs, Ds, Es, Goal).
maplist(Goal, As, Bs, Cs, Ds, Es, Fs) :- '$maplist'(As, Bs, Cs, Ds, Es, Fs, Goal).

'$maplist'([], _).
'$maplist'([A|As], Goal) :- call(Goal, A), '$maplist'(As, Goal).
'$maplist'([], [], _).
'$maplist'([A|As], [B|Bs], Goal) :- call(Goal, A, B), '$maplist'(As, Bs, Goal).
'$maplist'([], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], Goal) :- call(Goal, A, B, C), '$maplist'(As, Bs, Cs, Goal).
'$maplist'([], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], Goal) :-
    call(Goal, A, B, C, D),
    '$maplist'(As, Bs, Cs, Ds, Goal).
'$maplist'([], [], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], Goal) :-
    call(Goal, A, B, C, D, E),
    '$maplist'(As, Bs, Cs, Ds, Es, Goal).
'$maplist'([], [], [], [], [], [], _).
'$maplist'([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], Goal) :-
    call(Goal, A, B, C, D, E, F),
    '$maplist'(As, Bs, Cs, Ds, Es, Fs, Goal).

foldl(Goal, As, S0, S) :- '$foldl'(As, Goal, S0, S).
foldl(Goal, As, Bs, S0, S) :- '$foldl'(As, Bs, Goal, S0, S).
foldl(Goal, As, Bs, Cs, S0, S) :- '$foldl'(As, Bs, Cs, Goal, S0, S).

'$foldl'([], _, S, S).
'$foldl'([A|As], Goal, S0, S) :- call(Goal, A, S0, S1), '$foldl'(As, Goal, S1, S).
'$foldl'([], [], _, S, S).
'$foldl'([A|As], [B|Bs], Goal, S0, S) :- call(Goal, A, B, S0, S1), '$foldl'(As, Bs, Goal, S1, S).
'$foldl'([], [], [], _, S, S).
'$foldl'([A|As], [B|Bs], [C|Cs], Goal, S0, S) :-
    call(Goal, A, B, C, S0, S1),
    '$foldl'(As, Bs, Cs, Goal, S1, S).

sum_list(Xs, Sum) :- '$sum_list'(Xs, 0, Sum).
sumlist(Xs, Sum) :- '$sum_list'(Xs, 0, Sum).

'$sum_list'([], Sum, Sum).
'$sum_list'([X|Xs], Sum0, Sum) :- Sum1 is Sum0 + X, '$sum_list'(Xs, Sum1, Sum).

max_list([X|Xs], Max) :- '$max_list'(Xs, X, Max).

'$max_list'([], Max, Max).
'$max_list'([X|Xs], Max0, Max) :- Max1 is max(Max0, X), '$max_list'(Xs, Max1, Max).

min_list([X|Xs], Min) :- '$min_list'(Xs, X, Min).

'$min_list'([], Min, Min).
'$min_list'([X|Xs], Min0, Min) :- Min1 is min(Min0, X), '$min_list'(Xs, Min1, Min).

max_member(Max, [X|Xs]) :- '$max_member'(Xs, X, Max).

'$max_member'([], Max, Max).
'$max_member'([X|Xs], Max0, Max) :-
    ( X @> Max0 -> '$max_member'(Xs, X, Max) ; '$max_member'(Xs, Max0, Max) ).

min_member(Min, [X|Xs]) :- '$min_member'(Xs, X, Min).

'$min_member'([], Min, Min).
'$min_member'([X|Xs], Min0, Min) :-
    ( X @< Min0 -> '$min_member'(Xs, X, Min) ; '$min_member'(Xs, Min0, Min) ).

numlist(Low, High, List) :-
    '$must_be_integer'(Low),
    '$must_be_integer'(High),
    Low =< High,
    !,
    '$numlist'(Low, High, List).
numlist(_, _, []) :- fail.

'$numlist'(High, High, List) :- !, List = [High].
'$numlist'(Low, High, [Low|Rest]) :- Next is Low + 1, '$numlist'(Next, High, Rest).

subtract([], _, []).
subtract([X|Xs], Ys, Zs) :-
    ( memberchk(X, Ys) -> Zs = Zs1 ; Zs = [X|Zs1] ),
    subtract(Xs, Ys, Zs1).

intersection([], _, []).
intersection([X|Xs], Ys, Zs) :-
    ( memberchk(X, Ys) -> Zs = [X|Zs1] ; Zs = Zs1 ),
    intersection(Xs, Ys, Zs1).

union([], Ys, Ys).
union([X|Xs], Ys, Zs) :-
    ( memberchk(X, Ys) -> Zs = Zs1 ; Zs = [X|Zs1] ),
    union(Xs, Ys, Zs1).

list_to_set(List, Set) :- '$list_to_set'(List, [], Set).

'$list_to_set'([], _, []).
'$list_to_set'([X|Xs], Seen, Set) :-
    (   '$member_identical'(X, Seen)
    ->  Set = Set1
    ;   Set = [X|Set1]
    ),
    '$list_to_set'(Xs, [X|Seen], Set1).

delete([], _, []).
delete([X|Xs], Y, Zs) :-
    ( X \= Y -> Zs = [X|Zs1] ; Zs = Zs1 ),
    delete(Xs, Y, Zs1).

flatten(List, Flat) :- '$flatten'(List, [], Flat0), !, Flat = Flat0.

'$flatten'(X, Tail, [X|Tail]) :- var(X), !.
'$flatten'([], Tail, Tail) :- !.
'$flatten'([X|Xs], Tail, Flat) :- !, '$flatten'(X, Rest, Flat), '$flatten'(Xs, Tail, Rest).
'$flatten'(X, Tail, [X|Tail]).



pairs_keys_values([], [], []).
pairs_keys_values([K-V|Pairs], [K|Ks], [V|Vs]) :- pairs_keys_values(Pairs, Ks, Vs).

pairs_keys([], []).
pairs_keys([K-_|Pairs], [K|Ks]) :- pairs_keys(Pairs, Ks).

pairs_values([], []).
pairs_values([_-V|Pairs], [V|Vs]) :- pairs_values(Pairs, Vs).

%!  predsort(:Order, +List, -Sorted) is semidet.
predsort(Order, List, Sorted) :-
    length(List, Length),
    '$predsort'(Order, Length, List, _, Sorted).

'$predsort'(_, 0, Rest, Rest, []) :- !.
'$predsort'(_, 1, [X|Rest], Rest, [X]) :- !.
'$predsort'(Order, N, List, Rest, Sorted) :-
    Left is N // 2,
    Right is N - Left,
    '$predsort'(Order, Left, List, Rest1, Sorted1),
    '$predsort'(Order, Right, Rest1, Rest, Sorted2),
    '$predmerge'(Sorted1, Sorted2, Order, Sorted).

'$predmerge'([], Ys, _, Ys) :- !.
'$predmerge'(Xs, [], _, Xs) :- !.
'$predmerge'([X|Xs], [Y|Ys], Order, Zs) :-
    call(Order, Which, X, Y),
    '$predmerge'(Which, X, Xs, Y, Ys, Order, Zs).

'$predmerge'(<, X, Xs, Y, Ys, Order, [X|Zs]) :- '$predmerge'(Xs, [Y|Ys], Order, Zs).
'$predmerge'(>, X, Xs, Y, Ys, Order, [Y|Zs]) :- '$predmerge'([X|Xs], Ys, Order, Zs).
'$predmerge'(=, X, Xs, _, Ys, Order, Zs) :- '$predmerge'([X|Xs], Ys, Order, Zs).


list_to_ord_set(List, Set) :- sort(List, Set).
ord_union(As, Bs, Cs) :- append(As, Bs, List), sort(List, Cs).
ord_subtract(As, Bs, Cs) :- '$remove_identical'(As, Bs, Cs).
ord_memberchk(X, Xs) :- '$member_identical'(X, Xs), !.
ord_insert(Set, X, Set1) :- sort([X|Set], Set1).
ord_add_element(Set, X, Set1) :- sort([X|Set], Set1).
ord_del_element(Set, X, Set1) :- '$remove_identical'(Set, [X], Set1).
ord_intersection(As, Bs, Cs) :- '$remove_identical'(As, Bs, Ds), '$remove_identical'(As, Ds, Cs).
ord_subset(As, Bs) :- '$remove_identical'(As, Bs, []).


subset([], _).
subset([X|Xs], Ys) :- memberchk(X, Ys), subset(Xs, Ys).





% ---- Definite clause grammars ----------------------------------------------------------------

phrase(Body, List) :- phrase(Body, List, []).

phrase(Body, List, Rest) :-
    ( string(Body) -> true ; '$must_be_callable'(Body) ),
    '$must_be_list_or_partial'(List),
    '$must_be_list_or_partial'(Rest),
    '$dcg_body'(Body, S0, S, Goal),
    S0 = List,
    S = Rest,
    call(Goal).

%!  dcg_translate_rule(+Rule, -Clause) is det.
dcg_translate_rule(Rule, Clause) :- '$dcg_rule'(Rule, Clause).

'$dcg_rule'((Head --> _), _) :- var(Head), !, throw(error(instantiation_error, _)).
'$dcg_rule'(((Head, Pushback) --> Body), (Head1 :- Goal)) :-
    !,
    '$dcg_nonterminal'(Head, S0, S, Head1),
    '$dcg_body'(Body, S0, S1, Goal1),
    '$dcg_terminals'(Pushback, S, S1, Goal2),
    Goal = (Goal1, Goal2).
'$dcg_rule'((Head --> Body), (Head1 :- Goal)) :-
    '$dcg_nonterminal'(Head, S0, S, Head1),
    '$dcg_body'(Body, S0, S, Goal).

'$dcg_nonterminal'(Head, S0, S, Head1) :-
    '$must_be_callable'(Head),
    Head =.. Parts,
    '$append'(Parts, [S0, S], Parts1),
    Head1 =.. Parts1.

'$dcg_body'(Body, S0, S, phrase(Body, S0, S)) :- var(Body), !.
'$dcg_body'((A, B), S0, S, (GoalA, GoalB)) :- !, '$dcg_body'(A, S0, S1, GoalA), '$dcg_body'(B, S1, S, GoalB).
'$dcg_body'((A ; B), S0, S, (GoalA ; GoalB)) :- !, '$dcg_body'(A, S0, S, GoalA), '$dcg_body'(B, S0, S, GoalB).
'$dcg_body'((A | B), S0, S, (GoalA ; GoalB)) :- !, '$dcg_body'(A, S0, S, GoalA), '$dcg_body'(B, S0, S, GoalB).
'$dcg_body'((A -> B), S0, S, (GoalA -> GoalB)) :- !, '$dcg_body'(A, S0, S1, GoalA), '$dcg_body'(B, S1, S, GoalB).
'$dcg_body'((A *-> B), S0, S, (GoalA *-> GoalB)) :- !, '$dcg_body'(A, S0, S1, GoalA), '$dcg_body'(B, S1, S, GoalB).
'$dcg_body'(\+ A, S0, S, (\+ GoalA, S0 = S)) :- !, '$dcg_body'(A, S0, _, GoalA).
'$dcg_body'(!, S0, S, (!, S0 = S)) :- !.
'$dcg_body'([], S0, S, S0 = S) :- !.
'$dcg_body'({Goal}, S0, S, (Goal, S0 = S)) :- !.
'$dcg_body'(List, S0, S, Goal) :- '$is_list_cell'(List), !, '$dcg_terminals'(List, S0, S, Goal).
'$dcg_body'(String, S0, S, Goal) :- string(String), !, string_codes(String, Codes), '$dcg_terminals'(Codes, S0, S, Goal).
'$dcg_body'(call(Goal), S0, S, call(Goal, S0, S)) :- !.
'$dcg_body'(Call, S0, S, Goal) :- Call =.. [call|Parts], Parts = [_|_], !, '$append'([call|Parts], [S0, S], All), Goal =.. All.
'$dcg_body'(NonTerminal, S0, S, Goal) :- '$dcg_nonterminal'(NonTerminal, S0, S, Goal).

'$is_list_cell'([_|_]).

'$dcg_terminals'(String, S0, S, Goal) :- string(String), !, string_codes(String, Codes), '$dcg_terminals'(Codes, S0, S, Goal).
'$dcg_terminals'(List, S0, S, S0 = Full) :- '$append'(List, S, Full).

% ---- Proofs ----------------------------------------------------------------------------------

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
