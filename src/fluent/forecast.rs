//! What moves would change in one state, and which effects say so.
//!
//! Every effect becomes a rule of its own, whose head has the fluent and all variables of its
//! conditions; so an answer says which effect comes about and what its conditions stand for:
//!
//! ```text
//! − heap(x,u) where does(first, leave(x,y)), true(heap(x,u))
//!     (<= (|± 3| (heap ?x ?u) ?u ?x ?y) (does first (leave ?x ?y)) (true (heap ?x ?u)))
//! ```
//!
//! Where some roles have a choice, every joint move that is left is evaluated, so that what is said
//! to come about whatever these roles do is known and not guessed from the form of the effects.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::fluent::axioms::GameAxioms;
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::program::{conditions_of_rule, term};
use crate::fluent::verify::{JointMoves, number};
use crate::gdl::{Game, GameError, Keyword, Keywords, MoveId, ReasonerError, State, Vocabulary};
use crate::limits::Limits;
use crate::rules::{Dynamic, Rules};
use crate::term::{Clause, Functor, Literal, Store, Substitution, TermId};

/// Joint moves that one forecast evaluates.
const MAX_JOINT_MOVES: usize = 1_000;

/// What comes about in a state if one of some joint moves is made.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// The joint moves that were evaluated, the last role's move changing fastest.
    pub joint_moves: Vec<Vec<MoveId>>,
    /// How many joint moves there are; more than were evaluated if they are too many.
    pub total: u128,
    /// The changes: by effect, then in order of discovery. Effects that change nothing are left
    /// out: what is added holds already, or what is taken is added as well.
    pub occurrences: Vec<Occurrence>,
}

/// An effect that changes a fluent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The effect, by its index in [`GameAxioms::effects`].
    pub effect: usize,
    /// Whether the fluent comes or goes.
    pub sign: Sign,
    /// What changes.
    pub fluent: TermId,
    /// Literals of GDL that hold and from which it follows that the fluent changes, given that the
    /// moves are legal; those that all of its joint moves share.
    pub conditions: Vec<TermId>,
    /// For what comes, the rules that give it; for what goes, those that could keep it after these
    /// moves and do not. Indices of [`GameAxioms::rules`].
    pub rules: Vec<usize>,
    /// The joint moves with which it changes, as ascending indices of [`Forecast::joint_moves`].
    pub when: Vec<usize>,
}

/// Evaluates the effects of a game one by one.
#[derive(Clone, Debug)]
pub struct EffectRules {
    rules: Rules,
    effects: Vec<EffectRule>,
    roles: Vec<TermId>,
    /// The state that the rules see now.
    loaded: State,
}

/// An effect with the predicate that has its instances.
#[derive(Clone, Debug)]
struct EffectRule {
    sign: Sign,
    fluent: TermId,
    predicate: Functor,
    /// What the arguments behind the first one stand for.
    variables: Vec<u32>,
    conditions: Conjunction,
}

/// An effect, by index, with the fluent that it changes.
type Change = (usize, TermId);

impl EffectRules {
    /// Makes rules of the effects of a game; what depends on no state is evaluated now.
    ///
    /// # Errors
    /// [`GameError`].
    pub fn new(
        game: &Game,
        axioms: &GameAxioms,
        vocabulary: &mut Vocabulary,
        limits: &Limits,
    ) -> Result<Self, GameError> {
        let store = vocabulary.store_mut();
        // The rules of the game stay, since conditions may call them.
        let mut clauses = game.clauses().to_vec();
        let mut effects = Vec::with_capacity(axioms.effects.len());
        for (index, effect) in axioms.effects.iter().enumerate() {
            let (unifier, conditions, body) = conditions_of_rule(store, axioms, effect);
            let fluent = unifier.apply(store, effect.fluent);
            let variables = variables(store, fluent, &conditions, &body);
            let mut arguments = vec![fluent];
            arguments.extend(variables.iter().map(|&variable| store.variable(variable)));
            // No symbol of the language contains a blank.
            let symbol = store.symbol(&format!("± {index}"));
            let head = store.compound(symbol, &arguments);
            clauses.push(Clause::of(store, head, body));
            effects.push(EffectRule {
                sign: effect.sign,
                fluent,
                predicate: Functor {
                    symbol,
                    arity: arguments.len() as u32,
                },
                variables,
                conditions,
            });
        }
        let keywords = Keywords::of(store);
        let dynamic = Dynamic {
            state: keywords.functor(Keyword::True),
            moves: keywords.functor(Keyword::Does),
        };
        let mut rules = Rules::new(store, clauses, dynamic)?;
        rules.materialize(store, limits)?;
        Ok(Self {
            rules,
            effects,
            roles: game.roles().to_vec(),
            loaded: State::default(),
        })
    }

    /// What would change in a state that is not terminal; `choices` has for every role the legal
    /// moves that it may make.
    ///
    /// Evaluates all effects for each of up to 1000 joint moves.
    ///
    /// # Errors
    /// [`ReasonerError`].
    pub fn forecast(
        &mut self,
        axioms: &GameAxioms,
        vocabulary: &mut Vocabulary,
        state: &State,
        choices: &[Vec<MoveId>],
        limits: &Limits,
    ) -> Result<Forecast, ReasonerError> {
        self.load(vocabulary, state, limits);
        let joint_moves: Vec<Vec<MoveId>> =
            JointMoves::new(choices).take(MAX_JOINT_MOVES).collect();
        let mut occurrences = self.occurrences(vocabulary, state, &joint_moves, limits)?;
        occurrences.sort_by_key(|occurrence| occurrence.effect);
        for occurrence in &mut occurrences {
            let moves = moves(vocabulary, &self.roles, &joint_moves, &occurrence.when);
            let store = vocabulary.store_mut();
            let wanted = (occurrence.fluent, &moves[..]);
            occurrence.rules = axioms.effects[occurrence.effect].clauses.clone();
            let rules = &mut occurrence.rules;
            rules.retain(|&rule| may_apply(store, axioms, rule, wanted));
        }
        Ok(Forecast {
            total: number(choices),
            joint_moves,
            occurrences,
        })
    }

    /// The changes under some joint moves. The same change under several of them is one occurrence.
    fn occurrences(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_moves: &[Vec<MoveId>],
        limits: &Limits,
    ) -> Result<Vec<Occurrence>, ReasonerError> {
        let mut found: IndexMap<Change, Occurrence, FxBuildHasher> = IndexMap::default();
        for (index, joint_move) in joint_moves.iter().enumerate() {
            // Evaluations that are short may never look.
            limits.stop.poll()?;
            let changes = self.changes(vocabulary, state, joint_move, limits)?;
            for ((effect, fluent), conditions) in changes {
                match found.get_mut(&(effect, fluent)) {
                    Some(occurrence) => {
                        occurrence.when.push(index);
                        // Only what all of its joint moves have in common is said.
                        occurrence.conditions.retain(|c| conditions.contains(c));
                    }
                    None => {
                        let occurrence = Occurrence {
                            effect,
                            sign: self.effects[effect].sign,
                            fluent,
                            conditions,
                            rules: Vec::new(),
                            when: vec![index],
                        };
                        found.insert((effect, fluent), occurrence);
                    }
                }
            }
        }
        Ok(found.into_values().collect())
    }

    fn load(&mut self, vocabulary: &mut Vocabulary, state: &State, limits: &Limits) {
        let changes: Vec<_> = self
            .loaded
            .changes(state)
            .map(|(fluent, holds)| {
                let term = vocabulary.fluent_term(fluent);
                (self.rules.fluent(vocabulary.store(), term), holds)
            })
            .collect();
        self.rules
            .change_state(vocabulary.store_mut(), changes, limits);
        self.loaded.clone_from(state);
    }

    /// What one joint move changes, each with the conditions of the first instance.
    fn changes(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
        limits: &Limits,
    ) -> Result<IndexMap<Change, Vec<TermId>, FxBuildHasher>, ReasonerError> {
        let moves = self.roles.iter().zip(joint_move);
        let moves: Vec<[TermId; 2]> = moves
            .map(|(&role, &mv)| [role, vocabulary.move_term(mv)])
            .collect();
        let arguments = moves.iter().map(|arguments| &arguments[..]);
        self.rules.set_moves(vocabulary.store_mut(), arguments);
        // The first instance explains the change; further ones with the same fluent are left out.
        let mut changes: IndexMap<Change, Vec<TermId>, FxBuildHasher> = IndexMap::default();
        let mut added: FxHashSet<TermId> = FxHashSet::default();
        for (index, effect) in self.effects.iter().enumerate() {
            let open = vec![None; effect.predicate.arity as usize];
            let store = vocabulary.store_mut();
            let sink = &mut |store: &mut Store, answer: &[TermId]| {
                let fluent = answer[0];
                if effect.sign == Sign::Positive {
                    added.insert(fluent);
                }
                changes
                    .entry((index, fluent))
                    .or_insert_with(|| effect.instance(store, answer));
                true
            };
            let rules = &mut self.rules;
            rules.solve(store, effect.predicate, &open, limits, sink)?;
        }
        // The successor is the state less what goes and with what comes.
        // What holds and comes does not change, and what goes and comes stays.
        changes.retain(|&(effect, fluent), _| {
            let holds = state.contains(vocabulary.fluent(fluent));
            match self.effects[effect].sign {
                Sign::Positive => !holds,
                Sign::Negative => holds && !added.contains(&fluent),
            }
        });
        Ok(changes)
    }
}

impl EffectRule {
    /// The conditions as literals with the terms of an answer in the place of their variables.
    /// What goes without saying is left out: that equal terms are equal and others are not, and that
    /// what goes held.
    fn instance(&self, store: &mut Store, answer: &[TermId]) -> Vec<TermId> {
        let mut values = Substitution::default();
        for (&variable, &value) in self.variables.iter().zip(&answer[1..]) {
            values.bind(variable, value);
        }
        let state = store.symbol("true");
        let now = store.compound(state, &[self.fluent]);
        let is_said = |condition: &&Condition| match condition {
            Condition::Holds(atom) => self.sign == Sign::Positive || *atom != now,
            Condition::Equal(..) | Condition::Differ(_) => false,
            Condition::Fails(_) | Condition::None(..) => true,
        };
        let said: Vec<&Condition> = self.conditions.iter().filter(is_said).collect();
        let mut literals = Vec::new();
        for condition in said {
            let condition = condition.apply(store, &values);
            let literal = term(store, &condition);
            if !literals.contains(&literal) {
                literals.push(literal);
            }
        }
        literals
    }
}

impl GameAxioms {
    /// The roles, by number, on whose moves it depends whether an effect comes about; all if it
    /// depends on them through other relations.
    pub fn roles_of(&self, store: &Store, effect: &Effect) -> Vec<usize> {
        let mut of_role = vec![false; self.roles.len()];
        for &(role, _) in &effect.moves {
            of_role[role] = true;
        }
        for condition in &effect.conditions {
            condition.each_atom(&mut |atom| {
                // `does` says which role; any other relation of moves may be about all of them.
                let functor = store.functor(atom);
                if !functor.is_some_and(|functor| self.of_moves.contains(&functor)) {
                    return;
                }
                let is_does = functor.is_some_and(|f| store.name(f.symbol) == "does");
                let role = store.arguments(atom).first();
                let role = self.roles.iter().position(|own| Some(own) == role);
                match role.filter(|_| is_does) {
                    Some(role) => of_role[role] = true,
                    None => of_role.fill(true),
                }
            });
        }
        let roles = of_role.iter().enumerate();
        roles.filter(|(_, of)| **of).map(|(role, _)| role).collect()
    }
}

/// The variables that an answer has to give: those of the fluent, the body, and the conditions, each
/// once and without those that conditions quantify themselves.
fn variables(store: &Store, fluent: TermId, conditions: &Conjunction, body: &[TermId]) -> Vec<u32> {
    let mut found = store.variables(fluent);
    found.extend(conditions.iter().flat_map(|c| c.variables(store)));
    // The moves stand in front of the conditions.
    // Bodies have the moves first, then one literal a condition.
    let moves = &body[..body.len() - conditions.len()];
    found.extend(moves.iter().flat_map(|&mv| store.variables(mv)));
    // In order of first occurrence.
    let mut seen = FxHashSet::default();
    found.retain(|&variable| seen.insert(variable));
    found
}

/// The atoms of `does` of some joint moves, each once.
fn moves(
    vocabulary: &mut Vocabulary,
    roles: &[TermId],
    joint_moves: &[Vec<MoveId>],
    when: &[usize],
) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut atoms = Vec::new();
    let does = Keywords::of(vocabulary.store_mut()).functor(Keyword::Does);
    for &index in when {
        for (&role, &mv) in roles.iter().zip(&joint_moves[index]) {
            if seen.insert((role, mv)) {
                let mv = vocabulary.move_term(mv);
                atoms.push(vocabulary.store_mut().compound(does.symbol, &[role, mv]));
            }
        }
    }
    atoms
}

/// Whether a rule of `next` may give a fluent when moves are made that are among some.
fn may_apply(
    store: &mut Store,
    axioms: &GameAxioms,
    rule: usize,
    (fluent, moves): (TermId, &[TermId]),
) -> bool {
    let clause = &axioms.rules[rule];
    let mut unifier = Substitution::default();
    let head = store.arguments(clause.head).first().copied();
    if !head.is_some_and(|head| unifier.unify(store, head, fluent)) {
        return false;
    }
    let does = Keywords::of(store).functor(Keyword::Does);
    clause
        .body
        .iter()
        .all(|&literal| match Literal::of(store, literal) {
            Literal::Call(atom) if store.functor(atom) == Some(does) => moves
                .iter()
                .any(|&made| unifier.clone().unify(store, atom, made)),
            Literal::Call(_)
            | Literal::Not(_)
            | Literal::Or(_)
            | Literal::And(_)
            | Literal::Distinct(..) => true,
        })
}
