% Random numbers and choices. The generator starts the same in every run; set_random(seed(Number)) starts it elsewhere.
:- module(random,
          [ random/1, random/3, random_between/3, random_member/2, random_select/3, random_permutation/2,
            random_subseq/3, maybe/0, maybe/1, maybe/2, set_random/1
          ]).

%!  random(-Float) is det.
%   Greater than 0 and less than 1.
random(Float) :- Float is random_float.

%!  random(+Low, +High, -Number) is det.
%   At least Low and less than High; an integer if both are.
random(Low, High, Number) :-
    (   integer(Low), integer(High)
    ->  Low < High,
        Number is Low + random(High - Low)
    ;   Number is Low + (High - Low) * random_float
    ).

%!  random_between(+Low, +High, -Integer) is semidet.
random_between(Low, High, Integer) :- High >= Low, Integer is Low + random(High - Low + 1).

random_member(X, List) :- length(List, Length), Length > 0, Index is random(Length), nth0(Index, List, X).

random_select(X, List, Rest) :- length(List, Length), Length > 0, Index is random(Length), nth0(Index, List, X, Rest).

random_permutation(List, Permutation) :-
    '$random_keys'(List, Pairs),
    keysort(Pairs, Sorted),
    pairs_values(Sorted, Permutation).

'$random_keys'([], []).
'$random_keys'([X|Xs], [Key-X|Pairs]) :- Key is random_float, '$random_keys'(Xs, Pairs).

%!  random_subseq(+List, -Sub, -Rest) is det.
random_subseq([], [], []).
random_subseq([X|Xs], Sub, Rest) :-
    ( maybe -> Sub = [X|Sub1], Rest = Rest1 ; Sub = Sub1, Rest = [X|Rest1] ),
    random_subseq(Xs, Sub1, Rest1).

maybe :- random(2) =:= 0.

maybe(Probability) :- random_float < Probability.

maybe(Times, Of) :- random(Of) < Times.

set_random(Option) :-
    (   nonvar(Option), Option = seed(Seed)
    ->  must_be(integer, Seed),
        '$seed'(Seed)
    ;   throw(error(domain_error(set_random_option, Option), _))
    ).
