% operands.pl – operators alone as operands stand in brackets, so that what is written reads back.

%? with_output_to(atom(A), writeq((-)-(-))).
%= A = '(-)-(-)'
%? with_output_to(atom(A), writeq(-(-))).
%= A = '- (-)'
%? with_output_to(atom(A), writeq([-, - = a|(:-)])).
%= A = '[-,(-)=a|:-]'
%? with_output_to(atom(A), writeq(2^(-))).
%= A = '2^(-)'
%? with_output_to(atom(A), writeq(-(1^2))).
%= A = '- 1^2'
%? with_output_to(atom(A), writeq(-(a^2))).
%= A = '-a^2'
%? with_output_to(atom(A), writeq('\x1\')).
%= A = '\'\\x1\\\''
%? with_output_to(atom(A), write_term(f(X,Y), [variable_names(['X'=X,'Y'=Y])])).
%= A = 'f(X,Y)'
%? write_term(a, [quoted(maybe)]).
%= error: domain_error(write_option,quoted(maybe))
%~ SWI-Prolog: type_error(bool,maybe); the standard has a domain error of the option
%? write_term(a, [quoted(true)|_]).
%= error: instantiation_error
