% Goals whose end is observed, and solutions in portions, as in SWI-Prolog.
:- module(control, [setup_call_catcher_cleanup/4, findnsols/4, findnsols/5]).

%!  setup_call_catcher_cleanup(:Setup, :Goal, +Catcher, :Cleanup) is nondet.
%   As setup_call_cleanup/3, but Cleanup runs only if Catcher unifies with how Goal ended: exit, fail, ! (it was cut) or
%   exception(Error).
setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup) :-
    once(Setup),
    '$must_be_callable'(Cleanup),
    End = end(fail),
    setup_call_cleanup(true, '$observed'(Goal, End), '$caught'(End, Catcher, Cleanup)),
    % If this is reached and the cleanup has not run, a cut is what can end the goal; failure takes this back.
    setarg(1, End, !).

'$observed'(Goal, End) :-
    catch(Goal, Error, ( nb_setarg(1, End, exception(Error)), throw(Error) )),
    setarg(1, End, exit).

'$caught'(end(Reason), Catcher, Cleanup) :- ( Reason = Catcher -> ignore(Cleanup) ; true ).

%!  findnsols(+Count, @Template, :Goal, -List) is nondet.
%   Lists of at most Count solutions, one after the other.
findnsols(Count, Template, Goal, List) :- findnsols(Count, Template, Goal, List, []).

findnsols(Count, Template, Goal, List, Rest) :-
    '$must_be_count'(Count),
    % The goal's bindings are its own, as in findall/3, though it may go on.
    copy_term(Template-Goal, Own-OwnGoal),
    Found = found(0, []),
    (   call_cleanup(OwnGoal, Last = true),
        arg(1, Found, Before),
        arg(2, Found, Solutions),
        Number is Before + 1,
        nb_setarg(1, Found, Number),
        nb_setarg(2, Found, [Own|Solutions]),
        Number =:= Count,
        ( Last == true -> ! ; true ),
        '$taken'(Found, List, Rest)
    ;   '$taken'(Found, List, Rest)
    ).

'$taken'(Found, List, Rest) :-
    arg(2, Found, Solutions),
    '$reversed_onto'(Solutions, Rest, List),
    nb_setarg(1, Found, 0),
    nb_setarg(2, Found, []).

'$reversed_onto'([], List, List).
'$reversed_onto'([X|Xs], Rest, List) :- '$reversed_onto'(Xs, [X|Rest], List).
