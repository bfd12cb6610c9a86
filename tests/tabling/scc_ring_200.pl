% scc_ring_200.pl – an SCC of 200 tables, each the consumer of the next.
:- table path/2.

path(X, Y) :- edge(X, Y).
path(X, Y) :- edge(X, Z), path(Z, Y).

edge(X, Y) :- between(1, 200, X), Y is X mod 200 + 1.

count(X, N) :- findall(Y, path(X, Y), Ys), length(Ys, N).

%? count(1,N).
%? count(100,N).
%? path(200,1).
%? path(200,201).
