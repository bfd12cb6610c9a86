% main_untyped.pl – arguments of the command line of a program that says nothing of its flags.

%? argv_options([a, '-v', '--size=4', '--name=b c', '--deep-enough', b], P, O).
%= P = [a,'-v',b], O = [size(4),name('b c'),deep_enough(true)]
%? argv_options(['--no-color', '--nocolor', '--no', '--x='], P, O).
%= P = [], O = [color(false),nocolor(true),no(true),x('')]
%? argv_options(['--x=1.5', '--', '--y'], P, O).
%= P = ['--y'], O = [x(1.5)]
%? argv_options([-, 1], P, O).
%= P = [-,1], O = []
