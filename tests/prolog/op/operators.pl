% operators.pl – operators and flags [ISO 8.14.3, 8.14.4, 8.17].

%? op(700, xfx, ===>).
%= true
%? current_op(P, T, ===>).
%= P = 700, T = xfx
%? op(0, xfx, ===>), current_op(_, _, ===>).
%= false
%? op(_, xfx, foo).
%= error: instantiation_error
%? op(30, _, foo).
%= error: instantiation_error
%? op(30, xfy, _).
%= error: instantiation_error
%? op(a, xfx, foo).
%= error: type_error(integer,a)
%? op(1201, xfx, foo).
%= error: domain_error(operator_priority,1201)
%? op(-1, xfx, foo).
%= error: domain_error(operator_priority,-1)
%? op(30, 1, foo).
%= error: type_error(atom,1)
%? op(30, yfy, foo).
%= error: domain_error(operator_specifier,yfy)
%? op(30, xfy, 1).
%= error: type_error(list,1)
%? op(30, xfy, [opa|_]).
%= error: instantiation_error
%? op(30, xfy, [opa, 1]).
%= error: type_error(atom,1)
%? op(30, xfy, [opa|b]).
%= error: type_error(list,[opa|b])
%~ SWI-Prolog names the tail.
%? op(30, xfy, ',').
%= error: permission_error(modify,operator,',')
%? op(30, xfy, '|').
%= error: permission_error(create,operator,'|')
%? op(1100, fy, '|').
%= error: permission_error(create,operator,'|')
%? op(30, xfy, []).
%= error: permission_error(create,operator,[])
%~ In SWI-Prolog [] is an empty list of names.
%? op(30, xfy, '{}').
%= error: permission_error(create,operator,{})
%~ SWI-Prolog allows it.
%? op(200, xfy, after), op(200, xf, after).
%= error: permission_error(create,operator,after)
%~ SWI-Prolog lets an atom be an infix and a postfix operator.
%? current_op(P, xfy, ',').
%= P = 1000
%? current_op(P, T, mod).
%= P = 400, T = yfx
%? current_op(P, T, is).
%= P = 700, T = xfx
%? current_op(P, fy, -).
%= P = 200
%? current_op(1201, _, _).
%= error: domain_error(operator_priority,1201)
%? current_op(a, _, _).
%= error: domain_error(operator_priority,a)
%~ SWI-Prolog tells the type from the domain.
%? current_op(_, yfy, _).
%= error: domain_error(operator_specifier,yfy)
%? current_op(_, 0, _).
%= error: domain_error(operator_specifier,0)
%~ SWI-Prolog tells the type from the domain.
%? current_op(_, _, 1).
%= error: type_error(atom,1)
%? current_prolog_flag(bounded, X).
%= X = false
%? current_prolog_flag(max_integer, X).
%= X = 9223372036854775807
%~ SWI-Prolog has no such flag, since integers have no bound; here it is the largest integer of one word.
%? current_prolog_flag(1, _).
%= error: type_error(atom,1)
%  DIVERGENCE: the standard wants domain_error(prolog_flag, ...). Programs ask for flags of one
%  system to find out where they run, so it fails as in SWI-Prolog.
%? current_prolog_flag(no_such_flag, _).
%= false
%? current_prolog_flag(dialect, X), atom(X).
%= X = flux
%~ another one
%? set_prolog_flag(debug, trace).
%= error: domain_error(flag_value,debug+trace)
%~ SWI-Prolog: type_error(bool,trace)
%? set_prolog_flag(unknown, warning), current_prolog_flag(unknown, X), \+ no_such_procedure ; set_prolog_flag(unknown, error).
%= X = warning
%= true
%? set_prolog_flag(unknown, fail), no_such_procedure ; set_prolog_flag(unknown, error).
%= true
%? set_prolog_flag(_, true).
%= error: instantiation_error
%? set_prolog_flag(unknown, _).
%= error: instantiation_error
%? set_prolog_flag(1, true).
%= error: type_error(atom,1)
%? set_prolog_flag(no_such_flag, true).
%= error: domain_error(prolog_flag,no_such_flag)
%~ SWI-Prolog makes the flag.
%? set_prolog_flag(unknown, maybe).
%= error: domain_error(flag_value,unknown+maybe)
%~ SWI-Prolog names the flag as the domain.
%? set_prolog_flag(bounded, false).
%= error: permission_error(modify,flag,bounded)
%? halt(_).
%= error: instantiation_error
%? halt(a).
%= error: type_error(integer,a)
