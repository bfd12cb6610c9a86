% mode_min_two_results.pl – a mode for each of two arguments: least cost and greatest gain are kept
% apart, not as pairs.
:- table deal(_, min, max).

deal(a, 3, 10).
deal(a, 2, 7).
deal(a, 5, 12).
deal(b, 1, 1).

%? deal(a,C,G).
%? deal(X,C,G).
