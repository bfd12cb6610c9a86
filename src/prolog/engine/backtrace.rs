//! Which clauses run when an exception is thrown, and at which of their goals.
//!
//! Nothing is recorded while a program runs. The environments have the addresses that clauses are returned to, and the
//! instruction in front of such an address is the call; the clause that has it in its code was put down with its place.

use crate::prolog::program::instruction::{Comparison, Instruction, Pc};
use crate::prolog::program::predicate::{Place, PredicateKind, StoredClause};
use crate::prolog::state::backtrace::{CallSite, RunningCode};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::term::{Functor, SymbolId};

/// Name and arity of a goal.
type GoalKey = (SymbolId, usize);

impl Machine {
    /// What ran, in the words of the program; code of the machine itself and of its private predicates is left out.
    pub(in crate::prolog) fn call_sites(&mut self, running: &RunningCode) -> Vec<CallSite> {
        let mut addresses = vec![(running.raised, 1), (running.caller, 1)];
        addresses.extend(running.callers());
        let clauses = self.clauses_of(&addresses);
        let mut sites = Vec::new();
        // The register of the return address is that of the clause only as long as it has no environment.
        let is_stale =
            clauses[0].is_some_and(|clause| self.has_environment(clause, running.raised));
        for (position, (&(address, repeated), clause)) in addresses.iter().zip(clauses).enumerate()
        {
            let Some(clause) = clause.filter(|_| position != 1 || !is_stale) else {
                continue;
            };
            let predicate = self.database.get(self.database.clauses[clause].predicate);
            let (name, arity, is_system) = (predicate.name, predicate.arity, predicate.is_system);
            if self.heap.store.name(name).starts_with('$') {
                continue;
            }
            let place = if is_system {
                None
            } else {
                self.place_in(clause, address)
            };
            sites.push(CallSite {
                predicate: Functor {
                    symbol: name,
                    arity: arity as u32,
                },
                place,
                repeated,
            });
        }
        sites
    }

    /// For each address the clause, by index, that has it in its code.
    fn clauses_of(&self, addresses: &[(Pc, u32)]) -> Vec<Option<usize>> {
        let mut found = vec![None; addresses.len()];
        for (index, clause) in self.database.clauses.iter().enumerate() {
            for (found, &(address, _)) in found.iter_mut().zip(addresses) {
                if contains(clause, address) {
                    *found = Some(index);
                }
            }
        }
        found
    }

    /// Whether a clause has made its environment before an address in its code: the return address is there then.
    fn has_environment(&self, clause: usize, address: Pc) -> bool {
        let code = &self.database.code;
        if matches!(
            code[address as usize],
            Instruction::Execute(_) | Instruction::DeallocateExecute(_)
        ) {
            return false;
        }
        let start = self.database.clauses[clause].code;
        let before = &code[start as usize..address as usize];
        before.iter().any(|i| matches!(i, Instruction::Allocate(_)))
    }

    /// The goal of a clause that ends at an address or, where that is not certain, the clause.
    fn place_in(&mut self, clause: usize, address: Pc) -> Option<Place> {
        let stored = &self.database.clauses[clause];
        let origin = stored.origin.as_ref()?;
        let (source, span, literals) = (origin.source, origin.span, origin.literals.clone());
        let (start, end) = (stored.code, stored.code + stored.length);
        let key = self.goal_at(address);
        let ends: Vec<Pc> = match key {
            Some(_) => (start..end)
                .filter(|&at| self.ends_goal(at) && self.goal_at(at) == key)
                .collect(),
            None => Vec::new(),
        };
        // The code has goals in their order. Where it has as many of the kind as the text, they are the same ones.
        let number = ends.iter().position(|&at| at >= address);
        let found = key.zip(number).and_then(|(key, number)| {
            let counts = self.occurrences(clause, key, literals.len());
            let is_alike = counts.iter().sum::<usize>() == ends.len();
            let mut before = 0;
            let literal = counts.iter().position(|count| {
                before += count;
                before > number
            });
            literal.filter(|_| is_alike)
        });
        let span = found
            .and_then(|literal| literals.get(literal).copied())
            .unwrap_or(span);
        Some(Place { source, span })
    }

    /// How many goals of a kind each literal of a clause has, in its conditions and negations as well.
    fn occurrences(&mut self, clause: usize, key: GoalKey, literals: usize) -> Vec<usize> {
        let record = std::mem::take(&mut self.database.clauses[clause].term);
        let start = self.heap.replay(&record);
        self.database.clauses[clause].term = record;
        let mut rest = self.heap.cells[start + 1];
        let mut counts = Vec::new();
        for number in 0..literals {
            let goal = match self.heap.arguments(rest).as_slice() {
                &[first, others] if number + 1 < literals => {
                    rest = others;
                    first
                }
                _ => rest,
            };
            counts.push(self.count(goal, key));
        }
        counts
    }

    /// How many goals of a kind a goal is made of.
    fn count(&mut self, goal: Cell, key: GoalKey) -> usize {
        let mut goals = vec![goal];
        let mut count = 0;
        while let Some(goal) = goals.pop() {
            match self.heap.functor(goal) {
                Some(found) if found == key => count += 1,
                Some((atoms::COMMA | atoms::SEMICOLON | atoms::ARROW | atoms::SOFT_ARROW, 2))
                | Some((atoms::NOT_PROVABLE, 1)) => goals.extend(self.heap.arguments(goal)),
                _ => {}
            }
        }
        count
    }

    /// The goal that an instruction belongs to, if it calls something or computes.
    fn goal_at(&self, address: Pc) -> Option<GoalKey> {
        let code = &self.database.code;
        let instruction = code.get(address as usize)?;
        if let Instruction::Call(id)
        | Instruction::Execute(id)
        | Instruction::DeallocateExecute(id) = *instruction
        {
            let predicate = self.database.get(id);
            return Some((predicate.name, predicate.arity));
        }
        if let Instruction::Builtin(id) | Instruction::TestBuiltin(id, _) = *instruction {
            let kind = PredicateKind::Builtin(id);
            let mut predicates = self.database.predicates.iter();
            let predicate = predicates.find(|predicate| predicate.kind == kind)?;
            return Some((predicate.name, predicate.arity));
        }
        // A comparison, or an operand of one if it follows, or else what `is/2` evaluates.
        let mut rest = code[address as usize..].iter().skip_while(|i| computes(i));
        let compares = rest.next().and_then(compares);
        let name = compares.or_else(|| computes(instruction).then_some(atoms::IS));
        name.map(|name| (name, 2))
    }

    /// Whether an instruction is the last one of its goal.
    fn ends_goal(&self, address: Pc) -> bool {
        let code = &self.database.code;
        let goes_on = |next: &Instruction| computes(next) || compares(next).is_some();
        !computes(&code[address as usize]) || !code.get(address as usize + 1).is_some_and(goes_on)
    }
}

fn contains(clause: &StoredClause, address: Pc) -> bool {
    (clause.code..clause.code + clause.length).contains(&address)
}

/// Whether an instruction evaluates an arithmetic expression, or a part of one.
fn computes(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Arithmetic(..)
            | Instruction::ArithmeticConstant(..)
            | Instruction::Evaluate(..)
    )
}

/// The name of the comparison of numbers that an instruction is.
fn compares(instruction: &Instruction) -> Option<SymbolId> {
    let (Instruction::CompareNumbers(comparison, ..) | Instruction::CompareNumber(comparison, ..)) =
        instruction
    else {
        return None;
    };
    Some(match comparison {
        Comparison::Equal => atoms::ARITH_EQUAL,
        Comparison::Unequal => atoms::ARITH_UNEQUAL,
        Comparison::Less => atoms::LESS,
        Comparison::LessEqual => atoms::LESS_EQUAL,
        Comparison::Greater => atoms::GREATER,
        Comparison::GreaterEqual => atoms::GREATER_EQUAL,
    })
}
