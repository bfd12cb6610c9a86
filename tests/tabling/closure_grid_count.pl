% closure_grid_count.pl – many paths, few answers: 400 nodes, 35345263800 ways through the grid.
:- table reach/1.

reach(1-1).
reach(P) :- reach(Q), step(Q, P).

step(X-Y, X1-Y) :- X < 20, X1 is X + 1.
step(X-Y, X-Y1) :- Y < 20, Y1 is Y + 1.

count(N) :- findall(P, reach(P), Ps), length(Ps, N).

%? count(N).
%? reach(20-20).
%? reach(21-1).
