% binding_specific_first.pl – the general call comes after the special ones and must not be taken
% for complete because they are.
:- table reach/2.

reach(X, Y) :- edge(X, Y).
reach(X, Y) :- reach(X, Z), edge(Z, Y).

edge(a, b).
edge(b, a).
edge(c, d).

%? reach(a,b).
%? reach(a,d).
%? reach(X,d).
%? reach(X,Y).
