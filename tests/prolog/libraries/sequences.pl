% sequences.pl – solutions in order and in groups.

item(2, b, x).
item(1, a, y).
item(2, a, z).
item(1, a, x).

%? order_by([asc(N)], item(N, A, _)).
%= N = 1, A = a
%= N = 1, A = a
%= N = 2, A = b
%= N = 2, A = a
%? order_by([desc(N), asc(A)], item(N, A, _)).
%= N = 2, A = a
%= N = 2, A = b
%= N = 1, A = a
%= N = 1, A = a
%? order_by([asc(A), desc(N)], item(N, A, B)).
%= A = a, N = 2, B = z
%= A = a, N = 1, B = y
%= A = a, N = 1, B = x
%= A = b, N = 2, B = x
%? order_by([], item(N, A, _)).
%= error: domain_error(non_empty_list,[])
%? order_by([up], item(_, _, _)).
%= error: domain_error(order_specifier,up)
%? order_by([_], item(_, _, _)).
%= error: instantiation_error
%? group_by(N, A, item(N, A, _), L).
%= N = 1, L = [a,a]
%= N = 2, L = [b,a]
%? group_by(N-A, B, item(N, A, B), L).
%= N = 1, A = a, L = [y,x]
%= N = 2, A = a, L = [z]
%= N = 2, A = b, L = [x]
%? group_by(N, A, item(N, A, none), L).
%= false
%? distinct(( item(N, A, _B) )).
%= N = 2, A = b
%= N = 1, A = a
%= N = 2, A = a
%= N = 1, A = a
%? distinct(member(X, [a, f(_), b, f(_), a])), nonvar(X), X \= f(_).
%= X = a
%= X = b
%? reduced(N, item(N, A, B), []).
%= N = 2, A = b, B = x
%= N = 1, A = a, B = y
