% deep_left_recursion.pl – one table, an answer derived through 10,000 others.
:- table up/1.

up(0).
up(N) :- up(M), M < 10000, N is M + 1.

count(C) :- findall(N, up(N), Ns), length(Ns, C).

%? count(C).
%? up(10000).
%? up(10001).
