% broken.pl – a fault of syntax is told with its place.
p(1).
p(2
q(3).
