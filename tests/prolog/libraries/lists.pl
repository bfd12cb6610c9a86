% lists.pl – lists, pairs and ordered sets beyond those that are always there.

%? same_length([a, b], L), L = [c, d].
%= L = [c,d]
%? nextto(X, Y, [1, 2, 3]).
%= X = 1, Y = 2
%= X = 2, Y = 3
%? max_member(@=<, M, [1, 3, 2]).
%= M = 3
%? min_member(@>=, M, [1, 3, 2]).
%= M = 3
%? clumped([a, a, b, a], P).
%= P = [a-2,b-1,a-1]
%? is_set([a, b]), \+ is_set([a, a]).
%= true
%? group_pairs_by_key([a-1, a-2, b-3, a-4], G).
%= G = [a-[1,2],b-[3],a-[4]]
%? transpose_pairs([a-2, b-1], T).
%= T = [1-b,2-a]
%? map_list_to_pairs(atom_length, [abc, d], P).
%= P = [3-abc,1-d]
%? foldl([A, B, C, D, S0, S]>>(S is S0 + A * B * C * D), [1, 2], [3, 4], [5, 6], [7, 8], 0, R).
%= R = 489
%? convlist([X, Y]>>(X > 1, Y is X * X), [1, 2, 3], L).
%= L = [4,9]
%? partition([X, C]>>compare(C, X, 2), [1, 2, 3], L, E, G).
%= L = [1], E = [2], G = [3]
%? ord_union([1, 3], [2, 3, 4], U, N).
%= U = [1,2,3,4], N = [2,4]
%? ord_symdiff([1, 3], [2, 3, 4], S).
%= S = [1,2,4]
%? ord_disjoint([1, 3], [2, 4]).
%= true
%? ord_union([[b], [a, c]], U).
%= U = [a,b,c]
%? selectchk(b, [a, b, c, b], x, L).
%= L = [a,x,c,b]
%? proper_length([a|_], N).
%= false
%? ord_intersection([a, b, c], [b, d], I, N).
%= I = [b], N = [d]
%? ord_intersection([], [b, d], I, N).
%= I = [], N = [b,d]
%? ord_union([1.0, a, c], [b, c], U).
%= U = [1.0,a,b,c]
%? ord_subtract([a, b, c], [b, d], S), ord_intersection([a, b, c], [b, c, d], I).
%= S = [a,c], I = [b,c]
%? ord_subset([a, c], [a, b, c]), \+ ord_subset([a, d], [a, b, c]).
%= true
%? ord_memberchk(b, [a, b, c]), \+ ord_memberchk(bb, [a, b, c]).
%= true
%? ord_add_element([a, c], b, S1), ord_add_element([a, c], c, S2), ord_del_element([a, c], a, S3).
%= S1 = [a,b,c], S2 = [a,c], S3 = [c]
%? list_to_set([b, a, b, 1, 1.0, a], S).
%= S = [b,a,1,1.0]
%? list_to_set([a|b], S).
%= error: type_error(list,[a|b])
