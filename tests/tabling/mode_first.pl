% mode_first.pl – the first answer for a key is kept, later ones are dropped.
:- table pick(_, first).

pick(a, 1).
pick(a, 2).
pick(b, 3).
pick(b, 1).

%? pick(a,X).
%? pick(K,X).
