% Solutions of a goal in order, in groups, and each once.
:- module(sequences, [ order_by/2, group_by/4, distinct/1, reduced/1, reduced/3 ]).

%!  order_by(+Order, :Goal) is nondet.
%   Order is a list of asc(Term) and desc(Term), the most significant one first. Solutions that are equal in all of them stay
%   in the order in which Goal has them.
order_by(Order, Goal) :-
    must_be(list, Order),
    ( Order == [] -> throw(error(domain_error(non_empty_list, []), _)) ; true ),
    '$sequences_check'(Order),
    term_variables(Goal, Variables),
    Answer =.. [v|Variables],
    '$sequences_terms'(Order, Terms),
    findall(Terms-Answer, Goal, Answers),
    reverse(Order, Reversed),
    length(Order, Last),
    '$sequences_sort'(Reversed, Last, Answers, Sorted),
    '$member'(_-Answer, Sorted).

'$sequences_check'([]).
'$sequences_check'([By|Order]) :-
    must_be(nonvar, By),
    ( ( By = asc(_) ; By = desc(_) ) -> true ; throw(error(domain_error(order_specifier, By), _)) ),
    '$sequences_check'(Order).

'$sequences_terms'([], []).
'$sequences_terms'([By|Order], [Term|Terms]) :- arg(1, By, Term), '$sequences_terms'(Order, Terms).

% A stable sort for each term, the least significant one first.
'$sequences_sort'([], _, Sorted, Sorted).
'$sequences_sort'([By|Order], Place, Answers, Sorted) :-
    '$sequences_keyed'(Answers, Place, Keyed),
    ( By = asc(_) -> sort(1, @=<, Keyed, Keyed1) ; sort(1, @>=, Keyed, Keyed1) ),
    pairs_values(Keyed1, Answers1),
    Before is Place - 1,
    '$sequences_sort'(Order, Before, Answers1, Sorted).

'$sequences_keyed'([], _, []).
'$sequences_keyed'([Terms-Answer|Answers], Place, [Term-(Terms-Answer)|Keyed]) :-
    nth1(Place, Terms, Term),
    '$sequences_keyed'(Answers, Place, Keyed).

%!  group_by(+By, +Template, :Goal, -Bag) is nondet.
%   Bag has the instances of Template for the solutions with the same By, in the order of By.
group_by(By, Template, Goal, Bag) :-
    findall(By-Template, Goal, Pairs),
    Pairs \== [],
    keysort(Pairs, Sorted),
    '$pick'(Sorted, By, Bag).

%!  distinct(:Goal) is nondet.
%   Each solution once, up to renaming of variables. Those that were given are kept until there are no more.
distinct(Goal) :- reduced(Goal, Goal, []).

reduced(Goal) :- reduced(Goal, Goal, []).

%!  reduced(?Witness, :Goal, +Options) is nondet.
%   The first solution for each Witness.
reduced(Witness, Goal, _) :-
    term_variables(Witness, Variables),
    empty_nb_set(Set),
    call(Goal),
    add_nb_set(Variables, Set, true).
