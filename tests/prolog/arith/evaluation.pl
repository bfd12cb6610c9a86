% evaluation.pl – arithmetic evaluation and functors [ISO 8.6, 9].

%? X is 3 + 11.
%= X = 14
%? X is 7 // 2.
%= X = 3
%? X is -7 // 2.
%= X = -3
%? X is 7 mod -2.
%= X = -1
%? X is -7 mod 2.
%= X = 1
%? X is -7 rem 2.
%= X = -1
%? X is div(-7, 2).
%= X = -4
%? X is 7.0 / 2.
%= X = 3.5
%? X is 4 / 2.
%= X = 2
%? X is 3 - 1.0.
%= X = 2.0
%? X is abs(-3).
%= X = 3
%? X is sign(-2.5).
%= X = -1.0
%? X is max(2, 3).
%= X = 3
%? X is min(2, 3).
%= X = 2
%? X is truncate(-0.5).
%= X = 0
%? X is round(7.5).
%= X = 8
%? X is round(-7.5).
%= X = -8
%? X is ceiling(-0.5).
%= X = 0
%? X is floor(-0.5).
%= X = -1
%? X is float(7).
%= X = 7.0
%? X is float_integer_part(-2.5).
%= X = -2.0
%? X is float_fractional_part(-2.5).
%= X = -0.5
%? X is 2 ** 3.
%= X = 8
%? X is 2 ** 3.0.
%= X = 8.0
%? X is 2 ^ 10.
%= X = 1024
%? X is 2 ^ -1.
%= error: type_error(float,2)
%~ SWI-Prolog answers 0.5 unless its flag iso is set.
%? X is 1 ^ -1.
%= X = 1
%? X is 0 ^ 0.
%= X = 1
%? X is 0.0 ** 0.
%= X = 1.0
%~ Whatever to the integer 0 is the integer 1 in SWI-Prolog.
%? X is 5 /\ 3.
%= X = 1
%? X is 5 \/ 3.
%= X = 7
%? X is xor(5, 3).
%= X = 6
%? X is \ 5.
%= X = -6
%? X is 1 << 4.
%= X = 16
%? X is -16 >> 2.
%= X = -4
%? X is - (- 1).
%= X = 1
%? X is + 1.
%= X = 1
%? X is sqrt(4).
%= X = 2.0
%? X is exp(0).
%= X = 1.0
%? X is log(1).
%= X = 0.0
%? X is sin(0).
%= X = 0.0
%? X is atan2(0.0, 1).
%= X = 0.0
%? 1 is 1.0.
%= false
%? foo is 1.
%= false
%? X is _ + 1.
%= error: instantiation_error
%? X is foo + 1.
%= error: type_error(evaluable,foo/0)
%? X is foo(1, 2) + 1.
%= error: type_error(evaluable,foo/2)
%? X is 1 / 0.
%= error: evaluation_error(zero_divisor)
%? X is 1 / 0.0.
%= error: evaluation_error(zero_divisor)
%? X is 1 // 0.
%= error: evaluation_error(zero_divisor)
%? X is 1 mod 0.
%= error: evaluation_error(zero_divisor)
%? X is 1 rem 0.
%= error: evaluation_error(zero_divisor)
%? X is 7 // 2.0.
%= error: type_error(integer,2.0)
%? X is 7.5 mod 2.
%= error: type_error(integer,7.5)
%? X is 1.0 /\ 2.
%= error: type_error(integer,1.0)
%? X is 1 << 1.0.
%= error: type_error(integer,1.0)
%? X is \ 1.0.
%= error: type_error(integer,1.0)
%? X is log(0).
%= error: evaluation_error(undefined)
%~ SWI-Prolog takes it for an overflow.
%? X is log(-1).
%= error: evaluation_error(undefined)
%? X is sqrt(-1).
%= error: evaluation_error(undefined)
%? X is acos(2).
%= error: evaluation_error(undefined)
%? X is atan2(0.0, 0.0).
%= error: evaluation_error(undefined)
%~ SWI-Prolog follows IEEE 754, where it is 0.0.
%? X is 0 ** -1.
%= error: evaluation_error(zero_divisor)
%? X is 0 ^ -1.
%= error: evaluation_error(zero_divisor)
%? X is 0.0 ** -1.
%= error: evaluation_error(zero_divisor)
%? X is 9223372036854775807 + 1.
%= X = 9223372036854775808
%? X is -9223372036854775808 - 1.
%= X = -9223372036854775809
%? X is 9223372036854775807 * 2.
%= X = 18446744073709551614
%? X is 1 << 64.
%= X = 18446744073709551616
%? X is abs(-9223372036854775808).
%= X = 9223372036854775808
%? X is 1.0e308 * 10.
%= error: evaluation_error(float_overflow)
%? X is exp(1000).
%= error: evaluation_error(float_overflow)
%? X is truncate(1.0e20).
%= X = 100000000000000000000
%? 1 =:= 1.0.
%= true
%? 1 + 1 =:= 2.
%= true
%? 1 =\= 1.0.
%= false
%? 1 < 1.0.
%= false
%? 2 =< 1 + 1.
%= true
%? 3 > 2.5.
%= true
%? 3 >= 4.
%= false
%  DIVERGENCE: the standard compares as floats, so that they are equal; here values are compared.
%? 9007199254740993 =:= 9007199254740992.0.
%= false
%~ SWI-Prolog compares as floats.
%? _ =:= 1.
%= error: instantiation_error
%? 1 < _.
%= error: instantiation_error
%? a < 1.
%= error: type_error(evaluable,a/0)
%? 1 =\= foo(2).
%= error: type_error(evaluable,foo/1)
%? succ(X, 4).
%= X = 3
%? succ(3, X).
%= X = 4
%? succ(_, _).
%= error: instantiation_error
%? succ(a, _).
%= error: type_error(integer,a)
