% Reading lines, terms and whole files.
:- module(reading,
          [ read_line_to_codes/2, read_line_to_codes/3, read_line_to_string/2, read_stream_to_codes/2,
            read_stream_to_codes/3, read_file_to_codes/3, read_file_to_string/3, read_file_to_terms/3,
            term_string/3, exists_file/1, file_base_name/2, file_directory_name/2, file_name_extension/3
          ]).

%!  read_line_to_codes(+Stream, -Codes) is det.
%   Without the end of the line; -1 at the end of the file.
read_line_to_codes(Stream, Codes) :-
    ( peek_code(Stream, -1) -> Codes = -1 ; '$reading_line'(Stream, Codes) ).

% The end of the file is not read: it is there for whoever asks next.
'$reading_line'(Stream, Codes) :- peek_code(Stream, -1), !, Codes = [].
'$reading_line'(Stream, Codes) :- get_code(Stream, Code), '$reading_line'(Code, Stream, Codes).

'$reading_line'(0'\n, _, []) :- !.
'$reading_line'(0'\r, Stream, Codes) :- peek_code(Stream, 0'\n), !, get_code(Stream, _), Codes = [].
'$reading_line'(Code, Stream, [Code|Codes]) :- '$reading_line'(Stream, Codes).

%!  read_line_to_codes(+Stream, -Codes, ?Tail) is det.
%   With the end of the line; the same as Tail at the end of the file.
read_line_to_codes(Stream, Codes, Tail) :-
    (   peek_code(Stream, -1)
    ->  Codes = Tail
    ;   get_code(Stream, Code),
        Codes = [Code|Rest],
        ( Code == 0'\n -> Rest = Tail ; read_line_to_codes(Stream, Rest, Tail) )
    ).

read_line_to_string(Stream, Line) :-
    read_line_to_codes(Stream, Codes),
    ( Codes == -1 -> Line = end_of_file ; string_codes(Line, Codes) ).

read_stream_to_codes(Stream, Codes) :- read_stream_to_codes(Stream, Codes, []).

read_stream_to_codes(Stream, Codes, Tail) :-
    (   peek_code(Stream, -1)
    ->  Codes = Tail
    ;   get_code(Stream, Code),
        Codes = [Code|Rest],
        read_stream_to_codes(Stream, Rest, Tail)
    ).

read_file_to_codes(File, Codes, _) :-
    open(File, read, Stream),
    call_cleanup(read_stream_to_codes(Stream, Codes), close(Stream)).

read_file_to_string(File, String, _) :- read_file_to_codes(File, Codes, []), string_codes(String, Codes).

read_file_to_terms(File, Terms, _) :-
    open(File, read, Stream),
    call_cleanup('$reading_terms'(Stream, Terms), close(Stream)).

'$reading_terms'(Stream, Terms) :-
    read(Stream, Term),
    ( Term == end_of_file -> Terms = [] ; Terms = [Term|Rest], '$reading_terms'(Stream, Rest) ).

%!  term_string(?Term, ?String, +Options) is det.
%   Options are those of read_term/2, where the string is read.
term_string(Term, String, _) :- var(String), !, term_string(Term, String).
term_string(Term, String, Options) :-
    string_concat(String, "\n.", Text),
    setup_call_cleanup(open_string(Text, Stream), read_term(Stream, Term, Options), close(Stream)).

exists_file(File) :-
    must_be(nonvar, File),
    catch(open(File, read, Stream), error(_, _), fail),
    close(Stream).

file_base_name(/, /) :- !.
file_base_name(Path, Base) :-
    '$reading_parts'(Path, Parts),
    ( append(_, [Last0], Parts), Last0 \== '' -> Last = Last0 ; append(_, [Last,''], Parts) -> true ; Last = '' ),
    Base = Last.

file_directory_name(Path, Directory) :-
    '$reading_parts'(Path, Parts0),
    ( append(Front, [''], Parts0), Front = [_,_|_] -> Parts = Front ; Parts = Parts0 ),
    append(Before, [_], Parts),
    !,
    (   Before == []
    ->  Directory = '.'
    ;   Before == ['']
    ->  Directory = '/'
    ;   atomic_list_concat(Before, /, Directory)
    ).

'$reading_parts'(Path, Parts) :- must_be(nonvar, Path), atomic_list_concat(Parts, /, Path).

%!  file_name_extension(?Base, ?Extension, ?Name) is det.
file_name_extension(Base, Extension, Name) :-
    (   nonvar(Base), nonvar(Extension)
    ->  '$reading_without_dot'(Extension, Plain),
        (   atom_concat(_, Plain, Base), atom_concat('.', Plain, Dotted), atom_concat(_, Dotted, Base)
        ->  Name = Base
        ;   Plain == ''
        ->  Name = Base
        ;   atomic_list_concat([Base, '.', Plain], Name)
        )
    ;   must_be(nonvar, Name),
        (   sub_atom(Name, Before, 1, After, '.'),
            sub_atom(Name, _, After, 0, Plain),
            \+ sub_atom(Plain, _, 1, _, '.'),
            \+ sub_atom(Plain, _, 1, _, /)
        ->  ( nonvar(Extension) -> '$reading_without_dot'(Extension, Plain) ; Extension = Plain ),
            sub_atom(Name, 0, Before, _, Base)
        ;   var(Extension)
        ->  Extension = '',
            Base = Name
        )
    ).

'$reading_without_dot'(Extension, Plain) :- ( atom_concat('.', Plain0, Extension) -> Plain = Plain0 ; Plain = Extension ).
