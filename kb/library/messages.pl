% Messages to the user, as in SWI-Prolog: a term, made lines of by the program's grammar message//1, is written to
% user_error unless the program's message_hook/3 takes it.
:- module(messages, [ print_message/2, print_message_lines/3, message_to_lines/2 ]).

%!  print_message(+Kind, +Message) is det.
%   Kind is error, warning, informational, help, information, debug(Topic), banner or silent.
print_message(Kind, Message) :-
    message_to_lines(Message, Lines),
    (   '$message_hook'(Message, Kind, Lines)
    ->  true
    ;   '$message_prefix'(Kind, Prefix)
    ->  print_message_lines(user_error, Prefix, Lines)
    ;   true
    ).

'$message_hook'(Message, Kind, Lines) :-
    catch(message_hook(Message, Kind, Lines), error(existence_error(procedure, message_hook/3), _), fail),
    !.

'$message_prefix'(error, 'ERROR: ').
'$message_prefix'(warning, 'Warning: ').
'$message_prefix'(informational, '% ').
'$message_prefix'(debug(_), '% ').
'$message_prefix'(help, '').
'$message_prefix'(information, '').

%!  message_to_lines(+Message, -Lines) is det.
%   The parts of a message: nl, texts, and Format-Arguments.
message_to_lines(Message, Lines) :- var(Message), !, Lines = ['Unknown message: ~p'-[Message]].
message_to_lines(Message, Lines) :-
    catch(message(Message, Lines, []), error(existence_error(procedure, message/3), _), fail),
    !.
message_to_lines(format(Format, Arguments), [Format-Arguments]) :- !.
message_to_lines(error(Formal, _), ['~p'-[Formal]]) :- !.
message_to_lines(Message, ['Unknown message: ~p'-[Message]]).

%!  print_message_lines(+Stream, +Prefix, +Lines) is det.
%   Each line begins with the prefix.
print_message_lines(_, _, []) :- !.
print_message_lines(Stream, Prefix, Lines) :- write(Stream, Prefix), '$message_parts'(Lines, Stream, Prefix).

'$message_parts'([], Stream, _) :- nl(Stream).
'$message_parts'([nl], Stream, _) :- !, nl(Stream).
'$message_parts'([nl|Parts], Stream, Prefix) :-
    !,
    nl(Stream),
    write(Stream, Prefix),
    '$message_parts'(Parts, Stream, Prefix).
'$message_parts'([Part|Parts], Stream, Prefix) :- '$message_part'(Part, Stream), '$message_parts'(Parts, Stream, Prefix).

'$message_part'(Part, Stream) :- var(Part), !, print(Stream, Part).
'$message_part'(Format-Arguments, Stream) :- !, format(Stream, Format, Arguments).
'$message_part'(ansi(_, Format, Arguments), Stream) :- !, format(Stream, Format, Arguments).
'$message_part'(url(Location), Stream) :- !, print(Stream, Location).
'$message_part'(begin(_, _), _) :- !.
'$message_part'(end(_), _) :- !.
'$message_part'(flush, Stream) :- !, flush_output(Stream).
'$message_part'(at_same_line, _) :- !.
'$message_part'(Format, Stream) :- format(Stream, Format, []).
