% Strings of several lines: lines, indentation as of Python's module textwrap, and templates with {Name}.
:- module(strings, [ string_lines/2, dedent_lines/3, indent_lines/3, indent_lines/4, interpolate_string/4 ]).

%!  string_lines(?String, ?Lines) is semidet.
%   Lines without their ends; the end of the last one may be missing in String.
string_lines(String, Lines) :-
    (   nonvar(String)
    ->  split_string(String, "\n", "", Parts),
        ( append(Ended, [""], Parts), Lines = Ended -> true ; Lines = Parts )
    ;   must_be(list, Lines),
        '$strings_ended'(Lines, Texts),
        '$strings_concat'(Texts, String)
    ).

'$strings_ended'([], []).
'$strings_ended'([Line|Lines], [Line, "\n"|Texts]) :- '$strings_ended'(Lines, Texts).

'$strings_concat'(Texts, String) :- atomic_list_concat(Texts, Atom), atom_string(Atom, String).

'$strings_joined'(Lines, String) :- atomic_list_concat(Lines, '\n', Atom), atom_string(Atom, String).

% Whether a line has white space only.
'$strings_is_blank'(Line) :- split_string(Line, "", " \t", [""]).

%!  dedent_lines(+String, -Dedented, +Options) is det.
%   Lines without the white space that all lines but blank ones begin with. With the option tab(Width) it is told by its
%   columns, without by its characters.
dedent_lines(String, Dedented, Options) :-
    split_string(String, "\n", "", Lines),
    option(tab(Width), Options, none),
    maplist('$strings_margin'(Width), Lines, Margins, Texts),
    exclude('$strings_is_blank_margin', Margins, Full),
    pairs_keys(Full, Kept),
    (   Kept = [First|Others]
    ->  foldl('$strings_common', Others, First, Common),
        length(Common, Columns)
    ;   string_length(String, Columns)
    ),
    maplist('$strings_dedented'(Columns), Margins, Texts, Lines1),
    '$strings_joined'(Lines1, Dedented).

% The white space in front of a line, and whether the line is blank; what stands behind it.
'$strings_margin'(Width, Line, Margin-Is, Text) :-
    string_codes(Line, Codes),
    '$strings_margin'(Codes, Width, 0, Margin, Rest),
    ( Rest == [] -> Is = blank ; Is = full ),
    string_codes(Text, Rest).

'$strings_margin'([0' |Codes], Width, Column, [0' |Margin], Rest) :-
    !,
    Next is Column + 1,
    '$strings_margin'(Codes, Width, Next, Margin, Rest).
'$strings_margin'([0'\t|Codes], Width, Column, Margin, Rest) :-
    !,
    (   Width == none
    ->  Margin = [0'\t|Margin1],
        Next is Column + 1
    ;   Next is (Column // Width + 1) * Width,
        Spaces is Next - Column,
        '$strings_spaces'(Spaces, Margin, Margin1)
    ),
    '$strings_margin'(Codes, Width, Next, Margin1, Rest).
'$strings_margin'(Rest, _, _, [], Rest).

'$strings_spaces'(0, Rest, Rest) :- !.
'$strings_spaces'(Number, [0' |Spaces], Rest) :- Left is Number - 1, '$strings_spaces'(Left, Spaces, Rest).

'$strings_is_blank_margin'(_-blank).

'$strings_common'(As, Bs, Common) :-
    (   As = [A|As1], Bs = [A|Bs1]
    ->  Common = [A|Rest],
        '$strings_common'(As1, Bs1, Rest)
    ;   Common = []
    ).

'$strings_dedented'(Columns, Margin-_, Text, Line) :-
    '$strings_without'(Columns, Margin, Rest),
    string_codes(Front, Rest),
    string_concat(Front, Text, Line).

'$strings_without'(Columns, [_|Margin], Rest) :- Columns > 0, !, Left is Columns - 1, '$strings_without'(Left, Margin, Rest).
'$strings_without'(_, Rest, Rest).

%!  indent_lines(+Prefix, +String, -Indented) is det.
%   Prefix stands before each line that is not blank.
indent_lines(Prefix, String, Indented) :- indent_lines('$strings_is_full', Prefix, String, Indented).

'$strings_is_full'(Line) :- \+ '$strings_is_blank'(Line).

%!  indent_lines(:Filter, +Prefix, +String, -Indented) is det.
%   Prefix stands before each line for which Filter holds.
indent_lines(Filter, Prefix, String, Indented) :-
    split_string(String, "\n", "", Lines),
    '$strings_indented'(Lines, Filter, Prefix, Lines1),
    '$strings_joined'(Lines1, Indented).

% What follows the last end of a line is a line only if there is something.
'$strings_indented'([""], _, _, Lines) :- !, Lines = [""].
'$strings_indented'([], _, _, []).
'$strings_indented'([Line|Lines], Filter, Prefix, [Line1|Lines1]) :-
    ( \+ \+ call(Filter, Line) -> '$strings_concat'([Prefix, Line], Line1) ; Line1 = Line ),
    '$strings_indented'(Lines, Filter, Prefix, Lines1).

%!  interpolate_string(+Text, -String, +Map, +Options) is det.
%   {Name} and {Name,Default} are replaced by the value of Name in Map, a list of Name = Value. A Name is written like a
%   variable.
interpolate_string(Text, String, Map, _) :-
    string_codes(Text, Codes),
    '$strings_interpolated'(Codes, Map, Codes1),
    string_codes(String, Codes1).

'$strings_interpolated'([], _, []).
'$strings_interpolated'([0'{|Codes], Map, Codes1) :-
    '$strings_name'(Codes, [First|Name], Rest0),
    ( First == 0'_ -> true ; code_type(First, upper) ),
    '$strings_default'(Rest0, Default, Rest),
    !,
    atom_codes(Atom, [First|Name]),
    '$strings_value'(Atom, Default, Map, Value),
    append(Value, Codes2, Codes1),
    '$strings_interpolated'(Rest, Map, Codes2).
'$strings_interpolated'([Code|Codes], Map, [Code|Codes1]) :- '$strings_interpolated'(Codes, Map, Codes1).

'$strings_name'([Code|Codes], [Code|Name], Rest) :- code_type(Code, csym), !, '$strings_name'(Codes, Name, Rest).
'$strings_name'(Rest, [], Rest).

'$strings_default'([0'}|Rest], none, Rest).
'$strings_default'([0',|Codes], default(Default), Rest) :- append(Default, [0'}|Rest], Codes), !.

'$strings_value'(Name, Default, Map, Codes) :-
    (   memberchk(Name = Value, Map)
    ->  format(codes(Codes), '~w', [Value])
    ;   Default = default(Codes)
    ->  true
    ;   throw(error(existence_error(template_var, Name), _))
    ).
