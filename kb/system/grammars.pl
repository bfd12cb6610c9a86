% Definite clause grammars: translation to clauses, phrase/2,3.

phrase(Body, List) :- phrase(Body, List, []).

phrase(Body, List, Rest) :-
    ( string(Body) -> true ; '$must_be_callable'(Body) ),
    '$must_be_list_or_partial'(List),
    '$must_be_list_or_partial'(Rest),
    '$dcg_body'(Body, S0, S, Goal),
    S0 = List,
    S = Rest,
    call(Goal).

%!  dcg_translate_rule(+Rule, -Clause) is det.
dcg_translate_rule(Rule, Clause) :- '$dcg_rule'(Rule, Clause).

'$dcg_rule'((Head --> _), _) :- var(Head), !, throw(error(instantiation_error, _)).
'$dcg_rule'((Module:Head --> Body), Clause) :- atom(Module), !, '$dcg_rule'((Head --> Body), Clause).
'$dcg_rule'(((Head, Pushback) --> Body), (Head1 :- Goal)) :-
    !,
    '$dcg_nonterminal'(Head, S0, S, Head1),
    '$dcg_body'(Body, S0, S1, Goal1),
    '$dcg_body'(Pushback, S, S1, Goal2),
    Goal = (Goal1, Goal2).
'$dcg_rule'((Head --> Body), (Head1 :- Goal)) :-
    '$dcg_nonterminal'(Head, S0, S, Head1),
    '$dcg_body'(Body, S0, S, Goal).

'$dcg_nonterminal'(Head, S0, S, Head1) :-
    '$must_be_callable'(Head),
    Head =.. Parts,
    '$append'(Parts, [S0, S], Parts1),
    Head1 =.. Parts1.

'$dcg_body'(Body, S0, S, phrase(Body, S0, S)) :- var(Body), !.
'$dcg_body'((A, B), S0, S, (GoalA, GoalB)) :- !, '$dcg_body'(A, S0, S1, GoalA), '$dcg_body'(B, S1, S, GoalB).
'$dcg_body'((A ; B), S0, S, (GoalA ; GoalB)) :- !, '$dcg_body'(A, S0, S, GoalA), '$dcg_body'(B, S0, S, GoalB).
'$dcg_body'((A | B), S0, S, (GoalA ; GoalB)) :- !, '$dcg_body'(A, S0, S, GoalA), '$dcg_body'(B, S0, S, GoalB).
'$dcg_body'((A -> B), S0, S, (GoalA -> GoalB)) :- !, '$dcg_body'(A, S0, S1, GoalA), '$dcg_body'(B, S1, S, GoalB).
'$dcg_body'((A *-> B), S0, S, (GoalA *-> GoalB)) :- !, '$dcg_body'(A, S0, S1, GoalA), '$dcg_body'(B, S1, S, GoalB).
'$dcg_body'(\+ A, S0, S, (\+ GoalA, S0 = S)) :- !, '$dcg_body'(A, S0, _, GoalA).
'$dcg_body'(!, S0, S, (!, S0 = S)) :- !.
'$dcg_body'([], S0, S, S0 = S) :- !.
'$dcg_body'({}, S0, S, S0 = S) :- !.
'$dcg_body'({Goal}, S0, S, (Goal, S0 = S)) :- !.
'$dcg_body'(List, S0, S, Goal) :- '$is_list_cell'(List), !, '$dcg_terminals'(List, S0, S, Goal).
'$dcg_body'(String, S0, S, Goal) :- string(String), !, string_codes(String, Codes), '$dcg_terminals'(Codes, S0, S, Goal).
'$dcg_body'(Module:Body, S0, S, Goal) :- atom(Module), !, '$dcg_body'(Body, S0, S, Goal).
'$dcg_body'(call(Goal), S0, S, call(Goal, S0, S)) :- !.
'$dcg_body'(Call, S0, S, Goal) :- Call =.. [call|Parts], Parts = [_|_], !, '$append'([call|Parts], [S0, S], All), Goal =.. All.
'$dcg_body'(NonTerminal, S0, S, Goal) :- '$dcg_nonterminal'(NonTerminal, S0, S, Goal).

'$is_list_cell'([_|_]).

'$dcg_terminals'(String, S0, S, Goal) :- string(String), !, string_codes(String, Codes), '$dcg_terminals'(Codes, S0, S, Goal).
'$dcg_terminals'(List, S0, S, S0 = Full) :- '$append'(List, S, Full).
