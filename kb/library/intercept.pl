% Signals that a goal sends to the handlers that it is run under, without leaving it.
:- module(intercept,
          [ intercept/3, intercept/4, intercept_all/4, nb_intercept_all/4, send_signal/1, send_silent_signal/1 ]).

%!  intercept(:Goal, +Ball, :Handler) is nondet.
%   While Goal runs, a copy of Handler is called for each signal that unifies with that of Ball and that no handler further
%   inside takes. A handler itself runs under the handlers around it.
intercept(Goal, Ball, Handler) :- '$intercept_under'(Goal, handler(Ball, Handler)).

%!  intercept(:Goal, +Ball, :Handler, +Argument) is nondet.
%   The copy of Handler is called with Argument, which is not copied.
intercept(Goal, Ball, Handler, Argument) :- '$intercept_under'(Goal, handler(Ball, Handler, Argument)).

% What was set is undone when Goal is backtracked into, or left by an exception.
'$intercept_under'(Goal, Handler) :-
    '$intercept_handlers'(Handlers),
    b_setval('$intercept', [Handler|Handlers]),
    call(Goal),
    b_setval('$intercept', Handlers).

'$intercept_handlers'(Handlers) :- ( nb_current('$intercept', Handlers0) -> Handlers = Handlers0 ; Handlers = [] ).

%!  send_signal(+Signal) is semidet.
%   Throws unintercepted_signal(Signal) as an error if no handler takes it.
send_signal(Signal) :-
    must_be(nonvar, Signal),
    '$intercept_handlers'(Handlers),
    (   '$intercept_find'(Handlers, Signal, Goal, Outer)
    ->  '$intercept_call'(Goal, Outer, Handlers)
    ;   throw(error(unintercepted_signal(Signal), _))
    ).

%!  send_silent_signal(+Signal) is semidet.
%   As send_signal/1, but nothing is done if no handler takes it.
send_silent_signal(Signal) :-
    must_be(nonvar, Signal),
    '$intercept_handlers'(Handlers),
    ( '$intercept_find'(Handlers, Signal, Goal, Outer) -> '$intercept_call'(Goal, Outer, Handlers) ; true ).

'$intercept_find'([Handler|Handlers], Signal, Goal, Outer) :-
    (   '$intercept_goal'(Handler, Signal, Goal0)
    ->  Goal = Goal0,
        Outer = Handlers
    ;   '$intercept_find'(Handlers, Signal, Goal, Outer)
    ).

'$intercept_goal'(handler(Ball, Handler), Signal, Goal) :- copy_term(Ball-Handler, Signal-Goal).
'$intercept_goal'(handler(Ball, Handler, Argument), Signal, call(Goal, Argument)) :- copy_term(Ball-Handler, Signal-Goal).

'$intercept_call'(Goal, Outer, Handlers) :-
    b_setval('$intercept', Outer),
    call(Goal),
    b_setval('$intercept', Handlers).

%!  intercept_all(+Template, :Goal, +Ball, -List) is nondet.
%   List has Template for each signal that unifies with Ball, of this solution of Goal.
intercept_all(Template, Goal, Ball, List) :-
    State = list([]),
    intercept(Goal, Ball, '$intercept_add'(Template), State),
    arg(1, State, Reversed),
    reverse(Reversed, List).

'$intercept_add'(X, State) :- arg(1, State, Xs), setarg(1, State, [X|Xs]).

%!  nb_intercept_all(+Template, :Goal, +Ball, -List) is nondet.
%   As intercept_all/4, but with the signals of what Goal has backtracked from.
nb_intercept_all(Template, Goal, Ball, List) :-
    State = list([]),
    intercept(Goal, Ball, '$intercept_nb_add'(Template), State),
    arg(1, State, Reversed),
    reverse(Reversed, List).

'$intercept_nb_add'(X, State) :- arg(1, State, Xs), nb_setarg(1, State, [X|Xs]).
