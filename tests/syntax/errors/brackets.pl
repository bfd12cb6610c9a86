% brackets.pl – brackets that do not match.
p(a.
p(a]).
p(a].
p([a, b).
p({a, [b}).
p)a(.
ok.
