% Messages by topic, which a program can turn on and off.
:- module(debugging, [ debug/3, debug/1, nodebug/1, debugging/1, debugging/2 ]).

%!  debug(+Topic, +Format, :Arguments) is det.
%   Prints a message if the topic is on.
debug(Topic, Format, Arguments) :-
    ( debugging(Topic) -> print_message(debug(Topic), format(Format, Arguments)) ; true ).

%!  debug(+Topic) is det.
debug(Topic) :- '$debugging_set'(Topic, true).

%!  nodebug(+Topic) is det.
nodebug(Topic) :- '$debugging_set'(Topic, false).

% All topics that unify, and this one if it is new. Nothing was set as long as there is no such predicate, which clause/2
% takes for one without clauses.
'$debugging_set'(Topic, Value) :-
    findall(Known, ( clause('$debugging_topic'(Known, _), true), Known = Topic ), Topics),
    forall('$member'(Known, [Topic|Topics]), '$debugging_replace'(Known, Value)).

'$debugging_replace'(Topic, Value) :-
    forall(( clause('$debugging_topic'(Known, _), true, Reference), Known =@= Topic ), erase(Reference)),
    assertz('$debugging_topic'(Topic, Value)).

%!  debugging(?Topic) is nondet.
%   The topic is on.
debugging(Topic) :- debugging(Topic, true).

%!  debugging(?Topic, ?Value) is nondet.
debugging(Topic, Value) :-
    findall(Known-Value0, clause('$debugging_topic'(Known, Value0), true), Topics),
    '$member'(Topic-Value, Topics),
    ( ground(Topic) -> ! ; true ).
