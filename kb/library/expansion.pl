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
%   Goal and the goals in its control constructs, replaced as long as goal_expansion/2 gives others. A goal that comes
%   from itself is not replaced again, so that circles end.
expand_goal(Goal, Expanded) :- '$expand_goal'([], Goal, Expanded).

'$expand_goal'(_, Goal, Expanded) :- var(Goal), !, Expanded = Goal.
'$expand_goal'(Seen, Goal, Expanded) :-
    \+ ( member(Other, Seen), Other == Goal ),
    '$expansion_of'(goal_expansion, Goal, Found),
    Found \== Goal,
    !,
    '$expand_goal'([Goal|Seen], Found, Expanded).
'$expand_goal'(Seen, Goal, Expanded) :-
    functor(Goal, Name, Arity),
    '$meta_predicate'(Name, Arity, Meta),
    !,
    Goal =.. [Name|Arguments],
    Meta =.. [Name|Kinds],
    maplist('$expand_argument'(Seen), Kinds, Arguments, ExpandedArguments),
    Expanded =.. [Name|ExpandedArguments].
'$expand_goal'(_, Goal, Goal).

'$expand_argument'(Seen, 0, Goal, Expanded) :- !, '$expand_goal'(Seen, Goal, Expanded).
'$expand_argument'(_, _, Argument, Argument).

%   By the program, if it has such a predicate.
'$expansion_of'(Name, Term, Expanded) :-
    Goal =.. [Name, Term, Expanded],
    catch(Goal, error(existence_error(procedure, Name/2), _), fail),
    !.
