% mode_min_then_test.pl – a test on a moded answer stands outside the table: inside, it would see
% values that are not yet the least.
:- table dist(_, min).

dist(home, 0).
dist(X, D) :- road(Y, X), dist(Y, E), D is E + 1.

near(X, N) :- dist(X, D), D =< N.

road(home, shop).
road(shop, home).
road(shop, park).
road(home, park).
road(park, lake).

%? dist(park,D).
%? dist(X,D).
%? near(X,1).
