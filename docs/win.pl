% Who wins the game of moving a token along arrows, where whoever cannot move loses?
:- table win/1.
win(X) :- move(X, Y), tnot(win(Y)).

move(a, b).  move(b, a).            % round and round: nobody has to lose
move(b, c).  move(c, d).            % but c wins, because d is a dead end
