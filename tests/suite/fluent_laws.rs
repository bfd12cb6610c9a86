//! Laws of the translation into axioms, on random games and on games that once went wrong.
//!
//! Axioms give for every joint move of every state the successor that the rules give; the
//! translation is a function of the game, whatever names its variables have; games that mean the
//! same have the same effects; what is said to hold in all states holds in all of them.
//!
//! `FLUX_LAW_CASES` sets the number of random games, `FLUX_LAW_SEED` the first of them.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use flux::fluent::{
    Bounds, Condition, Constraint, Coverage, GameAxioms, TranslationError, progression, translate,
    verify,
};
use flux::gdl::{
    Game, Goal, MoveId, Reasoner, ReasonerError, RoleId, RuleSheet, State, Tabled, Vocabulary,
};
use flux::limits::Limits;
use flux::syntax::{Notation, Source};
use flux::term::{Case, Prefix, Store, TermId};

use crate::collection::files;
use crate::random_game::{
    Expression, Rules, grounded, inlined, outlined, random_game, read, renamed, reordered, text,
};

/// Random games that are looked at if nobody says otherwise.
const CASES: u64 = 150;

const BOUNDS: Bounds = Bounds {
    states: 300,
    transitions: 2_000,
    playouts: 2,
    length: 30,
    joint_moves: 40,
    seed: 0,
};

#[test]
fn random_games_obey_the_laws() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let cases: u64 = number("FLUX_LAW_CASES").unwrap_or(CASES);
    let first: u64 = number("FLUX_LAW_SEED").unwrap_or(0);
    let mut valid = 0;
    let mut transitions = 0;
    let mut failures = Vec::new();
    for seed in first..first + cases {
        match outcome(&random_game(seed), seed) {
            Outcome::Invalid => {}
            Outcome::Obeys(number) => {
                valid += 1;
                transitions += number;
            }
            Outcome::Breaks(law) => {
                let rules = smallest(random_game(seed), seed, &law);
                let Outcome::Breaks(how) = outcome(&rules, seed) else {
                    unreachable!("the smallest game breaks the law still")
                };
                eprintln!("seed {seed}: {how}\n{}", text(&rules));
                failures.push(seed);
                if failures.len() >= 10 {
                    break;
                }
            }
        }
    }
    eprintln!("{valid} valid games of {cases}, {transitions} transitions");
    assert!(failures.is_empty(), "seeds {failures:?}");
    assert!(valid * 2 > cases, "only {valid} valid games of {cases}");
}

#[test]
fn games_that_once_went_wrong_obey_the_laws() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fluent/laws");
    for path in files(&folder, "gdl") {
        let rules = read(&std::fs::read_to_string(&path).unwrap());
        match outcome(&rules, 1) {
            Outcome::Obeys(transitions) => {
                assert!(transitions > 0, "{} has no moves", path.display())
            }
            Outcome::Invalid => panic!("{} is not valid", path.display()),
            Outcome::Breaks(how) => panic!("{}: {how}", path.display()),
        }
    }
}

enum Outcome {
    /// The rules are no game.
    Invalid,
    /// All laws hold; transitions that were compared.
    Obeys(u64),
    /// A law is broken, and how.
    Breaks(String),
}

/// The game without all rules and conditions that can go while the same law stays broken.
fn smallest(mut rules: Rules, seed: u64, law: &str) -> Rules {
    let kind = |how: &str| how.split(':').next().unwrap_or("").to_owned();
    let breaks = |rules: &Rules| matches!(outcome(rules, seed), Outcome::Breaks(how) if kind(&how) == kind(law));
    loop {
        let before = text(&rules).len();
        let mut at = 0;
        while at < rules.len() {
            let mut fewer = rules.clone();
            fewer.remove(at);
            if breaks(&fewer) {
                rules = fewer;
                continue;
            }
            let mut condition = 2;
            while let Expression::List(parts) = &rules[at]
                && rules[at].name() == "<="
                && condition < parts.len()
            {
                let mut parts = parts.clone();
                parts.remove(condition);
                let mut fewer = rules.clone();
                fewer[at] = match &parts[..] {
                    [_, head] => head.clone(),
                    _ => Expression::List(parts),
                };
                if breaks(&fewer) {
                    rules = fewer
                } else {
                    condition += 1
                }
            }
            at += 1;
        }
        if text(&rules).len() == before {
            return rules;
        }
    }
}

fn outcome(rules: &Rules, seed: u64) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| laws(rules, seed)))
        .unwrap_or_else(|_| Outcome::Breaks("panic: see above".to_owned()))
}

fn laws(rules: &Rules, seed: u64) -> Outcome {
    let Some(mut subject) = Subject::new(&text(rules)) else {
        return Outcome::Invalid;
    };
    let axioms = match translate(&subject.game, &mut subject.vocabulary, &limits()) {
        Ok(axioms) => axioms,
        Err(TranslationError::Reasoner(_)) => return Outcome::Invalid,
        Err(error) => return Outcome::Breaks(format!("translation: {error}")),
    };
    let seen = match subject.compare(&axioms) {
        Ok(seen) => seen,
        Err(how) => return Outcome::Breaks(how),
    };
    if let Err(how) = subject.constraints(&axioms, &seen) {
        return Outcome::Breaks(how);
    }
    // One law more a game, for speed.
    let broken = match seed % 6 {
        0 => same_text(&subject.vocabulary, &axioms, rules).map_err(|how| ("determinism", how)),
        1 => same_text(&subject.vocabulary, &axioms, &renamed(rules)).map_err(|how| ("names", how)),
        2 => same(&seen, &reordered(rules, seed)).map_err(|how| ("reordering", how)),
        3 => same(&seen, &outlined(rules)).map_err(|how| ("outlining", how)),
        4 => same(&seen, &inlined(rules)).map_err(|how| ("inlining", how)),
        _ if seen.coverage == Coverage::Exhausted => {
            let ground = grounded(rules, &subject.dynamic(&seen));
            let same = ground.map_or(Ok(()), |ground| same(&seen, &ground));
            same.map_err(|how| ("grounding", how))
        }
        _ => Ok(()),
    };
    if let Err((law, how)) = broken {
        return Outcome::Breaks(format!("{law}: {how}"));
    }
    Outcome::Obeys(seen.transitions)
}

/// Whether the translation of rules prints as that of a game.
fn same_text(vocabulary: &Vocabulary, axioms: &GameAxioms, rules: &Rules) -> Result<(), String> {
    let (one, other) = (
        printed(vocabulary, axioms),
        Subject::new(&text(rules)).and_then(|mut subject| subject.printed()),
    );
    match other {
        Some(other) if other == one => Ok(()),
        other => Err(format!("\n{one}\n{}", other.unwrap_or_default())),
    }
}

/// Whether the axioms of other rules for the same game agree with them, and the game is the same.
fn same(seen: &Seen, variant: &Rules) -> Result<(), String> {
    let Some(mut subject) = Subject::new(&text(variant)) else {
        // A call may leave variables unbound where the body did not.
        return Ok(());
    };
    let axioms = translate(&subject.game, &mut subject.vocabulary, &limits())
        .map_err(|error| error.to_string())?;
    let other = subject
        .compare(&axioms)
        .map_err(|how| format!("{how}\n{}", text(variant)))?;
    let both = [seen.coverage, other.coverage] == [Coverage::Exhausted; 2];
    if both && seen.transitions != other.transitions {
        return Err(format!(
            "{} transitions and {}",
            seen.transitions, other.transitions
        ));
    }
    Ok(())
}

fn limits() -> Limits {
    Limits {
        steps: Some(5_000_000),
        ..Limits::default()
    }
}

struct Subject {
    game: Game,
    vocabulary: Vocabulary,
}

/// What a comparison has met.
struct Seen {
    coverage: Coverage,
    transitions: u64,
    states: BTreeSet<State>,
    moves: BTreeSet<(u32, MoveId)>,
}

impl Subject {
    fn new(text: &str) -> Option<Self> {
        let source = Source::new("game", text);
        let mut store = Store::new();
        let sheet = RuleSheet::read(&mut store, &source, Notation::Prefix, Case::Fold);
        if sheet.has_errors() {
            return None;
        }
        let game = Game::new(&mut store, source, sheet.clauses, &limits()).ok()?;
        Some(Self {
            game,
            vocabulary: Vocabulary::new(store),
        })
    }

    fn printed(&mut self) -> Option<String> {
        let axioms = translate(&self.game, &mut self.vocabulary, &limits()).ok()?;
        Some(printed(&self.vocabulary, &axioms))
    }

    /// Compares all successors.
    fn compare(&mut self, axioms: &GameAxioms) -> Result<Seen, String> {
        let tabled = self.game.tabled(&mut self.vocabulary, limits());
        let mut rules = Recorder {
            inner: tabled.map_err(|error| error.to_string())?,
            states: BTreeSet::new(),
            moves: BTreeSet::new(),
        };
        let progression = progression(&self.game, axioms, &mut self.vocabulary, &limits());
        let mut progression = progression
            .map_err(|error| format!("axioms: {error}\n{}", printed(&self.vocabulary, axioms)))?;
        let roles = self.game.roles().len() as u32;
        let outcome = verify(
            &mut rules,
            &mut progression,
            &mut self.vocabulary,
            roles,
            &BOUNDS,
        );
        let outcome = match outcome {
            Ok(outcome) => outcome,
            // Games whose rules need more than the limit are of no interest here.
            Err(ReasonerError::Stopped(_)) => {
                return Ok(Seen {
                    coverage: Coverage::Sampled { playouts: 0 },
                    transitions: 0,
                    states: BTreeSet::new(),
                    moves: BTreeSet::new(),
                });
            }
            Err(error) => return Err(format!("reasoner: {error}")),
        };
        if outcome.difference.is_some() {
            let report = outcome.report(&self.game, axioms, &mut self.vocabulary);
            return Err(format!(
                "difference: {report}\n{}",
                printed(&self.vocabulary, axioms)
            ));
        }
        Ok(Seen {
            coverage: outcome.coverage,
            transitions: outcome.transitions,
            states: rules.states,
            moves: rules.moves,
        })
    }

    fn constraints(&self, axioms: &GameAxioms, seen: &Seen) -> Result<(), String> {
        let store = self.vocabulary.store();
        for state in &seen.states {
            let fluents: Vec<TermId> = state
                .fluents()
                .map(|fluent| self.vocabulary.fluent_term(fluent))
                .collect();
            if let Some(broken) = axioms
                .constraints
                .iter()
                .find(|constraint| !holds(store, constraint, &axioms.initial, &fluents))
            {
                let state: Vec<String> = fluents
                    .iter()
                    .map(|&fluent| Prefix::new(store, fluent).to_string())
                    .collect();
                return Err(format!("constraint: {broken:?} in {state:?}"));
            }
        }
        Ok(())
    }

    /// All fluents that held and moves that were legal, as atoms.
    fn dynamic(&self, seen: &Seen) -> BTreeSet<Expression> {
        let store = self.vocabulary.store();
        let print = |term: TermId| Prefix::new(store, term).to_string();
        let mut atoms = String::new();
        for state in &seen.states {
            for fluent in state.fluents() {
                let fluent = self.vocabulary.fluent_term(fluent);
                atoms += &format!("(true {})\n", print(fluent));
            }
        }
        for &(role, mv) in &seen.moves {
            let role = self.game.roles()[role as usize];
            let mv = self.vocabulary.move_term(mv);
            atoms += &format!("(does {} {})\n", print(role), print(mv));
        }
        read(&atoms).into_iter().collect()
    }
}

/// Whether a constraint holds in a state.
pub(crate) fn holds(
    store: &Store,
    constraint: &Constraint,
    initial: &[TermId],
    state: &[TermId],
) -> bool {
    let of = |functor| {
        state
            .iter()
            .copied()
            .filter(move |&fluent| store.functor(fluent) == Some(functor))
    };
    let at = |fluent: TermId, position: usize| store.arguments(fluent)[position];
    match constraint {
        Constraint::Functional { fluent, key, only } => {
            let meant = |fluent: TermId| only.is_none_or(|(i, term)| at(fluent, i) == term);
            of(*fluent).filter(|&one| meant(one)).all(|one| {
                of(*fluent)
                    .filter(|&other| meant(other))
                    .all(|other| one == other || key.iter().any(|&i| at(one, i) != at(other, i)))
            })
        }
        Constraint::Exclusive { one, other, key } => of(*one).all(|left| {
            of(*other).all(|right| key.iter().any(|&(i, j)| at(left, i) != at(right, j)))
        }),
        Constraint::Some { fluent, key } => {
            let mut starts = initial
                .iter()
                .copied()
                .filter(|&start| store.functor(start) == Some(*fluent));
            starts
                .all(|start| of(*fluent).any(|now| key.iter().all(|&i| at(start, i) == at(now, i))))
        }
    }
}

/// The effects and constraints as text.
fn printed(vocabulary: &Vocabulary, axioms: &GameAxioms) -> String {
    let store = vocabulary.store();
    let mut text = String::new();
    for effect in &axioms.effects {
        let moves = effect.moves.iter();
        let moves: Vec<String> = moves
            .map(|&(role, mv)| format!("{role}:{}", Prefix::new(store, mv)))
            .collect();
        let conditions = effect.conditions.iter();
        let conditions: Vec<String> = conditions.map(|one| condition(store, one)).collect();
        text += &format!(
            "{:?} {} by {moves:?} if {}\n",
            effect.sign,
            Prefix::new(store, effect.fluent),
            conditions.join(" & ")
        );
    }
    for constraint in &axioms.constraints {
        let functor = |functor: &flux::term::Functor| store.name(functor.symbol).to_owned();
        text += &match constraint {
            Constraint::Functional { fluent, key, only } => {
                let only = only.map(|(at, term)| (at, Prefix::new(store, term).to_string()));
                format!("functional {} {key:?} {only:?}\n", functor(fluent))
            }
            Constraint::Exclusive { one, other, key } => {
                format!("exclusive {} {} {key:?}\n", functor(one), functor(other))
            }
            Constraint::Some { fluent, key } => {
                format!("some {} {key:?}\n", functor(fluent))
            }
        };
    }
    text
}

fn condition(store: &Store, one: &Condition) -> String {
    let term = |term: &TermId| Prefix::new(store, *term).to_string();
    match one {
        Condition::Holds(atom) => term(atom),
        Condition::Fails(atom) => format!("not {}", term(atom)),
        Condition::Equal(left, right) => format!("{} = {}", term(left), term(right)),
        Condition::Differ(pairs) => {
            let pairs = pairs.iter();
            let pairs: Vec<String> = pairs
                .map(|(l, r)| format!("{} /= {}", term(l), term(r)))
                .collect();
            pairs.join(" or ")
        }
        Condition::None(local, inner) => {
            let inner: Vec<String> = inner.iter().map(|inner| condition(store, inner)).collect();
            format!("none {local:?} ({})", inner.join(" & "))
        }
    }
}

/// The rules, and what they were asked.
struct Recorder {
    inner: Tabled,
    states: BTreeSet<State>,
    moves: BTreeSet<(u32, MoveId)>,
}

impl Reasoner for Recorder {
    fn initial_state(&mut self, vocabulary: &mut Vocabulary) -> Result<State, ReasonerError> {
        let state = self.inner.initial_state(vocabulary)?;
        self.states.insert(state.clone());
        Ok(state)
    }

    fn is_terminal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<bool, ReasonerError> {
        self.inner.is_terminal(vocabulary, state)
    }

    fn goal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
    ) -> Result<Goal, ReasonerError> {
        self.inner.goal(vocabulary, state, role)
    }

    fn legal_moves(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        self.inner.legal_moves(vocabulary, state, role, moves)?;
        self.moves.extend(moves.iter().map(|&mv| (role.0, mv)));
        Ok(())
    }

    fn successor(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<State, ReasonerError> {
        let next = self.inner.successor(vocabulary, state, joint_move)?;
        self.states.insert(next.clone());
        Ok(next)
    }
}
