% mode_lattice_path.pl – the shortest path itself, not only its length: of two paths the lattice
% keeps the shorter, and of equally long ones the smaller.
:- table route(_, _, lattice(shorter/3)).

route(X, Y, [X, Y]) :- edge(X, Y).
route(X, Y, P) :- route(X, Z, Q), edge(Z, Y), append(Q, [Y], P).

shorter(P, Q, R) :-
    length(P, M),
    length(Q, N),
    (   M < N
    ->  R = P
    ;   M > N
    ->  R = Q
    ;   P @< Q
    ->  R = P
    ;   R = Q
    ).

edge(a, b).
edge(b, c).
edge(c, d).
edge(a, e).
edge(e, d).
edge(d, a).

%? route(a,d,P).
%? route(a,a,P).
%? route(c,b,P).
