% missing_end.pl - the last clause has no dot
p :-
    q