% user_operators.pl – a directive changes how the next clause is read.
:- op(700, xfx, ===>).
a ===> b.
:- op(200, xf, ++), op(900, fy, [maybe, perhaps]).
a ++ ===> b, maybe perhaps c ===> d.
:- op(0, xfx, ===>).
===>(a, b).
