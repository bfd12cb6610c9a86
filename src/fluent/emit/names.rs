//! Terms of axioms as the papers write them: symbols begin with a capital, variables are small
//! letters, so that a constant `x` and a variable x are told apart.

use rustc_hash::FxHashMap;

use crate::fluent::emit::style::BookStyle;
use crate::term::{Store, Term, TermId};

/// Names of variables in order of use: those of the arguments of an action, then all others.
const ARGUMENTS: [&str; 2] = ["x", "y"];
const OTHERS: [&str; 3] = ["u", "v", "w"];

/// The names of the variables of one axiom.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    names: FxHashMap<u32, String>,
    others: usize,
}

impl Names {
    /// Names for the arguments of an action, and of whatever else is met later.
    pub(super) fn of(store: &Store, arguments: &[TermId]) -> Self {
        let mut names = Self::default();
        let mut variables: Vec<u32> = Vec::new();
        for &argument in arguments {
            for variable in store.variables(argument) {
                if !variables.contains(&variable) {
                    variables.push(variable);
                }
            }
        }
        let parameters = Self::parameters(variables.len());
        names.names.extend(variables.into_iter().zip(parameters));
        names
    }

    /// The names of so many arguments.
    pub(super) fn parameters(number: usize) -> Vec<String> {
        match ARGUMENTS.get(..number) {
            Some(few) => few.iter().copied().map(str::to_owned).collect(),
            None => (1..=number).map(|place| format!("x{place}")).collect(),
        }
    }

    /// Gives a variable a name; not if the term is none, or has a name already.
    pub(super) fn give(&mut self, store: &Store, term: TermId, name: &str) -> bool {
        let Term::Variable(number) = store.view(term) else {
            return false;
        };
        if self.knows(number) {
            return false;
        }
        self.names.insert(number, name.to_owned());
        true
    }

    /// The name of a variable, a new one if it has none.
    pub(super) fn name(&mut self, variable: u32) -> String {
        if let Some(name) = self.names.get(&variable) {
            return name.clone();
        }
        let round = self.others / OTHERS.len();
        let letter = OTHERS[self.others % OTHERS.len()];
        self.others += 1;
        let name = match round {
            0 => letter.to_owned(),
            round => format!("{letter}{round}"),
        };
        self.names.insert(variable, name.clone());
        name
    }

    /// Whether a variable has a name.
    pub(super) fn knows(&self, variable: u32) -> bool {
        self.names.contains_key(&variable)
    }

    /// A term with functions in front of their arguments.
    pub(super) fn term(&mut self, store: &Store, style: BookStyle, term: TermId) -> String {
        enum Task {
            Term(TermId),
            Text(&'static str),
        }
        let mut text = String::new();
        let mut tasks = vec![Task::Term(term)];
        while let Some(task) = tasks.pop() {
            let term = match task {
                Task::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                Task::Term(term) => term,
            };
            match store.view(term) {
                Term::Variable(number) => text.push_str(&style.variable(&self.name(number))),
                Term::Integer(value) => text.push_str(&value.to_string()),
                Term::Float(value) => text.push_str(&format!("{value:?}")),
                Term::Big(digits) => text.push_str(store.name(digits)),
                Term::Text(symbol) | Term::Atom(symbol) => {
                    text.push_str(&style.symbol(store.name(symbol)));
                }
                Term::Compound(symbol, arguments) => {
                    text.push_str(&style.symbol(store.name(symbol)));
                    text.push('(');
                    tasks.push(Task::Text(")"));
                    for (index, &argument) in arguments.iter().enumerate().rev() {
                        tasks.push(Task::Term(argument));
                        if index > 0 {
                            tasks.push(Task::Text(", "));
                        }
                    }
                }
            }
        }
        text
    }
}
