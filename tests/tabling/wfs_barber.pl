% wfs_barber.pl – the barber shaves exactly those who do not shave themselves.
:- table shaves/2.

shaves(barber, X) :- man(X), tnot(shaves(X, X)).
shaves(mayor, mayor).

man(barber).
man(mayor).
man(miller).

%? shaves(barber,barber).
%? shaves(barber,mayor).
%? shaves(barber,miller).
%? shaves(mayor,X).
%? shaves(miller,X).
