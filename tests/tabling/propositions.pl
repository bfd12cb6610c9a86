% propositions.pl – tables without arguments: an answer is yes or nothing, and positive loops
% do not prove themselves.
:- table a/0, b/0, c/0, d/0.

a :- b.
b :- a.
c :- a.
c :- d.
d.

%? a.
%? b.
%? c.
%? d.
