% The flag `iso`: text is read as the standard has it, and nothing beyond; what is written can be
% read back so.

strictly(Goal) :-
    setup_call_cleanup(set_prolog_flag(iso, true), Goal, set_prolog_flag(iso, false)).

reads(Text, Term) :- strictly(term_to_atom(Term, Text)).
is_refused(Text) :- catch((reads(Text, _), fail), error(syntax_error(_), _), true).
writes(Term, Text) :- strictly(with_output_to(atom(Text), writeq(Term))).

:- op(9, fy, fy), op(9, yf, yf), op(9, yfx, yfx), op(9, xfy, xfy), op(9, xf, e9).

%? current_prolog_flag(iso, X).
%= X = false
%? strictly(current_prolog_flag(iso, X)).
%= X = true
%? set_prolog_flag(iso, maybe).
%= error: domain_error(flag_value,iso+maybe)
%~ a type error there

% Operators as operands.
%? is_refused('- = -').
%= true
%~ its flag does not concern the reader
%? is_refused('\\+ (- -)').
%= true
%~ its flag does not concern the reader
%? is_refused('X == *').
%= true
%~ its flag does not concern the reader
%? reads('[-, (:-)|*]', X).
%= X = [-,:-|*]
%? reads('f(+, {-})', X).
%= X = f(+,{-})
%? reads('(-) = (-)', X).
%= X = ((-)=(-))

% Arguments.
%? is_refused('f(a :- b)').
%= true
%? is_refused('[a :- b]').
%= true
%? is_refused('[a|b :- c]').
%= true
%? reads('f((a :- b), {a :- b})', X).
%= X = f((a:-b),{a:-b})

% Numbers.
%? reads('- 1', X), integer(X).
%= X = -1
%~ its flag does not concern the reader
%? reads('\'-\' 1', X), integer(X).
%= X = -1
%~ its flag does not concern the reader
%? reads('- (1)', X), compound(X).
%= X = - 1
%? reads('- 1 ^ 2', -1 ^ 2).
%= true
%~ its flag does not concern the reader
%? is_refused('1_000').
%= true
%~ its flag does not concern the reader
%? is_refused('36\'Z').
%= true
%~ its flag does not concern the reader
%? is_refused('1.0Inf').
%= true
%~ its flag does not concern the reader
%? is_refused('1e10').
%= true
%~ its flag does not concern the reader
%? reads('1.0e10', X).
%= X = 10000000000.0
%? reads('1e9', X).
%= X = 1 e9
%~ its flag does not concern the reader
%? reads('16\'mod\'2', X).
%= X = 16 mod 2
%~ its flag does not concern the reader
%? reads('0\'\\\n+\'1', X).
%= X = 0+1
%~ its flag does not concern the reader
%? reads('0\'\'\'', X).
%= X = 39

% Escapes and quotes.
%? is_refused('\'\\e\'').
%= true
%~ its flag does not concern the reader
%? is_refused('\'\\u0041\'').
%= true
%~ its flag does not concern the reader
%? is_refused('\'\\141\'').
%= true
%~ its flag does not concern the reader
%? is_refused('\'a\tb\'').
%= true
%~ its flag does not concern the reader
%? reads('\'\\141\\\\x62\\\\n\'', X).
%= X = 'ab\n'
%? is_refused('`a`').
%= true
%~ its flag does not concern the reader

% Of two operators that could each be the other's argument the first takes the second.
%? reads('fy 1 yf', fy(yf(1))).
%= true
%~ its flag does not concern the reader
%? reads('1 xfy 2 yf', xfy(1, yf(2))).
%= true
%~ its flag does not concern the reader
%? writes(fy(yf(1)), X).
%= X = 'fy 1 yf'
%~ operators of a file stay in it
%? writes(yf(fy(1)), X).
%= X = '(fy 1)yf'
%~ it leaves out brackets

% What begins with a number behind a minus sign.
%? writes(-(1), X).
%= X = '- (1)'
%~ a flag of its own
%? writes(-(1^2), X).
%= X = '- (1^2)'
%~ a flag of its own
%? writes([-(-1), 1 - 1, -(a), -(-(1))], X).
%= X = '[- -1,1-1,-a,- - (1)]'
%~ a flag of its own
%? writes(-(a^2), T).
%= T = '- (a^2)'
%~ its flag does not concern the writer
%? writes(yfx(fy(1), 2), T).
%= T = '(fy 1)yfx 2'
%~ its flag does not concern the writer
% Brackets as a name, with layout in them.
%? X = [ ](1), Y = { }(1), X = '[]'(1), Y = {1}.
%= X = [](1), Y = {1}
%~ there [] is no atom
