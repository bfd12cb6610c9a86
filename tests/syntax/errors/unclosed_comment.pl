% unclosed_comment.pl - everything behind it is comment
p.
/* here
q.
