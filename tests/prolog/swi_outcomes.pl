/*  swi_outcomes.pl – what SWI-Prolog answers to the goals of the cases, in their own notation.

    Purpose
        swipl swi_outcomes.pl -- FILE...  prints, for each `%? goal.` line of each file, a line
        FILE:LINE and behind it one `%= ` line for each answer, or the error. The test compares
        them with what the cases say.
*/

:- initialization(main, main).
:- style_check(-singleton).

main(Files) :-
    set_prolog_flag(prefer_rationals, false),
    forall(member(File, Files), file_outcomes(File)).

%!  file_outcomes(+File) is det.
%   Goals see what goals before them have changed, so each file has a module of its own.
file_outcomes(File) :-
    read_lines(File, Lines),
    load_files(File:File, [silent(true)]),
    set_prolog_flag(generate_debug_info, false),
    forall(nth1(Number, Lines, Line),
           ( string_concat("%? ", Goal, Line) -> goal_outcome(File, Number, Goal) ; true )).

read_lines(File, Lines) :-
    read_file_to_string(File, Text, []),
    split_string(Text, "\n", "", Lines).

goal_outcome(Module, Number, Text) :-
    format("~w:~w~n", [Module, Number]),
    catch(answers(Module, Text, Outcomes), Error, ( error_line(Error, Line), Outcomes = [Line] )),
    ( Outcomes == [] -> Lines = ["false"] ; Lines = Outcomes ),
    forall(member(Line, Lines), format("%= ~w~n", [Line])).

%!  answers(+Module, +Text, -Lines) is det.
%   Answers before an error are lines, too.
answers(Module, Text, Lines) :-
    term_string(Goal, Text, [variable_names(Names), module(Module)]),
    State = state([]),
    catch(( call_with_inference_limit(collect(Module, Goal, Names, State), 1_000_000, _) -> true ; true ),
          Error,
          ( error_line(Error, Line), note(State, Line) )),
    State = state(Reversed),
    reverse(Reversed, Lines).

collect(Module, Goal, Names, State) :-
    with_output_to(string(_), forall(Module:Goal, ( answer_line(Module, Names, Line), note(State, Line) ))).

note(State, Line) :-
    State = state(Lines),
    nb_setarg(1, State, [Line|Lines]).

%!  answer_line(+Module, +Names, -Line) is det.
%   `X = value, ...`; variables that are unbound and the first of their name are left out.
answer_line(Module, Names, Line) :-
    exclude(is_hidden, Names, Shown),
    label(Shown, Bound),
    maplist(binding_text(Module), Bound, Texts),
    ( Texts == [] -> Line = "true" ; atomic_list_concat(Texts, ', ', Line) ).

is_hidden(Name = _) :- sub_atom(Name, 0, 1, _, '_').

label([], []).
label([Name = Value|Names], Bound) :- var(Value), !, Value = '$VAR'(Name), label(Names, Bound).
label([Binding|Names], [Binding|Bound]) :- label(Names, Bound).

binding_text(Module, Name = Value, Text) :-
    format(string(Text), "~w = ~W",
           [Name, Value, [quoted(true), numbervars(true), priority(699), module(Module)]]).

error_line(error(Formal, _), Line) :- !, format(string(Line), "error: ~q", [Formal]).
error_line(Ball, Line) :- format(string(Line), "error: ~q", [Ball]).
