% database.pl – clause retrieval, creation and destruction [ISO 8.8, 8.9].

:- dynamic cat/0, legs/2, counter/1.

cat.
legs(A, 6) :- insect(A).
legs(spider, 8).

insect(ant).
insect(bee).

counter(1).
counter(2).
counter(3).

%? clause(cat, true).
%= true
%? clause(legs(X, 6), B).
%= B = insect(X)
%? clause(legs(spider, N), B).
%= N = 6, B = insect(spider)
%= N = 8, B = true
%? clause(_, _).
%= error: instantiation_error
%? clause(4, _).
%= error: type_error(callable,4)
%? clause(cat, 5).
%= error: type_error(callable,5)
%~ SWI-Prolog fails.
%? clause(atom(_), _).
%= error: permission_error(access,private_procedure,atom/1)
%? clause(none_such, _).
%= false
%? current_predicate(insect/A).
%= A = 1
%? current_predicate(none_such/_).
%= false
%? current_predicate(4).
%= error: type_error(predicate_indicator,4)
%? current_predicate(foo/a).
%= error: type_error(predicate_indicator,foo/a)
%? catch(current_predicate(4/_), error(type_error(predicate_indicator, 4/_), _), true).
%= true
%? asserta(counter(0)), counter(X), !.
%= X = 0
%? assertz(counter(4)), findall(X, counter(X), L).
%= L = [0,1,2,3,4]
%? counter(_), assertz(counter(5)), fail ; findall(X, counter(X), L).
%= L = [0,1,2,3,4,5,5,5,5,5]
%? retract(counter(5)), !, findall(X, counter(X), L).
%= L = [0,1,2,3,4,5,5,5,5]
%? retractall(counter(5)), findall(X, counter(X), L).
%= L = [0,1,2,3,4]
%? retract(counter(X)), X >= 3, !.
%= X = 3
%? findall(X, counter(X), L).
%= L = [4]
%? retractall(new_one(_)), new_one(1).
%= false
%? assertz(_).
%= error: instantiation_error
%? assertz(4).
%= error: type_error(callable,4)
%? assertz((foo :- 4)).
%= error: type_error(callable,4)
%? assertz((_ :- true)).
%= error: instantiation_error
%? assertz((4 :- true)).
%= error: type_error(callable,4)
%? assertz((foo :- a, 4)).
%= error: type_error(callable,(a,4))
%? assertz((atom(_) :- true)).
%= error: permission_error(modify,static_procedure,atom/1)
%? asserta((true :- fail)).
%= error: permission_error(modify,static_procedure,true/0)
%? assertz((a, b)).
%= error: permission_error(modify,static_procedure,(',')/2)
%? assertz(insect(fly)).
%= error: permission_error(modify,static_procedure,insect/1)
%~ SWI-Prolog names the module.
%? retract((_ :- true)).
%= error: instantiation_error
%? retract((4 :- true)).
%= error: type_error(callable,4)
%? retract((atom(_) :- true)).
%= error: permission_error(modify,static_procedure,atom/1)
%? retract(insect(ant)).
%= error: permission_error(modify,static_procedure,insect/1)
%~ SWI-Prolog says access and private_procedure.
%? retractall(_).
%= error: instantiation_error
%? retractall(3).
%= error: type_error(callable,3)
%? retractall(insect(_)).
%= error: permission_error(modify,static_procedure,insect/1)
%~ SWI-Prolog names the module.
%? abolish(foo/a).
%= error: type_error(integer,a)
%? abolish(foo/(-1)).
%= error: domain_error(not_less_than_zero,-1)
%? abolish(foo/_).
%= error: instantiation_error
%? abolish(_).
%= error: instantiation_error
%? abolish(4/2).
%= error: type_error(atom,4)
%? abolish(foo).
%= error: type_error(predicate_indicator,foo)
%? abolish(atom/1).
%= error: permission_error(modify,static_procedure,atom/1)
%? abolish(insect/1).
%= error: permission_error(modify,static_procedure,insect/1)
%~ SWI-Prolog abolishes static procedures unless its flag iso is set.
%? abolish(cat/0), clause(cat, _).
%= false

% Clauses by reference.
:- dynamic referenced/1.
referenced(a).
referenced(b) :- fail.
%? clause(referenced(X), B, R), clause(H, C, R), H-C == referenced(X)-B, fail ; N = all.
%= N = all
%? clause(referenced(b), B, R), clause(H, C, R), R = other.
%= false
:- multifile(scattered/1).
%? predicate_property(scattered(_), multifile).
%= true
%? predicate_property(findall(_, _, _), meta_predicate(M)).
%= M = findall(?,0,-)
%? predicate_property(call(_, _, _), meta_predicate(M)).
%= M = call(2,?,?)
%? current_predicate(f/ -1).
%= error: type_error(predicate_indicator,f/ -1)
%~ SWI-Prolog: domain_error(not_less_than_zero,-1)
% A predicate of the program is no meta predicate by its name.
include(_, _, _).
%? predicate_property(include(_, _, _), meta_predicate(_)).
%= false
%? predicate_property(exclude(_, _, _), meta_predicate(M)).
%= M = exclude(1,+,-)
