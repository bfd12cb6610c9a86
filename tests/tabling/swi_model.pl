/*  swi_model.pl – prints what SWI-Prolog 9 answers to the queries of a tabling case.

    Purpose
        The cases in this folder (`<case>.pl`) come with the model that is expected of them
        (`<case>.model`). This driver computes the model with SWI-Prolog, as a second opinion:

            swipl tests/tabling/swi_model.pl CASE.pl             print the model of CASE.pl
            swipl tests/tabling/swi_model.pl --check CASE.pl...  compare with the .model files

        `--check` names every case that differs and exits with status 1 if there is one. Cases that
        carry `%! swi-differs` keep the right model where SWI-Prolog is known to be wrong; they are
        skipped by `--check` and printed as SWI-Prolog sees them otherwise.

    Case files
        Plain Prolog that SWI-Prolog loads unchanged. Comment lines carry the rest:

            %? path(1,X).               a query; they run in order, tables are kept between them
            %! limit                    the queries never end: only a limit stops them; not run here
            %! swi-differs: reason      SWI-Prolog gives another model; the .model file is right

    Model files
        For each query a line `?- Query.`, as it stands in the case, then one line for each answer,
        sorted by byte order:

            path(1,2)                   the query instantiated, as writeq/1 prints it; variables left
                                        are _A, _B, ... in order of appearance
            win(a) undefined            an answer that is undefined in the well-founded model
            false                       there is no answer
            error: type_error(a,b)      the query throws: first argument of error/2, or the whole
                                        ball if it is another term; answers found before are dropped
            limit                       in cases marked %! limit

        Duplicates are printed once; an answer found both true and undefined is true.
*/

:- module(swi_model, []).

:- use_module(library(wfs)).
:- use_module(library(process)).
:- use_module(library(readutil)).

:- initialization(main, main).

%!  main is det.
%   Prints the model of one case, or checks several against their .model files.
main :-
    current_prolog_flag(argv, ['--check'|Cases]),
    !,
    include(differs, Cases, Different),
    (   Different == []
    ->  true
    ;   halt(1)
    ).
main :-
    % `swipl FILE CASE` takes CASE for a second script and leaves it out of argv.
    current_prolog_flag(os_argv, [_, _|Arguments]),
    last(Arguments, Case),
    !,
    model(Case, Lines),
    forall(member(Line, Lines), format("~w~n", [Line])).
main :-
    format(user_error, "usage: swi_model.pl [--check] CASE.pl...~n", []),
    halt(2).

%!  differs(+Case) is semidet.
%   True, with a message, if SWI-Prolog does not give the model expected. Every case runs in a
%   process of its own, since cases define the same predicates.
differs(Case) :-
    markers(Case, Markers),
    \+ memberchk(swi_differs, Markers),
    file_name_extension(Base, pl, Case),
    file_name_extension(Base, model, ModelFile),
    (   exists_file(ModelFile)
    ->  read_file_to_string(ModelFile, Expected, [])
    ;   Expected = ""
    ),
    run(Case, Found),
    Expected \== Found,
    format("differs: ~w~n", [Case]).

run(Case, Output) :-
    module_property(swi_model, file(Driver)),
    current_prolog_flag(executable, Swipl),
    setup_call_cleanup(
        process_create(Swipl, [Driver, Case], [stdout(pipe(Out)), stderr(null), process(Process)]),
        read_string(Out, _, Output),
        ( close(Out), process_wait(Process, _) )).

%!  model(+Case, -Lines) is det.
%   Lines are the lines of the model of Case.
model(Case, Lines) :-
    markers(Case, Markers),
    queries(Case, Queries),
    (   memberchk(limit, Markers)
    ->  findall(Line, ( member(Query, Queries), limit_line(Query, Line) ), Lines)
    ;   load_files(user:Case, [silent(true), if(not_loaded)]),
        maplist(query_lines, Queries, Nested),
        append(Nested, Lines)
    ).

limit_line(Query, Line) :-
    atom_concat('?- ', Query, Line).
limit_line(_, limit).

%!  query_lines(+Query, -Lines) is det.
%   Runs the text Query and renders its answers.
query_lines(Query, [Title|Answers]) :-
    atom_concat('?- ', Query, Title),
    term_to_atom(Goal, Query),
    catch(( answers(Goal, Found), render(Found, Answers) ),
          Ball,
          error_lines(Ball, Answers)).

answers(Goal, Answers) :-
    findall(Text-Truth,
            ( call_delays(user:Goal, Delays), truth(Delays, Truth), text(Goal, Text) ),
            Pairs),
    sort(Pairs, Answers).

truth(Delays, true) :-
    Delays == true,
    !.
truth(_, undefined).

%   `true` sorts before `undefined`, so the first of two equal texts is the one to keep.
render([], [false]) :-
    !.
render(Pairs, Lines) :-
    once_each(Pairs, Unsorted),
    sort(Unsorted, Lines).

once_each([], []).
once_each([Text-Truth|Pairs], [Line|Lines]) :-
    (   Truth == true
    ->  Line = Text
    ;   atom_concat(Text, ' undefined', Line)
    ),
    skip(Pairs, Text, Rest),
    once_each(Rest, Lines).

skip([Text-_|Pairs], Text, Rest) :-
    !,
    skip(Pairs, Text, Rest).
skip(Rest, _, Rest).

error_lines(Ball, [Line]) :-
    (   Ball = error(Formal, _)
    ->  true
    ;   Formal = Ball
    ),
    text(Formal, Text),
    atom_concat('error: ', Text, Line).

%!  text(+Term, -Text) is det.
%   Text is Term as writeq/1 prints it, its variables named _A, _B, ...
text(Term, Text) :-
    copy_term(Term, Copy, _),
    term_variables(Copy, Variables),
    name_variables(Variables, 0, Names),
    format(atom(Text), '~W',
           [Copy, [quoted(true), numbervars(true), ignore_ops(false), variable_names(Names)]]).

name_variables([], _, []).
name_variables([Variable|Variables], Index, [Name=Variable|Names]) :-
    Letter is 0'A + Index mod 26,
    Round is Index // 26,
    (   Round =:= 0
    ->  format(atom(Name), '_~c', [Letter])
    ;   format(atom(Name), '_~c~d', [Letter, Round])
    ),
    Next is Index + 1,
    name_variables(Variables, Next, Names).

%!  markers(+Case, -Markers) is det.
%   Markers is a list of `limit` and `swi_differs`, for the %! lines of Case.
markers(Case, Markers) :-
    lines(Case, Lines),
    findall(Marker, ( member(Line, Lines), marker(Line, Marker) ), Markers).

marker(Line, limit) :-
    sub_atom(Line, 0, _, _, '%! limit').
marker(Line, swi_differs) :-
    sub_atom(Line, 0, _, _, '%! swi-differs').

%!  queries(+Case, -Queries) is det.
%   Queries are the texts behind `%? `, final dot included.
queries(Case, Queries) :-
    lines(Case, Lines),
    findall(Query, ( member(Line, Lines), atom_concat('%? ', Query, Line) ), Queries).

lines(Case, Lines) :-
    read_file_to_string(Case, String, []),
    split_string(String, "\n", "\r", Strings),
    maplist([S, A]>>atom_string(A, S), Strings, Lines).
