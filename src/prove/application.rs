//! Which rules apply in a state: a relation of the rules by number, beside the rules of the game.
//!
//! ```text
//! rule 7:   next(cell(X,Y,b)) ← does(R, mark(M,N)), true(cell(X,Y,b)), distinct(X,M)
//!           rule applies(7)   ← does(R, mark(M,N)), true(cell(X,Y,b)), distinct(X,M)
//! ```
//!
//! Facts apply always; `init`, `base` and `input` are about no state that plays come to.

use std::sync::Arc;

use crate::circuit::ground::{Extension, GroundError, ground_with};
use crate::circuit::{Circuit, Gate, Signal};
use crate::gdl::{Game, Vocabulary, Watched};
use crate::limits::Limits;
use crate::term::{Clause, Functor, Store, TermId};

/// A rule, and when it applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Application {
    /// Its place among the clauses of the game.
    pub clause: usize,
    /// Whether it applies, by state and joint move.
    pub signal: Signal,
}

/// A circuit of a game with the signals of its rules.
#[derive(Clone, Debug)]
pub struct Grounded {
    /// The circuit.
    pub circuit: Arc<Circuit>,
    /// The rules, in the order of the text.
    pub rules: Vec<Application>,
}

/// A game and its circuit.
#[derive(Clone, Copy, Debug)]
pub struct GroundedGame<'s> {
    /// The rules.
    pub game: &'s Game,
    /// What they mean.
    pub circuit: &'s Arc<Circuit>,
    /// When rules apply, by signals of the circuit; nothing if nobody asks for it.
    pub rules: &'s [Application],
}

/// The circuit of a game whose rules have at most so many instances, with those that say which rules apply.
///
/// # Errors
/// [`GroundError`] if there are more, or a limit was reached.
pub fn ground(
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
    max_rules: usize,
) -> Result<Grounded, GroundError> {
    let store = vocabulary.store_mut();
    let relation = relation(store);
    let extension = Extension {
        rules: rules(store, game.clauses()),
        wanted: [relation].into_iter().collect(),
    };
    let program = ground_with(game, &extension, store, limits, max_rules)?;
    let roles = game.roles().len();
    let (circuit, applying) = Circuit::with_relation(store, &program, roles, relation)?;
    let applications = numbers(store, game.clauses()).into_iter().map(|clause| {
        let is_meant = |term: TermId| Watched::place(store, term) == Some(clause);
        let applying = applying.iter().find(|&&(term, _)| is_meant(term));
        // What no state can satisfy has no instance.
        let signal = applying.map_or(Signal::FALSE, |&(_, signal)| signal);
        Application { clause, signal }
    });
    Ok(Grounded {
        rules: applications.collect(),
        circuit: Arc::new(circuit),
    })
}

/// The relation of the rules that apply; no rule of a game can name it.
pub(super) fn relation(store: &mut Store) -> Functor {
    Functor {
        symbol: store.symbol("rule applies"),
        arity: 1,
    }
}

/// A rule for each rule of a game that may or may not apply.
pub(super) fn rules(store: &mut Store, clauses: &[Clause]) -> Vec<Clause> {
    let relation = relation(store);
    let all = numbers(store, clauses).into_iter().map(|number| {
        let term = store.integer(number as i64);
        let head = store.compound(relation.symbol, &[term]);
        Clause::of(store, head, clauses[number].body.clone())
    });
    all.collect()
}

/// The name of the predicate that a rule is about.
pub(super) fn word<'s>(store: &'s Store, clause: &Clause) -> &'s str {
    let functor = store.functor(clause.head);
    functor.map_or("", |functor| store.name(functor.symbol))
}

/// The places of the rules that may or may not apply in a state that plays come to.
fn numbers(store: &Store, clauses: &[Clause]) -> Vec<usize> {
    let all = clauses.iter().enumerate().filter(|(_, clause)| {
        !clause.body.is_empty() && !matches!(word(store, clause), "init" | "base" | "input")
    });
    all.map(|(number, _)| number).collect()
}

/// Whether a game has rules that may or may not apply.
pub(super) fn may_apply(store: &Store, game: &Game) -> bool {
    !numbers(store, game.clauses()).is_empty()
}

/// By gate, whether it depends on the joint move.
pub(super) fn depending_on_moves(circuit: &Circuit) -> Vec<bool> {
    let gates = &circuit.gates;
    // The least fixpoint; without loops the first sweep is enough, as inputs come before gates.
    let mut depends = vec![false; gates.len()];
    loop {
        let mut changes = false;
        for gate in 0..gates.len() {
            let is = match gates.gate(gate) {
                Gate::False | Gate::Fluent(_) => false,
                Gate::Move(..) => true,
                Gate::Variable(number, _) => {
                    let definitions = gates.loops()[number as usize].definitions.iter();
                    definitions.into_iter().any(|one| depends[one.gate()])
                }
                Gate::And => gates.inputs(gate).iter().any(|one| depends[one.gate()]),
            };
            changes |= is && !depends[gate];
            depends[gate] |= is;
        }
        if !changes || gates.loops().is_empty() {
            return depends;
        }
    }
}
