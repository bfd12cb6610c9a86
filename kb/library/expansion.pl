% What is read, translated before it is loaded, as in SWI-Prolog: by term_expansion/2 and goal_expansion/2 of the program,
% and grammar rules by the system.
:- module(expansion, [expand_term/2, expand_goal/2]).

%!  expand_term(+Term, -Expanded) is det.
%   What is loaded in place of Term: a clause, a directive, or a list of these.
expand_term(Term, Expanded) :- var(Term), !, Expanded = Term.
expand_term(Term, Expanded) :-
    '$expansion_of'(term_expansion, Term, Found),
    !,
    '$expand_sentences'(Found, Expanded).
expand_term(Term, Expanded) :- '$expand_sentence'(Term, Expanded).

'$expand_sentences'(Sentences, Expanded) :- is_list(Sentences), !, maplist('$expand_sentence', Sentences, Expanded).
'$expand_sentences'(Sentence, Expanded) :- '$expand_sentence'(Sentence, Expanded).

'$expand_sentence'(Sentence, Expanded) :- var(Sentence), !, Expanded = Sentence.
'$expand_sentence'((Head --> Body), Expanded) :-
    !,
    dcg_translate_rule((Head --> Body), Clause),
    '$expand_sentence'(Clause, Expanded).
'$expand_sentence'((Head :- Body), (Head :- Expanded)) :- !, expand_goal(Body, Expanded).
'$expand_sentence'((:- Goal), (:- Expanded)) :- !, expand_goal(Goal, Expanded).
'$expand_sentence'(Sentence, Sentence).

%!  expand_goal(+Goal, -Expanded) is det.
%   Goal and the goals in its control constructs, replaced as long as goal_expansion/2 gives others.
expand_goal(Goal, Expanded) :- var(Goal), !, Expanded = Goal.
expand_goal(Goal, Expanded) :-
    '$expansion_of'(goal_expansion, Goal, Found),
    Found \== Goal,
    !,
    expand_goal(Found, Expanded).
expand_goal(Goal, Expanded) :-
    '$expansion_goals'(Goal, Goals, Expanded, Inner),
    !,
    maplist(expand_goal, Goals, Inner).
expand_goal(Goal, Goal).

%   A construct, the goals in it, and the same construct of other goals.
'$expansion_goals'((A, B), [A, B], (C, D), [C, D]).
'$expansion_goals'((A ; B), [A, B], (C ; D), [C, D]).
'$expansion_goals'((A -> B), [A, B], (C -> D), [C, D]).
'$expansion_goals'((A *-> B), [A, B], (C *-> D), [C, D]).
'$expansion_goals'(\+ A, [A], \+ C, [C]).
'$expansion_goals'(call(A), [A], call(C), [C]).
'$expansion_goals'(once(A), [A], once(C), [C]).
'$expansion_goals'(ignore(A), [A], ignore(C), [C]).
'$expansion_goals'(forall(A, B), [A, B], forall(C, D), [C, D]).
'$expansion_goals'(findall(X, A, Xs), [A], findall(X, C, Xs), [C]).
'$expansion_goals'(catch(A, E, B), [A, B], catch(C, E, D), [C, D]).

%   By the program, if it has such a predicate.
'$expansion_of'(Name, Term, Expanded) :-
    Goal =.. [Name, Term, Expanded],
    catch(Goal, error(existence_error(procedure, Name/2), _), fail),
    !.
