//! The bottom-up loop: joins rules with what is new until nothing is.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::HashTable;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::circuit::ground::catalogue::{self, Catalogue, FLUENTS, Face, MOVES, RelationNumber};
use crate::circuit::ground::join::Join;
use crate::circuit::ground::plan::{Ranges, plan};
use crate::circuit::ground::program::{Atom, GroundLiteral, GroundProgram};
use crate::circuit::ground::relation::{AtomNumber, NO_ATOM};
use crate::circuit::ground::rule::{Compiler, Positive, Rule, Template};
use crate::circuit::ground::{GroundError, Obstacle};
use crate::gdl::Keyword;
use crate::term::{Clause, DependencyGraph, PredicateSet, Store, TermId};

/// How often it is looked at whether there is too much of something, in bindings.
const POLL: usize = 1 << 12;

/// In games with more bindings than are expected, predicates with more than this are crowded.
const CROWD: usize = 100_000;

/// Rules and what is known to be possible so far.
pub(super) struct Grounder {
    catalogue: Catalogue,
    /// Callees first.
    rules: Vec<Rule>,
    program: GroundProgram,
    /// Instances by content, so that each is kept once.
    known: HashTable<u32>,
    /// Fluents that hold at the start.
    initial: Vec<TermId>,
    columns: Vec<TermId>,
    stack: Vec<TermId>,
    literals: Vec<GroundLiteral>,
    /// Predicates that are restricted to what is asked for, or of which everything is.
    settled: PredicateSet,
    /// Instances by relation of the head.
    crowds: IndexMap<RelationNumber, usize, FxBuildHasher>,
    /// Bindings found so far, and how many may be before predicates with many of them are restricted.
    work: usize,
    loose: usize,
}

impl Grounder {
    /// Takes rules in, and rules that are no part of the ground program: those that say what is wanted of
    /// the predicates that are restricted. Nothing more is restricted of those that are settled.
    pub(super) fn new(
        store: &mut Store,
        mut catalogue: Catalogue,
        mut rules: Vec<Clause>,
        hints: Vec<Clause>,
        settled: PredicateSet,
        loose: usize,
    ) -> Self {
        let dynamic = catalogue::dependents_of_state(store, &catalogue.keywords, &rules);
        let heads = |rules: &[Clause]| -> PredicateSet {
            let heads = rules.iter().filter_map(|rule| store.functor(rule.head));
            heads.collect()
        };
        let parts = heads(&rules)
            .into_iter()
            .filter(|head| !dynamic.contains(head));
        for functor in parts.chain(heads(&hints)) {
            catalogue.add(functor, true);
        }
        rules.extend(hints);
        let rules = &rules;
        let graph = DependencyGraph::of(store, rules);
        let rank = |rule: &Clause| {
            let component = store
                .functor(rule.head)
                .and_then(|head| graph.component(head));
            component.map_or(0, |component| component.index())
        };
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by_key(|&at| rank(&rules[at]));
        let mut compiler = Compiler::new(store, &mut catalogue);
        let rules = order.iter().map(|&at| compiler.rule(&rules[at])).collect();
        Self {
            catalogue,
            rules,
            program: GroundProgram::default(),
            known: HashTable::new(),
            initial: Vec::new(),
            columns: Vec::new(),
            stack: Vec::new(),
            literals: Vec::new(),
            settled,
            crowds: IndexMap::default(),
            work: 0,
            loose,
        }
    }

    /// The fluents of the initial state are possible.
    pub(super) fn start(&mut self, store: &mut Store) -> Result<(), GroundError> {
        self.initial = self.catalogue.initial(store)?;
        let Catalogue {
            relations, atoms, ..
        } = &mut self.catalogue;
        for &fluent in &self.initial {
            relations[FLUENTS].insert(store, &[fluent], || take(atoms, 2));
        }
        Ok(())
    }

    /// Joins rules with what is new until nothing is.
    pub(super) fn saturate(&mut self, store: &mut Store, max_rules: usize) -> Result<(), Obstacle> {
        let mut rules = std::mem::take(&mut self.rules);
        let mut at = 0;
        let mut idle = 0;
        while idle < rules.len() {
            idle = match self.join(store, &mut rules[at], max_rules)? {
                true => 0,
                false => idle + 1,
            };
            at = (at + 1) % rules.len();
        }
        self.rules = rules;
        Ok(())
    }

    /// Joins a rule with what is new for it. False if nothing was.
    fn join(
        &mut self,
        store: &mut Store,
        rule: &mut Rule,
        max_rules: usize,
    ) -> Result<bool, Obstacle> {
        let length = |positive: &Positive| {
            self.catalogue.relations[positive.relation].views[positive.view].len()
        };
        let lengths: Vec<usize> = rule.positive.iter().map(length).collect();
        let news: Vec<Option<usize>> = match (rule.started, rule.positive.is_empty()) {
            (true, true) => Vec::new(),
            (false, true) => vec![None],
            // What was never joined is joined at once, in the best order.
            (false, false) => match lengths.contains(&0) {
                true => Vec::new(),
                false => vec![None],
            },
            (true, false) => (0..lengths.len())
                .filter(|&at| rule.positive[at].done < lengths[at])
                .map(Some)
                .collect(),
        };
        let worked = !news.is_empty();
        for new in news {
            let ranges = Ranges {
                new,
                lengths: lengths.clone(),
            };
            let Some(plan) = plan(rule, &mut self.catalogue.relations, &ranges) else {
                return Err(GroundError::Unbound {
                    clause: rule.clause,
                }
                .into());
            };
            let mut join = Join::new(rule, &plan);
            while join.next(store, &mut self.catalogue)? {
                self.emit(store, rule, &join);
                self.work += 1;
                if self.work.is_multiple_of(POLL) {
                    self.look_around(rule, max_rules)?;
                }
            }
        }
        if worked {
            rule.started = true;
            for (positive, &length) in rule.positive.iter_mut().zip(&lengths) {
                positive.done = length;
            }
        }
        Ok(worked)
    }

    /// Ends the attempt if there are too many instances.
    fn look_around(&mut self, rule: &Rule, max_rules: usize) -> Result<(), Obstacle> {
        if self.program.rules() > max_rules {
            return Err(GroundError::TooLarge { limit: max_rules }.into());
        }
        *self.crowds.entry(rule.head).or_default() += POLL;
        if self.work < self.loose {
            return Ok(());
        }
        let crowded = self
            .crowds
            .iter()
            .filter(|&(_, &bindings)| bindings > CROWD);
        let crowded = crowded.filter_map(|(&relation, _)| self.catalogue.predicate(relation));
        let crowded: PredicateSet = crowded
            .filter(|predicate| !self.settled.contains(predicate))
            .collect();
        match crowded.is_empty() {
            true => Ok(()),
            false => Err(Obstacle::Crowds(crowded)),
        }
    }

    /// Adds the instance of a rule that a join has found.
    fn emit(&mut self, store: &mut Store, rule: &Rule, join: &Join<'_>) {
        self.literals.clear();
        for (condition, row) in join.rows() {
            let positive = &rule.positive[condition];
            let relation = &self.catalogue.relations[positive.relation];
            let atom = relation.views[positive.view].atom(row);
            if atom != NO_ATOM {
                self.literals
                    .push(GroundLiteral::new(atom + positive.face as u32, false));
            }
        }
        for negative in rule.negative.iter().filter(|negative| !negative.is_static) {
            let mut guards = negative.guards.iter();
            let holds = guards.all(|(relation, columns)| {
                self.build(store, columns, join);
                self.catalogue.relations[*relation].contains(&self.columns)
            });
            if holds {
                self.build(store, &negative.columns, join);
                let Catalogue {
                    relations, atoms, ..
                } = &mut self.catalogue;
                let faces = faces(negative.relation);
                let relation = &mut relations[negative.relation];
                let atom = relation.atom(&self.columns, || take(atoms, faces));
                self.literals
                    .push(GroundLiteral::new(atom + negative.face as u32, true));
            }
        }
        self.build(store, &rule.columns, join);
        let is_static = self.catalogue.is_static(rule.head);
        let Catalogue {
            relations, atoms, ..
        } = &mut self.catalogue;
        let faces = faces(rule.head);
        let (atom, _) = relations[rule.head].insert(store, &self.columns, || match is_static {
            true => NO_ATOM,
            false => take(atoms, faces),
        });
        if !is_static {
            self.keep(atom + rule.face as u32);
        }
    }

    /// Builds the columns of an atom.
    fn build(&mut self, store: &mut Store, templates: &[Template], join: &Join<'_>) {
        self.columns.clear();
        for template in templates {
            let term = template.build(store, &join.slots, &mut self.stack);
            self.columns.push(term);
        }
    }

    /// Keeps an instance with the literals collected, unless it is known or contradicts itself.
    fn keep(&mut self, head: AtomNumber) {
        self.literals.sort_unstable();
        self.literals.dedup();
        if self
            .literals
            .windows(2)
            .any(|pair| pair[0].atom() == pair[1].atom())
        {
            return;
        }
        let program = &mut self.program;
        let hash = hash(head, &self.literals);
        let same = |&rule: &u32| program.rule(rule as usize) == (head as usize, &self.literals[..]);
        if self.known.find(hash, same).is_some() {
            return;
        }
        let rule = program.rules() as u32;
        program.heads.push(head);
        program.conditions.extend_from_slice(&self.literals);
        program.ends.push(program.conditions.len() as u32);
        let program = &self.program;
        self.known.insert_unique(hash, rule, |&rule| {
            let (head, conditions) = program.rule(rule as usize);
            self::hash(head as u32, conditions)
        });
    }

    /// Says what all atoms are.
    pub(super) fn finish(mut self, store: &mut Store, roles: &[TermId]) -> GroundProgram {
        self.program.atoms = vec![Atom::Void; self.catalogue.atoms as usize];
        self.name_fluents();
        self.name_moves(roles);
        self.name_others(store, roles);
        self.program
    }

    fn name_fluents(&mut self) {
        let initial: FxHashSet<TermId> = self.initial.iter().copied().collect();
        let program = &mut self.program;
        for (columns, atom, _) in self.catalogue.relations[FLUENTS].atoms() {
            let fluent = program.fluents.len() as u32;
            program.fluents.push(columns[0]);
            program.initial.push(initial.contains(&columns[0]));
            program.atoms[atom as usize] = Atom::True(fluent);
            program.atoms[atom as usize + 1] = Atom::Next(fluent);
        }
    }

    fn name_moves(&mut self, roles: &[TermId]) {
        let program = &mut self.program;
        for (columns, atom, _) in self.catalogue.relations[MOVES].atoms() {
            if let Some(role) = number_of(roles, columns[0]) {
                let mv = program.moves.len() as u32;
                program.moves.push((role, columns[1]));
                program.atoms[atom as usize] = Atom::Does(mv);
                program.atoms[atom as usize + 1] = Atom::Legal(mv);
            }
        }
    }

    fn name_others(&mut self, store: &mut Store, roles: &[TermId]) {
        for (functor, relation) in self.catalogue.named() {
            if self.catalogue.is_static(relation) {
                continue;
            }
            let keyword = self.catalogue.keywords.predicate(functor);
            for (columns, atom, _) in self.catalogue.relations[relation].atoms() {
                self.program.atoms[atom as usize] = match keyword {
                    Some(Keyword::Terminal) => Atom::Terminal,
                    Some(Keyword::Goal) => match number_of(roles, columns[0]) {
                        Some(role) => Atom::Goal(role, columns[1]),
                        None => Atom::Void,
                    },
                    _ => Atom::Other(store.compound(functor.symbol, columns)),
                };
            }
        }
    }
}

/// The number of a role.
fn number_of(roles: &[TermId], role: TermId) -> Option<u32> {
    let place = roles.iter().position(|&other| other == role);
    place.map(|place| place as u32)
}

/// The number of faces of the atoms of a relation.
fn faces(relation: RelationNumber) -> AtomNumber {
    match relation {
        FLUENTS | MOVES => Face::Derived as AtomNumber + 1,
        _ => 1,
    }
}

/// Takes so many numbers for atoms; the first of them.
fn take(atoms: &mut AtomNumber, count: AtomNumber) -> AtomNumber {
    *atoms += count;
    *atoms - count
}

fn hash(head: AtomNumber, literals: &[GroundLiteral]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    hasher.write_u32(head);
    literals
        .iter()
        .for_each(|literal| literal.hash(&mut hasher));
    hasher.finish()
}
