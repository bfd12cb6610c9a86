% assoc.pl – association lists: AVL trees, as deep as those of SWI-Prolog.

%? list_to_assoc([a-1], A).
%= A = t(a,1,-,t,t)
%? list_to_assoc([a-1, b-2, c-3, d-4, e-5, f-6], A).
%= A = t(d,4,-,t(b,2,-,t(a,1,-,t,t),t(c,3,-,t,t)),t(f,6,<,t(e,5,-,t,t),t))
%? list_to_assoc([a-1, a-2], A).
%= error: domain_error(unique_key_pairs,[a-1,a-2])
%? list_to_assoc([a], A).
%= error: type_error(pair,a)
%? ord_list_to_assoc([b-1, a-2], A).
%= error: domain_error(key_ordered_pairs,[b-1,a-2])
%? list_to_assoc([a-1], A), put_assoc(b, A, 2, B), put_assoc(c, B, 3, C).
%= A = t(a,1,-,t,t), B = t(a,1,>,t,t(b,2,-,t,t)), C = t(b,2,-,t(a,1,-,t,t),t(c,3,-,t,t))
%? list_to_assoc([a-1], A), put_assoc(a, A, 2, B).
%= A = t(a,1,-,t,t), B = t(a,2,-,t,t)
%? foldl([K, A0, A1]>>put_assoc(K, A0, x, A1), [g, c, f, a, e, b, d], t, A).
%= A = t(c,x,>,t(a,x,>,t,t(b,x,-,t,t)),t(f,x,<,t(e,x,<,t(d,x,-,t,t),t),t(g,x,-,t,t)))
%? list_to_assoc([a-1, b-2], A), get_assoc(b, A, V).
%= A = t(b,2,<,t(a,1,-,t,t),t), V = 2
%? list_to_assoc([a-1, b-2], A), get_assoc(c, A, V).
%= false
%? list_to_assoc([a-1, b-2], A), gen_assoc(K, A, V).
%= A = t(b,2,<,t(a,1,-,t,t),t), K = a, V = 1
%= A = t(b,2,<,t(a,1,-,t,t),t), K = b, V = 2
%? list_to_assoc([c-3, a-1, b-2], A), assoc_to_list(A, L), assoc_to_keys(A, Ks), assoc_to_values(A, Vs).
%= A = t(b,2,-,t(a,1,-,t,t),t(c,3,-,t,t)), L = [a-1,b-2,c-3], Ks = [a,b,c], Vs = [1,2,3]
%? list_to_assoc([a-1, b-2, c-3, d-4], A), del_assoc(d, A, V, B).
%= A = t(c,3,<,t(b,2,<,t(a,1,-,t,t),t),t(d,4,-,t,t)), V = 4, B = t(b,2,-,t(a,1,-,t,t),t(c,3,-,t,t))
%? list_to_assoc([a-1, b-2, c-3, d-4], A), del_min_assoc(A, K, V, B), del_max_assoc(B, K2, V2, C).
%= A = t(c,3,<,t(b,2,<,t(a,1,-,t,t),t),t(d,4,-,t,t)), K = a, V = 1, B = t(c,3,-,t(b,2,-,t,t),t(d,4,-,t,t)), K2 = d, V2 = 4, C = t(c,3,<,t(b,2,-,t,t),t)
%? list_to_assoc([a-1, b-2, c-3], A), max_assoc(A, K, V), min_assoc(A, K2, V2).
%= A = t(b,2,-,t(a,1,-,t,t),t(c,3,-,t,t)), K = c, V = 3, K2 = a, V2 = 1
%? list_to_assoc([a-1, b-2], A), map_assoc([X, Y]>>(Y is X * 2), A, B).
%= A = t(b,2,<,t(a,1,-,t,t),t), B = t(b,4,<,t(a,2,-,t,t),t)
%? list_to_assoc([a-1, b-2], A), map_assoc(integer, A).
%= A = t(b,2,<,t(a,1,-,t,t),t)
%? empty_assoc(A), get_assoc(a, A, V).
%= false
%? get_assoc(a, _, _).
%= error: instantiation_error
%? numlist(1, 7, _Ns), foldl([N, A0, A1]>>put_assoc(N, A0, x, A1), _Ns, t, _A), del_assoc(4, _A, _, _B), del_assoc(3, _B, _, C).
%= C = t(2,x,>,t(1,x,-,t,t),t(6,x,-,t(5,x,-,t,t),t(7,x,-,t,t)))
%? numlist(1, 6, _Ns), foldl([N, A0, A1]>>put_assoc(N, A0, x, A1), _Ns, t, _A), del_assoc(4, _A, _, B).
%= B = t(3,x,-,t(2,x,<,t(1,x,-,t,t),t),t(5,x,>,t,t(6,x,-,t,t)))
