% options.pl – lists of options.

%? option(a(X), [b(1), a(2), a(3)]).
%= X = 2
%? option(a(X), [a = 2]).
%= X = 2
%? option(z(X), [a = 2]).
%= false
%? option(z(X), [a = 2], default).
%= X = default
%? select_option(a(X), [b = 1, a = 2], R).
%= X = 2, R = [b=1]
%? select_option(z(X), [b = 1], R, d).
%= X = d, R = [b=1]
%? merge_options([a(1), b = 2], [c(3), a(4)], M).
%= M = [a(1),b(2),c(3)]
