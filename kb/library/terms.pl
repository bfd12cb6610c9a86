% What terms are made of, and errors to throw.
:- module(terms,
          [ sub_term/2, occurrences_of_term/3, occurrences_of_var/3, contains_term/2, contains_var/2, free_of_term/2,
            free_of_var/2, sub_var/2, mapargs/3, mapsubterms/3, foldsubterms/4, same_functor/2, same_functor/4,
            term_size/2, subsumes/2, subsumes_chk/2, variant/2, comma_list/2, semicolon_list/2,
            compound_name_arity/3, compound_name_arguments/3, duplicate_term/2, nonground/2, is_most_general_term/1,
            type_error/2, domain_error/2, existence_error/2, existence_error/3, permission_error/3,
            instantiation_error/1, uninstantiation_error/1, representation_error/1, resource_error/1, syntax_error/1,
            term_hash/2, variant_hash/2, assertion/1, catch_with_backtrace/3, divmod/4, nth_integer_root_and_remainder/4
          ]).

%!  sub_term(-Sub, +Term) is nondet.
%   Each part of a term, itself first.
sub_term(Term, Term).
sub_term(Sub, Term) :-
    compound(Term),
    functor(Term, _, Arity),
    between(1, Arity, Position),
    arg(Position, Term, Argument),
    sub_term(Sub, Argument).

sub_var(Variable, Term) :- sub_term(Sub, Term), Sub == Variable, !.

%!  occurrences_of_term(@Sub, @Term, ?Count) is det.
%   Parts that unify with Sub.
occurrences_of_term(Sub, Term, Count) :- aggregate_all(count, sub_term(Sub, Term), Count).

occurrences_of_var(Variable, Term, Count) :- aggregate_all(count, ( sub_term(Part, Term), Part == Variable ), Count).

contains_term(Sub, Term) :- \+ free_of_term(Sub, Term).

contains_var(Variable, Term) :- \+ free_of_var(Variable, Term).

free_of_term(Sub, Term) :- \+ ( sub_term(Part, Term), \+ Part \= Sub ).

free_of_var(Variable, Term) :- \+ ( sub_term(Part, Term), Part == Variable ).

%!  mapargs(:Goal, ?Term, ?Mapped) is semidet.
mapargs(Goal, Term, Mapped) :-
    same_functor(Term, Mapped),
    Term =.. [_|Xs],
    Mapped =.. [_|Ys],
    maplist(Goal, Xs, Ys).

%!  mapsubterms(:Goal, +Term, -Mapped) is det.
%   Each largest part for which Goal gives another one is replaced by that.
mapsubterms(Goal, Term, Mapped) :-
    (   var(Term)
    ->  Mapped = Term
    ;   call(Goal, Term, Mapped0)
    ->  Mapped = Mapped0
    ;   compound(Term)
    ->  Term =.. [Name|Xs],
        '$terms_map'(Xs, Goal, Ys),
        Mapped =.. [Name|Ys]
    ;   Mapped = Term
    ).

'$terms_map'([], _, []).
'$terms_map'([X|Xs], Goal, [Y|Ys]) :- mapsubterms(Goal, X, Y), '$terms_map'(Xs, Goal, Ys).

%!  foldsubterms(:Goal, +Term, +Start, -End) is semidet.
%   Goal is called with a part and what came of those before; parts of those for which it holds are not visited.
foldsubterms(Goal, Term, Start, End) :-
    (   nonvar(Term), call(Goal, Term, Start, End0)
    ->  End = End0
    ;   compound(Term)
    ->  Term =.. [_|Xs],
        '$terms_fold'(Xs, Goal, Start, End)
    ;   End = Start
    ).

'$terms_fold'([], _, End, End).
'$terms_fold'([X|Xs], Goal, Start, End) :- foldsubterms(Goal, X, Start, Next), '$terms_fold'(Xs, Goal, Next, End).

same_functor(A, B) :- same_functor(A, B, _, _).

same_functor(A, B, Name, Arity) :-
    (   nonvar(A)
    ->  functor(A, Name, Arity), functor(B, Name, Arity)
    ;   nonvar(B)
    ->  functor(B, Name, Arity), functor(A, Name, Arity)
    ;   functor(A, Name, Arity), functor(B, Name, Arity)
    ).

%!  term_size(@Term, -Cells) is det.
%   Cells of the compounds of a term, one for a name and one for each argument.
term_size(Term, Cells) :-
    (   compound(Term)
    ->  functor(Term, _, Arity),
        Term =.. [_|Xs],
        maplist(term_size, Xs, Sizes),
        sum_list(Sizes, Sum),
        Cells is Sum + Arity + 1
    ;   Cells = 0
    ).

subsumes(General, Specific) :- subsumes_term(General, Specific), General = Specific.

subsumes_chk(General, Specific) :- subsumes_term(General, Specific).

variant(A, B) :- A =@= B.

%!  comma_list(?Conjunction, ?Goals) is det.
comma_list(Conjunction, Goals) :- '$terms_list'(',', Conjunction, Goals).

%!  semicolon_list(?Disjunction, ?Goals) is det.
semicolon_list(Disjunction, Goals) :- '$terms_list'(;, Disjunction, Goals).

'$terms_list'(Name, Term, Goals) :-
    (   nonvar(Term)
    ->  '$terms_flat'(Term, Name, Goals, [])
    ;   is_list(Goals), Goals \== []
    ->  '$terms_joined'(Goals, Name, Term)
    ;   throw(error(instantiation_error, _))
    ).

'$terms_flat'(Term, Name, Goals, Rest) :-
    (   nonvar(Term), functor(Term, Name, 2)
    ->  arg(1, Term, A),
        arg(2, Term, B),
        '$terms_flat'(A, Name, Goals, Goals1),
        '$terms_flat'(B, Name, Goals1, Rest)
    ;   Goals = [Term|Rest]
    ).

'$terms_joined'([Goal|Goals], Name, Term) :- '$terms_joined'(Goals, Goal, Name, Term).

'$terms_joined'([], Goal, _, Goal).
'$terms_joined'([Next|Goals], Goal, Name, Term) :- Term =.. [Name, Goal, Rest], '$terms_joined'(Goals, Next, Name, Rest).

compound_name_arity(Compound, Name, Arity) :-
    ( nonvar(Compound) -> must_be(compound, Compound) ; true ),
    functor(Compound, Name, Arity).

compound_name_arguments(Compound, Name, Arguments) :-
    ( nonvar(Compound) -> must_be(compound, Compound) ; true ),
    Compound =.. [Name|Arguments].

duplicate_term(Term, Copy) :- copy_term(Term, Copy).

nonground(Term, Variable) :- term_variables(Term, [Variable0|_]), Variable = Variable0.

is_most_general_term(Term) :-
    callable(Term),
    (   is_list(Term)
    ->  Variables = Term
    ;   \+ '$is_list_cell'(Term),
        Term =.. [_|Variables]
    ),
    term_variables(Variables, Distinct),
    length(Variables, Number),
    length(Distinct, Number),
    \+ ( '$member'(X, Variables), nonvar(X) ).

type_error(Type, Culprit) :- throw(error(type_error(Type, Culprit), _)).
domain_error(Domain, Culprit) :- throw(error(domain_error(Domain, Culprit), _)).
existence_error(Kind, Culprit) :- throw(error(existence_error(Kind, Culprit), _)).
existence_error(Kind, Culprit, In) :- throw(error(existence_error(Kind, Culprit, In), _)).
permission_error(Action, Kind, Culprit) :- throw(error(permission_error(Action, Kind, Culprit), _)).
instantiation_error(_) :- throw(error(instantiation_error, _)).
uninstantiation_error(Culprit) :- throw(error(uninstantiation_error(Culprit), _)).
representation_error(What) :- throw(error(representation_error(What), _)).
resource_error(What) :- throw(error(resource_error(What), _)).
syntax_error(What) :- throw(error(syntax_error(What), _)).

%!  assertion(:Goal) is det.
%   Throws assertion_failed(Goal) unless Goal holds; binds nothing.
assertion(Goal) :- \+ \+ catch(Goal, Error, throw(Error)), !.
assertion(Goal) :- throw(assertion_failed(Goal)).

catch_with_backtrace(Goal, Ball, Recovery) :- catch(Goal, Ball, Recovery).

divmod(Dividend, Divisor, Quotient, Remainder) :- Quotient is div(Dividend, Divisor), Remainder is mod(Dividend, Divisor).

%!  nth_integer_root_and_remainder(+N, +I, -Root, -Remainder) is det.
%   Root is the N-th root of I rounded towards zero.
nth_integer_root_and_remainder(N, I, Root, Remainder) :-
    must_be(positive_integer, N),
    must_be(integer, I),
    (   I >= 0
    ->  '$terms_root'(N, I, Root)
    ;   N mod 2 =:= 1
    ->  Positive is -I,
        '$terms_root'(N, Positive, Root0),
        Root is -Root0
    ;   throw(error(evaluation_error(undefined), _))
    ),
    Remainder is I - Root ** N.

'$terms_root'(N, I, Root) :- High is 1 << (msb(I + 1) // N + 1), '$terms_root'(N, I, 0, High, Root).

% Low ** N =< I < High ** N.
'$terms_root'(N, I, Low, High, Root) :-
    (   High - Low =:= 1
    ->  Root = Low
    ;   Middle is (Low + High) // 2,
        (   Middle ** N =< I
        ->  '$terms_root'(N, I, Middle, High, Root)
        ;   '$terms_root'(N, I, Low, Middle, Root)
        )
    ).

%!  term_hash(+Term, -Hash) is det.
%   A number of 24 bits if Term is ground; else Hash stays as it is.
term_hash(Term, Hash) :-
    (   ground(Term)
    ->  '$term_hash'(Term, Long),
        Hash is Long /\ 0xffffff
    ;   true
    ).

%!  variant_hash(+Term, -Hash) is det.
%   A number that variants have in common.
variant_hash(Term, Hash) :- '$term_hash'(Term, Hash).
