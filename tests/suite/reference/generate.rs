//! Random programs: small, mostly without errors, seldom endless, and strange everywhere else.

use super::term::{Term, atom, compound, integer, list, unary};

/// A program with queries. Names of predicates end in a number of the program's own, so that many
/// programs fit one machine.
pub(super) struct Program {
    pub(super) clauses: Vec<(Term, Term)>,
    pub(super) dynamic: Vec<(String, usize)>,
    pub(super) tabled: Vec<(String, usize)>,
    pub(super) queries: Vec<Term>,
}

/// Choices made by a number: the generator of random numbers called wyrand.
pub(super) struct Choices(pub(super) u64);

impl Choices {
    fn of(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        let mixed = (product >> 64) as u64 ^ product as u64;
        (mixed % count as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.of(count) == 0
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.of(from.len())]
    }
}

/// What clauses of a program may refer to.
struct Scope<'c> {
    choices: &'c mut Choices,
    /// Predicates that may be called.
    callable: Vec<(String, usize)>,
    dynamic: Vec<(String, usize)>,
    tabled: Vec<(String, usize)>,
    /// Variables of the clause so far.
    variables: usize,
    unique: usize,
}

/// Makes program `number` of a seed.
pub(super) fn program(seed: u64, number: u64) -> Program {
    let mut choices = Choices(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let named = |name: &str, arity: usize| (format!("{name}_{number}"), arity);
    let user: Vec<(String, usize)> = ["p", "q", "r", "s"][..2 + choices.of(3)]
        .iter()
        .map(|name| named(name, choices.of(4)))
        .collect();
    let dynamic = vec![named("d", 1 + choices.of(2)), named("e", 1)];
    let tabled = if choices.one_in(4) {
        vec![named("t", 1 + choices.of(2)), named("u", 2)]
    } else {
        Vec::new()
    };
    let mut scope = Scope {
        choices: &mut choices,
        callable: Vec::new(),
        dynamic: dynamic.clone(),
        tabled: Vec::new(),
        variables: 0,
        unique: 0,
    };
    let mut clauses = Vec::new();
    for (name, arity) in &dynamic {
        for _ in 0..scope.choices.of(4) {
            clauses.push(scope.clause(name, *arity, 8));
        }
    }
    if !tabled.is_empty() {
        scope.tabled_clauses(&tabled, named("link", 2), &mut clauses);
    }
    scope.callable.extend(dynamic.iter().cloned());
    scope.tabled.clone_from(&tabled);
    for (name, arity) in &user {
        // A predicate mostly calls those before it.
        let is_recursive = scope.choices.one_in(3);
        if is_recursive {
            scope.callable.push((name.clone(), *arity));
        }
        for _ in 0..1 + scope.choices.of(4) {
            clauses.push(scope.clause(name, *arity, 3));
        }
        if !is_recursive {
            scope.callable.push((name.clone(), *arity));
        }
    }
    let queries = (0..1 + scope.choices.of(3))
        .map(|_| scope.query())
        .collect();
    Program {
        clauses,
        dynamic,
        tabled,
        queries,
    }
}

impl Scope<'_> {
    fn clause(&mut self, name: &str, arity: usize, facts: usize) -> (Term, Term) {
        self.variables = 0;
        let arguments: Vec<Term> = (0..arity).map(|_| self.term(2)).collect();
        let depth = self.choices.of(3);
        let body = if self.choices.of(10) < facts {
            atom("true")
        } else {
            self.body(depth)
        };
        (compound(name, &arguments), body)
    }

    fn query(&mut self) -> Term {
        self.variables = 0;
        let goal = self.body(2);
        let called = self.user_goal();
        if self.choices.one_in(4) {
            goal
        } else {
            compound(",", &[called, goal])
        }
    }

    fn variable(&mut self) -> Term {
        // New ones are as frequent as any that is there.
        let number = self.choices.of((self.variables + 1).min(6));
        self.variables = self.variables.max(number + 1);
        Term::Variable(number)
    }

    /// A variable that occurs where it is put only.
    fn unique(&mut self) -> Term {
        self.unique += 1;
        Term::Variable(10 + self.unique)
    }

    fn number(&mut self) -> Term {
        match self.choices.of(12) {
            0 => Term::Float([0.5, -1.5, 2.0, 1.0e10, 0.1, 3.0][self.choices.of(6)]),
            1 => {
                let power = 1_i128 << [30, 59, 60, 61, 62, 63, 64, 100][self.choices.of(8)];
                integer([power, -power, power - 1, -power - 1][self.choices.of(4)])
            }
            _ => integer(self.choices.of(6) as i64 - 1),
        }
    }

    fn constant(&mut self) -> Term {
        if self.choices.one_in(3) {
            return self.number();
        }
        atom(
            self.choices
                .pick(&["a", "b", "c", "[]", "f", "A b", "+", "{}", ""]),
        )
    }

    fn term(&mut self, depth: usize) -> Term {
        match self.choices.of(if depth == 0 { 6 } else { 10 }) {
            0..=3 => self.variable(),
            4 | 5 => self.constant(),
            6 | 7 => {
                let elements: Vec<Term> = (0..self.choices.of(4))
                    .map(|_| self.term(depth - 1))
                    .collect();
                if self.choices.one_in(4) {
                    let tail = self.variable();
                    return elements
                        .iter()
                        .rev()
                        .fold(tail, |tail, head| compound("[|]", &[head.clone(), tail]));
                }
                list(&elements)
            }
            _ => {
                let arguments: Vec<Term> = (0..1 + self.choices.of(3))
                    .map(|_| self.term(depth - 1))
                    .collect();
                compound(
                    self.choices.pick(&["f", "g", "-", "+", "f", "h i"]),
                    &arguments,
                )
            }
        }
    }

    fn expression(&mut self, depth: usize) -> Term {
        match self.choices.of(if depth == 0 { 6 } else { 12 }) {
            0..=1 => self.variable(),
            2..=5 => self.number(),
            6 => {
                let name = self.choices.pick(&[
                    "-", "+", "abs", "sign", "float", "truncate", "floor", "round", "ceiling",
                    "\\", "msb", "integer",
                ]);
                compound(name, &[self.expression(depth - 1)])
            }
            7..=10 => {
                let name = self.choices.pick(&["+", "-", "*", "+", "-", "*"]);
                compound(
                    name,
                    &[self.expression(depth - 1), self.expression(depth - 1)],
                )
            }
            _ => {
                let name = self.choices.pick(&[
                    "/", "//", "mod", "rem", "div", "min", "max", "**", "^", ">>", "<<", "/\\",
                    "\\/", "xor", "gcd", "foo",
                ]);
                compound(
                    name,
                    &[self.expression(depth - 1), self.expression(depth - 1)],
                )
            }
        }
    }

    /// One to three goals, inside others one or two.
    fn body(&mut self, depth: usize) -> Term {
        let most = if depth == 2 { 3 } else { 2 };
        let mut goals: Vec<Term> = (0..1 + self.choices.of(most))
            .map(|_| self.goal(depth))
            .collect();
        let last = goals.pop().unwrap_or_else(|| atom("true"));
        goals
            .iter()
            .rev()
            .fold(last, |rest, goal| compound(",", &[goal.clone(), rest]))
    }

    fn user_goal(&mut self) -> Term {
        if self.callable.is_empty() {
            return atom("true");
        }
        let (name, arity) = self.callable[self.choices.of(self.callable.len())].clone();
        let arguments: Vec<Term> = (0..arity).map(|_| self.term(1)).collect();
        compound(&name, &arguments)
    }

    fn goal(&mut self, depth: usize) -> Term {
        let kind = self.choices.of(if depth == 0 { 22 } else { 36 });
        match kind {
            0..=4 => self.user_goal(),
            5..=7 => compound("=", &[self.variable(), self.term(2)]),
            8 => compound(
                self.choices.pick(&["=", "\\=", "unify_with_occurs_check"]),
                &[self.term(2), self.term(2)],
            ),
            9 => compound(
                self.choices.pick(&["==", "\\==", "@<", "@>", "@=<", "@>="]),
                &[self.term(1), self.term(1)],
            ),
            10 => {
                let tests = [
                    "var", "nonvar", "atom", "integer", "float", "number", "atomic", "compound",
                    "callable", "is_list", "ground",
                ];
                compound(self.choices.pick(&tests), &[self.term(1)])
            }
            11 | 12 => compound("is", &[self.variable(), self.expression(2)]),
            13 => compound(
                self.choices.pick(&["<", ">", "=<", ">=", "=:=", "=\\="]),
                &[self.expression(1), self.expression(1)],
            ),
            14..=16 => self.inspection(),
            17 => self.list_goal(),
            18 => compound("out", &[self.term(1)]),
            19 | 20 => self.database_goal(),
            21 => atom(self.choices.pick(&["true", "fail", "!", "!", "nl"])),
            22..=24 => self.condition(depth - 1),
            25 => compound(";", &[self.body(depth - 1), self.body(depth - 1)]),
            26 | 27 => self.meta(depth - 1),
            28 | 29 => self.all_solutions(depth - 1),
            30..=32 => self.exception(depth - 1),
            33 => self.tabled_goal(),
            34 => {
                // When the cleanup of other goals runs depends on what an implementation knows of choices left.
                let goal = unary("once", &self.body(depth - 1));
                compound("setup_call_cleanup", &[atom("true"), goal, self.body(0)])
            }
            _ => self.variable_goal(depth - 1),
        }
    }

    /// A goal that is built before it is called.
    fn variable_goal(&mut self, depth: usize) -> Term {
        let variable = self.variable();
        let goal = self.body(depth);
        let call = if self.choices.one_in(2) {
            variable.clone()
        } else {
            unary("call", &variable)
        };
        compound(",", &[compound("=", &[variable, goal]), call])
    }

    fn condition(&mut self, depth: usize) -> Term {
        let arrow = self.choices.pick(&["->", "->", "*->"]);
        let branch = compound(arrow, &[self.body(depth), self.body(depth)]);
        if self.choices.one_in(4) {
            branch
        } else {
            compound(";", &[branch, self.body(depth)])
        }
    }

    fn meta(&mut self, depth: usize) -> Term {
        match self.choices.of(6) {
            0 => compound("\\+", &[self.body(depth)]),
            1 => compound("once", &[self.body(depth)]),
            2 => compound("ignore", &[self.body(depth)]),
            3 => compound("forall", &[self.goal(depth), self.goal(depth)]),
            4 => compound("call", &[self.body(depth)]),
            _ => match self.user_goal() {
                Term::Compound(name, arguments) => {
                    let (fixed, extra) = arguments.split_at(self.choices.of(arguments.len()));
                    let called = compound(&name, fixed);
                    compound("call", &[&[called], extra].concat())
                }
                goal => compound("call", &[goal]),
            },
        }
    }

    fn all_solutions(&mut self, depth: usize) -> Term {
        let template = self.term(1);
        let goal = self.body(depth);
        let result = if self.choices.one_in(5) {
            self.term(1)
        } else {
            self.variable()
        };
        let name = self.choices.pick(&["findall", "findall", "bagof", "setof"]);
        let goal = if name != "findall" && self.choices.one_in(2) {
            compound("^", &[self.variable(), goal])
        } else {
            goal
        };
        compound(name, &[template, goal, result])
    }

    fn exception(&mut self, depth: usize) -> Term {
        match self.choices.of(4) {
            0 => compound("throw", &[self.term(1)]),
            1 => compound("catch", &[self.body(depth), self.term(1), self.body(depth)]),
            _ => {
                let formal = self.variable();
                let catcher = compound("error", &[formal.clone(), self.unique()]);
                self.variables += 1;
                compound(
                    "catch",
                    &[self.body(depth), catcher, compound("out", &[formal])],
                )
            }
        }
    }

    fn inspection(&mut self) -> Term {
        match self.choices.of(11) {
            0 => compound("functor", &[self.term(2), self.term(0), self.term(0)]),
            1 => compound(
                "functor",
                &[
                    self.variable(),
                    self.constant(),
                    integer(self.choices.of(3)),
                ],
            ),
            2 => compound(
                "arg",
                &[integer(self.choices.of(4)), self.term(2), self.term(1)],
            ),
            3 | 4 => compound("=..", &[self.term(2), self.term(2)]),
            5 => compound("copy_term", &[self.term(2), self.term(1)]),
            6 => compound("term_variables", &[self.term(2), self.variable()]),
            7 => compound("atom_length", &[self.constant(), self.variable()]),
            8 => compound("atom_concat", &[self.term(0), self.term(0), self.term(0)]),
            9 => compound(
                self.choices.pick(&["atom_chars", "atom_codes"]),
                &[self.term(0), self.variable()],
            ),
            _ => compound(
                "sub_atom",
                &[
                    atom("abc"),
                    self.variable(),
                    self.variable(),
                    self.variable(),
                    self.term(0),
                ],
            ),
        }
    }

    fn list_goal(&mut self) -> Term {
        match self.choices.of(10) {
            0 => compound("length", &[self.term(2), self.term(0)]),
            1 | 2 => compound("append", &[self.term(2), self.term(2), self.term(2)]),
            3 | 4 => compound("member", &[self.term(1), self.term(2)]),
            5 => compound(
                self.choices.pick(&["msort", "sort", "keysort"]),
                &[self.term(2), self.variable()],
            ),
            6 => compound(
                "between",
                &[integer(0), integer(self.choices.of(4)), self.term(0)],
            ),
            7 => compound("select", &[self.term(1), self.term(2), self.term(0)]),
            8 => compound("compare", &[self.variable(), self.term(1), self.term(1)]),
            _ => compound("reverse", &[self.term(2), self.variable()]),
        }
    }

    fn database_goal(&mut self) -> Term {
        let (name, arity) = self.dynamic[self.choices.of(self.dynamic.len())].clone();
        let arguments: Vec<Term> = (0..arity).map(|_| self.term(1)).collect();
        let head = compound(&name, &arguments);
        let clause = if self.choices.one_in(3) {
            compound(":-", &[head.clone(), self.goal(0)])
        } else {
            head.clone()
        };
        match self.choices.of(10) {
            0..=2 => compound("assertz", &[clause]),
            3 => compound("asserta", &[clause]),
            4 | 5 => compound("retract", &[clause]),
            6 => compound("retractall", &[head]),
            7 => compound("clause", &[head, self.variable()]),
            8 => compound("nb_setval", &[atom(&name), self.term(2)]),
            _ => compound("nb_getval", &[atom(&name), self.variable()]),
        }
    }

    /// Answers of a tabled goal in an order of their own.
    fn tabled_goal(&mut self) -> Term {
        if self.tabled.is_empty() {
            return atom("true");
        }
        let (name, arity) = self.tabled[self.choices.of(self.tabled.len())].clone();
        let arguments: Vec<Term> = (0..arity)
            .map(|_| {
                if self.choices.one_in(3) {
                    self.node()
                } else {
                    self.variable()
                }
            })
            .collect();
        // The order of answers is open, so nothing outside may see the list before it is sorted.
        let goal = compound(&name, &arguments);
        let (found, inner) = (self.unique(), self.unique());
        let all = compound("findall", &[goal.clone(), goal, found.clone()]);
        let sorted = compound(",", &[all, compound("sort", &[found, inner.clone()])]);
        compound("findall", &[inner, sorted, self.variable()])
    }

    fn node(&mut self) -> Term {
        match self.choices.of(6) {
            0 => compound("f", &[atom("a")]),
            1 => Term::Float(0.5),
            2 => integer([1_i128 << 62, 1 << 100][self.choices.of(2)]),
            _ => atom(self.choices.pick(&["a", "b", "c"])),
        }
    }

    /// Recursive rules over finitely many terms, with negation of what is below only.
    fn tabled_clauses(
        &mut self,
        tabled: &[(String, usize)],
        link: (String, usize),
        clauses: &mut Vec<(Term, Term)>,
    ) {
        for _ in 0..3 + self.choices.of(4) {
            let fact = compound(&link.0, &[self.node(), self.node()]);
            clauses.push((fact, atom("true")));
        }
        self.callable.push(link.clone());
        for (level, (name, arity)) in tabled.iter().enumerate() {
            for _ in 0..2 + self.choices.of(2) {
                self.variables = 0;
                let mut goals: Vec<Term> = Vec::new();
                for _ in 0..1 + self.choices.of(3) {
                    let callee = self.choices.of(level + 2);
                    let (name, arity) = if callee == level + 1 {
                        &link
                    } else {
                        &tabled[callee]
                    };
                    let arguments: Vec<Term> = (0..*arity)
                        .map(|_| {
                            if self.choices.one_in(5) {
                                self.node()
                            } else {
                                self.variable()
                            }
                        })
                        .collect();
                    let goal = compound(name, &arguments);
                    if callee < level && self.choices.one_in(2) {
                        let bound = arguments
                            .iter()
                            .map(|x| compound(&link.0, &[x.clone(), Term::Variable(7)]));
                        goals.extend(bound);
                        goals.push(compound("\\+", &[goal]));
                    } else {
                        goals.push(goal);
                    }
                }
                let arguments: Vec<Term> = (0..*arity)
                    .map(|_| {
                        if self.choices.one_in(6) {
                            self.node()
                        } else {
                            self.variable()
                        }
                    })
                    .collect();
                let last = goals.pop().unwrap_or_else(|| atom("true"));
                let body = goals
                    .iter()
                    .rev()
                    .fold(last, |rest, goal| compound(",", &[goal.clone(), rest]));
                clauses.push((compound(name, &arguments), body));
            }
        }
    }
}
