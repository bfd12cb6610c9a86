% aggregate.pl – counts, sums and best answers.

age(ann, 30).
age(bob, 41).
age(cid, 30).

%? aggregate_all(count, age(_, _), N).
%= N = 3
%? aggregate_all(count, fail, N).
%= N = 0
%? aggregate_all(max(A), age(_, A), M).
%= M = 41
%? aggregate_all(min(A), age(_, A), M).
%= M = 30
%? aggregate_all(max(A, W), age(W, A), M).
%= M = max(41,bob)
%? aggregate_all(min(A, W), age(W, A), M).
%= M = min(30,ann)
%? aggregate_all(max(A), fail, M).
%= false
%? aggregate_all(sum(A), age(_, A), S).
%= S = 101
%? aggregate_all(bag(A), age(_, A), L).
%= L = [30,41,30]
%? aggregate_all(set(A), age(_, A), L).
%= L = [30,41]
%? aggregate_all(r(count, max(A), bag(W)), age(W, A), R).
%= R = r(3,41,[ann,bob,cid])
%? aggregate_all(count, A, age(_, A), N).
%= N = 2
%? aggregate_all(sum(A), A, age(_, A), N).
%= N = 71
%? aggregate(count, age(W, A), N).
%= W = ann, A = 30, N = 1
%= W = bob, A = 41, N = 1
%= W = cid, A = 30, N = 1
%? aggregate(count, W^age(W, A), N).
%= A = 30, N = 2
%= A = 41, N = 1
%? aggregate(max(A, W), age(W, A), M).
%= M = max(41,bob)
%? aggregate(count, fail, N).
%= false
%? aggregate_all(_, true, _).
%= error: instantiation_error
%? foreach(member(X, [1, 2]), member(X-Y, [1-a, 2-a])).
%= Y = a
%~ SWI-Prolog gives the answer twice.
