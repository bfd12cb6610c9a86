% grammar_hidden_left_recursion.pl – s -> n s x | x, where n may be empty: the left recursion shows
% only after n has vanished.
:- table s/2, n/2.

s(S0, S) :- n(S0, S1), s(S1, S2), S2 = [x|S].
s([x|S], S).
n(S, S).
n([n|S], S).

%? s([x,x,x],S).
%? s([n,x,x],S).
%? s([n,n,x],S).
