//! Queries: a goal in, solutions out, one at a time.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::limits::{Limits, StopReason};
use crate::prolog::program::instruction::{BACKTRACK, Pc};
use crate::prolog::state::choice::Alternative;
use crate::prolog::state::frame::{FrameKind, stub};
use crate::prolog::state::machine::Machine;
use crate::prolog::state::tables::Truth;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::Interruption;
use crate::prolog::terms::heap::Heap;
use crate::prolog::terms::lexical::variable_name;
use crate::prolog::terms::meter::Meter;
use crate::prolog::terms::write::WriteOptions;
use crate::syntax::{Diagnostic, OperatorTable};
use crate::term::TermId;

/// What a variable of the query is in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The name of the variable.
    pub name: String,
    /// Its value, quoted where reading it back needs that.
    pub text: String,
    /// Its value. Unbound variables are numbered in order of occurrence over all bindings.
    pub term: TermId,
    /// The variable is unbound and is the first of its name: there is nothing to say about it.
    pub is_free: bool,
}

/// One answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The variables of the query that do not begin with `_`, in order of occurrence.
    pub bindings: Vec<Binding>,
    /// Whether the answer is true or undefined in the well-founded model.
    pub truth: Truth,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for binding in self.bindings.iter().filter(|binding| !binding.is_free) {
            write!(f, "{separator}{} = {}", binding.name, binding.text)?;
            separator = ", ";
        }
        if separator.is_empty() {
            f.write_str("true")?;
        }
        if self.truth == Truth::Undefined {
            f.write_str(" (undefined)")?;
        }
        Ok(())
    }
}

/// The ball of an uncaught exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The term thrown.
    pub term: TermId,
    /// Its text, quoted.
    pub text: String,
}

/// What the next step of a query gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// An answer; there may be more.
    Answer(Answer),
    /// There are no more answers.
    Exhausted,
    /// The program threw an exception that nobody caught. There are no more answers.
    Exception(Exception),
    /// The program called `halt/1` with this code. There are no more answers.
    Halt(i64),
    /// A limit was reached. There are no more answers.
    Stopped(StopReason),
}

/// The solutions of a running query. Dropping it gives the query up.
pub struct Solutions<'m> {
    machine: &'m mut Machine,
    names: Vec<(String, Cell)>,
    next: Option<Pc>,
    answers: u64,
    /// The goal, for callers that want it instantiated.
    goal: Cell,
    /// The operators that answers are written with; those of the machine if there are none.
    operators: Option<OperatorTable>,
}

impl Machine {
    /// Starts a query given as text, with or without final dot. The machine keeps its database and
    /// tables, but nothing of an earlier query's stacks.
    ///
    /// # Errors
    /// If the text is not a term.
    ///
    /// # Examples
    /// ```
    /// use flux::limits::Limits;
    /// use flux::prolog::{Machine, Solution};
    ///
    /// let mut machine = Machine::new();
    /// let mut solutions = machine.query("member(X, [a, b])", Limits::default()).unwrap();
    /// let Solution::Answer(answer) = solutions.next_solution() else { unreachable!() };
    /// assert_eq!(answer.to_string(), "X = a");
    /// ```
    #[expect(
        clippy::result_large_err,
        reason = "made once a query; callers hand diagnostics on by value"
    )]
    pub fn query(&mut self, text: &str, limits: Limits) -> Result<Solutions<'_>, Diagnostic> {
        self.reset();
        let (goal, names) = self.read_one(text)?;
        Ok(self.start(goal, names, limits))
    }

    /// Starts a query given as a term of [`Machine::store`]; its variable `n` has the name
    /// `names[n]`, and a letter where there is none.
    pub fn query_term(&mut self, goal: TermId, names: &[String], limits: Limits) -> Solutions<'_> {
        self.reset();
        let mut variables = Vec::new();
        let goal = self.heap.build(goal, &mut variables);
        let named = variables.into_iter().enumerate().map(|(number, cell)| {
            let given = names.get(number).cloned();
            let name = given.unwrap_or_else(|| variable_name(number as i64));
            (name, cell)
        });
        let named = named.collect();
        self.start(goal, named, limits)
    }

    /// Reads a goal, with or without final dot, and keeps it as a term of [`Machine::store`].
    ///
    /// # Errors
    /// If the text is not a term.
    #[expect(
        clippy::result_large_err,
        reason = "made once a query; callers hand diagnostics on by value"
    )]
    pub fn read_goal(&mut self, text: &str) -> Result<TermId, Diagnostic> {
        self.reset();
        let (goal, _) = self.read_one(text)?;
        Ok(self.heap.intern(goal, &mut Vec::new()))
    }

    fn start(&mut self, goal: Cell, names: Vec<(String, Cell)>, limits: Limits) -> Solutions<'_> {
        self.begin(goal, limits);
        Solutions {
            machine: self,
            names,
            next: Some(stub::GOAL),
            answers: 0,
            goal,
            operators: None,
        }
    }

    /// Sets the stacks up for a goal.
    fn begin(&mut self, goal: Cell, limits: Limits) {
        // Limits are those of this query; what loops over terms may do is counted apart.
        self.backtrace.clear();
        self.steps = 0;
        self.step_limit = limits.steps.unwrap_or(u64::MAX);
        self.next_poll = self.step_limit.min(self.poll_interval);
        self.heap.meter = Meter::new(&limits);
        self.limits = limits;
        self.push_choice(Alternative::Query);
        self.allocate(0, FrameKind::Query);
        self.cp = stub::QUERY_DONE;
        self.pending = (goal, self.choices.len());
    }

    /// Solves a goal of the loader once. The stacks are left as they are at the solution.
    pub(super) fn solve_once(&mut self, goal: Cell, limits: &Limits) -> Result<bool, Interruption> {
        self.begin(goal, limits.clone());
        match self.run(stub::GOAL) {
            Interruption::Answer => Ok(true),
            Interruption::Exhausted | Interruption::Positions => Ok(false),
            interruption @ (Interruption::Throw(_)
            | Interruption::Halt(_)
            | Interruption::Limit(_)) => {
                self.reset();
                Err(interruption)
            }
        }
    }
}

impl Solutions<'_> {
    /// The same solutions, written with these operators and not those of the machine.
    pub fn written_with(mut self, operators: OperatorTable) -> Self {
        self.operators = Some(operators);
        self
    }

    /// The next solution. After anything but an answer it is [`Solution::Exhausted`] for ever.
    pub fn next_solution(&mut self) -> Solution {
        let Some(pc) = self.next else {
            return Solution::Exhausted;
        };
        if let Some(limit) = self.machine.limits.answers
            && self.answers >= limit
        {
            self.finish();
            return Solution::Stopped(StopReason::AnswerLimit(limit));
        }
        match self.machine.run(pc) {
            Interruption::Answer => {
                // The next solution is what backtracking into this one finds.
                self.next = Some(BACKTRACK);
                self.answers += 1;
                let answer = self.answer();
                self.unless_stopped(Solution::Answer(answer))
            }
            Interruption::Exhausted | Interruption::Positions => {
                self.finish();
                Solution::Exhausted
            }
            Interruption::Throw(ball) => {
                let term = self.machine.heap.recall(&ball);
                let text = self.machine.term_text(term, true);
                // The store has finite terms only.
                let (term, _) = self.machine.heap.factorized(term);
                let term = self.machine.heap.intern(term, &mut Vec::new());
                let thrown = self.unless_stopped(Solution::Exception(Exception { term, text }));
                self.finish();
                thrown
            }
            Interruption::Halt(code) => {
                self.finish();
                Solution::Halt(code)
            }
            Interruption::Limit(reason) => {
                self.finish();
                Solution::Stopped(reason)
            }
        }
    }

    /// What was found, unless it is too large to be put down within the limits.
    fn unless_stopped(&mut self, found: Solution) -> Solution {
        match self.machine.heap.stopped() {
            Err(Interruption::Limit(reason)) => {
                self.finish();
                Solution::Stopped(reason)
            }
            Ok(()) | Err(_) => found,
        }
    }

    /// The query's goal under the bindings of the last answer, as text; variables left are `_A`,
    /// `_B` and so on in order of occurrence.
    pub fn instantiated_goal(&mut self) -> String {
        let goal = self.goal;
        let variables = self.machine.heap.variables(&[goal]);
        let names: FxHashMap<Cell, String> = variables
            .into_iter()
            .enumerate()
            .map(|(number, cell)| (cell, format!("_{}", variable_name(number as i64))))
            .collect();
        let options = WriteOptions {
            names: Some(&names),
            ..WriteOptions::quoted(&self.machine.consulted.operators)
        };
        self.machine.heap.text_of(goal, &options)
    }

    /// Whether the last answer is known to be the last one: nothing is left to try.
    pub fn is_last(&self) -> bool {
        // The bottom choice point is the query's own.
        self.next.is_none() || self.machine.choices.len() <= 1
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.machine.steps
    }

    /// The machine, to read its output or statistics between solutions.
    pub fn machine(&mut self) -> &mut Machine {
        self.machine
    }

    fn finish(&mut self) {
        self.next = None;
        self.machine.reset();
    }

    fn answer(&mut self) -> Answer {
        let machine = &mut *self.machine;
        let operators = self.operators.as_ref();
        let truth = if machine.delays == Cell::atom(atoms::NIL) {
            Truth::True
        } else {
            Truth::Undefined
        };
        let named = self.names.iter().filter(|(name, _)| !name.starts_with('_'));
        let named: Vec<(String, Cell)> = named.cloned().collect();
        let AnswerNames { labels, is_free } = AnswerNames::of(&mut machine.heap, &named);
        // One numbering for all bindings: a variable that two of them share is the same in both.
        let mut numbered = Vec::new();
        let mut bindings = Vec::new();
        for ((name, cell), is_free) in named.into_iter().zip(is_free) {
            let options = WriteOptions {
                names: Some(&labels),
                // An argument of `=`, so that an operation of its priority gets brackets: `X = (a = b)`.
                priority: 699,
                ..WriteOptions::quoted(operators.unwrap_or(&machine.consulted.operators))
            };
            let text = machine.heap.text_of(cell, &options);
            let (finite, _) = machine.heap.factorized(cell);
            let term = machine.heap.intern(finite, &mut numbered);
            bindings.push(Binding {
                name,
                text,
                term,
                is_free,
            });
        }
        Answer { bindings, truth }
    }
}

/// How the variables that an answer leaves unbound are called.
struct AnswerNames {
    labels: FxHashMap<Cell, String>,
    /// For each variable of the query whether it is unbound and the first of its name.
    is_free: Vec<bool>,
}

impl AnswerNames {
    /// An unbound variable has the name of the first variable of the query that it is the value of, else `_A`, `_B`
    /// and so on in order of occurrence.
    fn of(heap: &mut Heap, named: &[(String, Cell)]) -> Self {
        let mut labels: FxHashMap<Cell, String> = FxHashMap::default();
        let mut is_free = Vec::new();
        for (name, cell) in named {
            let value = heap.deref(*cell);
            let is_first = value.tag() == REF && !labels.contains_key(&value);
            if is_first {
                labels.insert(value, name.clone());
            }
            is_free.push(is_first);
        }
        let roots: Vec<Cell> = named.iter().map(|(_, cell)| *cell).collect();
        let mut count = 0;
        for variable in heap.variables(&roots) {
            labels.entry(variable).or_insert_with(|| {
                count += 1;
                format!("_{}", variable_name(count - 1))
            });
        }
        Self { labels, is_free }
    }
}

impl Drop for Solutions<'_> {
    fn drop(&mut self) {
        self.machine.reset();
    }
}
