% main.pl – arguments of the command line, with the types that the program says.

opt_type(verbose, verbose, boolean).
opt_type(v, verbose, boolean).
opt_type(quiet, quiet, boolean(false)).
opt_type(n, lines, nonneg).
opt_type(lines, lines, nonneg).
opt_type(dice, dice, between(1, 6)).
opt_type(share, share, between(0.0, 1.0)).
opt_type(x, x, oneof([a, b])).
opt_type(size, size, (integer | oneof([large]))).
opt_type(t, term, term).
opt_type(tv, term, term([variable_names(_)])).
opt_type(user_name, user, string).
opt_type(f, file, file(read)).

faulty(Arguments, Fault) :- catch(argv_options(Arguments, _, _, []), error(opt_error(Fault0), _), Fault = Fault0).

%? argv_options([], P, O).
%= P = [], O = []
%? argv_options([a, '-v', b], P, O).
%= P = [a,b], O = [verbose(true)]
%? argv_options(['--verbose', '--no-quiet', '--noverbose', '--quiet'], P, O).
%= P = [], O = [verbose(true),quiet(true),verbose(false),quiet(false)]
%? argv_options(['--verbose=off', '--quiet=true'], P, O).
%= P = [], O = [verbose(false),quiet(true)]
%? argv_options(['-vn', '3'], P, O).
%= P = [], O = [verbose(true),lines(3)]
%? argv_options(['-vn3', '--lines=4', '--lines', '5'], P, O).
%= P = [], O = [verbose(true),lines(3),lines(4),lines(5)]
%? argv_options(['--dice=6', '--share', '1', '-x', b], P, O).
%= P = [], O = [dice(6),share(1.0),x(b)]
%? argv_options(['--size=large', '--size=-3'], P, O).
%= P = [], O = [size(large),size(-3)]
%? argv_options(['-t', 'f(a)', '--user-name=me'], P, O).
%= P = [], O = [term(f(a)),user("me")]
%? argv_options(['--tv', 'f(X)'], P, [term(_T-['X' = a])]), writeq(_T).
%= P = []
%? argv_options(['-v', '--', '-v', --], P, O).
%= P = ['-v',--], O = [verbose(true)]
%? argv_options(['-v', -, '-n', '1'], P, O).
%= P = [-], O = [verbose(true),lines(1)]
%? argv_options(['-v', a, '-v'], P, O, [options_after_arguments(false)]).
%= P = [a,'-v'], O = [verbose(true)]
%? argv_options(['--zzz=1', '-zv', a], P, O, [unknown_option(pass)]).
%= P = ['--zzz=1','-z',a], O = [verbose(true)]
%~ not in SWI-Prolog 9.0
%? faulty(['--zzz'], unknown_option(_:F)).
%= F = zzz
%? faulty(['-n'], F).
%= F = missing_value(n,nonneg)
%? faulty(['-n', '-1'], F).
%= F = value_type(n,nonneg,'-1')
%? faulty(['--dice', '7'], F).
%= F = value_type(dice,between(1,6),'7')
%? faulty(['-xc'], F).
%= F = value_type(x,oneof([a,b]),c)
%? faulty(['-f', '/no/such/file'], F).
%= F = access_file('/no/such/file',read)
