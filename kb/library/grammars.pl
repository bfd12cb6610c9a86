% Grammars for characters given as codes, and for sequences: Name//N is written as a predicate of two more arguments.
:- module(grammars,
          [ white/2, whites/2, nonblank/3, nonblanks/3, blank/2, blanks/2, blanks_to_nl/2, string/3, string_without/4,
            digits/3, digit/3, integer/3, float/3, number/3, xinteger/3, xdigits/3, xdigit/3, eos/2, eol/2,
            remainder/3, csym/3, csyms/2, alpha_to_lower/3, prolog_symbol/3, prolog_var_name/3, atom/3,
            sequence/4, sequence/5, sequence/7, optional/4, foreach/4, foreach/5
          ]).

white([C|Cs], Cs) :- nonvar(C), code_type(C, white).

whites([C|Cs], Rest) :- nonvar(C), code_type(C, white), !, whites(Cs, Rest).
whites(Rest, Rest).

nonblank(C, [C|Cs], Cs) :- code_type(C, graph).

nonblanks([C|Codes], [C|Cs], Rest) :- code_type(C, graph), !, nonblanks(Codes, Cs, Rest).
nonblanks([], Rest, Rest).

blank([C|Cs], Cs) :- nonvar(C), code_type(C, space).

blanks([C|Cs], Rest) :- nonvar(C), code_type(C, space), !, blanks(Cs, Rest).
blanks(Rest, Rest).

blanks_to_nl([C|Cs], Rest) :- nonvar(C), C \== 10, code_type(C, space), !, blanks_to_nl(Cs, Rest).
blanks_to_nl([10|Rest], Rest) :- !.
blanks_to_nl([], []).

%!  string(-Codes)// is nondet.
%   As few codes as possible first.
string([], Rest, Rest).
string([C|Codes], [C|Cs], Rest) :- string(Codes, Cs, Rest).

%!  string_without(+End, -Codes)// is det.
%   As many codes as possible that are not in End.
string_without(End, Codes, Cs, Rest) :- string_codes(End, Ends), '$grammars_without'(Ends, Codes, Cs, Rest).

'$grammars_without'(Ends, [C|Codes], [C|Cs], Rest) :- \+ memberchk(C, Ends), !, '$grammars_without'(Ends, Codes, Cs, Rest).
'$grammars_without'(_, [], Rest, Rest).

digits([C|Codes], [C0|Cs], Rest) :- nonvar(C0), code_type(C0, digit), !, C = C0, digits(Codes, Cs, Rest).
digits([], Rest, Rest).

digit(C, [C|Cs], Cs) :- nonvar(C), code_type(C, digit).

integer(Integer, Cs, Rest) :- nonvar(Integer), !, number_codes(Integer, Codes), append(Codes, Rest, Cs).
integer(Integer, Cs, Rest) :-
    '$grammars_sign'(Sign, Cs, Cs1),
    digits([C|Codes], Cs1, Rest),
    append(Sign, [C|Codes], All),
    number_codes(Integer, All).

'$grammars_sign'(Sign, [C|Cs], Rest) :- C == 0'-, !, Sign = [0'-], Rest = Cs.
'$grammars_sign'(Sign, [C|Cs], Rest) :- C == 0'+, !, Sign = [], Rest = Cs.
'$grammars_sign'([], Rest, Rest).

float(Float, Cs, Rest) :- number(Number, Cs, Rest), Float is float(Number).

%!  number(?Number)// is semidet.
number(Number, Cs, Rest) :- nonvar(Number), !, number_codes(Number, Codes), append(Codes, Rest, Cs).
number(Number, Cs, Rest) :-
    '$grammars_sign'(Sign, Cs, Cs1),
    digits([C|Whole], Cs1, Cs2),
    '$grammars_fraction'(Fraction, Cs2, Cs3),
    '$grammars_exponent'(Fraction, Exponent, Cs3, Rest),
    append([Sign, [C|Whole], Exponent], Codes),
    number_codes(Number, Codes).

'$grammars_fraction'([0'., C|Codes], [Dot|Cs], Rest) :- Dot == 0'., digits([C|Codes], Cs, Rest), !.
'$grammars_fraction'([], Rest, Rest).

% An exponent makes a float of a number without a fraction, too.
'$grammars_exponent'(Fraction, Codes, [E|Cs], Rest) :-
    ( E == 0'e ; E == 0'E ),
    '$grammars_sign'(Sign, Cs, Cs1),
    digits([C|Exponent], Cs1, Rest),
    !,
    ( Fraction == [] -> Whole = `.0` ; Whole = Fraction ),
    append([Whole, `e`, Sign, [C|Exponent]], Codes).
'$grammars_exponent'(Fraction, Fraction, Rest, Rest).

xinteger(Integer, Cs, Rest) :- xdigits([Weight|Weights], Cs, Rest), foldl('$grammars_hexadecimal', [Weight|Weights], 0, Integer).

'$grammars_hexadecimal'(Weight, Value0, Value) :- Value is Value0 * 16 + Weight.

xdigits([Weight|Weights], Cs, Rest) :- xdigit(Weight, Cs, Cs1), !, xdigits(Weights, Cs1, Rest).
xdigits([], Rest, Rest).

xdigit(Weight, [C|Cs], Cs) :- nonvar(C), '$grammars_weight'(C, Weight).

'$grammars_weight'(C, Weight) :- C >= 0'0, C =< 0'9, !, Weight is C - 0'0.
'$grammars_weight'(C, Weight) :- C >= 0'a, C =< 0'f, !, Weight is C - 0'a + 10.
'$grammars_weight'(C, Weight) :- C >= 0'A, C =< 0'F, Weight is C - 0'A + 10.

eos([], []).

eol([10|Rest], Rest) :- !.
eol([13, 10|Rest], Rest) :- !.
eol([], []).

remainder(Rest, Rest, []).

csym(C, [C|Cs], Cs) :- nonvar(C), code_type(C, csym).

csyms([C|Cs], Rest) :- nonvar(C), code_type(C, csym), !, csyms(Cs, Rest).
csyms(Rest, Rest).

alpha_to_lower(Lower, [C|Cs], Cs) :- nonvar(C), code_type(C, alpha), ( C >= 0'A, C =< 0'Z -> Lower is C + 32 ; Lower = C ).

prolog_symbol(Symbol, Cs, Rest) :-
    '$grammars_symbols'([C|Codes], Cs, Rest),
    atom_codes(Symbol, [C|Codes]).

'$grammars_symbols'([C|Codes], [C|Cs], Rest) :-
    nonvar(C),
    memberchk(C, `#$&*+-./:<=>?@\\^~`),
    !,
    '$grammars_symbols'(Codes, Cs, Rest).
'$grammars_symbols'([], Rest, Rest).

%!  prolog_var_name(-Name)// is semidet.
%   As many codes as possible that are the name of a variable.
prolog_var_name(Name, [C|Cs], Rest) :-
    nonvar(C),
    ( C == 0'_ -> true ; code_type(C, upper) ),
    '$grammars_csyms'(Codes, Cs, Rest),
    !,
    atom_codes(Name, [C|Codes]).

'$grammars_csyms'([C|Codes], [C|Cs], Rest) :- nonvar(C), code_type(C, csym), !, '$grammars_csyms'(Codes, Cs, Rest).
'$grammars_csyms'([], Rest, Rest).

%!  atom(++Term)// is det.
%   What write/1 makes of Term.
atom(Term, Cs, Rest) :-
    must_be(nonvar, Term),
    format(codes(Codes), '~w', [Term]),
    append(Codes, Rest, Cs).

%!  sequence(:Element, ?List)// is nondet.
%   As many elements as possible first.
sequence(Element, [X|Xs], Cs, Rest) :- call(Element, X, Cs, Cs1), sequence(Element, Xs, Cs1, Rest).
sequence(_, [], Rest, Rest).

%!  sequence(:Element, :Separator, ?List)// is nondet.
%   Empty only if there is no first element.
sequence(_, _, List, Cs, Rest) :- List == [], !, Cs = Rest.
sequence(Element, Separator, List, Cs, Rest) :-
    (   call(Element, X, Cs, Cs1)
    *-> List = [X|Xs],
        '$grammars_more'(Element, Separator, Xs, Cs1, Rest)
    ;   List = [],
        Cs = Rest
    ).

% What follows a separator is an element; a list that is known may end before a separator.
'$grammars_more'(_, _, Xs, Cs, Rest) :- Xs == [], !, Cs = Rest.
'$grammars_more'(Element, Separator, Xs, Cs, Rest) :-
    (   phrase(Separator, Cs, Cs1)
    ->  Xs = [X|Xs1],
        call(Element, X, Cs1, Cs2),
        '$grammars_more'(Element, Separator, Xs1, Cs2, Rest)
    ;   Xs = [],
        Cs = Rest
    ).

%!  sequence(:Start, :Element, :Separator, :End, ?List)// is semidet.
sequence(Start, Element, Separator, End, List, Cs, Rest) :-
    phrase(Start, Cs, Cs1),
    sequence(Element, Separator, List, Cs1, Cs2),
    phrase(End, Cs2, Rest),
    !.

%!  optional(:Match, :Default)// is det.
optional(Match, _, Cs, Rest) :- phrase(Match, Cs, Rest), !.
optional(_, Default, Cs, Rest) :- phrase(Default, Cs, Rest).

%!  foreach(:Generator, :Element)// is nondet.
%   Element for each answer of Generator, in their order.
foreach(Generator, Element, Cs, Rest) :- foreach(Generator, Element, [], Cs, Rest).

%!  foreach(:Generator, :Element, :Separator)// is nondet.
foreach(Generator, Element, Separator, Cs, Rest) :-
    findall(Element, Generator, Elements),
    '$grammars_foreach'(Elements, Separator, Cs, Rest).

'$grammars_foreach'([], _, Rest, Rest).
'$grammars_foreach'([Element|Elements], Separator, Cs, Rest) :-
    phrase(Element, Cs, Cs1),
    '$grammars_foreach_behind'(Elements, Separator, Cs1, Rest).

'$grammars_foreach_behind'([], _, Rest, Rest).
'$grammars_foreach_behind'([Element|Elements], Separator, Cs, Rest) :-
    phrase(Separator, Cs, Cs1),
    '$grammars_foreach'([Element|Elements], Separator, Cs1, Rest).
