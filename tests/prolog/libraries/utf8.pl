% utf8.pl – codes and bytes.

%? phrase(utf8_codes([0x61, 0xe9, 0x20ac, 0x1f600]), Bytes).
%= Bytes = [97,195,169,226,130,172,240,159,152,128]
%? phrase(utf8_codes(Codes), [0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80]).
%= Codes = [97,233,8364,128512]
%? phrase(utf8_codes([0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff]), Bytes), phrase(utf8_codes(Codes), Bytes).
%= Bytes = [127,194,128,223,191,224,160,128,239,191,191,240,144,128,128,244,143,191,191], Codes = [127,128,2047,2048,65535,65536,1114111]
%? phrase(utf8_codes([0x20ac|Codes]), [0xe2, 0x82, 0xac, 0x61]).
%= Codes = [97]
%? phrase(utf8_codes([C|Rest]), [0xe2, 0x82, 0xac, 0x61], Rest).
%= false
%? phrase(utf8_codes(Codes), [0x61, 0xe2, 0x82], Rest).
%= Codes = [97], Rest = [226,130]
%? phrase(utf8_codes(Codes), [0x61, 0xe2, 0x82]).
%= false
%? phrase(utf8_codes(Codes), [0x80]).
%= false
%? phrase(utf8_codes([_]), _).
%= false
%? phrase(utf8_codes([]), Bytes).
%= Bytes = []
