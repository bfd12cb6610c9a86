% negation_ground_in_scc.pl – negation inside a recursive predicate, but of instances that come
% before: stratified by its data (locally), not by its predicates.
:- table even/1.

even(0).
even(N) :- N > 0, M is N - 1, tnot(even(M)).

%? even(0).
%? even(7).
%? even(100).
