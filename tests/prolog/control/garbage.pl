% garbage.pl – what must survive a collection of garbage: terms behind choice points, bindings that
% backtracking undoes, global variables, destructive assignment, numbers in boxes.

build(0, []) :- !.
build(N, [t(N, X, "text", 1.5, 9007199254740993, X)|T]) :-
    N1 is N - 1,
    length(_, 3),
    garbage_collect,
    build(N1, T),
    X = N.

bound(X) :- ( garbage_collect, X = 1 ; garbage_collect, X = 2 ; garbage_collect, X = f(b, a) ).

assigned(T) :-
    T = f(a, b),
    (   setarg(1, T, g(new)), garbage_collect, settled(T)
    ;   garbage_collect, settled(T)
    ).

settled(_).

%? build(2, L).
%= L = [t(2,2,"text",1.5,9007199254740993,2),t(1,1,"text",1.5,9007199254740993,1)]
%? bound(A), bound(B), A == B.
%= A = 1, B = 1
%= A = 2, B = 2
%= A = f(b,a), B = f(b,a)
%? assigned(T).
%= T = f(g(new),b)
%= T = f(a,b)
%? b_setval(v, f(X)), garbage_collect, settled(x), b_getval(v, Y), X = 1.
%= X = 1, Y = f(1)
%? findall(X-Y, (bound(X), garbage_collect, bound(Y), integer(Y)), L).
%= L = [1-1,1-2,2-1,2-2,f(b,a)-1,f(b,a)-2]
%? catch((build(2, L), garbage_collect, settled(L), throw(ball(L))), ball([_|T]), true).
%= T = [t(1,1,"text",1.5,9007199254740993,1)]
