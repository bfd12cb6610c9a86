% errors.pl – what streams refuse, in the order in which the standard checks it [ISO 8.11–8.13].

%? open(_, read, _).
%= error: instantiation_error
%? open(f, read, s).
%= error: uninstantiation_error(s)
%~ SWI-Prolog opens the file first
%? open(f, 1, _).
%= error: type_error(atom,1)
%? open(f, steal, _).
%= error: domain_error(io_mode,steal)
%? open('no/such/file', read, _).
%= error: existence_error(source_sink,'no/such/file')
%? close(_).
%= error: instantiation_error
%? close(no_stream).
%= error: existence_error(stream,no_stream)
%? close(f(1)).
%= error: domain_error(stream_or_alias,f(1))
%? set_input(user_output).
%= error: permission_error(input,stream,user_output)
%? set_output(user_input).
%= error: permission_error(output,stream,user_input)
%? get_char(user_output, _).
%= error: permission_error(input,stream,user_output)
%? put_char(user_input, a).
%= error: permission_error(output,stream,user_input)
%? get_char(user_input, 1).
%= error: type_error(in_character,1)
%~ SWI-Prolog: type_error(character,1)
%? put_char(_).
%= error: instantiation_error
%? put_char(ab).
%= error: type_error(character,ab)
%? put_code(-1).
%= error: representation_error(character_code)
%~ SWI-Prolog: type_error(character,-1)
%? nl(_).
%= error: instantiation_error
%? stream_property(_, foo).
%= error: domain_error(stream_property,foo)
%~ SWI-Prolog fails
%? stream_property(1, _).
%= error: domain_error(stream,1)
%~ SWI-Prolog: domain_error(stream_or_alias,1)
%? current_output(1).
%= error: domain_error(stream,1)
%~ SWI-Prolog: domain_error(stream_or_alias,1)
%? char_conversion(_, a).
%= error: instantiation_error
%? read_term(user_input, _, foo).
%= error: type_error(list,foo)
%? read_term(user_input, _, [_]).
%= error: instantiation_error
% The stream is named as the program names it.
%? put_byte(user_output, 1).
%= error: permission_error(output,text_stream,user_output)
%? get_byte(user_input, _).
%= error: permission_error(input,text_stream,user_input)
%? delete_file(_).
%= error: instantiation_error
%? delete_file(f(x)).
%= error: type_error(text,f(x))
%? delete_file('no/such/file').
%= error: existence_error(file,'no/such/file')
