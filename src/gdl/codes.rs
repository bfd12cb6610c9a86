//! The table of faults that this layer reports: code, severity, what it means, and an example with
//! its correction.
//!
//! The table is the one source of all three: the severity of a [`Diagnostic`], the answer of
//! `flux check --explain CODE`, and `docs/diagnostics.md`. A test runs every example, which must be
//! told its code, and every correction, which must not.

use crate::syntax::{Code, Diagnostic, Severity, Span};

/// A kind of fault in the rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The code, as diagnostics carry it.
    pub code: Code,
    /// Whether a game with this fault can be played.
    pub severity: Severity,
    /// The fault in a few words.
    pub title: &'static str,
    /// What is demanded, why, and what follows from the fault.
    pub explanation: &'static str,
    /// Rules with the fault; not a whole game.
    pub example: &'static str,
    /// The same rules without it.
    pub corrected: &'static str,
}

impl Fault {
    /// A message about this fault at a place.
    pub(crate) fn at(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.code, self.severity, span, message)
    }
}

/// The fault with this code.
pub fn fault(code: &str) -> Option<&'static Fault> {
    let same = |fault: &&&Fault| fault.code.0.eq_ignore_ascii_case(code);
    FAULTS.iter().find(same).copied()
}

macro_rules! faults {
    ($($name:ident = $code:literal $severity:ident $title:literal
        $explanation:literal
        $example:literal => $corrected:literal)*) => {
        $(
            #[doc = $title]
            pub(crate) static $name: Fault = Fault {
                code: Code($code),
                severity: Severity::$severity,
                title: $title,
                explanation: $explanation,
                example: $example,
                corrected: $corrected,
            };
        )*

        /// All faults of this layer, in order of their codes.
        pub static FAULTS: &[&Fault] = &[$(&$name,)*];
    };
}

faults! {
MISSING_RELATION = "G0001" Error "no rules for a relation that every game needs"
    "A game says who plays (`role`), what may be done (`legal`), when it is over (`terminal`) and \
     what that is worth (`goal`). Without one of them it cannot be played."
    "(role robot)\n(legal robot wait)\nterminal"
    => "(role robot)\n(legal robot wait)\n(goal robot 100)\nterminal"

NO_NEXT = "G0002" Warning "no rules for `next`"
    "What no rule with the head `next` gives does not hold in the next state. Without any such rule \
     nothing holds after the first move."
    "(role r)\n(init (step 1))\n(legal r wait)\n(<= terminal (true (step 2)))\n(goal r 100)"
    => "(role r)\n(init (step 1))\n(legal r wait)\n(<= (next (step 2)) (true (step 1)))\n\
        (<= terminal (true (step 2)))\n(goal r 100)"

KEYWORD_ARITY = "G0101" Error "reserved word with a wrong number of arguments"
    "The reserved words have a fixed number of arguments: `(role r)`, `(init f)`, `(true f)`, \
     `(next f)`, `(does r m)`, `(legal r m)`, `(goal r v)`, `terminal`, `(distinct s t)`, \
     `(not p)`. With any other number they have no meaning."
    "(<= (p ?x) (q ?x) (distinct ?x))"
    => "(<= (p ?x) (q ?x) (distinct ?x a))"

HINT_ARITY = "G0102" Warning "`base` or `input` with a wrong number of arguments"
    "`(base f)` and `(input r m)` list the fluents and moves of a game. With another number of \
     arguments they are taken for relations of the game's own, which is what they were before the \
     words were reserved."
    "(base 1 1)"
    => "(base (cell 1 1))"

MISPLACED_KEYWORD = "G0103" Error "reserved word in the head of a rule or fact"
    "`true` and `does` are given by the state and the moves, and `distinct`, `not`, `or` and `and` \
     by logic. Rules may ask for them, not define them."
    "(<= (true (step 2)) (true (step 1)))"
    => "(<= (next (step 2)) (true (step 1)))"

KEYWORD_AS_TERM = "G0104" Warning "reserved word inside of a term"
    "Inside of a term, `not`, `or`, `and`, `distinct` and game relations such as `true` are \
     symbols without meaning: `(contains 3 (not 7))` denies nothing. Rules that mean them as plain \
     symbols can be played; often, though, a parenthesis is at the wrong place."
    "(<= terminal (true (not (alive ?x))) (player ?x))"
    => "(<= terminal (not (true (alive ?x))) (player ?x))"

HEAD_KEYWORD_IN_BODY = "G0105" Warning "`init` or `next` as a condition"
    "`init` and `next` say what holds in the first and in the following state and belong in heads. \
     As a condition, `next` asks what the current joint move leads to."
    "(init (step 1))\n(<= (next (step 2)) (next (step 1)))"
    => "(init (step 1))\n(<= (next (step 2)) (true (step 1)))"

NOT_AN_ATOM = "G0106" Error "variable or number where an atom must stand"
    "The head of a rule and its conditions are atoms: the name of a relation, with arguments if it \
     has any. Neither a variable nor a number can be true or false."
    "(<= p ?x)"
    => "(<= p (q ?x))"

EMPTY_CONNECTIVE = "G0107" Warning "`or` or `and` without conditions"
    "`(or)` is a choice between no alternatives and never holds; `(and)` always holds."
    "(<= p (or))"
    => "(<= p (or q r))"

NEGATED_FORMULA = "G0108" Warning "negation of something that is not an atom"
    "By the grammar, `not` stands in front of an atom of a relation. `(not (distinct s t))` is read \
     as equality, and `not` in front of `not`, `or` and `and` as in logic; other programs may \
     refuse or misread it."
    "(<= (p ?x ?y) (q ?x) (q ?y) (not (distinct ?x ?y)))"
    => "(<= (p ?x ?x) (q ?x))"

EMPTY_BODY = "G0109" Warning "rule without conditions"
    "A rule without conditions is a fact, and is written without `<=`."
    "(<= (p a))"
    => "(p a)"

ROLE_RULE = "G0110" Warning "`role` given by a rule"
    "The roles are to be listed as facts, in the order in which joint moves are written. Rules \
     without reference to the state are evaluated once, before the game begins."
    "(player white)\n(<= (role ?x) (player ?x))"
    => "(player white)\n(role white)"

NESTED_TOO_DEEP = "G0111" Error "conditions nested too deep"
    "`not`, `or` and `and` may be nested up to 200 levels; hand-written rules have fewer than ten. \
     Give a part of the condition a name of its own."
    "(<= p (or (or (or … q))))"
    => "(<= p q)"

STATIC_DEPENDENCY = "G0201" Error "`role`, `init`, `base` or `input` depends on the state"
    "Roles, first state, and the lists of fluents and moves are known before the game begins, when \
     there is neither a state to ask with `true` nor a move to ask with `does`."
    "(<= (init (foo ?x)) (true (step ?x)))"
    => "(<= (init (foo ?x)) (step_number ?x))"

MOVE_DEPENDENCY = "G0202" Error "`legal`, `goal` or `terminal` depends on `does`"
    "What is legal, whether the game is over and what it is worth is asked before anybody moves. \
     Remember the move in the next state and ask for that."
    "(<= terminal (does robot stop))"
    => "(<= (next stopped) (does robot stop))\n(<= terminal (true stopped))"

NEGATED_MOVE_DEPENDENCY = "G0203" Warning "`legal`, `goal` or `terminal` depends on `does` through a negation"
    "A relation that is used both before and after the move asks for the move. Before the move \
     nobody has moved, so `does` never holds there, and the negation of it does. That has a \
     meaning, but hardly the intended one."
    "(<= terminal (not alive))\n(<= alive (not hit))\n(<= hit (does robot shoot))"
    => "(<= terminal (not (true alive)))\n(<= (next alive) (not hit))\n(<= hit (does robot shoot))"

VARIABLE_IN_FACT = "G0301" Error "variable in a fact"
    "A fact with a variable would hold for infinitely many terms. Name the terms, or make it a rule \
     with conditions that bind the variable."
    "(adjacent ?x wall)"
    => "(<= (adjacent ?x wall) (cell ?x))"

UNSAFE_HEAD = "G0302" Error "variable of a head that no condition binds"
    "Every variable of a head must occur in a condition that is neither negated nor `distinct`, and \
     if that condition stands in an `or`, then in every branch. Otherwise the rule would hold for \
     infinitely many terms. The order of the conditions does not matter."
    "(<= (goal ?p 100) (true won))"
    => "(<= (goal ?p 100) (role ?p) (true won))"

UNSAFE_NEGATION = "G0303" Error "variable of a negated condition that no other condition binds"
    "A negated condition is a test: what its variables stand for must come from a condition that is \
     not negated. To say that there is no such term at all, define a relation that holds if there \
     is one, and negate that."
    "(<= empty (not (true (cell ?x))))"
    => "(<= occupied (true (cell ?x)))\n(<= empty (not occupied))"

UNSAFE_DISTINCT = "G0304" Error "variable of `distinct` that no condition binds"
    "`distinct` compares two terms; what its variables stand for must come from a condition that is \
     neither negated nor `distinct`."
    "(<= several (role ?x) (distinct ?x ?y))"
    => "(<= several (role ?x) (role ?y) (distinct ?x ?y))"

UNSTRATIFIED = "G0401" Error "recursion through a negation"
    "A relation must not depend on its own negation, directly or through other relations: whether \
     it holds would be a contradiction or a matter of taste."
    "(<= p (not q))\n(<= q p)"
    => "(<= p (not q))\n(<= q r)"

GROWING_RECURSION = "G0402" Error "recursion that builds ever larger terms"
    "A recursive rule whose head wraps a function around a term from its own recursion holds for \
     infinitely many terms. Bind the variable by a condition on a relation that does not depend on \
     the head, so that there are finitely many."
    "(num 0)\n(<= (num (s ?x)) (num ?x))"
    => "(num 0)\n(<= (num (s ?x)) (num ?x) (digit ?x))"

RECURSION_RESTRICTION = "G0403" Warning "recursive call outside of the recursion restriction"
    "Each argument of a recursive call is to be ground, or an argument of the head, or bound by a \
     condition on a relation that is not part of the recursion. The rule builds no larger terms, so \
     there is an end to it here; other programs may rely on the restriction."
    "(<= (same ?x ?z) (same ?x ?y) (same ?y ?z))"
    => "(<= (same ?x ?z) (link ?x ?y) (same ?y ?z))"

UNSTRATIFIED_NAMES = "G0404" Warning "negation of the same relation for other arguments"
    "A relation negates itself, but for other arguments, as the rule for one goal value may do with \
     another value. By the definition of the language that is recursion through a negation; since no \
     instance depends on its own negation, the rules have exactly one meaning, and are played."
    "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))\n(<= (goal ?r 100) (true (won ?r)))"
    => "(<= (goal ?r 0) (role ?r) (not (true (won ?r))))\n(<= (goal ?r 100) (true (won ?r)))"

RELATION_ARITY = "G0501" Warning "relation with two numbers of arguments"
    "A relation has one number of arguments. Atoms of one name with different numbers of arguments \
     are taken for different relations, which have nothing to do with each other."
    "(p 1)\n(p 1 2)"
    => "(p 1)\n(q 1 2)"

FUNCTION_ARITY = "G0502" Warning "function with two numbers of arguments"
    "A function has one number of arguments. Terms of one name with different numbers of arguments \
     are different terms, of which none can stand where the other does."
    "(p (f 1))\n(p (f 1 2))"
    => "(p (f 1))\n(p (g 1 2))"

PARENTHESES = "G0503" Warning "symbol with and without parentheses"
    "`(over)` and `over` are the same thing. Programs that take them for different things never see \
     the condition hold."
    "(<= (over) (true done))\n(<= terminal over)"
    => "(<= over (true done))\n(<= terminal over)"

SPELLING = "G0504" Warning "two spellings of one symbol"
    "Symbols are the same whether written in upper or lower case. Programs that keep the spellings \
     apart read other rules than these."
    "(p Red)\n(q red)"
    => "(p red)\n(q red)"

UNDEFINED_RELATION = "G0505" Warning "condition on a relation that nothing defines"
    "No fact and no rule has this relation as its head, so the condition never holds."
    "(succ 1 2)\n(<= (p ?x) (suc ?x 2))"
    => "(succ 1 2)\n(<= (p ?x) (succ ?x 2))"

UNKNOWN_FLUENT = "G0506" Warning "condition on a fluent that never holds"
    "No `init` and no `next` makes a fluent of this form true, so the condition never holds."
    "(init (cell 1 x))\n(<= terminal (true (cel 1 x)))"
    => "(init (cell 1 x))\n(<= terminal (true (cell 1 x)))"

UNKNOWN_MOVE = "G0507" Warning "condition on a move that is never legal"
    "No rule for `legal` allows a move of this form, so nobody ever makes it."
    "(legal robot (go 1))\n(<= (next (at 1)) (does robot (goto 1)))"
    => "(legal robot (go 1))\n(<= (next (at 1)) (does robot (go 1)))"

UNKNOWN_ROLE = "G0508" Warning "role that does not take part"
    "Nobody of this name takes part in the game."
    "(role white)\n(legal wite wait)"
    => "(role white)\n(legal white wait)"

DUPLICATE = "G0509" Warning "the same sentence twice"
    "The second one adds nothing; a symbol that should differ may have been forgotten in a copy."
    "(succ 1 2)\n(succ 1 2)"
    => "(succ 1 2)\n(succ 2 3)"

GOAL_VALUE = "G0601" Warning "goal value that is not a number from 0 to 100"
    "Goal values are whole numbers from 0 (worst) to 100 (best). Where a state has another value, \
     the goal of the role is not known."
    "(<= (goal robot 150) (true won))"
    => "(<= (goal robot 100) (true won))"

CHANCE = "G0701" Warning "moves of chance"
    "In GDL-II the role `random` is nobody: each of its legal moves is made with the same probability, and \
     nobody gets its payoff. flux reads it as a role like others. What follows from moves is the same, and \
     random playouts choose as chance does; but values of plays are not, so that `flux solve` refuses such \
     games."
    "(role robot)\n(role random)\n(legal random (roll 1))"
    => "(role robot)\n(role dealer)\n(legal dealer (roll 1))"

HIDDEN = "G0702" Warning "players who do not see everything"
    "In GDL-II a role knows of each move only what `sees` tells it. flux reads `sees` as a relation of which \
     nothing takes notice: states, moves and ends are the same, but every role is taken to know all of them, so \
     that `flux solve` refuses such games."
    "(role robot)\n(<= (sees robot ?m) (does robot ?m))"
    => "(role robot)"

UNUSED_RELATION = "G0801" Warning "relation that nothing asks for"
    "No condition and no reserved word asks for it, so its rules change nothing in the game. Often the \
     name is mistyped."
    "(<= terminale (true done))"
    => "(<= terminal (true done))"

UNREAD_FLUENT = "G0802" Warning "fluent that no rule reads"
    "States differ in it, but neither moves nor goals nor the end do. It is a mistake, or makes two \
     states of one for nothing."
    "(init (seen 1))\n(<= terminal (true (done 1)))"
    => "(init (seen 1))\n(<= terminal (true (seen 1)))"

IDLE_MOVE = "G0803" Warning "move with arguments that has no effect"
    "No rule asks whether the move is made, so that it is as good as any other one."
    "(<= (legal robot (push ?x)) (box ?x))\n(<= (next done) (does robot wait))"
    => "(<= (legal robot (push ?x)) (box ?x))\n(<= (next (at ?x)) (does robot (push ?x)))"

IMPOSSIBLE_VALUE = "G0804" Warning "condition that no value can satisfy"
    "No fact and no rule puts this constant at this place, so the condition never holds."
    "(init (n 1))\n(<= (next (n 2)) (true (n 1)))\n(<= terminal (true (n 7)))"
    => "(init (n 1))\n(<= (next (n 2)) (true (n 1)))\n(<= terminal (true (n 2)))"

SINGLE_VARIABLE = "G0805" Warning "variable that occurs once, named nearly like another one"
    "A variable that occurs once may be anything. Beside one of nearly the same name that occurs more \
     often it is probably mistyped."
    "(<= (p ?column) (q ?column ?row) (r ?colunm))"
    => "(<= (p ?column) (q ?column ?row) (r ?column))"

UNMARKED_VARIABLE = "G0806" Warning "constant with the name of a variable of the same rule"
    "The constant occurs in no other rule; the question mark may have been forgotten."
    "(<= (next (cell ?x ?y ?b)) (true (cell ?x ?y b)))"
    => "(<= (next (cell ?x ?y ?b)) (true (cell ?x ?y ?b)))"

LOST_FLUENT = "G0807" Warning "fluent that is lost with the first move"
    "What no rule for `next` has does not hold in the next state: rules have to say what stays as it is."
    "(init (wall 1 2))\n(<= terminal (true (wall 1 2)))"
    => "(init (wall 1 2))\n(<= (next (wall ?x ?y)) (true (wall ?x ?y)))\n(<= terminal (true (wall 1 2)))"

MISSING_FRAME = "G0808" Warning "fluent that is lost whenever no move sets it"
    "It holds at first, other fluents are kept by rules that read them, and this one is not: all of \
     its rules ask for moves, and none for the fluent."
    "(init (at 1))\n(init (at 2))\n(init (lit 1))\n(<= (next (lit ?x)) (true (lit ?x)))\n(<= (next (at ?x)) (does robot (go ?x)))"
    => "(init (at 1))\n(init (at 2))\n(init (lit 1))\n(<= (next (lit ?x)) (true (lit ?x)))\n(<= (next (at ?x)) (true (at ?x)) (does robot wait))"

NEEDLESS_RULE = "G0809" Warning "rule that another one makes needless"
    "Whenever its conditions hold, those of the other rule do, and it says the same. A symbol that should \
     differ may have been forgotten in a copy."
    "(<= (p ?x) (q ?x))\n(<= (p 1) (q 1) (r 1))"
    => "(<= (p ?x) (q ?x))\n(<= (p 1) (r 1))"

FOREIGN_SIGN = "G0810" Warning "sign of another language"
    "In prefix notation it is a name like any other: `terminal :- eaten.` is three facts, and the game is \
     over from the start."
    "(=> (true done) terminal)"
    => "(<= terminal (true done))"

END_IS_FACT = "G0811" Warning "end that is a fact"
    "The game is over in each state, the first one included. Often a rule lost its parenthesis."
    "terminal"
    => "(<= terminal (true done))"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_found() {
        assert!(FAULTS.windows(2).all(|pair| pair[0].code < pair[1].code));
        assert_eq!(fault("g0302"), Some(&UNSAFE_HEAD));
        assert_eq!(fault("G9999"), None);
    }
}
