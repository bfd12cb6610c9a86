/*  flux.pl – the kernel of special FLUX: what holds in a state, and how states are updated.

    Purpose
        Programs that `flux translate --to flux` writes run over this kernel, as do programs written
        by hand in its style. Load it before them.

    Source
        M. Thielscher: Reasoning Robots, Springer 2005, chapter 2 (special FLUX): the predicates and
        the order of their arguments. The clauses are this project's own; they take states to be
        ground, which those of games always are.

    Representation
        A state is a list of ground fluents without duplicates, in any order: the state
        f1 ∘ ... ∘ fn is [f1, ..., fn], the empty state is []. A fluent is a term of the game:
        on(a,b), step(1).
*/

%!  holds(?Fluent, +State) is nondet.
%
%   The fluent holds in the state; fluents with variables are bound to one instance after another.
%
%       ?- holds(on(X, a), [clear(b), on(b, a)]).
%       X = b.

holds(Fluent, State) :-
    ground(Fluent),
    !,                          % There is one instance, and it is in the state once.
    memberchk(Fluent, State).
holds(Fluent, State) :-
    member(Fluent, State).

%!  holds(?Fluent, +State, -Rest) is nondet.
%
%   The fluent holds in the state, and this is what the state holds besides.

holds(Fluent, State, Rest) :-
    ground(Fluent),
    !,                          % As above.
    without(State, Fluent, Rest).
holds(Fluent, [Fluent|Rest], Rest).
holds(Fluent, [Other|State], [Other|Rest]) :-
    holds(Fluent, State, Rest).

%!  without(+State, +Fluent, -Rest) is semidet.
%
%   Takes a ground fluent out of a state that holds it.

without([First|State], Fluent, Rest) :-
    (   First == Fluent
    ->  Rest = State
    ;   Rest = [First|Others],
        without(State, Fluent, Others)
    ).

%!  minus(+State1, +Negative, -State2) is det.
%
%   State2 is State1 without the fluents of the list Negative; those that do not hold are ignored.

minus(State, [], State).
minus(State1, [Fluent|Negative], State2) :-
    (   without(State1, Fluent, State)
    ->  true
    ;   State = State1
    ),
    minus(State, Negative, State2).

%!  plus(+State1, +Positive, -State2) is det.
%
%   State2 is State1 with the fluents of the list Positive; those that hold are not added again.

plus(State, [], State).
plus(State1, [Fluent|Positive], State2) :-
    (   memberchk(Fluent, State1)
    ->  State = State1
    ;   State = [Fluent|State1]
    ),
    plus(State, Positive, State2).

%!  update(+State1, +Positive, +Negative, -State2) is det.
%
%   State2 = State1 − Negative + Positive: a fluent that is in both lists holds in State2.
%
%       ?- update([table(b), clear(a), step(1)], [on(b,a), step(2)],
%                 [table(b), clear(a), step(1)], Z).
%       Z = [step(2), on(b, a)].

update(State1, Positive, Negative, State2) :-
    minus(State1, Negative, State),
    plus(State, Positive, State2).
