% literals.pl – numbers and quoted texts.
n(0, 1_000_000, 0xFF, 0o17, 0b101, 16'ff, 0'a, 0'\n, 0''', 0'\x41\, 0' ).
n(1.5, 1.0e10, 1e10, 2.5e-3, 1.0Inf, -0.5, 9223372036854775807, -9223372036854775808).
q('hello world', 'it''s', 'a\nb', '\x41\\102\', 'a\
b', [], '', 'don\'t', "text \"quoted\"", `ab`, "a""b").
l([a, b | T], [a], [[]], [a | [b]], '[|]'(a, T)).
q('X', x, 'x', 'é', é).
X == Y :- X = Y. % glued.
