% Atoms and strings taken apart. [ISO] 8.16.

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

%!  char_type(?Character, ?Type) is nondet.
char_type(Character, Type) :-
    ( nonvar(Character) -> true ; '$character_code'(Code), char_code(Character, Code) ),
    ( nonvar(Type) -> true ; '$character_types'(Types), '$member'(Type, Types) ),
    '$char_type'(Character, Type).

%!  code_type(?Code, ?Type) is nondet.
code_type(Code, Type) :-
    ( nonvar(Code) -> true ; '$character_code'(Code) ),
    ( nonvar(Type) -> true ; '$character_types'(Types), '$member'(Type, Types) ),
    '$code_type'(Code, Type).

'$character_types'([
    alnum, alpha, csym, csymf, ascii, white, cntrl, digit, space, end_of_line, newline, period, quote, lower, upper,
    punct, graph, print, prolog_var_start, prolog_atom_start, prolog_identifier_continue, prolog_symbol, digit(_),
    xdigit(_), lower(_), upper(_), to_lower(_), to_upper(_), paren(_)
]).

%   All codes but those of surrogates, which are no characters.
'$character_code'(Code) :- between(0, 0xd7ff, Code).
'$character_code'(Code) :- between(0xe000, 0x10ffff, Code).
