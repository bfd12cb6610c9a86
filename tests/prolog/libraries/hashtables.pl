% hashtables.pl – tables that are changed in place and restored by backtracking.

count(Table, Word) :- ( ht_update(Table, Word, Old, New) -> New is Old + 1 ; ht_put(Table, Word, 1) ).

%? ht_new(_T), ht_put(_T, a, 1), ht_put(_T, b, 2), ht_put(_T, a, 3), ht_pairs(_T, L), ht_size(_T, N).
%= L = [a-3,b-2], N = 2
%? ht_new(_T), ht_get(_T, a, V).
%= false
%? ht_pairs(_T, [b-1, a-2]), ht_get(_T, b, V), ht_keys(_T, _Ks), msort(_Ks, Ks).
%= V = 1, Ks = [a,b]
%? ht_pairs(_T, [a-1]), ht_put_new(_T, a, 2).
%= false
%? ht_pairs(_T, [a-1]), ht_put_new(_T, b, 2), findall(K-V, ht_gen(_T, K, V), _L), msort(_L, L).
%= L = [a-1,b-2]
%? ht_pairs(_T, [a-1, b-2]), ht_del(_T, a, V), ht_pairs(_T, L), ht_size(_T, N).
%= V = 1, L = [b-2], N = 1
%? ht_pairs(_T, [a-1]), ht_del(_T, b, V).
%= false
%? ht_new(_T), ht_put(_T, k, [x|R], [], R), ht_put(_T, k, [y|S], [], S), ht_get(_T, k, V).
%= R = [], S = [x], V = [y,x]
%? ht_new(_T), maplist(count(_T), [the, cat, the]), ht_pairs(_T, L).
%= L = [cat-1,the-2]
%? ht_pairs(_T, [a-1]), ( ht_put(_T, a, 2), ht_put(_T, b, 3), fail ; ht_pairs(_T, L) ).
%= L = [a-1]
%? ht_new(_T), forall(member(_X, [a]), ht_put(_T, _X, 1)), ht_size(_T, N).
%= N = 0
%? ht_new(_T), numlist(1, 50, _Ns), maplist(ht_put(_T), _Ns, _Ns), ht_keys(_T, _Ks), msort(_Ks, _Ns), ht_size(_T, N), ht_is_hashtable(_T).
%= N = 50
