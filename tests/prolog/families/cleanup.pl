% cleanup.pl – cleanups run once, as soon as their goal is finished: without choice points, failed, cut or thrown out of.

:- dynamic note/1.

noted(Goal, Notes) :- retractall(note(_)), ignore(Goal), findall(N, note(N), Notes).

%? noted(setup_call_cleanup(S = 42, fail, assertz(note(S))), L).
%= L = [42]
%? catch(call_cleanup(throw(a), throw(b)), E, true).
%= E = a
%? noted((setup_call_cleanup(true, member(X, [1, 2, 3]), assertz(note(done))), assertz(note(X)), X >= 2, !), L).
%= X = 2, L = [1,2,done]
%? noted((setup_call_cleanup(true, member(X, [1, 2]), assertz(note(done))), assertz(note(X)), fail), L).
%= L = [1,done,2]
%? noted(catch((setup_call_cleanup(true, member(_, [1, 2]), assertz(note(c))), throw(x)), E, assertz(note(E))), L).
%= E = x, L = [c,x]
%? noted(\+ \+ setup_call_cleanup(true, member(_, [1, 2]), assertz(note(c))), L).
%= L = [c]
%? noted((setup_call_cleanup(true, (member(X, [1, 2]), setup_call_cleanup(true, member(_, [1, 2]), assertz(note(in(X))))), assertz(note(out))), !), L).
%= X = 1, L = [in(1),out]
%? catch((setup_call_cleanup(true, member(_, [1, 2]), throw(inner)), !), E, true).
%= E = inner
%? setup_call_cleanup(true, member(X, [1, 2]), true).
%= X = 1
%= X = 2
