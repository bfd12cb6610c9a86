% intercept.pl – signals to the handlers that a goal is run under.

sum(X, State) :- arg(1, State, Sum0), Sum is Sum0 + X, setarg(1, State, Sum).

%? intercept(send_signal(x), X, Y = X).
%= true
%? intercept(send_signal(x), X, =(X), Y).
%= Y = x
%? S = sum(0), intercept(( send_signal(1), send_signal(2) ), X, sum(X), S).
%= S = sum(3)
%? S = sum(0), intercept(( member(N, [1, 2]), send_signal(N) ), X, sum(X), S).
%= S = sum(1), N = 1
%= S = sum(2), N = 2
%? intercept(intercept(send_signal(x), y, fail), x, true).
%= true
%? intercept(intercept(send_signal(x), x, send_signal(z)), z, fail).
%= false
%? intercept(send_signal(f(Z)), f(W), W = 1).
%= Z = 1
%? intercept(true, x, true), send_signal(x).
%= error: unintercepted_signal(x)
%? send_silent_signal(x).
%= true
%? send_signal(_).
%= error: instantiation_error
%? intercept_all(X, ( member(M, [1, 2]), send_signal(a(M)), send_signal(b) ), a(X), L), !.
%= error: unintercepted_signal(b)
%? intercept_all(X, ( between(1, 2, M), send_signal(a(M)), send_silent_signal(b) ), a(X), L).
%= M = 1, L = [1]
%= M = 2, L = [2]
%? nb_intercept_all(X, ( between(1, 2, M), send_signal(a(M)) ), a(X), L).
%= M = 1, L = [1]
%= M = 2, L = [1,2]
%? intercept_all(X, forall(member(M, [1, 2]), send_signal(M)), X, L).
%= L = []
%? nb_intercept_all(X, forall(member(M, [1, 2]), send_signal(M)), X, L).
%= L = [1,2]
