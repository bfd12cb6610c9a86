% Variables in the place of '$VAR'(Number), as numbervars/3 makes them, and of '$VAR'(Name).
:- module(varnumbers, [ varnumbers/2, varnumbers/3, max_var_number/3, varnumbers_names/3 ]).

varnumbers(Term, Copy) :- varnumbers(Term, 0, Copy).

%!  varnumbers(+Term, +Start, -Copy) is det.
%   Numbers from Start on become variables, equal numbers the same.
varnumbers(Term, Start, Copy) :-
    must_be(integer, Start),
    '$varnumbers_copy'(Term, numbers(Start), Copy, t, _).

%!  varnumbers_names(+Term, -Copy, -Bindings) is det.
%   What stands in '$VAR'(What) becomes a variable, equal ones the same; Bindings are What = Variable.
varnumbers_names(Term, Copy, Bindings) :-
    '$varnumbers_copy'(Term, all, Copy, t, Known),
    assoc_to_list(Known, Pairs),
    '$varnumbers_bindings'(Pairs, Bindings).

'$varnumbers_bindings'([], []).
'$varnumbers_bindings'([Name-Variable|Pairs], [Name = Variable|Bindings]) :- '$varnumbers_bindings'(Pairs, Bindings).

% Known is an association list of the variables.
'$varnumbers_copy'(Term, Which, Copy, Known0, Known) :-
    (   \+ compound(Term)
    ->  Copy = Term,
        Known = Known0
    ;   Term = '$VAR'(Name), '$varnumbers_is'(Which, Name)
    ->  (   '$assoc_get'(Known0, Name, Variable)
        ->  Copy = Variable,
            Known = Known0
        ;   '$assoc_put'(Known0, Name, Copy, Known, _)
        )
    ;   Term =.. [Functor|Arguments],
        '$varnumbers_copy_all'(Arguments, Which, Copies, Known0, Known),
        Copy =.. [Functor|Copies]
    ).

'$varnumbers_copy_all'([], _, [], Known, Known).
'$varnumbers_copy_all'([Term|Terms], Which, [Copy|Copies], Known0, Known) :-
    '$varnumbers_copy'(Term, Which, Copy, Known0, Known1),
    '$varnumbers_copy_all'(Terms, Which, Copies, Known1, Known).

'$varnumbers_is'(all, _).
'$varnumbers_is'(numbers(Start), Number) :- integer(Number), Number >= Start.

%!  max_var_number(+Term, +Start, -Max) is det.
%   Max is the greatest number in Term, or Start if that is greater.
max_var_number(Term, Start, Max) :-
    (   \+ compound(Term)
    ->  Max = Start
    ;   Term = '$VAR'(Number), integer(Number)
    ->  Max is max(Start, Number)
    ;   Term =.. [_|Arguments],
        foldl(max_var_number, Arguments, Start, Max)
    ).
