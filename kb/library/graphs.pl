% Directed graphs: pairs of each vertex and the ordered set of its neighbours, in the order of the vertices.
:- module(graphs,
          [ vertices_edges_to_ugraph/3, vertices/2, edges/2, add_vertices/3, del_vertices/3, add_edges/3, del_edges/3,
            transpose_ugraph/2, neighbours/3, neighbors/3, complement/2, compose/3, ugraph_union/3, reachable/3,
            transitive_closure/2, top_sort/2, ugraph_layers/2, connect_ugraph/3
          ]).

vertices_edges_to_ugraph(Vertices, Edges, Graph) :-
    findall(V, ( '$member'(A-B, Edges), ( V = A ; V = B ) ), Ends),
    append(Vertices, Ends, All),
    sort(All, Sorted),
    sort(Edges, Ordered),
    '$graphs_rows'(Sorted, Ordered, Graph).

% The edges are in order, so that those of a vertex stand in front when it is its turn.
'$graphs_rows'([], _, []).
'$graphs_rows'([V|Vs], Edges, [V-Neighbours|Graph]) :-
    '$graphs_from'(Edges, V, Neighbours, Rest),
    '$graphs_rows'(Vs, Rest, Graph).

'$graphs_from'([A-B|Edges], V, [B|Neighbours], Rest) :- A == V, !, '$graphs_from'(Edges, V, Neighbours, Rest).
'$graphs_from'(Rest, _, [], Rest).

vertices(Graph, Vertices) :- pairs_keys(Graph, Vertices).

edges(Graph, Edges) :- findall(V-W, ( '$member'(V-Ws, Graph), '$member'(W, Ws) ), Edges).

add_vertices(Graph, Vertices, Larger) :-
    findall(V-[], '$member'(V, Vertices), Rows),
    sort(Rows, Sorted),
    ugraph_union(Graph, Sorted, Larger).

del_vertices(Graph, Vertices, Smaller) :-
    sort(Vertices, Sorted),
    '$graphs_without'(Graph, Sorted, Smaller).

'$graphs_without'([], _, []).
'$graphs_without'([V-Ws|Graph], Gone, Smaller) :-
    (   ord_memberchk(V, Gone)
    ->  Smaller = Rest
    ;   ord_subtract(Ws, Gone, Left),
        Smaller = [V-Left|Rest]
    ),
    '$graphs_without'(Graph, Gone, Rest).

add_edges(Graph, Edges, Larger) :- vertices_edges_to_ugraph([], Edges, Other), ugraph_union(Graph, Other, Larger).

del_edges(Graph, Edges, Smaller) :-
    sort(Edges, Sorted),
    findall(V-Left, ( '$member'(V-Ws, Graph), findall(W, ( '$member'(W, Ws), \+ ord_memberchk(V-W, Sorted) ), Left) ), Smaller).

transpose_ugraph(Graph, Transposed) :-
    vertices(Graph, Vertices),
    findall(W-V, ( '$member'(V-Ws, Graph), '$member'(W, Ws) ), Edges),
    vertices_edges_to_ugraph(Vertices, Edges, Transposed).

neighbours(Vertex, Graph, Neighbours) :- '$member'(V-Ws, Graph), V == Vertex, !, Neighbours = Ws.

neighbors(Vertex, Graph, Neighbours) :- neighbours(Vertex, Graph, Neighbours).

%!  complement(+Graph, -Complement) is det.
%   Two vertices are joined if they are not joined in Graph.
complement(Graph, Complement) :-
    vertices(Graph, Vertices),
    '$graphs_complement'(Graph, Vertices, Complement).

'$graphs_complement'([], _, []).
'$graphs_complement'([V-Ws|Graph], Vertices, [V-Others|Complement]) :-
    ord_add_element(Ws, V, Joined),
    ord_subtract(Vertices, Joined, Others),
    '$graphs_complement'(Graph, Vertices, Complement).

%!  compose(+First, +Second, -Composed) is det.
%   An edge of First and then one of Second.
compose(First, Second, Composed) :-
    vertices(First, Vs),
    vertices(Second, Ws),
    append(Vs, Ws, All),
    sort(All, Vertices),
    findall(A-C, ( '$member'(A-Bs, First), '$member'(B, Bs), neighbours(B, Second, Cs), '$member'(C, Cs) ), Edges),
    sort(Edges, Sorted),
    '$graphs_rows'(Vertices, Sorted, Composed).

ugraph_union([], Graph, Graph) :- !.
ugraph_union(Graph, [], Graph) :- !.
ugraph_union([V-Vs|Rows], [W-Ws|Others], Union) :-
    compare(Order, V, W),
    '$graphs_union'(Order, V-Vs, Rows, W-Ws, Others, Union).

'$graphs_union'(<, Row, Rows, Other, Others, [Row|Union]) :- ugraph_union(Rows, [Other|Others], Union).
'$graphs_union'(>, Row, Rows, Other, Others, [Other|Union]) :- ugraph_union([Row|Rows], Others, Union).
'$graphs_union'(=, V-Vs, Rows, _-Ws, Others, [V-All|Union]) :- ord_union(Vs, Ws, All), ugraph_union(Rows, Others, Union).

%!  reachable(+Vertex, +Graph, -Vertices) is det.
reachable(Vertex, Graph, Vertices) :- '$graphs_reach'([Vertex], Graph, [Vertex], Vertices).

'$graphs_reach'([], _, Reached, Reached).
'$graphs_reach'([V|Vs], Graph, Reached0, Reached) :-
    ( neighbours(V, Graph, Ws) -> true ; Ws = [] ),
    ord_subtract(Ws, Reached0, New),
    ord_union(Reached0, New, Reached1),
    append(New, Vs, Next),
    '$graphs_reach'(Next, Graph, Reached1, Reached).

%!  transitive_closure(+Graph, -Closure) is det.
transitive_closure(Graph, Closure) :- vertices(Graph, Vertices), '$graphs_close'(Vertices, Graph, Closure).

% S. Warshall 1962: once a vertex has been taken, all ways over it are edges.
'$graphs_close'([], Closure, Closure).
'$graphs_close'([V|Vs], Graph, Closure) :-
    neighbours(V, Graph, Over),
    '$graphs_over'(Graph, V, Over, Graph1),
    '$graphs_close'(Vs, Graph1, Closure).

'$graphs_over'([], _, _, []).
'$graphs_over'([W-Ws|Graph], V, Over, [W-Ws1|Graph1]) :-
    ( ord_memberchk(V, Ws) -> ord_union(Ws, Over, Ws1) ; Ws1 = Ws ),
    '$graphs_over'(Graph, V, Over, Graph1).

%!  top_sort(+Graph, -Vertices) is semidet.
%   No edge leads back; fails if the graph has a cycle.
top_sort(Graph, Vertices) :-
    '$graphs_waiting'(Graph, Number, Free, Waiting),
    '$graphs_sort'(Free, Graph, Waiting, Vertices),
    length(Vertices, Number).

% The number of vertices, those that no edge leads to, and an association list of the number of edges that lead to each.
'$graphs_waiting'(Graph, Number, Free, Waiting) :-
    transpose_ugraph(Graph, Before),
    findall(V-Edges, ( '$member'(V-Ws, Before), length(Ws, Edges) ), Counts),
    findall(V, '$member'(V-0, Counts), Free),
    length(Graph, Number),
    '$assoc_build'(Number, Counts, [], Waiting, _).

%!  ugraph_layers(+Graph, -Layers) is semidet.
%   Each vertex is in the first layer that is behind all vertices from which an edge leads to it; fails if the graph has a
%   cycle.
ugraph_layers(Graph, Layers) :-
    '$graphs_waiting'(Graph, Number, Free, Waiting),
    '$graphs_layers'(Free, Graph, Waiting, Layers),
    append(Layers, Vertices),
    length(Vertices, Number).

'$graphs_layers'([], _, _, []) :- !.
'$graphs_layers'(Layer, Graph, Waiting0, [Layer|Layers]) :-
    '$graphs_freed_by'(Layer, Graph, Waiting0, Waiting, Freed),
    sort(Freed, Next),
    '$graphs_layers'(Next, Graph, Waiting, Layers).

'$graphs_freed_by'([], _, Waiting, Waiting, []).
'$graphs_freed_by'([V|Vs], Graph, Waiting0, Waiting, Freed) :-
    neighbours(V, Graph, Ws),
    '$graphs_freed'(Ws, Waiting0, Waiting1, Freed, Freed1),
    '$graphs_freed_by'(Vs, Graph, Waiting1, Waiting, Freed1).

'$graphs_sort'([], _, _, []).
'$graphs_sort'([V|Free], Graph, Waiting0, [V|Vertices]) :-
    neighbours(V, Graph, Ws),
    '$graphs_freed'(Ws, Waiting0, Waiting, Freed, Free),
    '$graphs_sort'(Freed, Graph, Waiting, Vertices).

'$graphs_freed'([], Waiting, Waiting, Freed, Freed).
'$graphs_freed'([W|Ws], Waiting0, Waiting, Freed0, Freed) :-
    '$assoc_get'(Waiting0, W, Number0),
    Number is Number0 - 1,
    '$assoc_put'(Waiting0, W, Number, Waiting1, _),
    ( Number =:= 0 -> Freed0 = [W|Freed1] ; Freed0 = Freed1 ),
    '$graphs_freed'(Ws, Waiting1, Waiting, Freed1, Freed).

%!  connect_ugraph(+Graph, -Start, -Connected) is det.
%   Start is a new vertex, before all others, that leads to all of them.
connect_ugraph([], 0, []) :- !.
connect_ugraph(Graph, Start, [Start-Vertices|Graph]) :-
    vertices(Graph, Vertices),
    Vertices = [First|_],
    ( integer(First) -> Start is First - 1 ; Start = 0 ).
