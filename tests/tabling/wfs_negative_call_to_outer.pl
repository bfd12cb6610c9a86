% wfs_negative_call_to_outer.pl – an inner goal negates the one that called it, with a proof by another
% way below: the outer one is true.
:- table outer/0, inner/0, other/0.

outer :- inner.
inner :- tnot(outer).
inner :- other.
other :- tnot(outer), tnot(other).
other :- tnot(never).

:- table never/0.
never :- never.

%? outer.
%? inner.
%? other.
