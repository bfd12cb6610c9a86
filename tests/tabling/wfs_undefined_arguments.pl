% wfs_undefined_arguments.pl – undefined answers carry values like others, and are joined like others.
:- table colour/2, same/2.

colour(X, red) :- item(X), tnot(colour(X, blue)).
colour(X, blue) :- item(X), tnot(colour(X, red)).
colour(c, green).

same(X, Y) :- item(X), item(Y), X @< Y, colour(X, C), colour(Y, C).

item(a).
item(b).

%? colour(a,red).
%? colour(b,blue).
%? colour(c,C).
%? same(X,Y).
