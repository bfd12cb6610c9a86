//! Calls: of predicates, with their arguments in the first registers, and of goals as terms.

use crate::prolog::program::chain::ClauseEntry;
use crate::prolog::program::instruction::{BACKTRACK, BuiltinId, Pc, PredicateId};
use crate::prolog::program::key::{Key, key_of};
use crate::prolog::program::predicate::{Control, PredicateKind};
use crate::prolog::state::choice::{Alternative, ClauseScan};
use crate::prolog::state::flags::Unknown;
use crate::prolog::state::frame::{FrameKind, stub};
use crate::prolog::state::machine::Machine;
use crate::prolog::streams::stream::ERROR;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::heap::TermView;
use crate::term::SymbolId;

impl Machine {
    /// Calls a predicate; its continuation is in `cp`.
    #[inline(always)]
    pub(in crate::prolog) fn call_predicate(
        &mut self,
        id: PredicateId,
    ) -> Result<Pc, Interruption> {
        // The one place at which calls are counted. Limits, garbage and cleanups are looked at through one comparison.
        self.steps += 1;
        if self.steps >= self.next_poll {
            self.look_around(id)?;
        }
        let predicate = &self.database.predicates[id.0 as usize];
        // The common case is decided by one load.
        let Some(switch) = &predicate.switch else {
            return self.call_special(id);
        };
        let (chain, arity) = (switch.chain, switch.arity);
        let (start, key) = if switch.keys.is_empty() {
            (switch.unbound, Key::VARIABLE)
        } else {
            let first = self.heap.deref(self.x[0]);
            let key = key_of(&self.heap.cells, &self.heap.store, first);
            (switch.start(key), key)
        };
        if start.code == BACKTRACK {
            return self.no_clause(id);
        }
        // The cut barrier: what `!` in the clause goes back to is the height before its own choice point.
        self.b0 = self.choices.len();
        // A choice point only if another clause may match, so that calls with one candidate are deterministic and leave
        // nothing behind [AK91, on indexing].
        if let Some(position) = start.next {
            self.push_choice(Alternative::Clauses {
                scan: ClauseScan {
                    chain,
                    position,
                    key,
                },
                dynamic: false,
            });
            self.save_arguments(arity);
        }
        Ok(start.code)
    }

    /// What is done now and then: collects garbage, looks at the limits.
    #[cold]
    fn look_around(&mut self, id: PredicateId) -> Result<(), Interruption> {
        if self.cleanups.are_due() {
            self.run_due_cleanups()?;
        }
        // At a call all that is alive is in the argument registers and below: no other register holds a root.
        if self.is_collection_due() {
            self.collect(self.database.get(id).arity);
        }
        self.poll()
    }

    #[inline(never)]
    fn call_special(&mut self, id: PredicateId) -> Result<Pc, Interruption> {
        let predicate = self.database.get(id);
        match predicate.kind {
            PredicateKind::User if predicate.table.is_some() => self.call_tabled(id),
            PredicateKind::User => {
                self.database.make_switch(id);
                self.call_clauses(id)
            }
            PredicateKind::Builtin(builtin) => match self.builtin(builtin) {
                Ok(true) => Ok(self.cp),
                Ok(false) => Ok(BACKTRACK),
                Err(Interruption::Positions) => self.start_positions(self.cp),
                Err(interruption) => Err(interruption),
            },
            PredicateKind::Control(control) => self.call_control(id, control),
        }
    }

    /// Calls a built-in with its arguments in the first registers; says whether it holds.
    #[inline]
    pub(in crate::prolog) fn builtin(&mut self, id: BuiltinId) -> Outcome {
        let function = self.functions[usize::from(id.0)];
        let outcome = function(self);
        self.heap.stopped()?;
        outcome
    }

    /// Tries the clauses of a predicate that match the first argument.
    #[inline]
    pub(in crate::prolog) fn call_clauses(&mut self, id: PredicateId) -> Result<Pc, Interruption> {
        let predicate = &self.database.predicates[id.0 as usize];
        let arity = predicate.arity;
        let dynamic = predicate.is_dynamic;
        // Two filters: the chain is selected by the best bound argument, the key tells clauses apart by the first one.
        let chain = self.database.select(&self.heap, id, &self.x[..]);
        let key = if arity > 0 {
            let first = self.heap.deref(self.x[0]);
            key_of(&self.heap.cells, &self.heap.store, first)
        } else {
            Key::VARIABLE
        };
        let generation = self.database.generation;
        let scan = ClauseScan {
            chain,
            position: self.database.chains[chain.0 as usize].start(),
            key,
        };
        let Some((first, entry)) = self.matching(scan, dynamic, generation) else {
            return self.no_clause(id);
        };
        // The cut barrier, and a choice point if need be, as in `call_predicate`.
        self.b0 = self.choices.len();
        if let Some((next, _)) = self.matching(first.behind(), dynamic, generation) {
            self.push_choice(Alternative::Clauses {
                scan: next,
                dynamic,
            });
            self.save_arguments(arity);
        }
        Ok(entry.code)
    }

    #[cold]
    fn no_clause(&mut self, id: PredicateId) -> Result<Pc, Interruption> {
        let predicate = self.database.get(id);
        if predicate.is_known() || self.flags.unknown == Unknown::Fail {
            return Ok(BACKTRACK);
        }
        let (name, arity) = (predicate.name, predicate.arity);
        if self.autoload(name, arity) {
            return self.call_clauses(id);
        }
        if self.flags.unknown == Unknown::Warning {
            let name = self.heap.name(name);
            let warning = format!("Warning: unknown procedure: {name}/{arity}\n");
            self.write_to(ERROR, &warning);
            return Ok(BACKTRACK);
        }
        Err(error::unknown_procedure(&mut self.heap, name, arity))
    }

    /// The first clause from a place on that may match, and its place.
    #[inline(always)]
    pub(in crate::prolog) fn matching(
        &self,
        scan: ClauseScan,
        dynamic: bool,
        generation: u64,
    ) -> Option<(ClauseScan, ClauseEntry)> {
        let ClauseScan {
            chain,
            mut position,
            key,
        } = scan;
        let entries = &self.database.chains[chain.0 as usize];
        while let Some(entry) = entries.get(position) {
            if key.may_match(entry.key)
                && (!dynamic || self.database.is_visible(entry.clause, generation))
            {
                return Some((ClauseScan { position, ..scan }, *entry));
            }
            position += 1;
        }
        None
    }

    /// The next clause of the newest choice point, which goes with its last one.
    #[inline(always)]
    pub(in crate::prolog) fn retry_clause(
        &mut self,
        scan: ClauseScan,
        dynamic: bool,
        generation: u64,
    ) -> Pc {
        let Some(entry) = self.database.chains[scan.chain.0 as usize].get(scan.position) else {
            self.pop_choice();
            return BACKTRACK;
        };
        let code = entry.code;
        // Below the choice point that is being retried: it goes with a cut, too.
        self.b0 = self.choices.len() - 1;
        match self.matching(scan.behind(), dynamic, generation) {
            Some((next, _)) => {
                if let Some(top) = self.choices.last_mut() {
                    top.alternative = Alternative::Clauses {
                        scan: next,
                        dynamic,
                    };
                }
            }
            // The last clause runs without the choice point (`trust_me` of [AK91]).
            None => self.pop_choice(),
        }
        code
    }

    #[inline(never)]
    fn call_control(&mut self, id: PredicateId, control: Control) -> Result<Pc, Interruption> {
        match control {
            Control::Call => {
                let arity = self.database.get(id).arity;
                let goal = self.extended_goal(arity)?;
                self.opaque_goal(goal)
            }
            Control::Construct => {
                let (name, arity) = (self.database.get(id).name, self.database.get(id).arity);
                let arguments = self.x[..arity].to_vec();
                let goal = self.heap.compound(name, &arguments);
                self.opaque_goal(goal)
            }
            Control::Not => self.call_negation(self.x[0]),
            Control::Findall => self.start_findall(),
            Control::Catch => self.start_catch(),
            Control::Undefined => {
                self.delay_undefined();
                Ok(self.cp)
            }
            Control::Cleanup => self.start_cleanup(),
            Control::ClauseScan => self.start_clause_scan(),
            Control::CallWithCut => {
                let height = self.heap.deref(self.x[1]);
                Ok(self.goal_later(self.x[0], height.mark_value() as usize))
            }
        }
    }

    /// The goal of `call/N`: the first argument with the others added.
    fn extended_goal(&mut self, count: usize) -> Result<Cell, Interruption> {
        let goal = self.strip_module(self.x[0]);
        if count == 1 {
            return Ok(goal);
        }
        let extra = self.x[1..count].to_vec();
        let Some((name, _)) = self.heap.functor(goal) else {
            return Err(error::type_error(&mut self.heap, "callable", goal));
        };
        // `call(p(X), Y)` is `p(X, Y)`.
        let mut arguments = self.heap.arguments(goal);
        arguments.extend(extra);
        Ok(self.heap.compound(name, &arguments))
    }

    /// `Module:Goal` is the goal: modules are not told apart.
    pub(in crate::prolog) fn strip_module(&mut self, goal: Cell) -> Cell {
        let mut goal = self.heap.deref(goal);
        while let Some((module, inner)) = self.heap.binary(goal, atoms::COLON) {
            if !module.is_atom() || !self.heap.may_go_on(0) {
                break;
            }
            goal = inner;
        }
        goal
    }

    /// Calls a term as a goal after converting it to a body; cuts are local to it.
    pub(in crate::prolog) fn opaque_goal(&mut self, goal: Cell) -> Result<Pc, Interruption> {
        match self.body_of(goal) {
            Some(body) => Ok(self.goal_later(body, self.choices.len())),
            None => {
                self.heap.stopped()?;
                Err(error::type_error(&mut self.heap, "callable", goal))
            }
        }
    }

    /// Has a goal called by the main loop: terms that nest calls do not nest Rust calls.
    pub(in crate::prolog) fn goal_later(&mut self, goal: Cell, cut: usize) -> Pc {
        self.pending = (goal, cut);
        stub::GOAL
    }

    /// A term as a body [ISO, 7.6.2]: a variable in the place of a goal becomes a call of it, so that a cut that it is
    /// bound to later is local; ground control constructs of the store are opened. None if some goal is a number or
    /// string, the term is cyclic, or a limit was reached.
    ///
    /// ```text
    /// (G = !, p(X), G)  ->  (G = !, p(X), call(G))
    /// ```
    pub(in crate::prolog) fn body_of(&mut self, term: Cell) -> Option<Cell> {
        let root = self.heap.deref(term);
        let is_construct = |functor| {
            use atoms::{ARROW, COMMA, SEMICOLON, SOFT_ARROW};
            matches!(functor, (COMMA | SEMICOLON | ARROW | SOFT_ARROW, 2))
        };
        match self.heap.functor(root) {
            None if root.tag() == REF => return Some(root),
            None => return None,
            Some(functor) if !is_construct(functor) => return Some(self.heap.expose(root)),
            Some(_) => {}
        }
        // The body is copied as far as control constructs reach; each entry of the work list is a goal and the heap cell
        // that its copy goes to.
        let anchor = self.heap.cells.len();
        self.heap.cells.push(Cell::ZERO);
        let mut work = vec![(root, anchor)];
        let mut rounds = self.heap.rounds();
        while let Some((cell, place)) = work.pop() {
            if self.heap.is_endless(&mut rounds, root) {
                self.heap.refuse_cycle();
                return None;
            }
            if !self.heap.may_go_on(work.len() * size_of::<(Cell, usize)>()) {
                return None;
            }
            let cell = self.heap.deref(cell);
            let goal = match self.heap.functor(cell) {
                None if cell.tag() == REF => self.heap.compound(atoms::CALL, &[cell]),
                None => return None,
                Some(functor @ (name, _)) if is_construct(functor) => {
                    let arguments = self.heap.arguments(cell);
                    let construct = self.heap.compound(name, &arguments);
                    let first = construct.index() + 1;
                    work.extend([(arguments[1], first + 1), (arguments[0], first)]);
                    construct
                }
                Some(_) => self.heap.expose(cell),
            };
            self.heap.cells[place] = goal;
        }
        Some(self.heap.cells[anchor])
    }

    /// A term as the body of a clause: as [`Machine::body_of`], and a variable alone becomes a call, too.
    pub(in crate::prolog) fn clause_body(&mut self, term: Cell) -> Option<Cell> {
        let body = self.body_of(term)?;
        if body.tag() == REF {
            return Some(self.heap.compound(atoms::CALL, &[body]));
        }
        Some(body)
    }

    /// Calls a term as a goal; a cut in it cuts to the height `cut`.
    #[inline(never)]
    pub(in crate::prolog) fn call_goal(
        &mut self,
        goal: Cell,
        mut cut: usize,
    ) -> Result<Pc, Interruption> {
        let mut goal = self.strip_module(goal);
        loop {
            self.heap.stopped()?;
            let Some((name, arity)) = self.heap.functor(goal) else {
                return Err(error::type_error(&mut self.heap, "callable", goal));
            };
            match (name, arity) {
                (atoms::COMMA, 2) => {
                    let arguments = self.heap.arguments(goal);
                    self.allocate(2, FrameKind::Plain);
                    self.set_slot(0, arguments[1]);
                    // `!` behind the comma cuts to the same height as one in front of it.
                    self.set_slot(1, Cell::mark(cut as u64));
                    self.cp = stub::CONJUNCTION;
                    goal = arguments[0];
                }
                // Success is a return to the continuation.
                (atoms::TRUE, 0) => return Ok(self.cp),
                (atoms::CUT, 0) => {
                    self.cut_to(cut);
                    if self.cleanups.are_due() {
                        self.run_due_cleanups()?;
                    }
                    return Ok(self.cp);
                }
                (atoms::SEMICOLON | atoms::BAR, 2) => {
                    let arguments = self.heap.arguments(goal);
                    (goal, cut) = self.enter_disjunction(arguments[0], arguments[1], cut);
                }
                (atoms::ARROW | atoms::SOFT_ARROW, 2) => {
                    let arguments = self.heap.arguments(goal);
                    // `(C -> T)` without an alternative is `(C -> T ; fail)` [ISO 7.8.7].
                    let otherwise = Cell::atom(atoms::FAIL);
                    let soft = name == atoms::SOFT_ARROW;
                    (goal, cut) = self.enter_condition(&arguments, otherwise, cut, soft);
                }
                _ => return self.call_term(goal, name, arity),
            }
            goal = self.strip_module(goal);
            // What was called of a cyclic term lies on the stack of environments.
            self.heap.may_go_on(self.stack.len() * size_of::<Cell>());
        }
    }

    /// Prepares a disjunction; gives the goal to call next, with its cut height.
    fn enter_disjunction(&mut self, left: Cell, right: Cell, cut: usize) -> (Cell, usize) {
        if let Some((condition, then)) = self.heap.binary(left, atoms::ARROW) {
            return self.enter_condition(&[condition, then], right, cut, false);
        }
        if let Some((condition, then)) = self.heap.binary(left, atoms::SOFT_ARROW) {
            return self.enter_condition(&[condition, then], right, cut, true);
        }
        self.push_choice_saving(Alternative::Goal, &[right, Cell::mark(cut as u64)]);
        (left, cut)
    }

    fn enter_condition(
        &mut self,
        condition_then: &[Cell],
        otherwise: Cell,
        cut: usize,
        soft: bool,
    ) -> (Cell, usize) {
        let height = self.choices.len();
        let mark = Cell::mark(cut as u64);
        self.push_choice_saving(Alternative::Otherwise, &[otherwise, mark]);
        self.allocate(3, FrameKind::Plain);
        self.set_slot(0, condition_then[1]);
        self.set_slot(1, mark);
        self.set_slot(2, Cell::mark(height as u64));
        // Success of the condition runs into the stub, which finds branch, cut height and the choice point to give up
        // in this environment.
        self.cp = if soft { stub::SOFT_THEN } else { stub::THEN };
        // A cut in the condition is local to it [ISO 7.8.7].
        (condition_then[0], self.choices.len())
    }

    /// Calls an atom or compound that is no control construct.
    fn call_term(&mut self, goal: Cell, name: SymbolId, arity: usize) -> Result<Pc, Interruption> {
        if arity > 240 {
            return Err(error::representation_error(
                &mut self.heap,
                "max_procedure_arity",
            ));
        }
        if arity > 0
            && let TermView::Compound(_, _, first) = self.heap.view(goal)
        {
            self.x[..arity].copy_from_slice(&self.heap.cells[first..first + arity]);
        }
        // A predicate that nobody defined is entered, so that its call is reported as unknown or fails by the flag.
        let id = self.database.predicate(name, arity);
        self.call_predicate(id)
    }

    /// The second goal of a called conjunction.
    #[inline(never)]
    pub(in crate::prolog) fn continue_conjunction(&mut self) -> Result<Pc, Interruption> {
        let (goal, cut) = (self.slot(0), self.slot(1));
        self.deallocate();
        self.call_goal(goal, cut.mark_value() as usize)
    }
}
