% many_answers.pl – one table with 5,000 answers, each found twice.
:- table n/1.

n(X) :- between(1, 5000, X).
n(X) :- between(1, 5000, Y), X is 5001 - Y.

count(N) :- findall(X, n(X), Xs), length(Xs, N).

%? count(N).
%? n(5000).
%? n(5001).
