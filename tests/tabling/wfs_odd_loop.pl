% wfs_odd_loop.pl – a proposition that denies itself.
:- table p/0.

p :- tnot(p).

%? p.
