//! Compiling one clause for one pattern of bound arguments.
//!
//! Inputs lie in the first registers. A variable gets a register when it is first bound; from the
//! plan it is known at every step which variables are. A compound with unbound variables in a
//! look-up is matched after the row is found; a bound compound is built before.

use rustc_hash::FxHashMap;

use crate::rules::code::{
    ClauseCode, Code, CodeAddress, CodeStep, Operand, Output, Register, RelationId, Scan,
};
use crate::rules::plan::{Cost, Planner};
use crate::rules::program::FLUENTS;
use crate::rules::relation::Columns;
use crate::rules::safety;
use crate::term::{Clause, Literal, Store, Term, TermId};

/// Steps of one clause. Only an `or` whose variables other conditions share, again and again,
/// needs that many: each doubles what follows.
const MAX_CLAUSE_STEPS: u32 = 1 << 18;

/// A conjunction with more conditions is not planned as a whole, which would take time that grows
/// with the square of their number.
const PLANNED_AT_ONCE: usize = 1000;

/// So many conditions of such a conjunction are compared at a time.
const PLANNED_OF_MANY: usize = 50;

/// The state of compiling one clause.
pub(super) struct ClauseCompiler<'c, 'p> {
    pub(super) planner: &'c mut Planner<'p>,
    pub(super) code: &'c mut Code,
    pub(super) head: TermId,
    /// Where each variable lives, once that is settled.
    pub(super) homes: Vec<Option<Register>>,
    pub(super) bound: Vec<bool>,
    /// How often each variable occurs in the clause.
    pub(super) occurrences: Vec<u32>,
    /// Registers that hold the terms of found fluents, which need not be built again.
    pub(super) found: FxHashMap<TermId, Register>,
    pub(super) registers: u32,
    /// Where the code of the clause has to end.
    pub(super) end: CodeAddress,
}

impl<'c, 'p> ClauseCompiler<'c, 'p> {
    /// The code that answers a call from a relation.
    pub(super) fn facts(
        planner: &'c mut Planner<'p>,
        code: &'c mut Code,
        relation: RelationId,
        inputs: Columns,
    ) -> ClauseCode {
        let arity = planner.relations[relation.index()].arity();
        let start = code.next_address();
        // Inputs are the first registers, in order of their positions; outputs follow.
        let input_count = inputs.len();
        let keys: Vec<Operand> = (0..input_count)
            .map(|input| Operand::Register(Register(input)))
            .collect();
        let mut next = input_count;
        let mut out = Vec::new();
        for column in (0..arity).filter(|&column| !inputs.contains(column)) {
            out.push(Output {
                column: column as u32,
                register: Register(next),
            });
            next += 1;
        }
        let results: Vec<Operand> = out
            .iter()
            .map(|output| Operand::Register(output.register))
            .collect();
        let index = planner.relations[relation.index()].index(inputs);
        let (key, out) = (code.add_operands(&keys), code.add_outputs(&out));
        code.add_scan(Scan {
            relation,
            index,
            key,
            single_key: None,
            out,
            term: Register::NONE,
        });
        let results = code.add_operands(&results);
        code.steps.push(CodeStep::Done { results });
        ClauseCode {
            start,
            registers: next,
        }
    }

    /// The code of one clause; none if it would be too large.
    pub(super) fn clause(
        planner: &'c mut Planner<'p>,
        code: &'c mut Code,
        clause: &Clause,
        inputs: Columns,
    ) -> Option<ClauseCode> {
        let count = clause.variables.len();
        let code_end = code.next_address().plus(MAX_CLAUSE_STEPS);
        let mut compiler = Self {
            planner,
            code,
            head: clause.head,
            homes: vec![None; count],
            bound: vec![false; count],
            occurrences: vec![0; count],
            found: FxHashMap::default(),
            registers: inputs.len(),
            end: code_end,
        };
        compiler.count(clause);
        let start = compiler.code.next_address();
        // Head arguments that the call gives are matched before the body, those it asks for are read off at the
        // end.
        let arguments = compiler.planner.store.arguments(clause.head);
        let (given, wanted): (Vec<_>, Vec<_>) = arguments
            .iter()
            .enumerate()
            .partition(|&(position, _)| inputs.contains(position));
        for (register, &(_, &argument)) in given.iter().enumerate() {
            compiler.take(Register(register as u32), argument);
        }
        let wanted: Vec<TermId> = wanted.into_iter().map(|(_, &argument)| argument).collect();
        compiler.body(&clause.body, &wanted);
        let results: Vec<Operand> = wanted.iter().map(|&term| compiler.operand(term)).collect();
        let results = compiler.code.add_operands(&results);
        compiler.code.steps.push(CodeStep::Done { results });
        (!compiler.is_full()).then_some(ClauseCode {
            start,
            registers: compiler.registers,
        })
    }

    /// Whether the clause needs more code than is allowed; nothing is added to it then.
    fn is_full(&self) -> bool {
        self.code.next_address() > self.end
    }

    fn count(&mut self, clause: &Clause) {
        let store = self.planner.store;
        let mut stack: Vec<TermId> = clause.body.iter().copied().chain([clause.head]).collect();
        while let Some(term) = stack.pop() {
            if let Term::Variable(number) = store.view(term) {
                self.occurrences[number as usize] += 1;
            } else if !store.is_ground(term) {
                stack.extend(store.arguments(term));
            }
        }
    }

    /// The conditions of the clause; once the outputs are bound, one way to fulfil the rest does.
    fn body(&mut self, conditions: &[TermId], outputs: &[TermId]) {
        let mut rest = self.flatten(conditions);
        let mut mark = None;
        while !rest.is_empty() {
            // `occupied(X,Y) :- cell(X,Y,P), piece(P)` with X and Y given: the mark is set at the beginning, and
            // the first P ends the search.
            if mark.is_none() && !outputs.is_empty() && self.may_commit(&rest, outputs) {
                let register = self.fresh();
                self.code.steps.push(CodeStep::Mark { mark: register });
                mark = Some(register);
            }
            self.next(&mut rest);
        }
        if let Some(mark) = mark {
            self.code.steps.push(CodeStep::Commit { mark });
        }
    }

    /// Whether the outputs are bound and the rest of the body may succeed in several ways.
    fn may_commit(&self, rest: &[TermId], outputs: &[TermId]) -> bool {
        // The check looks at all conditions for each condition, which would be quadratic in a long body.
        if rest.len() > PLANNED_AT_ONCE {
            return false;
        }
        let known = |&term: &TermId| self.planner.is_bound(term, &self.bound);
        // A clause that waits for answers of its own component comes back to other alternatives.
        let recursive = |&literal: &TermId| self.calls_recursive(literal);
        outputs.iter().all(known) && !rest.iter().all(known) && !rest.iter().any(recursive)
    }

    fn calls_recursive(&self, literal: TermId) -> bool {
        let calls = crate::term::calls(self.planner.store, literal);
        let functors = calls
            .iter()
            .filter_map(|call| self.planner.store.functor(call.atom));
        functors
            .into_iter()
            .any(|functor| self.planner.is_recursive(functor))
    }

    /// All conditions of a conjunction; nested conjunctions are taken apart.
    fn flatten(&self, conditions: &[TermId]) -> Vec<TermId> {
        let mut flat = Vec::new();
        let mut stack: Vec<TermId> = conditions.iter().rev().copied().collect();
        while let Some(condition) = stack.pop() {
            match Literal::of(self.planner.store, condition) {
                Literal::And(parts) => stack.extend(parts.iter().rev()),
                Literal::Not(_) | Literal::Or(_) | Literal::Distinct(..) | Literal::Call(_) => {
                    flat.push(condition)
                }
            }
        }
        flat
    }

    fn conjunction(&mut self, conditions: &[TermId]) {
        let mut rest = self.flatten(conditions);
        while !rest.is_empty() {
            self.next(&mut rest);
        }
    }

    /// Compiles the condition to ask next, the cheapest, or the first of equals. If none is ready,
    /// an `or` shares a variable with others that only some of its branches bind: then the others
    /// become part of each branch.
    fn next(&mut self, rest: &mut Vec<TermId>) {
        if self.is_full() {
            return rest.clear();
        }
        let (considered, others) = if rest.len() > PLANNED_AT_ONCE {
            rest.split_at(PLANNED_OF_MANY)
        } else {
            // Long conjunctions: a window of the first fifty. The others are only looked at while none of these is
            // ready.
            rest.split_at(rest.len())
        };
        let mut best = (0, Cost::NEVER);
        for (position, &literal) in considered.iter().chain(others).enumerate() {
            if position >= considered.len() && best.1 < Cost::NEVER {
                break;
            }
            let cost = if self.is_ready(literal) {
                self.planner.cost(literal, &self.bound)
            } else {
                Cost::NEVER
            };
            if cost < best.1 {
                best = (position, cost);
            }
        }
        // Stuck on `or(r(X), s(Y)), t(X,Y)`: no branch binds both X and Y. Pushed into the branches, the code is
        // that of `r(X), t(X,Y) or s(Y), t(X,Y)`.
        if best.1 == Cost::NEVER {
            let store = self.planner.store;
            let is_or = |&literal: &TermId| matches!(Literal::of(store, literal), Literal::Or(_));
            if let Some(position) = rest.iter().position(is_or) {
                let literal = rest.remove(position);
                let others = std::mem::take(rest);
                return self.disjunction(store.arguments(literal), &others);
            }
        }
        let literal = rest.remove(best.0);
        self.literal(literal);
    }

    /// Whether a disjunction binds every variable that it shares with other conditions in all of
    /// its branches; all other conditions are ready.
    fn is_ready(&self, literal: TermId) -> bool {
        let store = self.planner.store;
        let Literal::Or(branches) = Literal::of(store, literal) else {
            return true;
        };
        let bound_by = branches.iter().map(|&branch| {
            let mut bound = self.bound.clone();
            safety::bind(store, &[branch], &mut bound);
            bound
        });
        let bound_by: Vec<Vec<bool>> = bound_by.collect();
        // A variable all of whose occurrences are in one branch concerns nobody else.
        let is_local = |variable: u32| {
            branches.iter().any(|&branch| {
                occurrences(store, branch, variable) == self.occurrences[variable as usize]
            })
        };
        store.variables(literal).into_iter().all(|variable| {
            bound_by.iter().all(|bound| bound[variable as usize]) || is_local(variable)
        })
    }

    fn literal(&mut self, literal: TermId) {
        match Literal::of(self.planner.store, literal) {
            Literal::Distinct(left, right) => self.compare(left, right, false),
            Literal::Not(inner) => self.negation(inner),
            Literal::Or(branches) => self.disjunction(branches, &[]),
            Literal::And(parts) => self.conjunction(parts),
            Literal::Call(atom) => self.call(atom),
        }
    }

    fn compare(&mut self, left: TermId, right: TermId, positive: bool) {
        let (left, right) = (self.operand(left), self.operand(right));
        self.code.steps.push(CodeStep::Compare {
            left,
            right,
            positive,
        });
    }

    fn negation(&mut self, inner: TermId) {
        // Two forms need neither mark nor fork: a comparison with its sign turned, and a look-up of a bound row.
        match Literal::of(self.planner.store, inner) {
            Literal::Distinct(left, right) => return self.compare(left, right, true),
            Literal::Call(atom) if self.planner.is_bound(atom, &self.bound) => {
                if let Some((relation, columns)) = self.planner.relation_of(atom) {
                    return self.test(relation, columns, false);
                }
            }
            Literal::Call(_) | Literal::Not(_) | Literal::Or(_) | Literal::And(_) => {}
        }
        // A register for the mark; the step is filled in when it is known where the negated part ends.
        let mark = self.fresh();
        let negate = self.placeholder();
        let (bound, found) = (self.bound.clone(), self.found.clone());
        // What is bound inside does not leave the negation.
        self.conjunction(&[inner]);
        (self.bound, self.found) = (bound, found);
        // A clause that waited for an answer between the two steps would come back to a mark that is gone.
        self.code.note_negation(negate.next());
        self.code.steps.push(CodeStep::Refute { mark });
        let otherwise = self.code.next_address();
        self.code.steps[negate.index()] = CodeStep::Negate { otherwise, mark };
    }

    /// One branch after the other, each with the conditions that have to follow it.
    fn disjunction(&mut self, branches: &[TermId], followers: &[TermId]) {
        let store = self.planner.store;
        // All branches must put a variable into the same register, as one code follows them.
        for &condition in branches.iter().chain(followers) {
            for number in store.variables(condition) {
                self.home(number);
            }
        }
        let (bound, found) = (self.bound.clone(), self.found.clone());
        // Bound behind the `or` is what every branch binds.
        let mut after = vec![true; bound.len()];
        let mut jumps = Vec::new();
        // Layout: fork, branch, jump, branch, jump, …, branch; each fork leads to the branch behind it, all jumps
        // behind the last.
        for (number, &branch) in branches.iter().enumerate() {
            let last = number + 1 == branches.len();
            let fork = (!last).then(|| self.placeholder());
            let conditions: Vec<TermId> = [branch].iter().chain(followers).copied().collect();
            self.conjunction(&conditions);
            after
                .iter_mut()
                .zip(&self.bound)
                .for_each(|(all, &here)| *all &= here);
            (self.bound, self.found) = (bound.clone(), found.clone());
            if let Some(fork) = fork {
                jumps.push(self.placeholder());
                let otherwise = self.code.next_address();
                self.code.steps[fork.index()] = CodeStep::Fork { otherwise };
            }
        }
        if branches.is_empty() {
            self.code.steps.push(CodeStep::Fail);
        } else {
            self.bound = after;
        }
        let to = self.code.next_address();
        for jump in jumps {
            self.code.steps[jump.index()] = CodeStep::Jump { to };
        }
    }

    fn call(&mut self, atom: TermId) {
        match self.planner.relation_of(atom) {
            Some((relation, columns)) if self.planner.is_bound(atom, &self.bound) => {
                self.test(relation, columns, true)
            }
            Some((relation, columns)) => self.scan(relation, columns),
            None => self.call_rules(atom),
        }
    }

    fn columns(&self, relation: RelationId, row: TermId) -> Vec<TermId> {
        if relation == FLUENTS {
            vec![row]
        } else {
            self.planner.store.arguments(row).to_vec()
        }
    }

    fn test(&mut self, relation: RelationId, row: TermId, positive: bool) {
        let columns = self.columns(relation, row);
        let row: Vec<Operand> = columns.iter().map(|&term| self.operand(term)).collect();
        let row = self.code.add_operands(&row);
        self.code.steps.push(CodeStep::Test {
            relation,
            row,
            positive,
        });
    }

    fn scan(&mut self, relation: RelationId, row: TermId) {
        let columns = self.columns(relation, row);
        let key_columns = self.planner.bound_columns(&columns, &self.bound);
        let keys = columns
            .iter()
            .enumerate()
            .filter(|&(column, _)| key_columns.contains(column));
        let key: Vec<Operand> = keys.map(|(_, &term)| self.operand(term)).collect();
        let free: Vec<Option<TermId>> = columns
            .iter()
            .enumerate()
            .map(|(column, &term)| (!key_columns.contains(column)).then_some(term))
            .collect();
        // `true(F)` as an output of the head: the row's term is kept instead of built.
        let is_output = self.planner.store.arguments(self.head).contains(&row);
        let term = if relation != FLUENTS && is_output {
            self.fresh()
        } else {
            Register::NONE
        };
        let index = self.planner.relations[relation.index()].index(key_columns);
        let key = self.code.add_operands(&key);
        let (out, matches) = self.outputs(&free);
        self.code.add_scan(Scan {
            relation,
            index,
            key,
            single_key: None,
            out,
            term,
        });
        // Compounds with open variables: `on(X, box(Y))` finds rows by X, and takes the second column apart then.
        self.matches(matches);
        if term != Register::NONE {
            self.found.insert(row, term);
        }
    }

    fn call_rules(&mut self, atom: TermId) {
        let arguments = self.planner.store.arguments(atom).to_vec();
        let inputs = self.planner.bound_columns(&arguments, &self.bound);
        let given: Vec<TermId> = arguments
            .iter()
            .enumerate()
            .filter(|&(position, _)| inputs.contains(position))
            .map(|(_, &term)| term)
            .collect();
        let wanted: Vec<Option<TermId>> = arguments
            .iter()
            .enumerate()
            .filter(|&(position, _)| !inputs.contains(position))
            .map(|(_, &term)| Some(term))
            .collect();
        let given: Vec<Operand> = given.iter().map(|&term| self.operand(term)).collect();
        let Some(functor) = self.planner.store.functor(atom) else {
            self.code.steps.push(CodeStep::Fail);
            return;
        };
        let procedure = self
            .planner
            .program
            .procedure(self.planner.procedures, functor, inputs);
        let inputs = self.code.add_operands(&given);
        let (out, matches) = self.outputs(&wanted);
        self.code.steps.push(CodeStep::Call {
            procedure,
            inputs,
            out,
        });
        self.matches(matches);
    }

    /// A step to be filled in later.
    fn placeholder(&mut self) -> CodeAddress {
        let address = self.code.next_address();
        self.code.steps.push(CodeStep::Fail);
        address
    }
}

/// How often a variable occurs in a term.
fn occurrences(store: &Store, term: TermId, variable: u32) -> u32 {
    let mut count = 0;
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if store.view(term) == Term::Variable(variable) {
            count += 1;
        } else if !store.is_ground(term) {
            stack.extend(store.arguments(term));
        }
    }
    count
}
