% expansion.pl – terms as a program expands them.

term_expansion(pair(X), [X, (X --> [])]).
goal_expansion(old(X), new(X)).
goal_expansion(there(X), back(X)).
goal_expansion(back(X), there(X)).

%? expand_term(p(x), T).
%= T = p(x)
%? expand_term(_, T).
%= true
%? expand_term((a --> b), T), T = (a(x, y) :- B).
%= T = (a(x,y):-b(x,y)), B = b(x,y)
%~ SWI-Prolog puts a directive non_terminal/1 before the clause
%? expand_term(pair(a), [T1, T2]), T2 = (a(x, y) :- B).
%= T1 = a, T2 = (a(x,y):-x=y), B = (x=y)
%~ SWI-Prolog puts a directive non_terminal/1 before the clause
%? expand_goal((old(1), \+ old(2) ; p), G).
%= G = (new(1),\+new(2);p)
%~ the hook of SWI-Prolog is that of the module user
%? expand_goal(p(old(1)), G).
%= G = p(old(1))
% A circle ends where it began.
%? expand_goal((there(1), p), G).
%= G = (there(1),p)
%? expand_goal((3, "text", X), G).
%= G = (3,"text",X)
