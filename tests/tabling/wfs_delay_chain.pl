% wfs_delay_chain.pl – simplification runs through a chain: settling the last literal settles
% all before it.
:- table a/0, b/0, c/0, d/0, e/0, f/0.

a :- tnot(b), tnot(f).
b :- tnot(a), tnot(c).
c :- tnot(d).
d :- tnot(e), tnot(c).
e :- tnot(f).
f :- f.

% f false, e true, d false, c true, b false, a true.
%? a.
%? b.
%? c.
%? d.
%? e.
