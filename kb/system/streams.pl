% Operators, flags, streams, files of a program and tables. [ISO] 8.11 to 8.14, 8.17.

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

%!  create_prolog_flag(+Flag, +Value, +Options) is det.
%   A flag of the program's own.
create_prolog_flag(Flag, Value, _) :- atom_concat('$flag ', Flag, Key), nb_setval(Key, Value).

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
stream_property(Alias, Property) :-
    atom(Alias),
    '$aliased_stream'(Alias, Stream),
    !,
    stream_property(Stream, Property).
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

is_stream(Stream) :- nonvar(Stream), catch('$check_stream'(Stream), _, fail).

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
'$load_clause'(Sentence) :- expand_term(Sentence, Expanded), '$load_expanded'(Expanded).

'$load_expanded'(Sentences) :- '$is_list_cell'(Sentences), !, forall('$member'(Sentence, Sentences), '$load_expanded'(Sentence)).
'$load_expanded'([]) :- !.
'$load_expanded'((:- Goal)) :- !, ignore(Goal).
'$load_expanded'(Clause) :- assertz(Clause).

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

% Declarations that need no more than to be accepted.
module(_, _).
use_module(_).
use_module(_, _).
set_stream(_, _).
style_check(_).
license(_).
module_transparent(_).
public(_).
noprofile(_).
encoding(_).
reexport(_).
reexport(_, _).
autoload(_).
autoload(_, _).
expects_dialect(_).
volatile(_).
non_terminal(_).
thread_local(Predicates) :- dynamic(Predicates).
garbage_collect_atoms.
trim_stacks.
table(Specification) :- '$table'(Specification).

%!  current_table(?Variant, -Table) is nondet.
%   Tables are numbered in the order of their calls.
current_table(Variant, '$table'(Number)) :-
    '$tabled_calls'(Calls),
    nth1(Number, Calls, Variant).

%!  dynamic(+Predicates, +Options) is det.
dynamic(Predicates, Options) :-
    (   ( '$member_identical'(incremental(true), Options) ; '$member_identical'(monotonic(true), Options) )
    ->  dynamic(Predicates as incremental)
    ;   dynamic(Predicates)
    ).

%   Tables are dropped whole: a subgoal or a module has none of its own.
abolish_module_tables(_) :- abolish_all_tables.
abolish_table_subgoals(_) :- abolish_all_tables.
