% limit_growing_list.pl – lists of every length.
:- table word/1.

word([]).
word([a|W]) :- word(W).
word([b|W]) :- word(W).

%! limit
%? word(W).
