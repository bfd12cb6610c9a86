% rbtrees.pl – red-black trees.

is_even(X) :- X mod 2 =:= 0.
pair_up(Key-Value, Pairs0, [Key/Value|Pairs0]).
up_or_down(X, Y) :- Y is X + 1.
up_or_down(X, Y) :- Y is X - 1.
numbered(Low, High, _T) :- numlist(Low, High, Ns), rb_new(T0), foldl([N, A, B]>>rb_insert(A, N, x, B), Ns, T0, _T).

%? rb_new(_T), rb_visit(_T, L), rb_size(_T, N).
%= L = [], N = 0
%? rb_empty(_T), ( rb_min(_T, _, _) ; rb_max(_T, _, _) ; rb_del_min(_T, _, _, _) ; rb_in(_, _, _T) ).
%= false
%? list_to_rbtree([c-3, a-1, b-2], _T), rb_visit(_T, L), rb_keys(_T, Ks), rb_size(_T, N).
%= L = [a-1,b-2,c-3], Ks = [a,b,c], N = 3
%? list_to_rbtree([a-1], _T), rb_lookup(a, V, _T).
%= V = 1
%? list_to_rbtree([a-1], _T), rb_lookup(b, V, _T).
%= false
%? list_to_rbtree([a-1, b-2, c-3], _T), rb_in(K, V, _T).
%= K = a, V = 1
%= K = b, V = 2
%= K = c, V = 3
%? list_to_rbtree([a-1, b-2, c-3], _T), rb_insert(_T, b, x, _T1), rb_insert(_T1, d, y, _T2), rb_visit(_T2, L).
%= L = [a-1,b-x,c-3,d-y]
%? list_to_rbtree([a-1, b-2], _T), rb_insert_new(_T, b, x, _).
%= false
%? list_to_rbtree([a-1, b-2], _T), rb_insert_new(_T, aa, x, _T1), rb_visit(_T1, L).
%= L = [a-1,aa-x,b-2]
%? list_to_rbtree([a-1, b-2], _T), rb_update(_T, b, 3, _T1), rb_update(_T1, b, Old, 4, _T2), rb_visit(_T2, L).
%= Old = 3, L = [a-1,b-4]
%? list_to_rbtree([a-1, b-2], _T), rb_update(_T, c, 3, _).
%= false
%? list_to_rbtree([a-1, b-2], _T), rb_apply(_T, b, up_or_down, _T1), rb_visit(_T1, L).
%= L = [a-1,b-3]
%= L = [a-1,b-1]
%? list_to_rbtree([a-1, b-2], _T), rb_delete(_T, a, _T1), rb_delete(_T1, b, V, _T2), rb_visit(_T1, L1), rb_visit(_T2, L2).
%= V = 2, L1 = [b-2], L2 = []
%? list_to_rbtree([a-1, b-2], _T), rb_delete(_T, c, _).
%= false
%? list_to_rbtree([a-1, b-2, c-3], _T), rb_del_min(_T, K1, V1, _T1), rb_del_max(_T1, K2, V2, _T2), rb_visit(_T2, L).
%= K1 = a, V1 = 1, K2 = c, V2 = 3, L = [b-2]
%? list_to_rbtree([a-1, b-2, c-3], _T), rb_min(_T, K1, V1), rb_max(_T, K2, V2), rb_next(_T, a, K3, _), rb_previous(_T, c, K4, _).
%= K1 = a, V1 = 1, K2 = c, V2 = 3, K3 = b, K4 = b
%? list_to_rbtree([a-1, b-2, c-3], _T), ( rb_next(_T, c, K, _) ; rb_next(_T, bb, K, _) ; rb_previous(_T, a, K, _) ).
%= false
%? list_to_rbtree([a-1, b-2], _T), rb_map(_T, up_or_down, _T1), rb_visit(_T1, L).
%= L = [a-2,b-3]
%= L = [a-2,b-1]
%= L = [a-0,b-3]
%= L = [a-0,b-1]
%? list_to_rbtree([a-2, b-4], _T), rb_map(_T, is_even).
%= true
%? list_to_rbtree([a-1, b-2, c-3], _T), rb_partial_map(_T, [a, c], succ, _T1), rb_visit(_T1, L).
%= L = [a-2,b-2,c-4]
%? list_to_rbtree([a-1, b-2, c-3], _T), rb_partial_map(_T, [c, a], succ, _).
%= false
%? list_to_rbtree([a-1, b-2, c-3], _T), rb_fold(pair_up, _T, [], L).
%= L = [c/3,b/2,a/1]
%? list_to_rbtree([a-1, b-2], _T), rb_clone(_T, _T1, L), L = [_-x, _-y], rb_lookup(a, V, _T1).
%= L = [a-x,b-y], V = x
%? numbered(1, 25, _T), is_rbtree(_T), rb_size(_T, N).
%= N = 25
%? numbered(1, 25, _T), forall(between(1, 25, _N), ( rb_delete(_T, _N, _T1), is_rbtree(_T1), \+ rb_lookup(_N, _, _T1) )).
%= true
%? numlist(1, 20, _Ns), numbered(1, 20, _T), foldl([N, A, B]>>( rb_delete(A, N, B), is_rbtree(B) ), _Ns, _T, _T1), rb_keys(_T1, L).
%= L = []
%? list_to_rbtree([_A-1, m-2], _T), _A = z, rb_keys(_T, L), ( is_rbtree(_T) -> X = yes ; X = no ).
%= L = [z,m], X = no
%? is_rbtree(_).
%= false
%? is_rbtree(foo).
%= false
%? rb_keys(foo, []).
%= error: existence_error(matching_rule,rbtrees:rb_keys(foo,[]))
%? catch(rb_visit(_, _), error(existence_error(K, rbtrees:_), _), true).
%= K = matching_rule
%? list_to_rbtree(_, _).
%= error: instantiation_error
