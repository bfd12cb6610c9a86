//! Random games that are made of known components, and what is to be found in them.
//!
//! A component has fluents of its own and local moves (`can k m`, `act k m`), and tells the rest of the game only
//! whether it is `done k`. Rules are put around some components for the moves (a sum, a product, a sum of
//! products, a product of sums), for phases, for the end and for the goal values; beside them there may be what
//! runs by itself, and components on which nothing depends. Two components that are coupled are one part.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A game, with what it is made of. Fluents are known by their functions: `v0` for `(v0 3)`.
#[derive(Debug)]
pub(crate) struct Composed {
    pub(crate) text: String,
    pub(crate) parts: BTreeSet<BTreeSet<String>>,
    /// Fluents of parts on which nothing depends.
    pub(crate) useless: BTreeSet<String>,
    /// What runs by itself, with whether nothing depends on it.
    pub(crate) autonomous: BTreeSet<(String, bool)>,
    /// Number of phases.
    pub(crate) phases: usize,
}

/// Who moves when.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Players {
    One,
    /// Two in turn.
    Turns,
    /// Two at once, each in components of its own, or both in the same.
    AtOnce,
}

/// How the components of a group are moved in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    /// In one of them.
    Sum,
    /// In all of them.
    Product,
    /// In all of one half, or in all of the other half.
    SumOfProducts,
    /// In one of one half and in one of the other half.
    ProductOfSums,
}

/// When several components are over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    Any,
    All,
}

/// Components that are played at the same time.
struct Group {
    components: Vec<usize>,
    moves: Moves,
    over: Over,
}

/// What is chosen before any rule is written.
struct Plan {
    players: Players,
    groups: Vec<Group>,
    /// By component, whether the end or a goal value depends on it.
    counted: Vec<bool>,
    /// Whether the moves of component 0 depend on the state of component 1.
    is_coupled: bool,
    /// How many steps there are at most.
    steps: Option<usize>,
    /// When the game is over but for that; never if none.
    over: Option<Over>,
}

impl Plan {
    fn is_series(&self) -> bool {
        self.groups.len() > 1
    }

    fn components(&self) -> std::ops::Range<usize> {
        0..self.counted.len()
    }
}

/// The game with a number, always the same.
pub(crate) fn composed(seed: u64) -> Composed {
    let mut chance = Chance(Xoshiro256PlusPlus::seed_from_u64(seed));
    let plan = chance.plan();
    let mut sheet = Sheet {
        chance,
        plan,
        text: String::new(),
        fluents: Vec::new(),
        has_day: false,
    };
    sheet.write()
}

struct Chance(Xoshiro256PlusPlus);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    fn happens(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn over(&mut self) -> Over {
        if self.happens(50) {
            Over::Any
        } else {
            Over::All
        }
    }

    fn plan(&mut self) -> Plan {
        let count = self.between(1, 4);
        let players = [Players::One, Players::One, Players::Turns, Players::AtOnce];
        let players = players[self.below(4)];
        let groups = self.groups(count, players);
        let is_series = groups.len() > 1;
        let mut counted: Vec<bool> = (0..count).map(|_| is_series || self.happens(85)).collect();
        if !counted.contains(&true) {
            counted[0] = true;
        }
        let is_sum = groups.iter().all(|group| group.moves == Moves::Sum);
        let over = if is_series || self.happens(80) {
            Some(self.over())
        } else {
            None
        };
        let steps = match is_series {
            true => self.happens(30).then_some(60),
            false if over.is_none() || self.happens(60) => Some(self.between(10, 30)),
            false => None,
        };
        Plan {
            players,
            is_coupled: count > 1 && !is_series && is_sum && self.happens(30),
            groups,
            counted,
            steps,
            over,
        }
    }

    fn groups(&mut self, count: usize, players: Players) -> Vec<Group> {
        let is_series = count > 1 && players != Players::AtOnce && self.happens(35);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for component in 0..count {
            match groups.last_mut() {
                Some(last) if !is_series || self.happens(40) => last.push(component),
                Some(_) | None => groups.push(vec![component]),
            }
        }
        let groups = groups.into_iter().map(|components| Group {
            moves: self.moves(components.len(), players),
            over: self.over(),
            components,
        });
        groups.collect()
    }

    fn moves(&mut self, count: usize, players: Players) -> Moves {
        match count {
            1 => Moves::Sum,
            3.. if players != Players::AtOnce && self.happens(40) => {
                if self.happens(50) {
                    Moves::SumOfProducts
                } else {
                    Moves::ProductOfSums
                }
            }
            _ if self.happens(50) => Moves::Product,
            _ => Moves::Sum,
        }
    }
}

/// The rules on their way.
struct Sheet {
    chance: Chance,
    plan: Plan,
    text: String,
    /// By component, the functions of its fluents.
    fluents: Vec<BTreeSet<String>>,
    has_day: bool,
}

impl Sheet {
    fn say(&mut self, rules: &str) {
        let _ = writeln!(self.text, "{}", rules.trim());
    }

    fn write(&mut self) -> Composed {
        self.has_day = !self.plan.is_series() && self.chance.happens(25);
        self.roles();
        for component in self.plan.components() {
            self.component(component);
        }
        for number in 0..self.plan.groups.len() {
            self.group(number);
        }
        let (end, goal) = self.ends();
        let mut parts: Vec<BTreeSet<String>> = self.fluents.clone();
        let mut is_useless: Vec<bool> = (end.iter().zip(&goal)).map(|(e, g)| !e && !g).collect();
        if self.plan.is_coupled {
            let other = parts.remove(1);
            parts[0].extend(other);
            let other = is_useless.remove(1);
            is_useless[0] &= other;
        }
        let useless = parts.iter().zip(&is_useless);
        let useless = useless.filter(|(_, is)| **is).flat_map(|(part, _)| part);
        Composed {
            useless: useless.cloned().collect(),
            text: std::mem::take(&mut self.text),
            autonomous: self.autonomous(),
            parts: parts.into_iter().collect(),
            phases: self.plan.groups.len(),
        }
    }

    fn autonomous(&self) -> BTreeSet<(String, bool)> {
        let steps = self.plan.steps.map(|_| ("step", false));
        let day = self.has_day.then_some(("day", true));
        let control = (self.plan.players == Players::Turns).then_some(("control", true));
        let all = steps.into_iter().chain(day).chain(control);
        all.map(|(name, is_useless)| (name.to_owned(), is_useless))
            .collect()
    }

    fn roles(&mut self) {
        match self.plan.players {
            Players::One => self.say("(role a)\n(<= (mover a) (role a))"),
            Players::Turns => self.say(
                "(role a)\n(role b)\n(init (control a))
                (<= (mover ?r) (true (control ?r)))
                (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
                (<= (next (control a)) (true (control b)))
                (<= (next (control b)) (true (control a)))",
            ),
            Players::AtOnce => self.say("(role a)\n(role b)\n(<= (mover ?r) (role ?r))"),
        }
        self.say("(<= (act ?k ?m) (acts ?r ?k ?m))");
        if let Some(steps) = self.plan.steps {
            self.say("(init (step 0))");
            for step in 0..steps {
                let then = step + 1;
                self.say(&format!("(<= (next (step {then})) (true (step {step})))"));
            }
            self.say(&format!("(<= terminal (true (step {steps})))"));
        }
        if self.has_day {
            self.say(
                "(init (day 1))
                (<= (next (day 2)) (true (day 1)))
                (<= (next (day 3)) (true (day 2)))
                (<= (next (day 1)) (true (day 3)))",
            );
        }
    }

    /// Whether both players move in a component.
    fn is_shared(&self, component: usize) -> bool {
        self.plan.players == Players::AtOnce && component % 3 == 2
    }

    fn component(&mut self, number: usize) {
        let kind = if self.is_shared(number) {
            7
        } else {
            self.chance.below(7)
        };
        // A cell of a board on which nothing depends is a part of its own, and a pass that is legal in two
        // components at once belongs to both; so does a pass in a product if there are moves outside of the product.
        let is_series = self.plan.is_series();
        let is_nested = (self.plan.groups.iter()).any(|group| {
            let is_plain = match group.moves {
                Moves::Sum => true,
                Moves::Product => !is_series,
                Moves::SumOfProducts | Moves::ProductOfSums => false,
            };
            !is_plain && group.components.contains(&number)
        });
        match kind {
            0 => self.walk(number),
            1 if !is_nested => self.heap(number),
            2 => self.lights(number),
            3 => self.code(number),
            4 if self.plan.counted[number] && !is_nested => self.board(number),
            // A lamp that ends the game as soon as it is lit is lit or not, and each of its states matters.
            5 if !self.plan.is_series() && self.plan.over != Some(Over::Any) => self.lamp(number),
            7 => self.match_of_two(number),
            _ => self.table(number),
        }
    }

    /// Has a component have these functions of fluents.
    fn has(&mut self, functions: &[String]) {
        self.fluents.push(functions.iter().cloned().collect());
    }

    /// `(can k m)` under a condition; `(eff k m)` is what a move does.
    fn offer(&mut self, k: usize, m: usize, condition: &str) {
        let is_coupled = self.plan.is_coupled && k == 0 && m == 0;
        let in_legality = is_coupled && self.plan.players != Players::AtOnce && k.is_multiple_of(2);
        let block = if in_legality && self.plan.steps.is_some() {
            "(not (fresh 1))"
        } else {
            ""
        };
        self.say(&format!("(<= (can {k} {m}) (role a) {condition} {block})"));
    }

    /// `(eff k m)`: that a local move has its effect.
    fn effects(&mut self, k: usize, moves: usize) {
        for m in 0..moves {
            let is_coupled = self.plan.is_coupled && k == 0 && m == 0;
            let day = if self.has_day && m == 0 && self.chance.happens(50) {
                "(true (day 1))"
            } else {
                ""
            };
            let fresh = if is_coupled { "(not (fresh 1))" } else { "" };
            self.say(&format!("(<= (eff {k} {m}) (act {k} {m}) {day} {fresh})"));
        }
        let all = (0..moves).map(|m| format!("(<= (eff {k}) (eff {k} {m}))\n"));
        let all = all.collect::<String>().replace("(<= (eff", "(<= (any");
        self.say(&all);
    }

    /// A variable with values from 0: what a move `m` makes of value `x`.
    fn variable(
        &mut self,
        k: usize,
        name: &str,
        step: &dyn Fn(usize, usize) -> usize,
        sizes: [usize; 2],
    ) {
        let [values, moves] = sizes;
        for x in 0..values {
            let holds = format!("(true ({name} {x}))");
            for m in 0..moves {
                let then = step(x, m);
                self.say(&format!(
                    "(<= (next ({name} {then})) (eff {k} {m}) {holds})"
                ));
            }
            self.say(&format!("(<= (next ({name} {x})) (not (any {k})) {holds})"));
        }
    }

    /// A walk from one end of a line to the other.
    fn walk(&mut self, k: usize) {
        let (name, last) = (format!("v{k}"), self.chance.between(3, 6));
        self.effects(k, 2);
        self.say(&format!("(init ({name} 0))"));
        for x in 0..=last {
            let holds = format!("(true ({name} {x}))");
            if x < last {
                self.offer(k, 0, &holds);
            }
            if x > 0 {
                self.offer(k, 1, &holds);
            }
        }
        let step = |x: usize, m: usize| match m {
            0 => (x + 1).min(last),
            _ => x.saturating_sub(1),
        };
        self.variable(k, &name, &step, [last + 1, 2]);
        self.say(&format!("(<= (done {k}) (true ({name} {last})))"));
        self.say(&format!("(<= (fresh {k}) (true ({name} 1)))"));
        self.has(&[name]);
    }

    /// A heap from which one or two are taken.
    fn heap(&mut self, k: usize) {
        let (name, all) = (format!("v{k}"), self.chance.between(4, 7));
        self.effects(k, 3);
        self.say(&format!("(init ({name} {all}))"));
        for x in 0..=all {
            let holds = format!("(true ({name} {x}))");
            if x > 0 {
                self.offer(k, 0, &holds);
            }
            if x > 1 {
                self.offer(k, 1, &holds);
            }
        }
        self.offer(k, 2, &format!("(true ({name} 0))"));
        let step = |x: usize, m: usize| x.saturating_sub((m + 1) % 3);
        self.variable(k, &name, &step, [all + 1, 3]);
        self.say(&format!("(<= (done {k}) (true ({name} 0)))"));
        self.say(&format!("(<= (fresh {k}) (true ({name} {})))", all - 1));
        self.has(&[name]);
    }

    /// Three lights: one is switched, or two are swapped.
    fn lights(&mut self, k: usize) {
        self.effects(k, 3);
        let [p, q, r] = ["p", "q", "r"].map(|light| format!("{light}{k}"));
        for m in 0..3 {
            self.offer(k, m, "");
        }
        self.say(&format!(
            "(<= (next {p}) (eff {k} 0) (not (true {p})))
            (<= (next {q}) (eff {k} 1) (true {p}))
            (<= (next {p}) (eff {k} 1) (true {q}))
            (<= (next {q}) (eff {k} 2) (true {r}))
            (<= (next {r}) (eff {k} 2) (true {q}))
            (<= (next {p}) (true {p}) (not (eff {k} 0)) (not (eff {k} 1)))
            (<= (next {q}) (true {q}) (not (eff {k} 1)) (not (eff {k} 2)))
            (<= (next {r}) (true {r}) (not (eff {k} 2)))
            (<= (done {k}) (true {p}) (true {q}) (true {r}))
            (<= (fresh {k}) (true {p}) (not (true {q})) (not (true {r})))"
        ));
        self.has(&[p, q, r]);
    }

    /// A code: a wrong key is the end of what was right.
    fn code(&mut self, k: usize) {
        let (name, length) = (format!("v{k}"), self.chance.between(3, 4));
        let keys: Vec<usize> = (0..length).map(|_| self.chance.below(2)).collect();
        self.effects(k, 2);
        self.say(&format!("(init ({name} 0))"));
        for m in 0..2 {
            self.offer(k, m, "");
        }
        let step = |x: usize, m: usize| match keys.get(x) {
            None => x,
            Some(&key) if key == m => x + 1,
            Some(_) => 0,
        };
        self.variable(k, &name, &step, [length + 1, 2]);
        self.say(&format!("(<= (done {k}) (true ({name} {length})))"));
        self.say(&format!("(<= (fresh {k}) (true ({name} 1)))"));
        self.has(&[name]);
    }

    /// Four cells in a ring; two neighbours that are marked by the same player are a line.
    fn board(&mut self, k: usize) {
        let name = format!("cell{k}");
        self.effects(k, 5);
        for m in 0..4 {
            self.offer(k, m, &format!("(not (marked {k} {m}))"));
            let next = (m + 1) % 4;
            self.say(&format!(
                "(<= (marked {k} {m}) (true ({name} {m} ?r)))
                (<= (next ({name} {m} ?r)) (true ({name} {m} ?r)))
                (<= (next ({name} {m} ?r)) (eff {k} {m}) (acts ?r {k} {m}))
                (<= (done {k}) (true ({name} {m} ?r)) (true ({name} {next} ?r)))"
            ));
        }
        let all = "(marked K 0) (marked K 1) (marked K 2) (marked K 3)";
        self.offer(k, 4, &all.replace('K', &k.to_string()));
        self.say(&format!(
            "(<= (fresh {k}) (marked {k} 0) (marked {k} 2) (not (done {k})))"
        ));
        self.has(&[name]);
    }

    /// A lamp that burns down.
    fn lamp(&mut self, k: usize) {
        let (name, full) = (format!("v{k}"), self.chance.between(3, 4));
        self.effects(k, 2);
        self.say(&format!("(init ({name} 0))"));
        for m in 0..2 {
            self.offer(k, m, "");
        }
        for x in 0..=full {
            let (holds, then) = (format!("(true ({name} {x}))"), x.saturating_sub(1));
            self.say(&format!("(<= (next ({name} {full})) {holds} (eff {k} 0))"));
            self.say(&format!(
                "(<= (next ({name} {then})) {holds} (not (eff {k} 0)))"
            ));
        }
        self.say(&format!("(<= (done {k}) (true ({name} {full})))"));
        self.say(&format!("(<= (fresh {k}) (true ({name} 1)))"));
        self.has(&[name]);
    }

    /// Both players are to press the same key, again and again.
    fn match_of_two(&mut self, k: usize) {
        let (name, last) = (format!("v{k}"), self.chance.between(3, 5));
        self.effects(k, 2);
        self.say(&format!("(init ({name} 0))"));
        for m in 0..2 {
            self.offer(k, m, "");
        }
        self.say(&format!(
            "(<= (same {k}) (acts a {k} ?m) (acts b {k} ?m))
            (<= (other {k}) (acts a {k} ?m) (acts b {k} ?n) (distinct ?m ?n))"
        ));
        for x in 0..=last {
            let holds = format!("(true ({name} {x}))");
            let (up, down) = ((x + 1).min(last), x.saturating_sub(1));
            self.say(&format!(
                "(<= (next ({name} {up})) {holds} (same {k}))
                (<= (next ({name} {down})) {holds} (other {k}))
                (<= (next ({name} {x})) {holds} (not (same {k})) (not (other {k})))"
            ));
        }
        self.say(&format!("(<= (done {k}) (true ({name} {last})))"));
        self.say(&format!("(<= (fresh {k}) (true ({name} 1)))"));
        self.has(&[name]);
    }

    /// Two variables with a random table of their values after each move.
    fn table(&mut self, k: usize) {
        let sizes = [self.chance.between(2, 3), 3];
        let moves = self.chance.between(2, 3);
        let table = loop {
            let table = Table::by_chance(&mut self.chance, sizes, moves);
            if table.is_connected() {
                break table;
            }
        };
        self.effects(k, moves);
        let [v, w] = ["v", "w"].map(|name| format!("{name}{k}"));
        self.say(&format!("(init ({v} 0))\n(init ({w} 0))"));
        for m in 0..moves {
            self.offer(k, m, "");
        }
        for x in 0..sizes[0] {
            for y in 0..sizes[1] {
                let holds = format!("(true ({v} {x})) (true ({w} {y}))");
                for m in 0..moves {
                    let [then, also] = table.next(m, [x, y]);
                    self.say(&format!(
                        "(<= (next ({v} {then})) (eff {k} {m}) {holds})
                        (<= (next ({w} {also})) (eff {k} {m}) {holds})"
                    ));
                }
                self.say(&format!(
                    "(<= (next ({v} {x})) (not (any {k})) {holds})
                    (<= (next ({w} {y})) (not (any {k})) {holds})"
                ));
            }
        }
        let last = format!("(true ({v} {})) (true ({w} 2))", sizes[0] - 1);
        self.say(&format!("(<= (done {k}) {last})"));
        self.say(&format!("(<= (fresh {k}) (true ({v} 0)) (true ({w} 1)))"));
        self.has(&[v, w]);
    }

    /// The moves in a group, and when it is played.
    fn group(&mut self, number: usize) {
        let is_series = self.plan.is_series();
        let Group {
            components,
            moves,
            over,
        } = &self.plan.groups[number];
        let (components, moves, over) = (components.clone(), *moves, *over);
        let mut is_open = String::new();
        if is_series {
            let done = components.iter().map(|k| format!("(done {k})"));
            let done: Vec<String> = done.collect();
            match over {
                Over::All => self.say(&format!("(<= (over {number}) {})", done.join(" "))),
                Over::Any => {
                    let rules = done
                        .iter()
                        .map(|done| format!("(<= (over {number}) {done})\n"));
                    self.say(&rules.collect::<String>());
                }
            }
            is_open = format!("(not (over {number}))");
            // A state in which a later phase is over and an earlier one is not is excluded by no invariant of
            // variables; so each phase asks for all that come before.
            for earlier in 0..number {
                let _ = write!(is_open, " (over {earlier})");
            }
        }
        let movers: &[&str] = match self.plan.players {
            Players::One | Players::Turns => &["?r"],
            Players::AtOnce => &["a", "b"],
        };
        for (place, mover) in movers.iter().enumerate() {
            let own = |&k: &usize| movers.len() == 1 || self.is_shared(k) || k % 3 == place;
            let own: Vec<usize> = components.iter().copied().filter(own).collect();
            if own.is_empty() {
                self.say(&format!("(legal {mover} wait)"));
            }
            for together in patterns(&own, moves) {
                self.moves_in(&together, mover, &is_open);
            }
        }
        if moves == Moves::Sum && self.chance.happens(30) && self.plan.players == Players::One {
            self.say("(<= (legal a rest) (role a))");
        }
    }

    /// Moves that act in some components together.
    fn moves_in(&mut self, components: &[usize], mover: &str, is_open: &str) {
        let each = components.iter();
        let (mut name, mut can) = ("in".to_owned(), String::new());
        for k in components {
            let _ = write!(name, "_{k}");
            let _ = write!(can, "(can {k} ?m{k}) ");
        }
        let arguments: Vec<String> = each.map(|k| format!("?m{k}")).collect();
        let term = format!("({name} {})", arguments.join(" "));
        self.say(&format!(
            "(<= (legal {mover} {term}) (mover {mover}) {is_open} {can})"
        ));
        for k in components {
            self.say(&format!(
                "(<= (acts {mover} {k} ?m{k}) (does {mover} {term}))"
            ));
        }
    }

    /// The end and the goal values; by component, whether these depend on it.
    fn ends(&mut self) -> (Vec<bool>, Vec<bool>) {
        let counted: Vec<usize> = (self.plan.components())
            .filter(|&k| self.plan.counted[k])
            .collect();
        if self.plan.is_series() {
            let last = self.plan.groups.len() - 1;
            self.say(&format!(
                "(<= terminal (over {last}))
                (<= (goal ?r 100) (role ?r) (over {last}))
                (<= (goal ?r 40) (role ?r) (over 0) (not (over {last})))
                (<= (goal ?r 0) (role ?r) (not (over 0)))"
            ));
            let all = vec![true; self.plan.counted.len()];
            return (all.clone(), all);
        }
        let done = counted.iter().map(|k| format!("(done {k})"));
        let done: Vec<String> = done.collect();
        match self.plan.over {
            None => {}
            Some(Over::All) => self.say(&format!("(<= terminal {})", done.join(" "))),
            Some(Over::Any) => {
                let rules = done.iter().map(|done| format!("(<= terminal {done})\n"));
                self.say(&rules.collect::<String>());
            }
        }
        let values = self.values(counted.len());
        for (subset, value) in values.iter().enumerate() {
            let conditions = done.iter().enumerate();
            let conditions = conditions.map(|(place, done)| match subset >> place & 1 {
                1 => done.clone(),
                _ => format!("(not {done})"),
            });
            let conditions: Vec<String> = conditions.collect();
            let body = conditions.join(" ");
            self.say(&format!("(<= (goal ?r {value}) (role ?r) {body})"));
        }
        self.dependence(&counted, &values)
    }

    /// A goal value for each set of components that are done.
    fn values(&mut self, count: usize) -> Vec<usize> {
        let subsets = 0..1usize << count;
        match self.chance.below(4) {
            0 => subsets
                .map(|subset| subset.count_ones() as usize * (100 / count))
                .collect(),
            1 => subsets
                .clone()
                .map(|subset| 100 * usize::from(subset + 1 == subsets.end))
                .collect(),
            2 => subsets
                .map(|subset| 100 * usize::from(subset > 0))
                .collect(),
            _ => loop {
                let values = subsets
                    .clone()
                    .map(|_| [0, 30, 70, 100][self.chance.below(4)]);
                let values: Vec<usize> = values.collect();
                if self.is_flat(count, &values) {
                    return values;
                }
            },
        }
    }

    /// Whether what is known of each component matters, and no two or more of them, but not all, are known only
    /// together: end and goal values would be of a tree of components then.
    fn is_flat(&self, count: usize, values: &[usize]) -> bool {
        let all = values.len() - 1;
        let verdict = |subset: usize| {
            let is_over = self.is_over(subset, all);
            let is_end = is_over || self.plan.steps.is_some();
            (is_over, is_end.then_some(values[subset]))
        };
        let classes = |part: usize| {
            let inside = (0..=all).filter(|subset| subset & !part == 0);
            let row = |subset: usize| -> Vec<_> {
                let outside = (0..=all).filter(|other| other & part == 0);
                outside.map(|other| verdict(subset | other)).collect()
            };
            inside.map(row).collect::<BTreeSet<_>>().len()
        };
        let mut parts = 1..all;
        parts.all(|part| match part.count_ones() {
            1 => classes(part) == 2 || self.plan.over == Some(Over::All),
            _ => {
                classes(part) > 2 || self.plan.over == Some(Over::All) && self.plan.steps.is_none()
            }
        }) && (count > 1 || values[0] != values[1])
    }

    /// Whether the game is over but for the number of steps, if these components of all are done.
    fn is_over(&self, done: usize, all: usize) -> bool {
        match self.plan.over {
            None => false,
            Some(Over::All) => done == all,
            Some(Over::Any) => done > 0,
        }
    }

    /// By component, whether the end, and whether a goal value at an end, depends on it.
    fn dependence(&self, counted: &[usize], values: &[usize]) -> (Vec<bool>, Vec<bool>) {
        let count = self.plan.counted.len();
        let (mut end, mut goal) = (vec![false; count], vec![false; count]);
        let all = values.len() - 1;
        let is_over = |subset: usize| self.is_over(subset, all);
        let is_end = |subset: usize| self.plan.steps.is_some() || is_over(subset);
        for (place, &k) in counted.iter().enumerate() {
            for subset in 0..=all {
                let other = subset ^ (1 << place);
                end[k] |= is_over(subset) != is_over(other);
                goal[k] |= is_end(subset) && is_end(other) && values[subset] != values[other];
            }
        }
        (end, goal)
    }
}

/// The sets of components in which moves act together.
fn patterns(components: &[usize], moves: Moves) -> Vec<Vec<usize>> {
    let (one, other) = components.split_at(components.len() / 2);
    match moves {
        Moves::Sum => components.iter().map(|&k| vec![k]).collect(),
        Moves::Product if components.is_empty() => Vec::new(),
        Moves::Product => vec![components.to_vec()],
        Moves::SumOfProducts => vec![one.to_vec(), other.to_vec()],
        Moves::ProductOfSums => (one.iter())
            .flat_map(|&k| other.iter().map(move |&l| vec![k, l]))
            .collect(),
    }
}

/// The values of two variables after each move.
struct Table {
    sizes: [usize; 2],
    /// By move and pair of values.
    next: Vec<Vec<[usize; 2]>>,
}

impl Table {
    fn by_chance(chance: &mut Chance, sizes: [usize; 2], moves: usize) -> Self {
        let pairs = sizes[0] * sizes[1];
        let mut pair = || [chance.below(sizes[0]), chance.below(sizes[1])];
        let next = (0..moves).map(|_| (0..pairs).map(|_| pair()).collect());
        let next = next.collect();
        Self { sizes, next }
    }

    fn next(&self, m: usize, [x, y]: [usize; 2]) -> [usize; 2] {
        self.next[m][x * self.sizes[1] + y]
    }

    /// Whether all pairs of values are reached before the last, one variable depends on the other, moves differ, and each changes
    /// something.
    fn is_connected(&self) -> bool {
        let last = [self.sizes[0] - 1, 2];
        let mut reached = BTreeSet::from([[0, 0]]);
        loop {
            let next: BTreeSet<[usize; 2]> = (reached.iter())
                .filter(|&&pair| pair != last)
                .flat_map(|&pair| (0..self.next.len()).map(move |m| self.next(m, pair)))
                .collect();
            let before = reached.len();
            reached.extend(next);
            if reached.len() == before {
                break;
            }
        }
        let differ = |m: usize| {
            (0..self.sizes[0]).any(|x| {
                (1..self.sizes[1]).any(|y| self.next(m, [x, y])[0] != self.next(m, [x, 0])[0])
            })
        };
        let unmoved: Vec<[usize; 2]> = (0..self.sizes[0])
            .flat_map(|x| (0..self.sizes[1]).map(move |y| [x, y]))
            .collect();
        let is_free =
            self.next.windows(2).all(|pair| pair[0] != pair[1]) && !self.next.contains(&unmoved);
        reached.len() == self.sizes[0] * self.sizes[1]
            && (0..self.next.len()).any(differ)
            && is_free
    }
}
