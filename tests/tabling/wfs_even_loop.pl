% wfs_even_loop.pl – two propositions that exclude each other: two stable models, both
% undefined here.
:- table p/0, q/0.

p :- tnot(q).
q :- tnot(p).

%? p.
%? q.
