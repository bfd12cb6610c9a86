% references.pl – clauses by reference, hashes, flags of a program's own, indicators of grammars.
:- dynamic(fact/1).
:- dynamic(word//1).

%? findall(X, (assertz(fact(1), R), assertz(fact(2)), asserta(fact(0), _), erase(R), fact(X)), Xs).
%= Xs = [0,2]
%? findall(X, (assertz(fact(3), R), clause(fact(X), true, R)), Xs).
%= Xs = [3]
%? predicate_property(word(_, _, _), dynamic).
%= true
%? term_hash(f(_), H).
%= true
%? term_hash(f(a), H), integer(H), fail.
%= false
%? variant_hash(f(X, Y), A), variant_hash(f(_, _), B), A == B, fail.
%= false
%? variant_hash(f(X, X), A), variant_hash(f(_, _), B), A == B.
%= false
%? create_prolog_flag(own_flag, 1, []), current_prolog_flag(own_flag, X).
%= X = 1
%? set_prolog_flag(own_flag, 2), current_prolog_flag(own_flag, X).
%= X = 2
%? open_null_stream(S), write(S, text), close(S), fail.
%= false
%? is_most_general_term(f(_, _)).
%= true
%? is_most_general_term([_|_]).
%= false
%? term_string(X, "f(Y, _Z, Y)", [variable_names([_ = 1, N = 2])]).
%= X = f(1,2,1), N = '_Z'
%? assertz((p(1) => q(1))).
%= error: domain_error(clause,(p(1)=>q(1)))
%~ SWI-Prolog has such rules.
