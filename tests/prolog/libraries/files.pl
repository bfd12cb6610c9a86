% files.pl – names of files, and reading lines.

%? file_base_name('/a/b.c', B).
%= B = 'b.c'
%? file_base_name('b.c', B).
%= B = 'b.c'
%? file_base_name('/a/b/', B).
%= B = b
%? file_directory_name('/a/b.c', D).
%= D = '/a'
%? file_directory_name('b.c', D).
%= D = '.'
%? file_directory_name('/b', D).
%= D = /
%? file_directory_name('a/b/c', D).
%= D = 'a/b'
%? file_name_extension(foo, pl, N).
%= N = 'foo.pl'
%? file_name_extension(foo, '.pl', N).
%= N = 'foo.pl'
%? file_name_extension('foo.pl', pl, N).
%= N = 'foo.pl'
%? file_name_extension(B, E, 'foo.tar.gz').
%= B = 'foo.tar', E = gz
%? file_name_extension(B, E, foo).
%= B = foo, E = ''
%? file_name_extension(B, pl, 'foo.pl').
%= B = foo
%? file_name_extension(B, c, 'foo.pl').
%= false
%? open_string("ab\ncd", _S), findall(L, (between(1, 4, _), read_line_to_string(_S, L)), Ls).
%= Ls = ["ab","cd",end_of_file,end_of_file]
%? open_string("a\r\nb", _S), findall(L, (between(1, 3, _), read_line_to_codes(_S, L)), Ls).
%~ SWI-Prolog 9.0.4 gives end_of_file where its manual says -1.
%= Ls = [[97],[98],-1]
%? open_string("a\nbc", _S), read_line_to_codes(_S, A, T), read_stream_to_codes(_S, B).
%= A = [97,10|T], B = [98,99]
%? read_term_from_atom('foo(X, Y, X)', foo(a, b, Z), []).
%= Z = a
%? open_string("ab,c", _S), phrase_from_stream(( [A], "b,", [B] ; "x" ), _S).
%= A = 97, B = 99
%? open_string("ab", _S), phrase_from_stream("a", _S).
%= false
