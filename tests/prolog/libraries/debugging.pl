% debugging.pl – topics that are turned on and off.

%? debugging(door).
%= false
%? debug(door, "never ~w", [x]).
%= true
%? debug(door), debugging(door), nodebug(door), \+ debugging(door), debugging(door, V).
%= V = false
%? debug(door(_)), debugging(door(1)), nodebug(door(_)), \+ debugging(door(1)).
%= true
%? debugging(window, V).
%= false
