% non_ground_calls_shared_variable.pl – p(X,X) and p(X,Y) are not variants; the repeated variable
% belongs to the call.
:- table p/2.

p(a, b).
p(c, c).
p(f(_), f(_)).

%? p(X,X).
%? p(X,Y).
%? p(f(a),X).
