% Terms and their types.

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

%!  numbervars(+Term, +Start, -End, +Options) is det.
%   With singletons(true), variables that occur once become '$VAR'('_').
numbervars(Term, Start, End, Options) :-
    (   '$member_identical'(singletons(true), Options)
    ->  term_singletons(Term, Once),
        '$bind_all'(Once, '$VAR'('_'))
    ;   true
    ),
    numbervars(Term, Start, End).

'$bind_all'([], _).
'$bind_all'([Value|Variables], Value) :- '$bind_all'(Variables, Value).

nb_current(Name, Value) :- atom(Name), catch(nb_getval(Name, Value), _, fail).

%!  must_be(+Type, @X) is det.
must_be(Type, _) :- var(Type), !, throw(error(instantiation_error, _)).
must_be(Type, X) :- '$must_be'(Type, X).

'$must_be'(any, _) :- !.
'$must_be'(var, X) :- !, ( var(X) -> true ; throw(error(uninstantiation_error(X), _)) ).
'$must_be'(list(Type), X) :-
    !,
    '$skip_list'(X, _, Tail),
    ( var(Tail) -> throw(error(instantiation_error, _)) ; Tail == [] -> true ; throw(error(type_error(list(Type), X), _)) ),
    '$must_all_be'(X, Type).
'$must_be'(rational, X) :-
    !,
    ( integer(X) -> true ; ground(X) -> throw(error(type_error(rational, X), _)) ; throw(error(instantiation_error, _)) ).
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
