//! The bottom-up loop: joins rules with what is new until nothing is.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::circuit::ground::batch::Batch;
use crate::circuit::ground::catalogue::{self, Catalogue, FLUENTS, Face, MOVES, RelationNumber};
use crate::circuit::ground::error::{GroundError, Obstacle};
use crate::circuit::ground::instances::Instances;
use crate::circuit::ground::join::Join;
use crate::circuit::ground::plan::{Ranges, plan};
use crate::circuit::ground::program::{Atom, GroundLiteral, GroundProgram, Predicate};
use crate::circuit::ground::relation::AtomId;
use crate::circuit::ground::rule::{Positive, Rule, RuleCompiler, Template};
use crate::circuit::ground::unique::note_unique;
use crate::gdl::Keyword;
use crate::term::{Clause, DependencyGraph, PredicateSet, Store, TermId};

/// Bindings between two checks of whether there is too much of something.
const POLL: usize = 1 << 12;

/// In games with more bindings than are expected, predicates with more than one of so many are crowded.
const CROWD: usize = 20;

/// Rules and what is known to be possible so far.
pub(super) struct Grounder {
    catalogue: Catalogue,
    /// Callees first.
    rules: Vec<Rule>,
    instances: Instances,
    /// Fluents that hold at the start.
    initial: Vec<TermId>,
    columns: Vec<TermId>,
    stack: Vec<TermId>,
    literals: Vec<GroundLiteral>,
    /// Predicates that are restricted to what is asked for, or of which everything is.
    exempt: PredicateSet,
    /// Instances by relation of the head.
    crowds: IndexMap<RelationNumber, usize, FxBuildHasher>,
    /// Bindings found so far, and how many may be before predicates with many of them are restricted.
    work: usize,
    loose: usize,
}

impl Grounder {
    /// Takes rules in, and rules that are no part of the ground program: those that say what is wanted of
    /// the predicates that are restricted. Nothing more is restricted of those that are exempt; others are once there
    /// are so many bindings.
    pub(super) fn new(
        store: &mut Store,
        mut catalogue: Catalogue,
        (mut rules, hints): (Vec<Clause>, Vec<Clause>),
        (exempt, loose): (PredicateSet, usize),
    ) -> Self {
        // Parts cut out of rules are static if nothing in them depends on the state: their relations have no atoms,
        // like those of hints.
        let dynamic = catalogue::dependents_of_state(store, &catalogue.keywords, &rules);
        let parts = heads(store, &rules).into_iter();
        let parts = parts.filter(|head| !dynamic.contains(head));
        for functor in parts.chain(heads(store, &hints)) {
            catalogue.add(functor, true);
        }
        rules.extend(hints);
        Self {
            rules: compiled(store, &mut catalogue, &rules),
            catalogue,
            instances: Instances::default(),
            initial: Vec::new(),
            columns: Vec::new(),
            stack: Vec::new(),
            literals: Vec::new(),
            exempt,
            crowds: IndexMap::default(),
            work: 0,
            loose,
        }
    }

    /// The fluents of the initial state are possible.
    pub(super) fn start(&mut self, store: &mut Store) -> Result<(), GroundError> {
        self.initial = self.catalogue.initial(store)?;
        for &fluent in &self.initial {
            let row = self.catalogue.row(FLUENTS, (&[fluent], None));
            self.catalogue.relations[FLUENTS.index()].admit(store, row);
        }
        Ok(())
    }

    /// Joins rules with what is new until nothing is.
    pub(super) fn saturate(&mut self, store: &mut Store, max_rules: usize) -> Result<(), Obstacle> {
        let mut rules = std::mem::take(&mut self.rules);
        // Round robin until a whole round finds nothing: semi-naive evaluation, rule by rule.
        let mut at = 0;
        let mut idle = 0;
        while idle < rules.len() {
            idle = if self.join(store, &mut rules[at], max_rules)? {
                0
            } else {
                idle + 1
            };
            at = (at + 1) % rules.len();
            self.catalogue.tell(self.instances.len() as u64);
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
            // Lengths are taken at the beginning. Rows that the join adds to its own conditions are left to the
            // next round.
            self.catalogue.relations[positive.relation.index()].views[positive.view].len()
        };
        let lengths: Vec<usize> = rule.positive.iter().map(length).collect();
        let news = news(rule, &lengths);
        let worked = !news.is_empty();
        for new in news {
            let ranges = Ranges {
                new,
                lengths: lengths.clone(),
            };
            self.join_ranges(store, rule, &ranges, max_rules)?;
        }
        if worked {
            rule.started = true;
            // Seen is what was there at the beginning, not what came meanwhile.
            for (positive, &length) in rule.positive.iter_mut().zip(&lengths) {
                positive.done = length;
            }
        }
        Ok(worked)
    }

    /// Adds all instances of a rule whose conditions are among some rows.
    fn join_ranges(
        &mut self,
        store: &mut Store,
        rule: &Rule,
        ranges: &Ranges,
        max_rules: usize,
    ) -> Result<(), Obstacle> {
        let Some(plan) = plan(rule, &mut self.catalogue.relations, ranges) else {
            return Err(GroundError::Unbound {
                clause: rule.clause,
            }
            .into());
        };
        let mut join = Join::new(rule, &plan);
        let mut batch = Batch::default();
        while join.next(store, &mut self.catalogue)? {
            batch.take(&self.catalogue, rule, &join);
            if batch.is_full() {
                self.emit_all(store, rule, &mut batch);
            }
            self.work += 1;
            if self.work.is_multiple_of(POLL) {
                self.check_size(rule, max_rules)?;
            }
        }
        self.emit_all(store, rule, &mut batch);
        Ok(())
    }

    /// Ends the attempt if there are too many instances.
    fn check_size(&mut self, rule: &Rule, max_rules: usize) -> Result<(), Obstacle> {
        // Every 4,096th binding is counted for all of them: enough to see who is crowded.
        *self.crowds.entry(rule.head).or_default() += POLL;
        let too_large = self.instances.len() > max_rules;
        if !too_large && self.work < self.loose {
            return Ok(());
        }
        // A twentieth of all bindings.
        let crowds = self.crowds.iter();
        let crowds = crowds.filter(|&(_, &bindings)| bindings > self.work / CROWD);
        let crowded: PredicateSet = crowds
            .filter_map(|(&relation, _)| self.catalogue.predicate(relation))
            .filter(|predicate| !self.exempt.contains(predicate))
            .collect();
        // Crowded predicates are the way out first, and only with none left is the game too large.
        match (crowded.is_empty(), too_large) {
            (false, _) => Err(Obstacle::Crowds(crowded)),
            (true, false) => Ok(()),
            (true, true) => Err(GroundError::TooLarge { limit: max_rules }.into()),
        }
    }

    /// Adds the instances of a rule that a join has found.
    fn emit_all(&mut self, store: &mut Store, rule: &Rule, batch: &mut Batch) {
        batch.look_up(store, rule, &self.catalogue.relations);
        for binding in 0..batch.bindings().len() {
            self.emit(store, rule, batch, binding);
        }
        batch.clear();
    }

    fn emit(&mut self, store: &mut Store, rule: &Rule, batch: &Batch, number: usize) {
        let binding = &batch.bindings()[number];
        self.literals.clone_from(&binding.literals);
        // `not (row(F) and field(G))`: where the guards fail, the negated conjunction is false already and no
        // condition is left.
        for (negative, negated) in rule.negated().zip(&batch.negated) {
            let mut guards = negative.guards.iter();
            let holds = guards.all(|(relation, columns)| {
                self.build(store, columns, &binding.slots);
                self.catalogue.relations[relation.index()].contains(&self.columns)
            });
            if holds {
                // A negated atom is numbered, and not thereby possible: if no rule derives it, it stays false.
                let row = self.catalogue.row(negative.relation, negated.of(number));
                let atom = self.catalogue.relations[negative.relation.index()].atom(row);
                let literal = GroundLiteral::new(negative.face.of(atom), true);
                self.literals.push(literal);
            }
        }
        let row = self.catalogue.row(rule.head, batch.head.of(number));
        let relation = &mut self.catalogue.relations[rule.head.index()];
        relation.admit(store, row);
        let atom = relation.atom(row);
        // Atoms of relations that depend on no state have no number: they only guide the joins.
        if atom != AtomId::NONE {
            self.keep(rule.face.of(atom), rule.unique);
        }
    }

    /// Builds the columns of an atom.
    fn build(&mut self, store: &mut Store, templates: &[Template], slots: &[TermId]) {
        self.columns.clear();
        for template in templates {
            let term = template.build(store, slots, &mut self.stack);
            self.columns.push(term);
        }
    }

    /// Keeps an instance with the literals collected, unless it is known or contradicts itself.
    fn keep(&mut self, head: AtomId, unique: bool) {
        self.literals.sort_unstable();
        self.literals.dedup();
        // `a and not a`, which stand side by side: the instance never applies.
        if self
            .literals
            .windows(2)
            .any(|pair| pair[0].atom() == pair[1].atom())
        {
            return;
        }
        if unique {
            self.instances.push(head, &self.literals)
        } else {
            self.instances.insert(head, &self.literals)
        }
    }

    /// Says what all atoms are.
    pub(super) fn finish(self, roles: &[TermId]) -> GroundProgram {
        let atoms = self.catalogue.atoms;
        let mut program = GroundProgram {
            atoms: vec![Atom::Void; atoms],
            predicates: Vec::new(),
            fluents: Vec::new(),
            moves: Vec::new(),
            initial: Vec::new(),
            rules: self.instances.by_head(atoms),
        };
        self.name_fluents(&mut program);
        self.name_moves(&mut program, roles);
        self.name_others(&mut program, roles);
        program
    }

    fn name_fluents(&self, program: &mut GroundProgram) {
        let initial: FxHashSet<TermId> = self.initial.iter().copied().collect();
        for (columns, atom, _) in self.catalogue.relations[FLUENTS.index()].atoms() {
            let fluent = program.fluents.len() as u32;
            program.fluents.push(columns[0]);
            program.initial.push(initial.contains(&columns[0]));
            program.atoms[Face::Given.of(atom).index()] = Atom::True(fluent);
            program.atoms[Face::Derived.of(atom).index()] = Atom::Next(fluent);
        }
    }

    fn name_moves(&self, program: &mut GroundProgram, roles: &[TermId]) {
        for (columns, atom, _) in self.catalogue.relations[MOVES.index()].atoms() {
            if let Some(role) = number_of(roles, columns[0]) {
                let mv = program.moves.len() as u32;
                program.moves.push((role, columns[1]));
                program.atoms[Face::Given.of(atom).index()] = Atom::Does(mv);
                program.atoms[Face::Derived.of(atom).index()] = Atom::Legal(mv);
            }
        }
    }

    fn name_others(self, program: &mut GroundProgram, roles: &[TermId]) {
        let keywords = self.catalogue.keywords.clone();
        for (functor, relation) in self.catalogue.into_open() {
            let keyword = keywords.predicate(functor);
            let predicate = program.predicates.len() as u32;
            for ((columns, atom, _), place) in relation.atoms().zip(0..) {
                program.atoms[atom.index()] = match keyword {
                    Some(Keyword::Terminal) => Atom::Terminal,
                    Some(Keyword::Goal) => match number_of(roles, columns[0]) {
                        Some(role) => Atom::Goal(role, columns[1]),
                        None => Atom::Void,
                    },
                    _ => Atom::Other(predicate, place),
                };
            }
            program.predicates.push(Predicate {
                functor,
                arguments: relation.into_columns(),
            });
        }
    }
}

/// The joins that a rule needs, given the lengths of its conditions' views: by the condition of which only new rows are
/// taken; none if all rows are.
fn news(rule: &Rule, lengths: &[usize]) -> Vec<Option<usize>> {
    match (rule.started, rule.positive.is_empty()) {
        (true, true) => Vec::new(),
        (false, true) => vec![None],
        // What was never joined is joined at once, in the best order.
        (false, false) => {
            if lengths.contains(&0) {
                Vec::new()
            } else {
                vec![None]
            }
        }
        // One join for each condition that has new rows. New rows of it, all rows before it, seen rows behind
        // it: each new combination is found once.
        (true, false) => (0..lengths.len())
            .filter(|&at| rule.positive[at].done < lengths[at])
            .map(Some)
            .collect(),
    }
}

/// Heads of rules.
fn heads(store: &Store, rules: &[Clause]) -> PredicateSet {
    let heads = rules.iter().filter_map(|rule| store.functor(rule.head));
    heads.collect()
}

/// Compiles rules, callees first: rules of one component keep the order of the sheet. Rounds over all rules are then
/// few.
fn compiled(store: &mut Store, catalogue: &mut Catalogue, rules: &[Clause]) -> Vec<Rule> {
    let graph = DependencyGraph::of(store, rules);
    let rank = |rule: &Clause| {
        let component = store
            .functor(rule.head)
            .and_then(|head| graph.component(head));
        component.map_or(0, |component| component.index())
    };
    // A stable sort.
    let mut order: Vec<usize> = (0..rules.len()).collect();
    order.sort_by_key(|&at| rank(&rules[at]));
    let mut compiler = RuleCompiler::new(store, catalogue);
    let mut compiled: Vec<Rule> = order.iter().map(|&at| compiler.rule(&rules[at])).collect();
    note_unique(&mut compiled, catalogue);
    compiled
}

/// The number of a role.
fn number_of(roles: &[TermId], role: TermId) -> Option<u32> {
    let place = roles.iter().position(|&other| other == role);
    place.map(|place| place as u32)
}
