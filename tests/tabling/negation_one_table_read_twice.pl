% negation_one_table_read_twice.pl – one table is read positively by a stratum and negatively by the
% two above it, the second time with another binding pattern.
:- table leaf/1, inner/1, edge_in/2.

edge_in(X, Y) :- arc(X, Y).
edge_in(X, Y) :- arc(Y, X), both(Y, X).
inner(X) :- edge_in(X, _).
leaf(X) :- node(X), \+ inner(X).

lonely(X) :- leaf(X), \+ edge_in(_, X).

node(1).
node(2).
node(3).
node(4).
arc(1, 2).
arc(2, 3).
both(2, 3).

%? leaf(X).
%? inner(X).
%? lonely(X).
