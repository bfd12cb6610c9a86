% lists_append.pl – append both ways: a whole list from two, and all ways to split one.
:- table app/3.

app([], L, L).
app([X|L], M, [X|N]) :- app(L, M, N).

%? app([a,b],[c],X).
%? app(X,Y,[a,b,c]).
%? app(X,[c],[a,b,c]).
%? app([a],X,Y).
