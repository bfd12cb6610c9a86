//! What is found out about a property.

use crate::gdl::ReasonerError;
use crate::term::TermId;

/// Whether a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Proved,
    /// It does not.
    Refuted,
    /// What was tried did not tell.
    Open,
}

impl Verdict {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Refuted => "refuted",
            Verdict::Open => "open",
        }
    }
}

/// What told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A random play.
    Plays,
    /// All states that plays reach.
    Exhaustion,
    /// Invariants that hold of groups of fluents.
    Induction,
    /// Clauses found by property-directed reachability.
    Reachability,
    /// Measures that only grow.
    Ranking,
    /// Permutations of fluents and moves.
    Permutation,
    /// A search for a plan or a strategy, which stands above this layer.
    Search,
}

impl Method {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Plays => "plays",
            Method::Exhaustion => "exhaustion",
            Method::Induction => "induction",
            Method::Reachability => "reachability",
            Method::Ranking => "ranking",
            Method::Permutation => "permutation",
            Method::Search => "search",
        }
    }
}

/// A play from the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Play {
    /// Joint moves, one move a role.
    pub moves: Vec<Vec<TermId>>,
    /// The state, by number of moves made, that it comes back to at its end, if it does.
    pub repeats: Option<usize>,
}

/// What is found out about a property.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Whether it holds.
    pub verdict: Verdict,
    /// What told; none if it is open.
    pub method: Option<Method>,
    /// For termination the number of moves of the longest play, at most; for what is refuted or shown by a play its
    /// number of moves; for what is open the number of moves up to which no play refutes it.
    pub bound: Option<u64>,
    /// The role, by number, for which it is refuted, where that is known and no play shows it.
    pub role: Option<usize>,
    /// The play that refutes it, or shows that it is so.
    pub witness: Option<Play>,
    /// What else there is to say: clauses of the invariant, in the words of the rules.
    pub reasons: Vec<String>,
    /// Rules that apply in no play, or moves that are legal in none.
    pub missing: Vec<Missing>,
    /// Rules or moves of which it is open whether some play has them.
    pub undecided: Vec<Missing>,
    /// Whether code that shares nothing with what told says so too: for plays and states the rules, for invariants and
    /// measures a checker of its own. Only where states are too many to be counted by the rules it is not.
    pub confirmed: bool,
}

/// A rule that applies in no play, or a move that is legal in none, as far as is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The line of the rule, or of the first rule that gives such moves.
    pub line: Option<u32>,
    /// The rule, or the role and the move.
    pub text: String,
}

impl Finding {
    /// Nothing is known, but that no play of so many moves refutes it.
    pub fn open(bound: Option<u64>) -> Self {
        Self {
            verdict: Verdict::Open,
            method: None,
            bound,
            role: None,
            witness: None,
            reasons: Vec::new(),
            missing: Vec::new(),
            undecided: Vec::new(),
            confirmed: false,
        }
    }
}

/// What is not found out within limits is open.
///
/// # Errors
/// [`ReasonerError`] if something else went wrong.
pub fn within_limits(found: Result<Finding, ReasonerError>) -> Result<Finding, ReasonerError> {
    match found {
        Err(ReasonerError::Stopped(_)) => Ok(Finding::open(None)),
        found => found,
    }
}
