//! Progression as a logic program: rules for a relation that has what the axioms say holds next, in
//! the form in which `next` is written, so that whatever evaluates the one evaluates the other.
//!
//! ```text
//! after(F) ← begins(F)                 begins(F) ← conditions of a positive effect on F
//! after(F) ← true(F), not ends(F)      ends(F)   ← conditions of a negative effect on F
//! ```
//!
//! Effects negate whole conjunctions, with variables of their own; rules negate atoms. Each negated
//! conjunction becomes a relation of the variables that it shares with its surroundings:
//!
//! ```text
//! ends(p(X)) ← q(X), ¬∃Y (r(X,Y), X ≠ Y)      ends(p(X)) ← q(X), not negated(X)
//!                                             negated(X)  ← r(X,Y), distinct(X,Y)
//! ```
//!
//! Where a negated conjunction does not bind what it shares, it borrows the conditions that do: where
//! the relation is asked, they hold.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::fluent::axioms::GameAxioms;
use crate::fluent::condition::Condition;
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::program::{conditions_of_rule, depends, solve_local, term};
use crate::term::{Clause, Functor, Literal, Store, TermId};

/// What holds next by the axioms, as rules.
#[derive(Clone, Debug)]
pub struct SuccessorRules {
    /// The rules, to be added to those of the game.
    pub rules: Vec<Clause>,
    /// The relation with one argument that has the fluents of the next state, if a legal joint move
    /// is made in a state that is not terminal. No rule of a game can name it.
    pub after: Functor,
}

/// Writes effects as rules of a relation like `next`.
pub fn successor_rules(store: &mut Store, axioms: &GameAxioms) -> SuccessorRules {
    let mut relation = |name: &str| Functor {
        symbol: store.symbol(name),
        arity: 1,
    };
    let after = relation("next by axioms");
    let begins = relation("begins by axioms");
    let ends = relation("ends by axioms");
    let mut writer = RuleWriter {
        store,
        axioms,
        rules: Vec::new(),
        negated: IndexMap::default(),
        fresh: 0,
    };
    for effect in &axioms.effects {
        writer.effect(
            effect,
            match effect.sign {
                Sign::Positive => begins,
                Sign::Negative => ends,
            },
        );
    }
    writer.frame(after, begins, ends);
    SuccessorRules {
        rules: writer.rules,
        after,
    }
}

struct RuleWriter<'w> {
    store: &'w mut Store,
    axioms: &'w GameAxioms,
    rules: Vec<Clause>,
    /// The relations of negated conjunctions, by number of arguments and rule.
    negated: IndexMap<(usize, Vec<TermId>), Functor, FxBuildHasher>,
    /// The first number that no variable of the effect has.
    fresh: u32,
}

impl RuleWriter<'_> {
    /// What begins holds next, and what holds and does not end.
    fn frame(&mut self, after: Functor, begins: Functor, ends: Functor) {
        let store = &mut *self.store;
        let fluent = store.variable(0);
        let mut atom = |relation: Functor| store.compound(relation.symbol, &[fluent]);
        let (head, begun, ended) = (atom(after), atom(begins), atom(ends));
        let (state, not) = (store.symbol("true"), store.symbol("not"));
        let holds = store.compound(state, &[fluent]);
        let lasts = store.compound(not, &[ended]);
        for body in [vec![begun], vec![holds, lasts]] {
            let rule = Clause::of(store, head, body);
            self.rules.push(rule);
        }
    }

    fn effect(&mut self, effect: &Effect, relation: Functor) {
        let (unifier, conditions, body) = conditions_of_rule(self.store, self.axioms, effect);
        let moves = body[..effect.moves.len()].to_vec();
        let fluent = unifier.apply(self.store, effect.fluent);
        let terms = effect.moves.iter().map(|&(_, mv)| mv);
        let terms = terms.chain([effect.fluent, fluent]);
        // Variables of negated conjunctions are renamed to numbers above all that the effect has.
        let bounds = terms.map(|term| self.store.variable_bound(term));
        let inner = effect.conditions.iter().chain(&conditions);
        let bounds = bounds.chain(inner.map(|condition| condition.variable_bound(self.store)));
        self.fresh = bounds.max().unwrap_or(0);
        let changes = |atom| depends(self.store, self.axioms, atom);
        let is_dynamic = !moves.is_empty() || conditions.iter().any(|c| c.mentions(&changes));
        let mut body = self.conjunction(&[], moves, &conditions);
        if !is_dynamic {
            // It comes about in every state in which moves are made; said so, it is seen to be a matter
            // of the state.
            let terminal = self.store.constant("terminal");
            body.push(self.not(terminal));
        }
        let head = self.store.compound(relation.symbol, &[fluent]);
        let rule = Clause::of(self.store, head, body);
        self.rules.push(rule);
    }

    /// The literals of a conjunction that begins with some atoms. `around` are atoms that hold where it
    /// is asked.
    fn conjunction(
        &mut self,
        around: &[TermId],
        mut literals: Vec<TermId>,
        conditions: &[Condition],
    ) -> Vec<TermId> {
        for condition in conditions {
            if let Condition::Holds(atom) = condition {
                literals.push(*atom);
            }
        }
        let around = [around, &literals].concat();
        for condition in conditions {
            match condition {
                Condition::Holds(_) => {}
                Condition::Fails(_) | Condition::Equal(..) | Condition::Differ(_) => {
                    literals.push(term(self.store, condition));
                }
                // Depth is that of connectives in the rules, which the engine bounds.
                Condition::None(local, inner) => {
                    let negation = self.negation(&around, local, inner);
                    literals.push(negation);
                }
            }
        }
        literals
    }

    /// The literal that negates a conjunction.
    fn negation(&mut self, around: &[TermId], local: &[u32], inner: &[Condition]) -> TermId {
        let (local, inner) = self.apart(local, inner);
        let inner = solve_local(self.store, &local, &inner);
        if let [Condition::Holds(atom)] = inner[..]
            && !self
                .store
                .any_variable(atom, |variable| local.contains(&variable))
        {
            return self.not(atom);
        }
        // The negated conjunction becomes a relation of the variables that it shares with what is around it:
        // none(U: on(U,X), big(U)) is not negated_1(X), with negated_1(X) <= on(U,X), big(U).
        let mut shared: Vec<u32> = Vec::new();
        for condition in &inner {
            condition.any_variable(self.store, |variable| {
                if !local.contains(&variable) && !shared.contains(&variable) {
                    shared.push(variable);
                }
                false
            });
        }
        let mut body = self.conjunction(around, Vec::new(), &inner);
        self.borrow(&shared, around, &mut body);
        let relation = self.relation(&shared, body);
        let arguments: Vec<TermId> = shared.iter().map(|&v| self.store.variable(v)).collect();
        let atom = self.store.compound(relation.symbol, &arguments);
        self.not(atom)
    }

    /// A conjunction with its own variables renamed, so that they occur nowhere around it.
    fn apart(&mut self, local: &[u32], inner: &[Condition]) -> (Vec<u32>, Vec<Condition>) {
        let first = self.fresh;
        self.fresh += local.len() as u32;
        let renamed = |variable: u32| {
            let place = local.iter().position(|&other| other == variable);
            place.map_or(variable, |place| first + place as u32)
        };
        let inner = inner.iter();
        let inner = inner.map(|condition| condition.renumber(self.store, &renamed));
        let inner = inner.collect();
        ((first..self.fresh).collect(), inner)
    }

    /// Adds atoms that hold around a conjunction where it does not bind its variables itself, those that
    /// depend on no state first.
    fn borrow(&mut self, shared: &[u32], around: &[TermId], body: &mut Vec<TermId>) {
        let store = &*self.store;
        let mut bound: FxHashSet<u32> = FxHashSet::default();
        let mut open: FxHashSet<u32> = shared.iter().copied().collect();
        // Bound are variables of an atom that holds; those of a negation or of `distinct` have to be bound by others.
        for &literal in body.iter() {
            let variables = store.variables(literal);
            match Literal::of(store, literal) {
                Literal::Call(_) => bound.extend(variables),
                Literal::Not(_) | Literal::Distinct(..) | Literal::Or(_) | Literal::And(_) => {
                    open.extend(variables);
                }
            }
        }
        let mut lenders = around.to_vec();
        // False before true: a relation that depends on no state is evaluated once.
        lenders.sort_by_key(|&atom| depends(store, self.axioms, atom));
        for atom in lenders {
            let is_missing = |variable| open.contains(&variable) && !bound.contains(&variable);
            if store.any_variable(atom, is_missing) {
                bound.extend(store.variables(atom));
                body.push(atom);
            }
        }
    }

    /// The relation of these arguments with this rule; equal ones are one.
    fn relation(&mut self, shared: &[u32], body: Vec<TermId>) -> Functor {
        let arguments: Vec<TermId> = shared.iter().map(|&v| self.store.variable(v)).collect();
        let symbol = self.store.symbol("");
        let head = self.store.compound(symbol, &arguments);
        let numbered = Clause::of(self.store, head, body);
        let next = self.negated.len() + 1;
        // `Clause::of` numbers variables by first occurrence, so that equal rules are equal terms.
        let key = (shared.len(), numbered.body.clone());
        if let Some(&relation) = self.negated.get(&key) {
            return relation;
        }
        let relation = Functor {
            symbol: self.store.symbol(&format!("negated {next} by axioms")),
            arity: shared.len() as u32,
        };
        self.negated.insert(key, relation);
        let head = self.store.compound(relation.symbol, &arguments);
        let head = Clause::of(self.store, head, Vec::new()).head;
        self.rules.push(Clause { head, ..numbered });
        relation
    }

    fn not(&mut self, atom: TermId) -> TermId {
        let not = self.store.symbol("not");
        self.store.compound(not, &[atom])
    }
}
