% scc_ring_both_ways.pl – a ring that can be walked in both directions: every table of the SCC
% depends on two others.
:- table reach/2.

reach(X, Y) :- link(X, Y).
reach(X, Y) :- link(X, Z), reach(Z, Y).

link(X, Y) :- edge(X, Y).
link(X, Y) :- edge(Y, X).

edge(X, Y) :- between(1, 40, X), Y is X mod 40 + 1.

count(N) :- findall(Y, reach(1, Y), Ys), length(Ys, N).
all(N) :- findall(X-Y, ( between(1, 40, X), reach(X, Y) ), Ps), length(Ps, N).

%? count(N).
%? all(N).
