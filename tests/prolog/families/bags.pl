% bags.pl – solutions with variables keep their order, and variables of a bag are those of the goal.

b(1, f(_)).
b(2, f(_)).

%? bagof(X, b(X, Y), L), Y = f(z).
%= Y = f(z), L = [1,2]
%? L = [_, _, _], bagof(X, member(X, L), Xs), Xs == L, L = [1, 2, 3].
%= L = [1,2,3], Xs = [1,2,3]
%? findall(X, member(X, [A, B, A]), [X1, X2, X3]), X1 @< X2, X2 @< X3.
%= true
