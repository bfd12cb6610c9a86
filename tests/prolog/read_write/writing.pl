% writing.pl – terms as text [ISO 7.10.5, 8.14].

text(Goal, Text) :- with_output_to(atom(Text), Goal).

%? text(writeq('A'), X).
%= X = '\'A\''
%? text(write('A b'), X).
%= X = 'A b'
%? text(writeq([]), X).
%= X = []
%~ In SWI-Prolog [] is no atom.
%? text(writeq('[]'), X).
%= X = []
%~ SWI-Prolog tells [] and '[]' apart.
%? text(writeq({a, b}), X).
%= X = '{a,b}'
%? text(writeq([a, b|c]), X).
%= X = '[a,b|c]'
%? text(writeq(- 1), X).
%= X = '- 1'
%? text(writeq(-(1)), X).
%= X = '- 1'
%? text(writeq(-(-(1))), X).
%= X = '- - 1'
%? text(writeq(-(-1)), X).
%= X = '- -1'
%? text(writeq(-(a)), X).
%= X = '-a'
%? text(writeq(-(-(a))), X).
%= X = '- -a'
%? text(writeq(1 - (-1)), X).
%= X = '1- -1'
%? text(writeq(1 - (2 - 3)), X).
%= X = '1-(2-3)'
%? text(writeq((1 - 2) - 3), X).
%= X = '1-2-3'
%? text(writeq((a :- b, c ; d -> e)), X).
%= X = 'a:-b,c;d->e'
%? text(writeq(f((a, b))), X).
%= X = 'f((a,b))'
%? text(writeq(f((:-))), X).
%= X = 'f(:-)'
%? text(writeq([(a :- b)]), X).
%= X = '[(a:-b)]'
%? text(writeq(\+ a), X).
%= X = '\\+a'
%? text(writeq(\+ (a, b)), X).
%= X = '\\+ (a,b)'
%? text(writeq(1 = :- ), X).
%= X = '1=(:-)'
%? text(writeq('hello world'), X).
%= X = '\'hello world\''
%? text(writeq('\n'), X).
%= X = '\'\\n\''
%? text(writeq(''), X).
%= X = '\'\''
%? text(writeq(f(A, B, A)), _).
%= true
%? text(writeq(1.0), X).
%= X = '1.0'
%? text(writeq(1.0e10), X).
%= X = '10000000000.0'
%? text(writeq(2.5e-9), X).
%= X = '2.5e-9'
%? text(writeq(1.0e-10), X).
%= X = '1.0e-10'
%? text(write_canonical([a, 'B', 1 + 2]), X).
%= X = '[a,\'B\',+(1,2)]'
%? text(write_term(1 + 2, [ignore_ops(true)]), X).
%= X = '+(1,2)'
%? text(write_term('A', [quoted(true)]), X).
%= X = '\'A\''
%? text(print('A'), X).
%= X = '\'A\''
%? text(write('$VAR'(1)), X).
%= X = 'B'
%? text(writeq('$VAR'(27)), X).
%= X = 'B1'
%? text(write_canonical('$VAR'(1)), X).
%= X = '\'$VAR\'(1)'
%? text(write_term('$VAR'(1), []), X).
%= X = '$VAR(1)'
%? text((put_char(a), nl, put_char(b)), X).
%= X = 'a\nb'
%? put_char(_).
%= error: instantiation_error
%? put_char(ab).
%= error: type_error(character,ab)
%? put_char(1).
%= error: type_error(character,1)
%~ SWI-Prolog takes codes, too.
%? write(_, a).
%= error: instantiation_error
%? write(no_such_stream, a).
%= error: existence_error(stream,no_such_stream)
%? write(3, a).
%= error: domain_error(stream_or_alias,3)
%? nl(_).
%= error: instantiation_error
%? write_term(a, _).
%= error: instantiation_error
%? write_term(a, [quoted(true)|_]).
%= error: instantiation_error
%? write_term(a, foo).
%= error: type_error(list,foo)
%? write_term(a, [foo]).
%= error: domain_error(write_option,foo)
%~ SWI-Prolog says that it is no option.
%? write_term(a, [quoted(yes)]).
%= error: domain_error(write_option,quoted(yes))
%~ SWI-Prolog says that it is no boolean.
%? write_term(a, [_]).
%= error: instantiation_error
%? text(writeq([+(2), +(-2), -(2), -(-2), +(2.5), +(a)]), X).
%= X = '[+2,+ -2,- 2,- -2,+2.5,+a]'
% Spaces where tokens would run together, and where a bracket would open arguments.
%? text(writeq((a :- b) mod {c}), X).
%= X = '(a:-b)mod{c}'
%? text(writeq(a mod (b :- c)), X).
%= X = 'a mod (b:-c)'
%? text(writeq('A' mod [b]), X).
%= X = '\'A\'mod[b]'
%? op(700, xfx, 'is like'), text(writeq('is like'(a, (b :- c))), X).
%= X = 'a \'is like\' (b:-c)'
%~ SWI-Prolog has no space there, and does not read what it writes
% max_depth(D): what is nested deeper is left out; each element of a list is one deeper than the one before.
shallow(T, D, X) :- text(write_term(T, [max_depth(D), quoted(true)]), X).
%? shallow(f(g(a), b), 2, X).
%= X = 'f(g(...),b)'
%? shallow(f(a), 1, X).
%= X = 'f(...)'
%? shallow([a, b, c], 1, X).
%= X = '[...|...]'
%? shallow([a, b, c], 3, X).
%= X = '[a,b|...]'
%? shallow([a, b, c], 4, X).
%= X = '[a,b,c]'
%? shallow([[a, b, c], [d, e, f], [g]], 3, X).
%= X = '[[a|...],[...|...]|...]'
%? shallow([a|b], 2, X).
%= X = '[a|...]'
%? shallow([a|b], 3, X).
%= X = '[a|b]'
%? shallow(a + (b + (c + d)), 2, X).
%= X = 'a+(... + ...)'
%? shallow(a - b - c - d, 3, X).
%= X = '... - ... -c-d'
%~ SWI-Prolog has a space on both sides
%? shallow(- (- a), 2, X).
%= X = '- - ...'
%? shallow({a, b, c}, 2, X).
%= X = '{...,...}'
%? shallow((a :- b, c, d), 2, X).
%= X = 'a:- ...,...'
%? shallow(f("str", 1.5), 1, X).
%= X = 'f(...,...)'
%? shallow([], 1, X).
%= X = []
%~ In SWI-Prolog [] is no atom.
%? shallow(f([a, b, c], d), 0, X).
%= X = 'f([a,b,c],d)'
%? shallow(a, -1, X).
%= error: domain_error(write_option,max_depth(-1))
%~ SWI-Prolog writes ...
