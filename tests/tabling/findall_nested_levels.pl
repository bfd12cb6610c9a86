% findall_nested_levels.pl – aggregation over aggregation: each level collects from the one below.
:- table size/2, total/2.

part(car, wheel, 4).
part(car, engine, 1).
part(wheel, bolt, 5).
part(engine, bolt, 20).

size(X, 1) :- basic(X).
size(X, N) :- \+ basic(X), total(X, N).
total(X, N) :- findall(M, ( part(X, Y, K), size(Y, S), M is K * S ), Ms), sum(Ms, N).

basic(bolt).

sum([], 0).
sum([X|Xs], S) :- sum(Xs, T), S is X + T.

%? size(car,N).
%? size(engine,N).
