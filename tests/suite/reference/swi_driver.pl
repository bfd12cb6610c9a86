% swi_driver.pl – prints the outcomes of the queries of a file of random programs, in SWI-Prolog.
% A query is `query(Most, Goal)`; `%? query` begins its outcomes, `%= ` each of at most Most of them.

:- initialization(main, main).
:- set_prolog_flag(occurs_check, false).
:- style_check(-singleton).
:- style_check(-no_effect).

main :-
    current_prolog_flag(argv, [File]),
    load_files(user:File, [silent(true)]),
    forall(user:clause(query(Most, Goal), true), outcomes(Most, Goal)).

outcomes(Most, Goal) :-
    format("%? query~n"),
    Count = count(0),
    (   Most =:= 0
    ->  true
    ;   catch(limited(Most, Goal, Count), Ball, ended(Ball))
    ->  true
    ;   format("%= no more~n")
    ).

limited(Most, Goal, Count) :-
    call_with_inference_limit(answer(Most, Goal, Count), 2000000, Result),
    (   Result == inference_limit_exceeded
    ->  format("%= limit~n")
    ;   true
    ).

answer(Most, Goal, Count) :-
    call(user:Goal),
    line(Goal),
    arg(1, Count, Before),
    Now is Before + 1,
    nb_setarg(1, Count, Now),
    Now >= Most.

ended(error(Formal, _)) :- !, copy_term(Formal, Copy), line(error(Copy), 'throws ').
ended(Ball) :- line(Ball, 'throws ').

line(Term) :- line(Term, '').
line(Term, Prefix) :-
    \+ \+ ( numbervars(Term, 0, _),
            format("%= ~w", [Prefix]),
            write_term(Term, [quoted(true), ignore_ops(true), numbervars(true)]),
            nl ).
