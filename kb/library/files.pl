% Grammars that read files.
:- module(files, [ phrase_from_file/2, phrase_from_file/3, phrase_from_stream/2 ]).

%!  phrase_from_file(:Body, +File) is nondet.
phrase_from_file(Body, File) :- phrase_from_file(Body, File, []).

%!  phrase_from_file(:Body, +File, +Options) is nondet.
%   The codes of the whole file are the list that Body is of; Options are those of open/4.
phrase_from_file(Body, File, Options) :-
    setup_call_cleanup(open(File, read, Stream, Options), read_stream_to_codes(Stream, Codes), close(Stream)),
    phrase(Body, Codes).

%!  phrase_from_stream(:Body, +Stream) is nondet.
phrase_from_stream(Body, Stream) :-
    read_stream_to_codes(Stream, Codes),
    phrase(Body, Codes).
