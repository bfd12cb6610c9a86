% points_to.pl – pointer analysis, the classic use: four rules, all mutually recursive.
:- table points/2, heap/2.

points(V, O) :- new(V, O).
points(V, O) :- copy(V, W), points(W, O).
points(V, O) :- load(V, W), points(W, P), heap(P, O).
heap(P, O) :- store(V, W), points(V, P), points(W, O).

new(a, o1).
new(b, o2).
copy(c, a).
copy(a, c).
store(c, b).
load(d, a).
load(b, d).

%? points(d,X).
%? points(b,X).
%? heap(X,Y).
