% All solutions: bagof, setof and their kin. [ISO] 8.10.

findall(Template, Goal, List) :-
    '$must_be_list_or_partial'(List),
    '$findall'(Template, Goal, List).

findall(Template, Goal, List, Tail) :-
    '$findall'(Template, Goal, Found),
    '$append'(Found, Tail, List).

%!  bagof(+Template, :Goal, -Bag) is nondet.
bagof(Template, Goal, Bag) :-
    '$must_be_list_or_partial'(Bag),
    '$free_variables'(Template, Goal, Inner, Free),
    (   Free == []
    ->  '$findall'(Template, Inner, Bag),
        Bag \== []
    ;   Witness =.. [v|Free],
        '$findall'(Witness-Template, Inner, Pairs),
        keysort(Pairs, Sorted),
        '$pick'(Sorted, Witness, Bag)
    ).

%!  setof(+Template, :Goal, -Set) is nondet.
setof(Template, Goal, Set) :-
    '$must_be_list_or_partial'(Set),
    bagof(Template, Goal, Bag),
    % Set may be free in Goal: a witness that is no list lets setof/3 fail, where sort/2 would throw.
    sort(Bag, Sorted),
    Set = Sorted.

'$free_variables'(Template, Goal, Inner, Free) :-
    '$strip_carets'(Goal, Template, Inner, Bound),
    term_variables(Bound, BoundVariables),
    term_variables(Inner, Variables),
    '$remove_identical'(Variables, BoundVariables, Free).

'$strip_carets'(Goal, Bound, Goal, Bound) :- var(Goal), !.
'$strip_carets'(Variables^Goal, Bound0, Inner, Bound) :-
    !,
    '$strip_carets'(Goal, Variables-Bound0, Inner, Bound).
'$strip_carets'(Module:Goal, Bound0, Inner, Bound) :-
    atom(Module),
    !,
    '$strip_carets'(Goal, Bound0, Inner, Bound).
'$strip_carets'(Goal, Bound, Goal, Bound).

'$remove_identical'([], _, []).
'$remove_identical'([X|Xs], Ys, Zs) :-
    (   '$member_identical'(X, Ys)
    ->  Zs = Zs1
    ;   Zs = [X|Zs1]
    ),
    '$remove_identical'(Xs, Ys, Zs1).

'$member_identical'(X, [Y|Ys]) :- ( X == Y -> true ; '$member_identical'(X, Ys) ).

'$pick'(Pairs, Witness, Bag) :-
    Pairs = [First-_|_],
    '$same_witness'(Pairs, First, Bag1, Rest),
    (   Rest == []
    ->  Witness = First,
        Bag = Bag1
    ;   (   Witness = First,
            Bag = Bag1
        ;   '$pick'(Rest, Witness, Bag)
        )
    ).

'$same_witness'([], _, [], []).
'$same_witness'([W-T|Pairs], Witness, Bag, Rest) :-
    (   W =@= Witness
    ->  W = Witness,
        Bag = [T|Bag1],
        '$same_witness'(Pairs, Witness, Bag1, Rest)
    ;   Rest = [W-T|Rest1],
        '$same_witness'(Pairs, Witness, Bag, Rest1)
    ).

_ ^ Goal :- call(Goal).
