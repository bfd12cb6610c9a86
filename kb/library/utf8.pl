% UTF-8, RFC 3629: codes of characters and the bytes that encode them.
:- module(utf8, [ utf8_codes/3 ]).

%!  utf8_codes(?Codes)// is semidet.
%   The list of bytes that encode Codes. Unknown codes are read from the bytes, as many as there are.
utf8_codes(Codes, Bytes, Rest) :-
    (   nonvar(Codes)
    ->  '$utf8_known'(Codes, Bytes, Rest)
    ;   '$utf8_decode'(Code, Bytes, Bytes1)
    ->  Codes = [Code|Codes1],
        utf8_codes(Codes1, Bytes1, Rest)
    ;   Codes = [],
        Bytes = Rest
    ).

'$utf8_known'([], Rest, Rest).
'$utf8_known'([Code|Codes], Bytes, Rest) :-
    ( nonvar(Code) -> '$utf8_encode'(Code, Bytes, Bytes1) ; '$utf8_decode'(Code, Bytes, Bytes1) ),
    utf8_codes(Codes, Bytes1, Rest).

'$utf8_encode'(Code, [Code|Rest], Rest) :- Code < 0x80, !.
'$utf8_encode'(Code, [Byte1, Byte2|Rest], Rest) :-
    Code < 0x800,
    !,
    Byte1 is 0xC0 \/ Code >> 6,
    '$utf8_tail'(Code, 0, Byte2).
'$utf8_encode'(Code, [Byte1, Byte2, Byte3|Rest], Rest) :-
    Code < 0x10000,
    !,
    Byte1 is 0xE0 \/ Code >> 12,
    '$utf8_tail'(Code, 6, Byte2),
    '$utf8_tail'(Code, 0, Byte3).
'$utf8_encode'(Code, [Byte1, Byte2, Byte3, Byte4|Rest], Rest) :-
    Code =< 0x10FFFF,
    Byte1 is 0xF0 \/ Code >> 18,
    '$utf8_tail'(Code, 12, Byte2),
    '$utf8_tail'(Code, 6, Byte3),
    '$utf8_tail'(Code, 0, Byte4).

% 10xxxxxx with the six bits of Code from Place on.
'$utf8_tail'(Code, Place, Byte) :- Byte is 0x80 \/ (Code >> Place /\ 0x3F).

'$utf8_decode'(Code, [Byte|Bytes], Rest) :-
    nonvar(Byte),
    '$utf8_first'(Byte, Bits, Number),
    '$utf8_more'(Number, Bits, Code, Bytes, Rest).

% The bits that a first byte has, and the number of bytes behind it.
'$utf8_first'(Byte, Byte, 0) :- Byte < 0x80, !.
'$utf8_first'(Byte, Bits, 1) :- Byte >> 5 =:= 0b110, !, Bits is Byte /\ 0x1F.
'$utf8_first'(Byte, Bits, 2) :- Byte >> 4 =:= 0b1110, !, Bits is Byte /\ 0x0F.
'$utf8_first'(Byte, Bits, 3) :- Byte >> 3 =:= 0b11110, Bits is Byte /\ 0x07.

'$utf8_more'(0, Code, Code, Rest, Rest) :- !.
'$utf8_more'(Number, Bits, Code, [Byte|Bytes], Rest) :-
    nonvar(Byte),
    Byte >> 6 =:= 0b10,
    Bits1 is Bits << 6 \/ (Byte /\ 0x3F),
    Left is Number - 1,
    '$utf8_more'(Left, Bits1, Code, Bytes, Rest).
