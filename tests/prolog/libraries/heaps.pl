% heaps.pl – priority queues.

heap(Pairs, Heap) :- list_to_heap(Pairs, Heap).

%? heap([3-c, 1-a, 2-b], _H), heap_to_list(_H, L), heap_size(_H, N).
%= L = [1-a,2-b,3-c], N = 3
%? heap([2-b, 2-a, 2-c], _H), heap_to_list(_H, L).
%= L = [2-c,2-a,2-b]
%? empty_heap(_H), heap_to_list(_H, L), heap_size(_H, N), is_heap(_H).
%= L = [], N = 0
%? empty_heap(_H), get_from_heap(_H, P, K, _).
%= false
%? singleton_heap(_H, 4, x), add_to_heap(_H, 3, y, _H1), min_of_heap(_H1, P, K), heap_size(_H1, N).
%= P = 3, K = y, N = 2
%? heap([3-c, 1-a, 2-b], _H), get_from_heap(_H, P, K, _H1), heap_to_list(_H1, L).
%= P = 1, K = a, L = [2-b,3-c]
%? heap([3-c, 1-a, 2-b], _H), min_of_heap(_H, P1, K1, P2, K2).
%= P1 = 1, K1 = a, P2 = 2, K2 = b
%? heap([3-c], _H), min_of_heap(_H, P1, K1, P2, K2).
%= false
%? heap([3-c, 1-a, 2-b, 5-d], _H), delete_from_heap(_H, P, b, _H1), heap_to_list(_H1, L), heap_size(_H1, N).
%= P = 2, L = [1-a,3-c,5-d], N = 3
%? heap([3-c, 1-a], _H), delete_from_heap(_H, P, z, _).
%= false
%? heap([3-c, 1-a], _H), delete_from_heap(_H, P, a, _H1), heap_to_list(_H1, L).
%= P = 1, L = [3-c]
%? heap([3-c, 1-a], _H1), heap([2-b, 0-z], _H2), merge_heaps(_H1, _H2, _H), heap_to_list(_H, L), heap_size(_H, N).
%= L = [0-z,1-a,2-b,3-c], N = 4
%? heap([1-a, 1.0-b, x-c, f(x)-e], _H), heap_to_list(_H, L).
%= L = [1.0-b,1-a,x-c,f(x)-e]
%? numlist(1, 40, _Ns), empty_heap(_H0), foldl([N, A, B]>>( P is N * 7 mod 41, add_to_heap(A, P, N, B) ), _Ns, _H0, _H), is_heap(_H), heap_to_list(_H, _L), pairs_keys(_L, Ks).
%= Ks = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]
%? is_heap(_).
%= false
%? is_heap(heap(x, 1)).
%= false
