% clauses.pl – clauses as portray_clause/1 and listing/1 write them, and canonical names of variables.
:- dynamic(fact/2).
:- dynamic(rule/1).
fact(a, [b, c|_]).
rule(X) :- a(X), ( b -> c ; d, e ), \+ f.

%? with_output_to(string(S), portray_clause(foo(X, Y, X, _))).
%= S = "foo(A, _, A, _).\n"
%? with_output_to(string(S), portray_clause((a :- b, (c, d)))).
%= S = "a :-\n    b,\n    c,\n    d.\n"
%? with_output_to(string(S), portray_clause((a :- (b -> c ; d), (e ; f)))).
%= S = "a :-\n    (   b\n    ->  c\n    ;   d\n    ),\n    (   e\n    ;   f\n    ).\n"
%? with_output_to(string(S), portray_clause((a :- (b -> (c ; d) ; e)))).
%= S = "a :-\n    (   b\n    ->  (   c\n        ;   d\n        )\n    ;   e\n    ).\n"
%? with_output_to(string(S), portray_clause((a :- (b *-> c ; d)))).
%= S = "a :-\n    (   b\n    *-> c\n    ;   d\n    ).\n"
%? with_output_to(string(S), portray_clause((a :- \+ b, \+ c(1)))).
%= S = "a :-\n    \\+ b,\n    \\+ c(1).\n"
%? with_output_to(string(S), portray_clause((a :- X = 1, Y is X + 2, Z = "s", b('A', Y, Z)))).
%= S = "a :-\n    A=1,\n    B is A+2,\n    C=\"s\",\n    b('A', B, C).\n"
%? with_output_to(string(S), portray_clause([1, 2])).
%= S = "[1, 2].\n"
%? with_output_to(string(S), portray_clause((a --> b, [c], !))).
%= S = "a -->\n    b,\n    [c],\n    !.\n"
%? with_output_to(string(S), listing(fact/2)).
%= S = ":- dynamic fact/2.\n\nfact(a, [b, c|_]).\n\n"
%? with_output_to(string(S), write_canonical(f(X, Y, X, 'A b', "s", [1]))).
%= S = "f(A,_,A,'A b',\"s\",[1])"
%? with_output_to(string(S), write_term(f(a, [b, c]), [spacing(next_argument)])).
%= S = "f(a, [b, c])"
%? with_output_to(string(S), write_term(a, [fullstop(true), nl(true)])).
%= S = "a.\n"
%? with_output_to(string(S), write_term(+, [fullstop(true)])).
%= S = "+ . "
%? with_output_to(string(S), print('$VAR'('_'))).
%= S = "_"
%? with_output_to(string(S), (T = f(X, Y, Y), numbervars(T, 0, _, [singletons(true)]), print(T))).
%= S = "f(_,A,A)", T = f(_,A,A), X = _, Y = A
%? format(string(S), "~16r ~8R ~16R", [255, 8, 255]).
%= S = "ff 10 FF"
%? format(string(S), "~I ~2I", [1234567, 1234567]).
%= S = "1_234_567 1_23_45_67"
%? format(string(S), "~d ~D", [2 ** 10, 3 * 1000]).
%= S = "1024 3,000"
%? format(string(S), "[~@] ~w", [write(x), y]).
%= S = "[x] y"
%? format("~@", [fail]).
%= false
%? format("~@", [throw(ball(1))]), fail.
%= error: ball(1)
%? format(codes(C, T), "ab", []).
%= C = [97,98|T]
%? format(string(_), "~37r", [1]).
%= error: domain_error(radix,37)
