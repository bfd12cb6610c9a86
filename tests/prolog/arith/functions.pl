% functions.pl – arithmetic beyond the standard, as SWI-Prolog has it.

%? X is lsb(12).
%= X = 2
%? X is msb(1 << 100).
%= X = 100
%? X is popcount((1 << 70) - 1).
%= X = 70
%? X is getbit(5, 1).
%= X = 0
%? X is getbit(1 << 80, 80).
%= X = 1
%? X is powm(3, 1 << 70, 1000007).
%= X = 605308
%? X is lcm(4, -6).
%= X = 12
%? X is nexttoward(1, 2).
%= X = 1.0000000000000002
%? X is asinh(0.5).
%= X = 0.48121182505960347
%? X is acosh(1.5).
%= X = 0.9624236501192069
%? X is atanh(0.5).
%= X = 0.5493061443340548
%? X is erf(0.5).
%= X = 0.5204998778130465
%? X is erfc(0.5).
%= X = 0.4795001221869535
%? X is lgamma(3).
%= X = 0.6931471805599453
%? X is ceil(2.5).
%= X = 3
%? _ is msb(0).
%= error: domain_error(not_less_than_one,0)
%? _ is lsb(-1).
%= error: domain_error(not_less_than_one,-1)
%? _ is popcount(-1).
%= error: domain_error(not_less_than_zero,-1)
%? _ is acosh(0.5).
%= error: evaluation_error(undefined)
%? _ is atanh(1.5).
%= error: evaluation_error(undefined)
%? _ is powm(2, 3, 0).
%= error: domain_error(not_less_than_one,0)
%? X is random(1 << 200), integer(X), X >= 0, X < 1 << 200, fail.
%= false
%? succ(_, -1).
%= error: domain_error(not_less_than_zero,-1)
%? X = 1.0Inf, Y is -inf.
%= X = 1.0Inf, Y = -1.0Inf
%? X is nan.
%= X = 1.5NaN
%? X is 0xff_ff + 0b1111_0000 + 0o7_7.
%= X = 65838
%? X = 0'\u0041.
%= X = 65
%? X is copysign(1, -0.0), Y is copysign(2.0, -3), Z is copysign(-4, 1).
%= X = -1, Y = -2.0, Z = 4
