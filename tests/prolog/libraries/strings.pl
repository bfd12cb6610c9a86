% strings.pl – strings of several lines.

is_short(Line) :- string_length(Line, Length), Length < 2.

%? string_lines("a\n\nb\n", Lines).
%= Lines = ["a","","b"]
%? string_lines("a\nb", Lines).
%= Lines = ["a","b"]
%? string_lines("", Lines).
%= Lines = []
%? string_lines(String, [a, "b", 3, ""]).
%= String = "a\nb\n3\n\n"
%? string_lines("ab\n", ["ab"]), string_lines("ab\n", ["ab", ""]).
%= true
%? string_lines(_, _).
%= error: instantiation_error
%? dedent_lines("  a\n    b\n\n   c\n", S, []).
%= S = "a\n  b\n\n c\n"
%? dedent_lines("    a\n  \n   b\n", S, []).
%= S = " a\n\nb\n"
%? dedent_lines("   ", S, []).
%= S = ""
%? dedent_lines("        a\n\tb", S, []).
%= S = "        a\n\tb"
%? dedent_lines("        a\n\tb", S, [tab(4)]).
%= S = "    a\nb"
%? dedent_lines("  \ta\n   \tb\n \tc", S, []).
%= S = " \ta\n  \tb\n\tc"
%? indent_lines("> ", "a\n\nb\n", S).
%= S = "> a\n\n> b\n"
%? indent_lines("> ", "", S).
%= S = ""
%? indent_lines(is_short, '> ', "a\n\nbcd", S).
%= S = "> a\n> \nbcd"
%? interpolate_string("{X} and {Y,none}, {x}, {}", S, ['X' = f(a)], []).
%= S = "f(a) and none, {x}, {}"
%? interpolate_string("{X} {Z}", S, ['X' = "s"], []).
%= error: existence_error(template_var,'Z')
