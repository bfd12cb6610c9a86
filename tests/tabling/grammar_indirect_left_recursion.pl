% grammar_indirect_left_recursion.pl – a -> b x | y, b -> a z: the left recursion passes through
% another nonterminal.
:- table a/2, b/2.

a(S0, S) :- b(S0, S1), S1 = [x|S].
a([y|S], S).
b(S0, S) :- a(S0, S1), S1 = [z|S].

%? a([y,z,x,z,x],S).
%? a([y,z,x],[]).
%? b([y,z],[]).
%? a([x],S).
