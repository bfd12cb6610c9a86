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
%? merge_options([a = b, c(a, b)], [a(d), c(x), c(x, y)], M).
%= M = [a(b),c(x),c(a,b)]
%? merge_options([], [b(1), a(2), b(3)], M).
%= M = [b(1),a(2),b(3)]
%? merge_options([a(1), a(2)], [a(3), b = 4], M).
%= M = [a(1),a(2),b(4)]
%? merge_options([_], [], M).
%= error: instantiation_error
%? option(a(X, Y), [a(1), a(2, 3)]).
%= X = 2, Y = 3
%? option(a(X, Y), [b(1)], d).
%= X = d
%? option(a(1), [a(2), a(1)]).
%= false
%? select_option(a(X, Y), [b, a(1, 2)], R).
%= X = 1, Y = 2, R = [b]
%? option(_, []).
%= error: instantiation_error
