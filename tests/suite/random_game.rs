//! Random small games as text, and rewritings that keep what a game means.
//!
//! Arguments are of three sorts: things, numbers in a chain, and roles. Rules are put together from
//! what games are made of: counters, control, frame axioms in many forms, auxiliary predicates over
//! moves, and conditions at random. Not every game is valid; the reader of rules tells.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A rule or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Expression {
    Word(String),
    List(Vec<Expression>),
}

use Expression::{List, Word};

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Word(word) => f.write_str(word),
            List(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                write!(f, "({})", parts.join(" "))
            }
        }
    }
}

/// Rules in order.
pub(crate) type Rules = Vec<Expression>;

pub(crate) fn text(rules: &Rules) -> String {
    rules.iter().map(|rule| format!("{rule}\n")).collect()
}

/// Reads expressions; comments reach to the end of a line.
pub(crate) fn read(text: &str) -> Rules {
    let mut stack: Vec<Vec<Expression>> = vec![Vec::new()];
    for line in text.lines() {
        let line = line.split(';').next().unwrap_or("");
        let spaced = line.replace('(', " ( ").replace(')', " ) ");
        for word in spaced.split_whitespace() {
            match word {
                "(" => stack.push(Vec::new()),
                ")" => {
                    let done = stack.pop().unwrap();
                    stack.last_mut().unwrap().push(List(done));
                }
                word => stack.last_mut().unwrap().push(Word(word.to_owned())),
            }
        }
    }
    stack.remove(0)
}

impl Expression {
    pub(crate) fn variables(&self, found: &mut BTreeSet<String>) {
        match self {
            Word(word) if word.starts_with('?') => {
                found.insert(word.clone());
            }
            Word(_) => {}
            List(parts) => parts.iter().for_each(|part| part.variables(found)),
        }
    }

    pub(crate) fn map(&self, replace: &dyn Fn(&str) -> Option<Expression>) -> Expression {
        match self {
            Word(word) => replace(word).unwrap_or_else(|| self.clone()),
            List(parts) => List(parts.iter().map(|part| part.map(replace)).collect()),
        }
    }

    /// The first word.
    pub(crate) fn name(&self) -> &str {
        match self {
            Word(word) => word,
            List(parts) => parts.first().map_or("", Expression::name),
        }
    }

    pub(crate) fn parts(&self) -> &[Expression] {
        match self {
            Word(_) => &[],
            List(parts) => parts,
        }
    }

    /// Head and body of a rule; a fact has no body.
    pub(crate) fn rule(&self) -> (&Expression, &[Expression]) {
        match self {
            List(parts) if self.name() == "<=" => (&parts[1], &parts[2..]),
            fact @ (Word(_) | List(_)) => (fact, &[]),
        }
    }
}

fn rule(head: Expression, body: Vec<Expression>) -> Expression {
    if body.is_empty() {
        head
    } else {
        List([vec![Word("<=".to_owned()), head], body].concat())
    }
}

fn word(text: impl Into<String>) -> Expression {
    Word(text.into())
}

fn list(name: &str, arguments: Vec<Expression>) -> Expression {
    if arguments.is_empty() {
        word(name)
    } else {
        List([vec![word(name)], arguments].concat())
    }
}

fn unary(name: &str, argument: Expression) -> Expression {
    list(name, vec![argument])
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Thing,
    Number,
    Role,
    /// A term `(pair thing number)`.
    Pair,
    /// A move.
    Move,
}

use Sort::{Move, Number, Pair, Role, Thing};

/// A symbol with the sorts of its arguments.
type Symbol = (String, Vec<Sort>);

struct Maker {
    random: Xoshiro256PlusPlus,
    roles: Vec<String>,
    things: Vec<&'static str>,
    numbers: usize,
    fluents: Vec<Symbol>,
    moves: Vec<Symbol>,
    facts: Vec<Symbol>,
    /// Auxiliary predicates of the state, then of the moves.
    of_state: Vec<Symbol>,
    of_moves: Vec<Symbol>,
    rules: Rules,
}

/// Variables of a rule by sort.
#[derive(Clone, Default)]
struct Scope {
    variables: Vec<(String, Sort)>,
    /// Whether conditions may speak of moves.
    moves: bool,
}

/// The game of a seed.
pub(crate) fn random_game(seed: u64) -> Rules {
    let mut maker = Maker {
        random: Xoshiro256PlusPlus::seed_from_u64(seed),
        roles: Vec::new(),
        things: vec!["a", "b", "c"],
        numbers: 3,
        fluents: Vec::new(),
        moves: Vec::new(),
        facts: Vec::new(),
        of_state: Vec::new(),
        of_moves: Vec::new(),
        rules: Vec::new(),
    };
    maker.game();
    maker.rules
}

impl Maker {
    fn below(&mut self, bound: usize) -> usize {
        (self.random.random::<u64>() % bound.max(1) as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn add(&mut self, head: Expression, body: Vec<Expression>) {
        self.rules.push(rule(head, body));
    }

    fn game(&mut self) {
        let roles = 1 + self.below(3);
        self.roles = ["white", "black", "red"][..roles]
            .iter()
            .map(|&name| name.to_owned())
            .collect();
        let things = 2 + self.below(2);
        self.things.truncate(things);
        self.numbers = 3 + self.below(2);
        for role in self.roles.clone() {
            self.add(unary("role", word(role)), Vec::new());
        }
        self.statics();
        self.signature();
        self.auxiliaries();
        self.legal();
        for fluent in self.fluents.clone() {
            self.next(&fluent);
        }
        if self.chance(20) {
            self.variable_head();
        }
        self.ending();
        self.initial();
    }

    fn statics(&mut self) {
        for thing in self.things.clone() {
            self.add(unary("thing", word(thing)), Vec::new());
        }
        for number in 1..=self.numbers {
            self.add(unary("number", word(number.to_string())), Vec::new());
        }
        for number in 1..self.numbers {
            let pair = [number, number + 1].map(|number| word(number.to_string()));
            self.add(list("succ", pair.to_vec()), Vec::new());
        }
        let roles = self.roles.clone();
        for (at, role) in roles.iter().enumerate() {
            let next = &roles[(at + 1) % roles.len()];
            self.add(list("after", vec![word(role), word(next)]), Vec::new());
        }
        // One relation, and one partial function.
        for _ in 0..1 + self.below(5) {
            let row = vec![self.constant(Thing), self.constant(Thing)];
            self.rules.push(list("edge", row));
        }
        for thing in self.things.clone() {
            if self.chance(70) {
                let row = vec![word(thing), self.constant(Thing)];
                self.rules.push(list("image", row));
            }
        }
        for _ in 0..2 {
            let (couple, deed) = (self.constant(Pair), self.constant(Move));
            self.rules.push(unary("couple", couple));
            self.rules.push(unary("deed", deed));
        }
        self.facts = [
            ("thing", vec![Thing]),
            ("couple", vec![Pair]),
            ("deed", vec![Move]),
            ("number", vec![Number]),
            ("role", vec![Role]),
            ("succ", vec![Number, Number]),
            ("after", vec![Role, Role]),
            ("edge", vec![Thing, Thing]),
            ("image", vec![Thing, Thing]),
            ("nothing", vec![Thing]),
        ]
        .map(|(name, sorts)| (name.to_owned(), sorts))
        .to_vec();
    }

    fn signature(&mut self) {
        let fluents = [
            ("lamp", vec![]),
            ("on", vec![Thing]),
            ("at", vec![Thing]),
            ("cell", vec![Thing, Number]),
            ("link", vec![Thing, Thing]),
            ("owns", vec![Role, Thing]),
            ("box", vec![Pair]),
            ("sum", vec![Thing, Thing, Number]),
            ("did", vec![Role, Move]),
            ("7", vec![]),
            ("8", vec![]),
        ];
        for (name, sorts) in fluents {
            if self.chance(30) && self.fluents.len() < 4 {
                self.fluents.push((name.to_owned(), sorts));
            }
        }
        if self.chance(60) {
            self.fluents.push(("step".to_owned(), vec![Number]));
        }
        if self.chance(60) || self.fluents.is_empty() {
            self.fluents.push(("control".to_owned(), vec![Role]));
        }
        let moves = [
            ("noop", vec![]),
            ("press", vec![]),
            ("mark", vec![Thing]),
            ("go", vec![Thing, Thing]),
            ("put", vec![Thing, Number]),
            ("take", vec![Pair]),
            ("give", vec![Role]),
            ("5", vec![]),
        ];
        for (name, sorts) in moves {
            if self.chance(40) || name == "noop" {
                self.moves.push((name.to_owned(), sorts));
            }
        }
    }

    fn constant(&mut self, sort: Sort) -> Expression {
        match sort {
            Thing => word(self.pick(&self.things.clone())),
            Number => word((1 + self.below(self.numbers)).to_string()),
            Role => word(self.pick(&self.roles.clone())),
            Pair => {
                let parts = vec![self.constant(Thing), self.constant(Number)];
                list("pair", parts)
            }
            Move => match self.below(3) {
                0 => word("press"),
                1 => {
                    let thing = self.constant(Thing);
                    unary("mark", thing)
                }
                _ => word("noop"),
            },
        }
    }

    /// A variable of the scope, a new one if `fresh`, or a constant.
    fn argument(&mut self, scope: &mut Scope, sort: Sort, fresh: bool) -> Expression {
        let known: Vec<String> = scope
            .variables
            .iter()
            .filter(|(_, of)| *of == sort)
            .map(|(name, _)| name.clone())
            .collect();
        if !known.is_empty() && self.chance(60) {
            return word(self.pick(&known));
        }
        if sort == Pair && self.chance(60) {
            let parts = vec![
                self.argument(scope, Thing, fresh),
                self.argument(scope, Number, fresh),
            ];
            return list("pair", parts);
        }
        if fresh && scope.variables.len() < 5 && self.chance(75) {
            let name = format!("?v{}", scope.variables.len());
            scope.variables.push((name.clone(), sort));
            return word(name);
        }
        self.constant(sort)
    }

    fn instance(&mut self, scope: &mut Scope, symbol: &Symbol, fresh: bool) -> Expression {
        let arguments = symbol.1.iter();
        let arguments = arguments
            .map(|&sort| self.argument(scope, sort, fresh))
            .collect();
        list(&symbol.0, arguments)
    }

    fn moved(&mut self, scope: &mut Scope, fresh: bool) -> Expression {
        let role = self.argument(scope, Role, fresh);
        let mv = if self.chance(8) {
            self.argument(scope, Move, fresh)
        } else {
            let mv = self.pick(&self.moves.clone());
            self.instance(scope, &mv, fresh)
        };
        list("does", vec![role, mv])
    }

    /// An atom; with `fresh` it may bind new variables.
    fn atom(&mut self, scope: &mut Scope, fresh: bool) -> Expression {
        if scope.moves && self.chance(3) {
            return if self.chance(30) {
                word("terminal")
            } else {
                let role = self.argument(scope, Role, fresh);
                let mv = self.argument(scope, Move, fresh);
                list("legal", vec![role, mv])
            };
        }
        let kind = self.below(if scope.moves { 11 } else { 7 });
        match kind {
            0..=2 => {
                let fluent = self.pick(&self.fluents.clone());
                unary("true", self.instance(scope, &fluent, fresh))
            }
            3 | 4 => {
                let fact = self.pick(&self.facts.clone());
                self.instance(scope, &fact, fresh)
            }
            5 | 6 if !self.of_state.is_empty() => {
                let call = self.pick(&self.of_state.clone());
                self.instance(scope, &call, fresh)
            }
            9 | 10 if !self.of_moves.is_empty() => {
                let call = self.pick(&self.of_moves.clone());
                self.instance(scope, &call, fresh)
            }
            7.. => self.moved(scope, fresh),
            _ => {
                let fluent = self.pick(&self.fluents.clone());
                unary("true", self.instance(scope, &fluent, fresh))
            }
        }
    }

    /// A condition that binds no variable.
    fn test(&mut self, scope: &mut Scope, depth: usize) -> Expression {
        match self.below(if depth > 1 { 5 } else { 9 }) {
            0..=2 => {
                let inner = self.atom(scope, false);
                unary("not", inner)
            }
            3 => {
                let candidates: Vec<(String, Sort)> = scope.variables.clone();
                if candidates.is_empty() {
                    return self.atom(scope, false);
                }
                let (name, sort) = self.pick(&candidates);
                let other = self.argument(scope, sort, false);
                list("distinct", vec![word(name), other])
            }
            4 => self.atom(scope, false),
            5 | 6 => {
                let branches = (0..2).map(|_| self.test(scope, depth + 1)).collect();
                list("or", branches)
            }
            7 => {
                let branches = (0..2).map(|_| self.test(scope, depth + 1)).collect();
                unary("not", list("or", branches))
            }
            _ => {
                let parts = (0..2).map(|_| self.test(scope, depth + 1)).collect();
                unary("not", list("and", parts))
            }
        }
    }

    fn conditions(&mut self, scope: &mut Scope, binders: usize, tests: usize) -> Vec<Expression> {
        let mut body: Vec<Expression> = (0..binders).map(|_| self.atom(scope, true)).collect();
        body.extend((0..tests).map(|_| self.test(scope, 0)));
        if self.chance(10) && body.len() > 1 {
            body.rotate_left(1);
        }
        body
    }

    /// Binds the variables of the head that the body leaves open.
    fn bound(&mut self, head: Expression, mut body: Vec<Expression>, scope: &Scope) -> Expression {
        let mut wanted = BTreeSet::new();
        head.variables(&mut wanted);
        body.iter()
            .for_each(|condition| condition.variables(&mut wanted));
        let mut binds = BTreeSet::new();
        let positive = body
            .iter()
            .filter(|condition| !matches!(condition.name(), "not" | "or" | "distinct"));
        positive.for_each(|condition| condition.variables(&mut binds));
        for (name, sort) in &scope.variables {
            if wanted.contains(name) && !binds.contains(name) {
                body.push(match sort {
                    Thing => unary("thing", word(name)),
                    Number => unary("number", word(name)),
                    Role => unary("role", word(name)),
                    Pair => unary("couple", word(name)),
                    Move => unary("deed", word(name)),
                });
            }
        }
        rule(head, body)
    }

    fn auxiliaries(&mut self) {
        for number in 0..self.below(3) {
            let sorts = self.sorts();
            let symbol = (format!("s{number}"), sorts);
            for _ in 0..1 + self.below(2) {
                self.clause(&symbol, false);
            }
            if self.chance(15) {
                self.recursion(&symbol);
            }
            self.of_state.push(symbol);
        }
        for number in 0..self.below(4) {
            let sorts = self.sorts();
            let symbol = (format!("m{number}"), sorts);
            for _ in 0..1 + self.below(3) {
                self.clause(&symbol, true);
            }
            if self.chance(15) {
                self.recursion(&symbol);
            }
            self.of_moves.push(symbol);
        }
    }

    fn sorts(&mut self) -> Vec<Sort> {
        (0..self.below(3))
            .map(|_| self.pick(&[Thing, Thing, Number, Role]))
            .collect()
    }

    fn clause(&mut self, symbol: &Symbol, moves: bool) {
        let mut scope = Scope {
            moves,
            ..Scope::default()
        };
        let head = self.instance(&mut scope, symbol, true);
        let mut body = Vec::new();
        if moves && self.chance(80) {
            body.push(self.moved(&mut scope, true));
        }
        let (binders, tests) = (self.below(2), self.below(2));
        body.extend(self.conditions(&mut scope, binders, tests));
        let clause = self.bound(head, body, &scope);
        self.rules.push(clause);
    }

    fn recursion(&mut self, symbol: &Symbol) {
        let mut scope = Scope::default();
        let head = self.instance(&mut scope, symbol, true);
        let mut body = vec![self.instance(&mut scope, symbol, true)];
        body.push(self.atom(&mut scope, true));
        let clause = self.bound(head, body, &scope);
        self.rules.push(clause);
    }

    fn legal(&mut self) {
        if self.chance(70) {
            let variable = word("?v0");
            let head = list("legal", vec![variable.clone(), word("noop")]);
            let mut body = vec![unary("role", variable.clone())];
            if self.chance(30) {
                body.push(unary("not", unary("true", unary("control", variable))));
            }
            self.add(head, body);
        }
        for mv in self.moves.clone() {
            for _ in 0..1 + self.below(2) {
                let mut scope = Scope::default();
                let role = self.argument(&mut scope, Role, true);
                let mv = self.instance(&mut scope, &mv, true);
                let mut body = Vec::new();
                if self.chance(30) {
                    body.push(unary("true", unary("control", role.clone())));
                }
                let (binders, tests) = (self.below(2), self.below(2));
                body.extend(self.conditions(&mut scope, binders, tests));
                let head = list("legal", vec![role, mv]);
                let clause = self.bound(head, body, &scope);
                self.rules.push(clause);
            }
        }
        if self.chance(4) {
            // More moves than are looked at one by one.
            let role = self.constant(Role);
            for number in 0..45 {
                let mv = word(format!("way{number}"));
                self.add(list("legal", vec![role.clone(), mv]), vec![]);
            }
            self.moves.push(("way0".to_owned(), vec![]));
        }
        if self.chance(10) {
            // Moves that are listed elsewhere.
            let role = self.constant(Role);
            let head = list("legal", vec![role, word("?v0")]);
            let listed = self.constant(Thing);
            self.add(head, vec![unary("listed", word("?v0"))]);
            self.add(
                unary("listed", list("go", vec![listed.clone(), listed])),
                vec![],
            );
            self.add(unary("listed", word("wait")), vec![]);
            self.moves.push(("wait".to_owned(), vec![]));
        }
    }

    fn next(&mut self, fluent: &Symbol) {
        match fluent.0.as_str() {
            "step" if self.chance(80) => self.count(),
            "control" if self.chance(80) => self.turn(),
            _ => {}
        }
        match self.below(10) {
            0..=4 => self.frame(fluent),
            5 => self.enumerated(fluent),
            6 | 7 => self.unaffected(fluent),
            8 => {
                self.frame(fluent);
                self.frame(fluent);
            }
            _ => {}
        }
        for _ in 0..self.below(4) {
            let mut scope = Scope {
                moves: true,
                ..Scope::default()
            };
            let head = self.instance(&mut scope, fluent, true);
            let mut body = Vec::new();
            if self.chance(75) {
                body.push(self.moved(&mut scope, true));
            }
            let (binders, tests) = (self.below(3), self.below(2));
            body.extend(self.conditions(&mut scope, binders, tests));
            let clause = self.bound(unary("next", head), body, &scope);
            self.rules.push(clause);
        }
    }

    fn count(&mut self) {
        let (now, then) = (word("?v0"), word("?v1"));
        let body = vec![
            unary("true", unary("step", now.clone())),
            list("succ", vec![now, then.clone()]),
        ];
        self.add(unary("next", unary("step", then)), body);
    }

    fn turn(&mut self) {
        let (now, then) = (word("?v0"), word("?v1"));
        let mut body = vec![
            unary("true", unary("control", now.clone())),
            list("after", vec![now, then.clone()]),
        ];
        if self.chance(20) {
            let mut scope = Scope {
                moves: true,
                variables: vec![("?v0".to_owned(), Role), ("?v1".to_owned(), Role)],
            };
            body.push(self.test(&mut scope, 0));
        }
        self.add(unary("next", unary("control", then)), body);
    }

    /// The instance stays under some conditions.
    fn frame(&mut self, fluent: &Symbol) {
        let mut scope = Scope {
            moves: true,
            ..Scope::default()
        };
        let instance = self.instance(&mut scope, fluent, true);
        let mut body = vec![unary("true", instance.clone())];
        let binders = self.below(2);
        let tests = self.below(3);
        body.extend(self.conditions(&mut scope, binders, tests));
        let clause = self.bound(unary("next", instance), body, &scope);
        self.rules.push(clause);
    }

    /// The instance stays whenever certain moves are made.
    fn enumerated(&mut self, fluent: &Symbol) {
        for role in self.roles.clone() {
            for mv in self.moves.clone() {
                if self.chance(40) {
                    continue;
                }
                let mut scope = Scope {
                    moves: true,
                    ..Scope::default()
                };
                let instance = self.instance(&mut scope, fluent, true);
                let mv = self.instance(&mut scope, &mv, true);
                let mut body = vec![
                    list("does", vec![word(&role), mv]),
                    unary("true", instance.clone()),
                ];
                let tests = self.below(2);
                body.extend(self.conditions(&mut scope, 0, tests));
                let clause = self.bound(unary("next", instance), body, &scope);
                self.rules.push(clause);
            }
        }
    }

    /// The instance stays unless a predicate of the moves says that it is affected.
    fn unaffected(&mut self, fluent: &Symbol) {
        let symbol = (format!("affected_{}", fluent.0), fluent.1.clone());
        for _ in 0..1 + self.below(2) {
            self.clause(&symbol, true);
        }
        let mut scope = Scope::default();
        let arguments: Vec<Expression> = (0..fluent.1.len())
            .map(|at| word(format!("?v{at}")))
            .collect();
        let instance = list(&fluent.0, arguments.clone());
        scope.moves = true;
        let affected = unary("not", list(&symbol.0, arguments.clone()));
        let holds = unary("true", instance.clone());
        if self.chance(30) {
            // The frame axiom hides behind a predicate.
            let name = format!("kept_{}", fluent.0);
            let kept = list(&name, arguments);
            self.add(kept.clone(), vec![holds, affected]);
            self.add(unary("next", instance), vec![kept]);
        } else {
            self.add(unary("next", instance), vec![holds, affected]);
        }
    }

    fn variable_head(&mut self) {
        let variable = word("?v0");
        let next = unary("next", variable.clone());
        let fluent = self.pick(&self.fluents.clone());
        let mut scope = Scope {
            moves: true,
            ..Scope::default()
        };
        let instance = self.instance(&mut scope, &fluent, true);
        let name = self.pick(&["adds", "drops", "lasting"]);
        let body = match name {
            "lasting" => Vec::new(),
            _ => vec![self.moved(&mut scope, true)],
        };
        let head = unary(name, instance);
        let clause = self.bound(head, body, &scope);
        self.rules.push(clause);
        let holds = unary("true", variable.clone());
        let body = match name {
            "adds" => vec![unary("adds", variable)],
            "drops" => vec![holds, unary("not", unary("drops", variable))],
            _ => vec![holds, unary("lasting", variable)],
        };
        self.add(next, body);
    }

    fn ending(&mut self) {
        if self.chance(50) {
            let last = self.numbers.to_string();
            self.add(
                word("terminal"),
                vec![unary("true", unary("step", word(last)))],
            );
        }
        if self.chance(30)
            || !self
                .rules
                .iter()
                .any(|rule| rule.rule().0.name() == "terminal")
        {
            let mut scope = Scope::default();
            let (binders, tests) = (1 + self.below(2), self.below(2));
            let body = self.conditions(&mut scope, binders, tests);
            let clause = self.bound(word("terminal"), body, &scope);
            self.rules.push(clause);
        }
        let head = list("goal", vec![word("?v0"), word("100")]);
        self.add(head, vec![unary("role", word("?v0"))]);
    }

    fn initial(&mut self) {
        for fluent in self.fluents.clone() {
            let number = match fluent.0.as_str() {
                "step" => {
                    self.add(unary("init", unary("step", word("1"))), vec![]);
                    continue;
                }
                "control" | "at" => 1,
                _ => self.below(3),
            };
            for _ in 0..number {
                let mut scope = Scope::default();
                let fresh = self.chance(15);
                let instance = self.instance(&mut scope, &fluent, fresh);
                let clause = self.bound(unary("init", instance), vec![], &scope);
                self.rules.push(clause);
            }
        }
    }
}

/// The rules in another order; the roles keep theirs.
pub(crate) fn reordered(rules: &Rules, seed: u64) -> Rules {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut first, mut rest): (Rules, Rules) = rules
        .iter()
        .cloned()
        .partition(|rule| rule.rule().0.name() == "role");
    for at in (1..rest.len()).rev() {
        rest.swap(at, (random.random::<u64>() % (at as u64 + 1)) as usize);
    }
    first.extend(rest);
    first
}

/// Other names for the variables.
pub(crate) fn renamed(rules: &Rules) -> Rules {
    let rename = |word: &str| {
        let name = word.strip_prefix('?')?;
        Some(Word(format!("?zz_{name}")))
    };
    rules.iter().map(|rule| rule.map(&rename)).collect()
}

/// The body of each rule behind a predicate of its own.
pub(crate) fn outlined(rules: &Rules) -> Rules {
    // Rules may be written so several times, each time with other names.
    let mut prefix = String::from("body");
    while rules
        .iter()
        .any(|each| each.rule().0.name().starts_with(&prefix))
    {
        prefix.push('_');
    }
    let mut all = Vec::new();
    for (number, each) in rules.iter().enumerate() {
        let (head, body) = each.rule();
        let mut variables = BTreeSet::new();
        head.variables(&mut variables);
        if body.is_empty() || number % 2 == 0 {
            all.push(each.clone());
            continue;
        }
        let variables = variables.into_iter().map(Word).collect();
        let call = list(&format!("{prefix}{number}"), variables);
        all.push(rule(head.clone(), vec![call.clone()]));
        all.push(rule(call, body.to_vec()));
    }
    all
}

/// Calls of predicates replaced by their bodies, where all heads are distinct variables.
pub(crate) fn inlined(rules: &Rules) -> Rules {
    let mut definitions: BTreeMap<&str, Vec<&Expression>> = BTreeMap::new();
    for each in rules {
        definitions
            .entry(each.rule().0.name())
            .or_default()
            .push(each);
    }
    let mut all = Vec::new();
    for (number, each) in rules.iter().enumerate() {
        let (head, body) = each.rule();
        let position = body.iter().position(|condition| {
            let name = condition.name();
            name != head.name()
                && definitions
                    .get(name)
                    .is_some_and(|clauses| clauses.iter().all(|clause| is_plain(clause)))
        });
        let Some(position) = position else {
            all.push(each.clone());
            continue;
        };
        for clause in &definitions[body[position].name()] {
            let (parameters, inner) = clause.rule();
            let bindings: BTreeMap<String, Expression> = parameters
                .parts()
                .iter()
                .map(ToString::to_string)
                .zip(body[position].parts().iter().cloned())
                .collect();
            let replace = |word: &str| {
                let name = word.strip_prefix('?')?;
                let own = Word(format!("?in{number}_{name}"));
                Some(bindings.get(word).cloned().unwrap_or(own))
            };
            let mut replaced = body.to_vec();
            let inner = inner.iter().map(|condition| condition.map(&replace));
            replaced.splice(position..=position, inner);
            all.push(rule(head.clone(), replaced));
        }
    }
    all
}

/// Whether a clause has a body and distinct variables in its head.
fn is_plain(clause: &Expression) -> bool {
    let (head, body) = clause.rule();
    let arguments = head.parts().get(1..).unwrap_or(&[]);
    let mut variables = BTreeSet::new();
    head.variables(&mut variables);
    !body.is_empty()
        && variables.len() == arguments.len()
        && arguments.iter().all(|argument| matches!(argument, Word(_)))
        && !matches!(
            head.name(),
            "next" | "legal" | "goal" | "terminal" | "init" | "role"
        )
}

/// More instances than this are not made.
const MAX_INSTANCES: usize = 1500;

/// The ground instances of the rules that can matter where these fluents, and moves as atoms
/// `(does r m)`, are all that occur; none if they are too many, or a variable stands under a
/// negation only.
pub(crate) fn grounded(rules: &Rules, dynamic: &BTreeSet<Expression>) -> Option<Rules> {
    let mut atoms: BTreeMap<String, BTreeSet<Expression>> = BTreeMap::new();
    for atom in dynamic {
        atoms
            .entry(atom.name().to_owned())
            .or_default()
            .insert(atom.clone());
    }
    let mut instances: BTreeSet<Expression> = BTreeSet::new();
    loop {
        let before = instances.len();
        for each in rules {
            let (head, body) = each.rule();
            let mut bindings = vec![BTreeMap::new()];
            for condition in body {
                if matches!(condition.name(), "not" | "distinct" | "or" | "and") {
                    continue;
                }
                let known = atoms.get(condition.name());
                let known: Vec<&Expression> = known.into_iter().flatten().collect();
                bindings = bindings
                    .iter()
                    .flat_map(|binding| {
                        known
                            .iter()
                            .filter_map(|atom| matched(condition, atom, binding))
                    })
                    .collect();
            }
            for binding in bindings {
                let replace = |word: &str| binding.get(word).cloned();
                let mut open = BTreeSet::new();
                let instance = each.map(&replace);
                instance.variables(&mut open);
                if !open.is_empty() {
                    return None;
                }
                let head = head.map(&replace);
                atoms
                    .entry(head.name().to_owned())
                    .or_default()
                    .insert(head);
                instances.insert(instance);
            }
            if instances.len() > MAX_INSTANCES {
                return None;
            }
        }
        if instances.len() == before {
            break;
        }
    }
    // In the order of the rules as far as roles go.
    let roles = rules.iter().filter(|rule| rule.rule().0.name() == "role");
    let rest = instances
        .iter()
        .filter(|rule| rule.rule().0.name() != "role");
    Some(roles.chain(rest).cloned().collect())
}

type Binding = BTreeMap<String, Expression>;

fn matched(pattern: &Expression, ground: &Expression, binding: &Binding) -> Option<Binding> {
    let mut binding = binding.clone();
    let mut pending = vec![(pattern, ground)];
    while let Some((pattern, ground)) = pending.pop() {
        match (pattern, ground) {
            (Word(word), _) if word.starts_with('?') => match binding.get(word) {
                Some(known) if known != ground => return None,
                Some(_) => {}
                None => {
                    binding.insert(word.clone(), ground.clone());
                }
            },
            (Word(one), Word(other)) if one == other => {}
            (List(some), List(others)) if some.len() == others.len() => {
                pending.extend(some.iter().zip(others));
            }
            _ => return None,
        }
    }
    Some(binding)
}
