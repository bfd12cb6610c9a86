//! The operators of Prolog and of infix GDL as a value.
//!
//! Reader, printer and the built-ins `op/3` and `current_op/3` share one table; a directive that
//! defines an operator changes how the *next* clause is read. Source: [ISO] 6.3.4, and the table
//! of SWI-Prolog 9 for what the standard does not have.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// The highest priority of an operator, and of a clause.
pub const MAX_PRIORITY: u16 = 1200;

/// On which side of its arguments an operator stands, and how tightly they must bind: `x` strictly
/// tighter than the operator, `y` at least as tightly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OperatorType {
    /// Between two arguments that bind tighter.
    Xfx,
    /// Between two arguments, grouping to the right.
    Xfy,
    /// Between two arguments, grouping to the left.
    Yfx,
    /// Before an argument that binds tighter.
    Fx,
    /// Before an argument.
    Fy,
    /// Behind an argument that binds tighter.
    Xf,
    /// Behind an argument.
    Yf,
}

impl OperatorType {
    /// All of them.
    pub const ALL: [OperatorType; 7] = [
        OperatorType::Xfx,
        OperatorType::Xfy,
        OperatorType::Yfx,
        OperatorType::Fx,
        OperatorType::Fy,
        OperatorType::Xf,
        OperatorType::Yf,
    ];

    /// The atom that names it in `op/3`, such as `xfx`.
    pub fn name(self) -> &'static str {
        match self {
            OperatorType::Xfx => "xfx",
            OperatorType::Xfy => "xfy",
            OperatorType::Yfx => "yfx",
            OperatorType::Fx => "fx",
            OperatorType::Fy => "fy",
            OperatorType::Xf => "xf",
            OperatorType::Yf => "yf",
        }
    }

    /// The type that an atom names in `op/3`.
    pub fn from_name(name: &str) -> Option<OperatorType> {
        OperatorType::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// An operator as it is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operator {
    /// 1..=1200; the lower, the tighter it binds.
    pub priority: u16,
    /// Where it stands.
    pub kind: OperatorType,
}

impl Operator {
    /// The highest priority of a left argument; 0 if there is none.
    pub fn left_max(self) -> u16 {
        match self.kind {
            // x: less than the priority of the operator; y: at most as much. So `yfx` associates to the left.
            OperatorType::Xfx | OperatorType::Xfy | OperatorType::Xf => self.priority - 1,
            OperatorType::Yfx | OperatorType::Yf => self.priority,
            OperatorType::Fx | OperatorType::Fy => 0,
        }
    }

    /// The highest priority of a right argument; 0 if there is none.
    pub fn right_max(self) -> u16 {
        match self.kind {
            OperatorType::Xfx | OperatorType::Yfx | OperatorType::Fx => self.priority - 1,
            OperatorType::Xfy | OperatorType::Fy => self.priority,
            OperatorType::Xf | OperatorType::Yf => 0,
        }
    }
}

/// What a name is as an operator; one name may be several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operators {
    /// Before its argument.
    pub prefix: Option<Operator>,
    /// Between its arguments.
    pub infix: Option<Operator>,
    /// Behind its argument.
    pub postfix: Option<Operator>,
}

impl Operators {
    /// Whether the name is no operator.
    pub fn is_empty(self) -> bool {
        self == Operators::default()
    }
}

/// All operators that are defined at one time.
#[derive(Clone, Debug, Default)]
pub struct OperatorTable {
    entries: IndexMap<Box<str>, Operators, FxBuildHasher>,
}

impl OperatorTable {
    /// The operators of Prolog before any directive.
    pub fn prolog() -> Self {
        Self::of(PROLOG)
    }

    /// The operators of infix GDL; no directive can change them.
    pub fn infix_gdl() -> Self {
        Self::of(INFIX_GDL)
    }

    fn of(rows: &[(u16, OperatorType, &str)]) -> Self {
        let mut table = Self::default();
        for &(priority, kind, names) in rows {
            for name in names.split(' ') {
                table.add(priority, kind, name);
            }
        }
        table
    }

    /// Defines an operator; a definition of the same name and position is replaced, and removed if
    /// `priority` is 0. The restrictions of `op/3` are up to the caller.
    pub fn add(&mut self, priority: u16, kind: OperatorType, name: &str) {
        let entry = match self.entries.get_mut(name) {
            Some(entry) => entry,
            None => self.entries.entry(name.into()).or_default(),
        };
        // One operator for each position: prefix, infix, postfix [ISO 6.3.4.3].
        let place = match kind {
            OperatorType::Fx | OperatorType::Fy => &mut entry.prefix,
            OperatorType::Xf | OperatorType::Yf => &mut entry.postfix,
            OperatorType::Xfx | OperatorType::Xfy | OperatorType::Yfx => &mut entry.infix,
        };
        *place = (priority > 0).then_some(Operator { priority, kind });
    }

    /// What a name is as an operator.
    pub fn lookup(&self, name: &str) -> Operators {
        self.entries.get(name).copied().unwrap_or_default()
    }

    /// All operators, in the order in which their names were first defined.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Operator)> {
        self.entries.iter().flat_map(|(name, entry)| {
            [entry.prefix, entry.infix, entry.postfix]
                .into_iter()
                .flatten()
                .map(move |operator| (&**name, operator))
        })
    }
}

const PROLOG: &[(u16, OperatorType, &str)] = &[
    (1200, OperatorType::Xfx, ":- --> => ==>"),
    (1200, OperatorType::Fx, ":- ?-"),
    (
        1150,
        OperatorType::Fx,
        "dynamic discontiguous initialization meta_predicate module_transparent multifile public \
         table thread_local thread_initialization volatile",
    ),
    (1105, OperatorType::Xfy, "|"),
    (1100, OperatorType::Xfy, ";"),
    (1050, OperatorType::Xfy, "-> *->"),
    (1000, OperatorType::Xfy, ","),
    (800, OperatorType::Xfx, ":="),
    (900, OperatorType::Fy, "\\+"),
    (
        700,
        OperatorType::Xfx,
        "= \\= == \\== @< @=< @> @>= =.. is =:= =\\= < =< > >= =@= \\=@= as >:< :<",
    ),
    (600, OperatorType::Xfy, ":"),
    (500, OperatorType::Yfx, "+ - /\\ \\/"),
    (400, OperatorType::Yfx, "* / // mod rem div rdiv xor << >>"),
    (200, OperatorType::Xfx, "**"),
    (200, OperatorType::Xfy, "^"),
    (200, OperatorType::Fy, "- + \\"),
    (1, OperatorType::Fx, "$"),
];

const INFIX_GDL: &[(u16, OperatorType, &str)] = &[
    (1200, OperatorType::Xfx, ":- <="),
    (1200, OperatorType::Fx, ":- ?-"),
    (1100, OperatorType::Xfy, "; |"),
    (1000, OperatorType::Xfy, ", &"),
    (900, OperatorType::Fy, "~ \\+ not"),
    (700, OperatorType::Xfx, "\\="),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_several_operators() {
        let table = OperatorTable::prolog();
        let minus = table.lookup("-");
        assert_eq!(minus.prefix.map(|operator| operator.priority), Some(200));
        assert_eq!(minus.infix.map(|operator| operator.left_max()), Some(500));
        assert_eq!(minus.infix.map(Operator::right_max), Some(499));
        assert!(table.lookup("foo").is_empty());
    }

    #[test]
    fn priority_zero_removes() {
        let mut table = OperatorTable::prolog();
        table.add(0, OperatorType::Xfx, "is");
        assert!(table.lookup("is").is_empty());
        assert!(table.iter().all(|(name, _)| name != "is"));
    }
}
