//! A variable: a group of fluents whose values are which of them holds.

/// Fluents of which at most one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The fluents, by place in the circuit, ascending.
    pub fluents: Vec<usize>,
    /// Whether one of them always holds.
    pub is_exact: bool,
}

impl Variable {
    /// A fluent that holds or does not.
    pub(crate) fn boolean(fluent: usize) -> Self {
        Self {
            fluents: vec![fluent],
            is_exact: false,
        }
    }

    /// Number of values: which fluent holds, or none.
    pub fn values(&self) -> usize {
        self.fluents.len() + usize::from(!self.is_exact)
    }
}

/// By fluent, of so many, the number of the variable that it belongs to.
pub(crate) fn by_fluent(variables: &[Variable], fluents: usize) -> Vec<Option<usize>> {
    let mut variable_of = vec![None; fluents];
    for (number, variable) in variables.iter().enumerate() {
        for &fluent in &variable.fluents {
            variable_of[fluent] = Some(number);
        }
    }
    variable_of
}
