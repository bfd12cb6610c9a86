% expansion.pl – sentences and goals that a program translates.
term_expansion(double(X), [first(X), second(X)]).
term_expansion(gone, []).
term_expansion(grammar(X), (word --> [X])).
goal_expansion(twice(G), (G, G)).
:- dynamic(count/1).
count(0).
double(1).
gone.
grammar(w).
up :- twice(step).
step :- retract(count(N)), M is N + 1, assertz(count(M)).
nine(1, 2, 3, 4, 5, 6, 7, 8, 9).
:- meta_predicate both(0, ?), nothing(?).
aggregate_all(own, X, X).
asked(X) :- aggregate_all(own, twice(a), X).
declared(X) :- both(twice(a), X).
both(X, X).

%? asked(X), declared(Y).
%= X = twice(a), Y = (a,a)
%~ the second is qualified by its module
%? predicate_property(both(_, _), meta_predicate(M)).
%= M = both(0,?)
%? predicate_property(aggregate_all(_, _, _), meta_predicate(_)).
%= false
%? meta_predicate(3).
%= error: type_error(callable,3)
%? first(X), second(Y).
%= X = 1, Y = 1
%? catch(double(_), error(existence_error(procedure, _), _), fail).
%= false
%? catch(gone, error(existence_error(procedure, _), _), fail).
%= false
%? word([w|R], S).
%= S = R
%? up, count(N).
%= N = 2
%? expand_term((a --> b), X), X = (a(x, y) :- B).
%= X = (a(x,y):-b(x,y)), B = b(x,y)
%~ SWI-Prolog declares the nonterminal, too.
%? expand_term((a, [x] --> b), X), X = (a(y, z) :- B), B = (b(y, w), _).
%= X = (a(y,z):-b(y,w),z=[x|w]), B = (b(y,w),z=[x|w])
%~ SWI-Prolog declares the nonterminal, too.
%? expand_term(foo, X).
%= X = foo
%? expand_goal((twice(a) ; \+ twice(b)), X).
%= X = (a,a;\+ (b,b))
%~ In SWI-Prolog the expansion is that of a module.
%? setup_call_catcher_cleanup(true, true, C, true).
%= C = exit
%? setup_call_catcher_cleanup(true, fail, C, (nb_setval(how, C))) ; nb_getval(how, X).
%= X = fail
%? catch(setup_call_catcher_cleanup(true, throw(a), C, nb_setval(how, C)), _, nb_getval(how, X)).
%= X = exception(a)
%? setup_call_catcher_cleanup(true, member(_, [1, 2]), C, nb_setval(how, C)), !, nb_getval(how, X).
%= C = !, X = !
%? findnsols(2, X, member(X, [a, b, c, d, e]), Xs).
%= Xs = [a,b]
%= Xs = [c,d]
%= Xs = [e]
%? findnsols(2, X, member(X, [a, b]), Xs).
%= Xs = [a,b]
%? call(format, string(S), "~w", [x]).
%= S = "x"
%? call(nine, 1, 2, 3, 4, 5, 6, 7, 8, X).
%= X = 9
%? current_predicate(word//N).
%= N = 0
%? phrase({}, [a], R).
%= R = [a]
%~ In SWI-Prolog 9.0.4 it is a nonterminal, in later versions no condition.
