//! Resolution: a list of goals still to solve, a stack of alternatives, and nothing clever.
//!
//! What is true of an exception follows from the goals alone: the calls of `catch/3` that are active
//! are those whose end is still to come.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::arithmetic::{error, type_error};
use super::term::{Bindings, Outcome, Stop, Term, atom, compound, integer, text, unary};
use super::{builtin, database};

/// The most steps of a program; whether there are more is not compared.
const STEPS: usize = 4_000;
/// The most searches inside each other.
const DEPTH: usize = 40;

#[derive(Debug)]
pub(super) struct Clause {
    pub(super) head: Term,
    pub(super) body: Term,
    pub(super) is_erased: Cell<bool>,
}

#[derive(Default, Debug)]
pub(super) struct Predicate {
    pub(super) clauses: Vec<Rc<Clause>>,
    pub(super) is_dynamic: bool,
    pub(super) is_tabled: bool,
}

/// What is still to be done, first step first.
type Goals = Option<Rc<Step>>;

struct Step {
    what: What,
    next: Goals,
}

enum What {
    /// Solve a goal; a cut in it removes the choices above the height.
    Goal(Term, usize),
    Cut(usize),
    /// The goal of a `catch/3` has been solved.
    EndCatch(Box<Catch>),
    /// Remove the choice at this height and keep those above it: the condition of `*->` holds.
    SoftCut(usize),
}

struct Catch {
    catcher: Term,
    recovery: Term,
    /// Height of the choices, length of the trail and cut of the call.
    height: usize,
    mark: usize,
    cut: usize,
}

struct Choice {
    mark: usize,
    alternative: Alternative,
}

enum Alternative {
    /// Removed by a soft cut.
    None,
    Goals(Goals),
    /// The clauses from this position on.
    Clauses(Term, Rc<[Rc<Clause>]>, usize, Goals),
    /// Solutions of a built-in: a term to unify with each of these.
    Terms(Term, Rc<[Term]>, usize, Goals),
    /// Clauses still to be removed by `retract/1`.
    Retract(Term, Rc<[Rc<Clause>]>, usize, Goals),
}

/// Goals with their alternatives.
struct Search {
    goals: Option<Goals>,
    choices: Vec<Choice>,
}

/// Answers of a variant of a tabled goal.
#[derive(Default)]
struct Table {
    answers: Vec<Term>,
    is_complete: bool,
}

#[derive(Default)]
pub(super) struct Interpreter {
    pub(super) bindings: Bindings,
    pub(super) database: BTreeMap<(String, usize), Predicate>,
    pub(super) output: String,
    pub(super) globals: BTreeMap<String, Term>,
    steps: usize,
    depth: usize,
    tables: BTreeMap<String, Table>,
    /// Variants that the innermost iteration evaluates, with their goals.
    iterated: Vec<(String, Term)>,
    is_iterating: bool,
}

fn then(what: What, next: &Goals) -> Goals {
    Some(Rc::new(Step {
        what,
        next: next.clone(),
    }))
}

impl Interpreter {
    pub(super) fn add(&mut self, head: Term, body: Term) {
        let (name, arguments) = head.callable().unwrap();
        let key = (name.to_owned(), arguments.len());
        self.database
            .entry(key)
            .or_default()
            .clauses
            .push(clause(&head, &flat(&body)));
    }

    /// The values of the goal under its answers, at most `limit`, and why there are no more.
    pub(super) fn answers(&mut self, goal: &Term, limit: usize) -> (Vec<Term>, Option<Stop>) {
        let goal = self.bindings.rename(goal);
        let mut search = self.search(&goal);
        let mut answers = Vec::new();
        while answers.len() < limit {
            match self.next_answer(&mut search) {
                Ok(true) => {
                    let answer = self.bindings.resolve(&goal).numbered();
                    if self.bindings.is_exhausted() {
                        return (answers, Some(Stop::Skip("work")));
                    }
                    answers.push(answer);
                }
                // Terms that were given up are unified with nothing, which then fails.
                Ok(false) if self.bindings.is_exhausted() => {
                    return (answers, Some(Stop::Skip("work")));
                }
                Ok(false) => return (answers, None),
                Err(stop) => return (answers, Some(stop)),
            }
        }
        (answers, Some(Stop::Skip("limit of answers")))
    }

    fn search(&self, goal: &Term) -> Search {
        Search {
            goals: Some(then(What::Goal(unary("call", goal), 0), &None)),
            choices: Vec::new(),
        }
    }

    /// Copies of a template under all solutions of a goal, which is undone.
    pub(super) fn all(&mut self, template: &Term, goal: &Term) -> Outcome<Vec<Term>> {
        let mut found = Vec::new();
        self.nested(goal, |machine| {
            let copy = machine.bindings.resolve(template).numbered();
            found.push(copy);
            true
        })?;
        Ok(found
            .iter()
            .map(|term| self.bindings.rename(term))
            .collect())
    }

    /// Runs a goal in a search of its own for as long as `each` wants another solution; whether the
    /// last one was kept. Bindings are undone unless it was.
    fn nested(&mut self, goal: &Term, mut each: impl FnMut(&mut Self) -> bool) -> Outcome<bool> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Stop::Skip("depth"));
        }
        let is_iterating = std::mem::replace(&mut self.is_iterating, false);
        let iterated = std::mem::take(&mut self.iterated);
        let mark = self.bindings.mark();
        let mut search = self.search(goal);
        let result = loop {
            match self.next_answer(&mut search) {
                Ok(true) if each(self) => {}
                other => break other,
            }
        };
        if !matches!(result, Ok(true)) {
            self.bindings.undo(mark);
        }
        self.is_iterating = is_iterating;
        self.iterated = iterated;
        self.depth -= 1;
        result
    }

    /// Whether a goal has a solution; its bindings are undone.
    fn holds(&mut self, goal: &Term) -> Outcome<bool> {
        let mark = self.bindings.mark();
        let holds = self.nested(goal, |_| false)?;
        self.bindings.undo(mark);
        Ok(holds)
    }

    fn next_answer(&mut self, search: &mut Search) -> Outcome<bool> {
        let mut goals = match search.goals.take() {
            Some(goals) => Some(goals),
            None => self.backtrack(search)?,
        };
        loop {
            let Some(current) = goals else {
                return Ok(false);
            };
            let Some(step) = current else {
                return Ok(true);
            };
            self.steps += 1;
            if self.steps > STEPS || self.bindings.is_exhausted() {
                return Err(Stop::Skip("steps"));
            }
            goals = match self.step(search, &step) {
                Ok(Some(next)) => Some(next),
                Ok(None) => self.backtrack(search)?,
                Err(Stop::Throw(ball)) => Some(self.handle(search, &step.next, ball)?),
                Err(skip @ Stop::Skip(_)) => return Err(skip),
            };
        }
    }

    /// Goes to the innermost active catch that the ball unifies with.
    fn handle(&mut self, search: &mut Search, goals: &Goals, ball: Term) -> Outcome<Goals> {
        let mut goals = goals.clone();
        while let Some(step) = goals {
            match &step.what {
                What::EndCatch(catch) => {
                    search.choices.truncate(catch.height);
                    self.bindings.undo(catch.mark);
                    let thrown = self.bindings.rename(&ball);
                    if self.bindings.unify(&catch.catcher, &thrown, false)? {
                        let recovery = unary("call", &catch.recovery);
                        return Ok(then(What::Goal(recovery, catch.cut), &step.next));
                    }
                    self.bindings.undo(catch.mark);
                }
                What::Goal(..) | What::Cut(_) | What::SoftCut(_) => {}
            }
            goals = step.next.clone();
        }
        Err(Stop::Throw(ball))
    }

    fn backtrack(&mut self, search: &mut Search) -> Outcome<Option<Goals>> {
        while let Some(choice) = search.choices.pop() {
            self.bindings.undo(choice.mark);
            let resumed = match choice.alternative {
                Alternative::None => None,
                Alternative::Goals(goals) => Some(goals),
                Alternative::Clauses(goal, clauses, position, next) => {
                    self.resolve_with(search, goal, clauses, position, next)?
                }
                Alternative::Terms(term, values, position, next) => {
                    self.unify_with(search, term, values, position, next)?
                }
                Alternative::Retract(clause, clauses, position, next) => {
                    self.retract(search, clause, clauses, position, next)?
                }
            };
            if resumed.is_some() {
                return Ok(resumed);
            }
        }
        Ok(None)
    }

    fn push(&self, search: &mut Search, alternative: Alternative) {
        let mark = self.bindings.mark();
        search.choices.push(Choice { mark, alternative });
    }

    /// Makes one step; none if it fails.
    fn step(&mut self, search: &mut Search, step: &Step) -> Outcome<Option<Goals>> {
        match &step.what {
            What::Goal(goal, cut) => self.goal(search, goal, *cut, &step.next),
            What::Cut(height) => {
                search.choices.truncate(*height);
                Ok(Some(step.next.clone()))
            }
            What::EndCatch(_) => Ok(Some(step.next.clone())),
            What::SoftCut(height) => {
                search.choices[*height].alternative = Alternative::None;
                Ok(Some(step.next.clone()))
            }
        }
    }

    fn goal(
        &mut self,
        search: &mut Search,
        goal: &Term,
        cut: usize,
        next: &Goals,
    ) -> Outcome<Option<Goals>> {
        let goal = self.bindings.value(goal);
        let Some((name, arguments)) = goal.callable() else {
            return Err(type_error(&mut self.bindings, "callable", &goal));
        };
        let height = search.choices.len();
        let go = |goal: &Term, cut: usize, next: &Goals| then(What::Goal(goal.clone(), cut), next);
        match (name, arguments) {
            ("true", []) => Ok(Some(next.clone())),
            ("!", []) => Ok(Some(then(What::Cut(cut), next))),
            (",", [a, b]) => Ok(Some(go(a, cut, &go(b, cut, next)))),
            (";", [a, b]) => {
                let a = self.bindings.value(a);
                match a.callable() {
                    Some(("->", [condition, holds])) => {
                        self.push(search, Alternative::Goals(go(b, cut, next)));
                        let holds = then(What::Cut(height), &go(holds, cut, next));
                        Ok(Some(go(condition, height + 1, &holds)))
                    }
                    Some(("*->", [condition, holds])) => {
                        self.push(search, Alternative::Goals(go(b, cut, next)));
                        let holds = then(What::SoftCut(height), &go(holds, cut, next));
                        Ok(Some(go(condition, height + 1, &holds)))
                    }
                    _ => {
                        self.push(search, Alternative::Goals(go(b, cut, next)));
                        Ok(Some(go(&a, cut, next)))
                    }
                }
            }
            ("->", [condition, holds]) => {
                // A choice of its own, so that a cut in the condition leaves those below alone.
                let holds = then(What::Cut(height), &go(holds, cut, next));
                Ok(Some(go(condition, height, &holds)))
            }
            ("*->", [condition, holds]) => Ok(Some(go(condition, height, &go(holds, cut, next)))),
            _ => self.meta(search, &goal, cut, next),
        }
    }

    /// Predicates that call their arguments, and those that enumerate clauses.
    fn meta(
        &mut self,
        search: &mut Search,
        goal: &Term,
        cut: usize,
        next: &Goals,
    ) -> Outcome<Option<Goals>> {
        let height = search.choices.len();
        let go = |goal: &Term, next: &Goals| then(What::Goal(goal.clone(), height), next);
        let called = |goal: &Term| unary("call", goal);
        match goal.callable().unwrap() {
            ("call", [called, extra @ ..]) => {
                let called = self.extended(called, extra)?;
                self.check_body(&called)?;
                // What is a variable now is called for itself, whatever it is by then: a cut is local to it.
                let body = to_body(&self.bindings.resolve(&called));
                Ok(Some(go(&body, next)))
            }
            ("catch", [goal, catcher, recovery]) => {
                let end = Catch {
                    catcher: catcher.clone(),
                    recovery: recovery.clone(),
                    height,
                    mark: self.bindings.mark(),
                    cut,
                };
                let end = then(What::EndCatch(Box::new(end)), next);
                Ok(Some(go(&called(goal), &end)))
            }
            ("once", [goal]) => Ok(Some(go(&called(goal), &then(What::Cut(height), next)))),
            ("ignore", [goal]) => {
                self.push(search, Alternative::Goals(next.clone()));
                Ok(Some(go(&called(goal), &then(What::Cut(height), next))))
            }
            ("\\+", [goal]) => Ok((!self.holds(goal)?).then(|| next.clone())),
            ("forall", [condition, action]) => {
                // Each is called as a goal of its own: one that is none is the culprit itself.
                let refuted = unary("\\+", action);
                let counterexample = compound(",", &[unary("call", condition), refuted]);
                Ok((!self.holds(&counterexample)?).then(|| next.clone()))
            }
            ("setup_call_cleanup", [setup, goal, cleanup]) => {
                self.scoped([setup, goal, cleanup], next)
            }
            ("clause", [head, body]) => {
                let found = database::clauses(self, head, body)?;
                let term = compound("-", &[head.clone(), body.clone()]);
                self.unify_with(search, term, found.into(), 0, next.clone())
            }
            ("retract", [clause]) => {
                let clauses = database::retractable(self, clause)?;
                self.retract(search, clause.clone(), clauses.into(), 0, next.clone())
            }
            _ => self.call(search, goal, next),
        }
    }

    /// A call of a built-in or user predicate.
    fn call(&mut self, search: &mut Search, goal: &Term, next: &Goals) -> Outcome<Option<Goals>> {
        if let Some((term, values)) = builtin::solutions(self, goal)? {
            return self.unify_with(search, term, values.into(), 0, next.clone());
        }
        if let Some(holds) = builtin::test(self, goal)? {
            return Ok(holds.then(|| next.clone()));
        }
        let (name, arguments) = goal.callable().unwrap();
        let key = (name.to_owned(), arguments.len());
        let Some(predicate) = self.database.get(&key) else {
            let indicator = compound("/", &[atom(name), integer(arguments.len())]);
            let formal = compound("existence_error", &[atom("procedure"), indicator]);
            return Err(error(&mut self.bindings, formal));
        };
        if predicate.is_tabled {
            let answers = self.tabled(goal)?;
            return self.unify_with(search, goal.clone(), answers.into(), 0, next.clone());
        }
        let clauses = predicate.clauses.clone().into();
        self.resolve_with(search, goal.clone(), clauses, 0, next.clone())
    }

    /// Tries the clauses that were there when the goal was called: the logical update view.
    fn resolve_with(
        &mut self,
        search: &mut Search,
        goal: Term,
        clauses: Rc<[Rc<Clause>]>,
        position: usize,
        next: Goals,
    ) -> Outcome<Option<Goals>> {
        let Some(clause) = clauses.get(position).cloned() else {
            return Ok(None);
        };
        let height = search.choices.len();
        if position + 1 < clauses.len() {
            self.push(
                search,
                Alternative::Clauses(goal.clone(), clauses, position + 1, next.clone()),
            );
        }
        let pair = compound(":-", &[clause.head.clone(), clause.body.clone()]);
        let renamed = self.bindings.rename(&pair);
        let (_, [head, body]) = renamed.callable().unwrap() else {
            unreachable!("a clause has a head and a body");
        };
        let unifies = self.bindings.unify(&goal, head, false)?;
        Ok(unifies.then(|| then(What::Goal(body.clone(), height), &next)))
    }

    fn unify_with(
        &mut self,
        search: &mut Search,
        term: Term,
        values: Rc<[Term]>,
        position: usize,
        next: Goals,
    ) -> Outcome<Option<Goals>> {
        let Some(value) = values.get(position).cloned() else {
            return Ok(None);
        };
        if position + 1 < values.len() {
            self.push(
                search,
                Alternative::Terms(term.clone(), values, position + 1, next.clone()),
            );
        }
        Ok(self.bindings.unify(&term, &value, false)?.then_some(next))
    }

    fn retract(
        &mut self,
        search: &mut Search,
        term: Term,
        clauses: Rc<[Rc<Clause>]>,
        position: usize,
        next: Goals,
    ) -> Outcome<Option<Goals>> {
        let (head, body) = database::split(&self.bindings.value(&term));
        let mark = self.bindings.mark();
        for position in position..clauses.len() {
            let clause = &clauses[position];
            let pair = compound("-", &[clause.head.clone(), clause.body.clone()]);
            let renamed = self.bindings.rename(&pair);
            if self.bindings.unify(
                &compound("-", &[head.clone(), body.clone()]),
                &renamed,
                false,
            )? {
                clause.is_erased.set(true);
                let (name, arguments) = clause.head.callable().unwrap();
                let key = (name.to_owned(), arguments.len());
                let predicate = self.database.get_mut(&key).unwrap();
                predicate.clauses.retain(|clause| !clause.is_erased.get());
                let rest = Alternative::Retract(term, clauses.clone(), position + 1, next.clone());
                search.choices.push(Choice {
                    mark,
                    alternative: rest,
                });
                return Ok(Some(next));
            }
            self.bindings.undo(mark);
        }
        Ok(None)
    }

    /// `setup_call_cleanup/3` whose goal leaves no choices: other goals are not compared.
    fn scoped(
        &mut self,
        [setup, goal, cleanup]: [&Term; 3],
        next: &Goals,
    ) -> Outcome<Option<Goals>> {
        if !self.nested(setup, |_| false)? {
            return Ok(None);
        }
        let cleanup_value = self.bindings.value(cleanup);
        if cleanup_value.callable().is_none() {
            return Err(type_error(&mut self.bindings, "callable", &cleanup_value));
        }
        let result = self.nested(&unary("once", goal), |_| false);
        if let Err(Stop::Skip(_)) = result {
            return result.map(|_| None);
        }
        // What the cleanup binds stays bound, unless its goal failed or threw.
        let mark = self.bindings.mark();
        let cleaned = self.nested(cleanup, |_| false);
        if !matches!(result, Ok(true)) {
            self.bindings.undo(mark);
        }
        match (result, cleaned) {
            (_, Err(skip @ Stop::Skip(_))) => Err(skip),
            (Err(thrown), _) => Err(thrown),
            (Ok(holds), Ok(_)) => Ok(holds.then(|| next.clone())),
            (Ok(_), Err(thrown)) => Err(thrown),
        }
    }

    /// A goal with more arguments.
    fn extended(&mut self, goal: &Term, extra: &[Term]) -> Outcome<Term> {
        let goal = self.bindings.value(goal);
        match goal.callable() {
            Some((name, arguments)) => Ok(compound(name, &[arguments, extra].concat())),
            None => Err(type_error(&mut self.bindings, "callable", &goal)),
        }
    }

    /// A goal is called only if all of its control constructs are right [ISO 7.6.2].
    fn check_body(&mut self, goal: &Term) -> Outcome<()> {
        if is_body(&self.bindings.resolve(goal)) {
            Ok(())
        } else {
            Err(type_error(&mut self.bindings, "callable", goal))
        }
    }

    /// Answers of a tabled goal: all variants it leads to are evaluated again and again, each with the
    /// answers that the others have so far, until there are no more.
    fn tabled(&mut self, goal: &Term) -> Outcome<Vec<Term>> {
        let goal = self.bindings.resolve(goal).numbered();
        let key = text(&goal);
        let known = self.tables.contains_key(&key);
        if !known {
            self.tables.insert(key.clone(), Table::default());
        }
        if self.is_iterating {
            // Known may also be what an iteration further out has begun: a negation needs all of its answers.
            let is_listed = self.iterated.iter().any(|(listed, _)| *listed == key);
            if !self.tables[&key].is_complete && !is_listed {
                self.iterated.push((key.clone(), goal));
            }
        } else if !self.tables[&key].is_complete {
            self.iterated = vec![(key.clone(), goal)];
            self.iterate()?;
        }
        let answers = self.tables[&key].answers.clone();
        Ok(answers
            .iter()
            .map(|term| self.bindings.rename(term))
            .collect())
    }

    fn iterate(&mut self) -> Outcome<()> {
        loop {
            // Tables also grow in the middle of a pass, when a negation completes them.
            let before = self.known_answers();
            let mut position = 0;
            while let Some((key, goal)) = self.iterated.get(position).cloned() {
                position += 1;
                for answer in self.evaluate_once(&goal)? {
                    let answers = &mut self.tables.get_mut(&key).unwrap().answers;
                    if !answers.iter().any(|known| text(known) == text(&answer)) {
                        answers.push(answer);
                    }
                }
            }
            if self.known_answers() == before {
                break;
            }
        }
        for (key, _) in std::mem::take(&mut self.iterated) {
            self.tables.get_mut(&key).unwrap().is_complete = true;
        }
        Ok(())
    }

    fn known_answers(&self) -> usize {
        self.tables.values().map(|table| table.answers.len()).sum()
    }

    /// Answers of the clauses of a tabled goal, given those that tables have now.
    fn evaluate_once(&mut self, goal: &Term) -> Outcome<Vec<Term>> {
        let goal = self.bindings.rename(goal);
        let (name, arguments) = goal.callable().unwrap();
        let clauses: Rc<[Rc<Clause>]> = self.database[&(name.to_owned(), arguments.len())]
            .clauses
            .clone()
            .into();
        let mark = self.bindings.mark();
        let mut search = Search {
            goals: None,
            choices: Vec::new(),
        };
        self.push(
            &mut search,
            Alternative::Clauses(goal.clone(), clauses, 0, None),
        );
        self.is_iterating = true;
        let mut found = Vec::new();
        while self.next_answer(&mut search)? {
            found.push(self.bindings.resolve(&goal).numbered());
        }
        self.is_iterating = false;
        self.bindings.undo(mark);
        Ok(found)
    }
}

/// A clause with its variables numbered from zero.
pub(super) fn clause(head: &Term, body: &Term) -> Rc<Clause> {
    let pair = compound(":-", &[head.clone(), to_body(body)]).numbered();
    let (_, parts) = pair.callable().unwrap();
    Rc::new(Clause {
        head: parts[0].clone(),
        body: parts[1].clone(),
        is_erased: Cell::new(false),
    })
}

/// A conjunction without conjunctions on its left, as bodies that are loaded become.
fn flat(body: &Term) -> Term {
    match body.callable() {
        Some((",", [front, back])) => match front.callable() {
            Some((",", [first, second])) => {
                let back = compound(",", &[second.clone(), back.clone()]);
                flat(&compound(",", &[first.clone(), back]))
            }
            _ => compound(",", &[front.clone(), flat(back)]),
        },
        _ => body.clone(),
    }
}

/// Variables in the place of goals are called [ISO 7.6.2].
fn to_body(body: &Term) -> Term {
    match body {
        Term::Variable(_) => unary("call", body),
        Term::Compound(name, arguments) if is_control(name, arguments.len()) => {
            let arguments: Vec<Term> = arguments.iter().map(to_body).collect();
            compound(name, &arguments)
        }
        _ => body.clone(),
    }
}

fn is_control(name: &str, arity: usize) -> bool {
    arity == 2 && matches!(name, "," | ";" | "->" | "*->")
}

fn is_body(goal: &Term) -> bool {
    match goal {
        Term::Variable(_) | Term::Atom(_) => true,
        Term::Integer(_) | Term::Float(_) => false,
        Term::Compound(name, arguments) => {
            !is_control(name, arguments.len()) || arguments.iter().all(is_body)
        }
    }
}
