% split.pl – separators that are padding, too, count once.

%? split_string("//a//b//", "/", "/", L).
%= L = ["a","b"]
%? split_string("  a   b  ", " ", " ", L).
%= L = ["a","b"]
%? split_string("//", "/", "/", L).
%= L = [""]
%? split_string("  ; ;", ";", " ", L).
%= L = ["","",""]
%? split_string("/home//jan///nice/path", "/", "", L).
%= L = ["","home","","jan","","","nice","path"]
%? split_string("  a ", "", " ", L).
%= L = ["a"]
