% nb_sets.pl – sets that stay when their program backtracks.

%? empty_nb_set(_S), add_nb_set(b, _S), add_nb_set(a, _S, N1), add_nb_set(b, _S, N2), nb_set_to_list(_S, L), size_nb_set(_S, N).
%= N1 = true, N2 = false, L = [a,b], N = 2
%? empty_nb_set(_S), ( member(_X, [c, a, b, a]), add_nb_set(_X, _S), fail ; gen_nb_set(_S, X) ).
%= X = a
%= X = b
%= X = c
%? empty_nb_set(_S), add_nb_set(f(_, a), _S), add_nb_set(f(_, a), _S, N1), add_nb_set(f(_X, _X), _S, N2).
%= N1 = false, N2 = true
%? empty_nb_set(_S), add_nb_set(a, _S, false).
%= false
%? empty_nb_set(_S), add_nb_set(a, _S), add_nb_set(a, _S, true).
%= false
%? empty_nb_set(_S), forall(between(1, 100, _N), ( _M is _N mod 60, add_nb_set(_M, _S) )), size_nb_set(_S, N), nb_set_to_list(_S, _L), numlist(0, 59, _L).
%= N = 60
