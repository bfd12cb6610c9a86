% grammars.pl – grammars for characters and for sequences.

:- use_module(library(dcg/basics)).
:- use_module(library(dcg/high_order)).

%? phrase((whites, integer(X), blanks, string_without(`,`, S), ",", remainder(R)), `  12 ab,cd`), atom_codes(A, S), atom_codes(B, R).
%= X = 12, S = [97,98], R = [99,100], A = ab, B = cd
%? phrase(number(X), `-1.5e3`).
%= X = -1500.0
%? phrase(number(X), `12`).
%= X = 12
%? phrase(number(X), `1e3`).
%= X = 1000.0
%? phrase(integer(X), `-7`).
%= X = -7
%? phrase(integer(12), L).
%= L = [49,50]
%? phrase((string(S), "b", remainder(_)), `abab`), atom_codes(A, S).
%= S = [97], A = a
%= S = [97,98,97], A = aba
%? phrase(xinteger(X), `fF`).
%= X = 255
%? phrase((nonblanks(S), blanks, eos), `ab  `), atom_codes(A, S).
%= S = [97,98], A = ab
%? phrase(sequence(digit, ",", L), `1,2,3`), atom_codes(A, L).
%= L = [49,50,51], A = '123'
%? phrase(sequence("[", integer, ",", "]", L), `[1,22]`).
%= L = [1,22]
%? phrase(optional("a", []), `a`).
%= true
%? phrase((digits(D), remainder(_)), `12a`), atom_codes(A, D).
%= D = [49,50], A = '12'
%? phrase(digits([_|_]), `a`).
%= false
%? phrase(sequence(digit, ",", L), `1,2,`, R).
%= false
%? phrase(sequence(digit, ",", [0'1]), `1,`, R).
%= R = [44]
%? phrase(sequence(digit, ",", L), `x`, R).
%= L = [], R = [120]
%? phrase(sequence(string, ",", L), `1,2`), L = [_, _].
%= L = [[49],[50]]
%? phrase(foreach(member(X, [1, 2]), integer(X), ";"), L, []), atom_codes(A, L).
%= L = [49,59,50], A = '1;2'
%? phrase(foreach(fail, integer(_), ";"), L, []).
%= L = []
%? phrase(prolog_var_name(V), `X_1+y`, R), atom_codes(A, R).
%= V = 'X_1', R = [43,121], A = '+y'
%? phrase(prolog_var_name(V), `x`, _).
%= false
%? phrase(atom(f('A', "b")), L, []), atom_codes(A, L).
%= L = [102,40,65,44,98,41], A = 'f(A,b)'
