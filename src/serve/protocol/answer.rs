//! What is answered.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis;
use crate::serve::protocol::request::{Id, JointMove};
use crate::syntax::DiagnosticJson;

/// Something that is said about a request.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Message {
    /// It is done.
    Result {
        /// Of the request.
        id: Id,
        /// What came of it.
        result: Box<Answer>,
    },
    /// It cannot be done.
    Error {
        /// Of the request; null if it could not be read.
        id: Option<Id>,
        /// Why.
        error: Failure,
    },
    /// It is being done. Comes after a moment, and then again and again.
    Progress {
        /// Of the request.
        id: Id,
        /// How far it is.
        progress: Seen,
    },
}

/// Why a request cannot be done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Failure {
    /// What kind of reason.
    pub code: Code,
    /// The reason in words.
    pub message: String,
    /// What is wrong with a text, and where.
    pub diagnostics: Vec<DiagnosticJson>,
}

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// The request is not one of the protocol.
    Malformed,
    /// Another request with this id is not done yet.
    IdInUse,
    /// No game was loaded.
    NoGame,
    /// The rules cannot be played.
    NotPlayable,
    /// A text, a number or a name in the request does not fit the game.
    BadInput,
    /// A move is not legal, is missing, or the game is over.
    IllegalMove,
    /// Time, memory or a size ran out.
    Limit,
    /// It was cancelled.
    Cancelled,
    /// A fault of this program.
    Internal,
}

impl Failure {
    /// A reason without places.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }
}

/// How far work is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Seen {
    /// What is done, in a word.
    pub stage: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// What is counted.
    pub unit: &'static str,
    /// Of how much, if that is known.
    pub total: Option<u64>,
    /// The best goal value found so far.
    pub best: Option<u8>,
}

/// What came of a request, by its kind.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Answer {
    /// Of `load`.
    Loaded(Loaded),
    /// Of `check`.
    Checked(Checked),
    /// Of `sheet`.
    Sheet(Sheet),
    /// Of `state`, `do`, `random`, `undo` and `go`.
    Position(Position),
    /// Of `legal`.
    Legal(Legal),
    /// Of `board`.
    Boards(Boards),
    /// Of `query`.
    Answers(Answers),
    /// Of `why`.
    Explained(Explained),
    /// Of `effects`.
    Effects(Effects),
    /// Of `analyze`.
    Analyzed(Analyzed),
    /// Of `picture`.
    Picture(Picture),
    /// Of `playout`.
    Played(Played),
    /// Of `solve`.
    Solved(Solved),
    /// Of `cancel`.
    Cancelled(Cancelled),
}

/// A game that is ready.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Loaded {
    /// What messages call the text.
    pub name: String,
    /// The roles, in the order of the rules.
    pub roles: Vec<String>,
    /// The number of rules.
    pub rules: usize,
    /// What answers questions about states.
    pub engine: &'static str,
    /// What is odd about the rules.
    pub diagnostics: Vec<DiagnosticJson>,
    /// The initial state.
    pub position: Position,
}

/// What is wrong with rules.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// Whether they can be played.
    pub ok: bool,
    /// All errors and the first warnings, in the order of the text.
    pub diagnostics: Vec<DiagnosticJson>,
}

/// The text of the rules.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Sheet {
    /// What messages call it.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A state that was visited, and the way to it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Position {
    /// The number of the state.
    pub at: usize,
    /// The state before; null for the initial one.
    pub before: Option<usize>,
    /// The joint move that led here.
    pub moves: Option<JointMove>,
    /// What that changed.
    pub changes: Option<Changes>,
    /// The visited states after this one, with the joint moves that lead there.
    pub after: Vec<Branch>,
    /// The number of joint moves made.
    pub step: usize,
    /// The fluents that hold.
    pub state: Vec<String>,
    /// By role, the legal moves.
    pub legal: IndexMap<String, Vec<String>>,
    /// Whether the game is over.
    pub terminal: bool,
    /// By role, the goal value of an end; null if the rules give it none or several.
    pub goals: Option<IndexMap<String, Option<u8>>>,
}

/// A visited state after another one.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Branch {
    /// The number of the state.
    pub at: usize,
    /// The joint move that leads there.
    pub moves: JointMove,
}

/// The fluents that a joint move changed.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Changes {
    /// What holds no more.
    pub gone: Vec<String>,
    /// What holds now.
    pub come: Vec<String>,
}

/// The legal moves in a state.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Legal {
    /// The number of the state.
    pub at: usize,
    /// By role.
    pub legal: IndexMap<String, Vec<String>>,
}

/// What holds in a state, as boards and tables.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Boards {
    /// The number of the state.
    pub at: usize,
    /// Fluents two of whose arguments are the coordinates of cells.
    pub boards: Vec<BoardOf>,
    /// The other fluents.
    pub tables: Vec<Table>,
    /// The legal moves that name cells.
    pub moves: Vec<BoardMove>,
}

/// A board.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoardOf {
    /// Its index among the boards.
    pub number: usize,
    /// The fluent that says what is on it, and which of several boards it is.
    pub name: String,
    /// The values of the first coordinate, in order.
    pub columns: Vec<String>,
    /// The values of the second coordinate, in order.
    pub rows: Vec<String>,
    /// What can be on a cell.
    pub pieces: Vec<String>,
    /// What is on most cells at the start; null if nothing is.
    pub background: Option<String>,
    /// The cells on which something is, by column and row.
    pub cells: Vec<BoardCell>,
}

/// A cell of a board.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct BoardCell {
    /// Which column, by index.
    pub column: usize,
    /// Which row, by index.
    pub row: usize,
    /// What is there, as the game names it.
    pub contents: Vec<String>,
    /// The fluents that say so.
    pub fluents: Vec<String>,
}

/// The instances of a fluent that hold.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Table {
    /// The fluent.
    pub name: String,
    /// The number of its arguments.
    pub arity: u32,
    /// The instances, in the order of their bytes.
    pub rows: Vec<TableRow>,
}

/// An instance of a fluent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TableRow {
    /// The whole.
    pub fluent: String,
    /// Its arguments.
    pub values: Vec<String>,
}

/// A legal move that names cells.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoardMove {
    /// Whose move it is.
    pub role: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The cells, in the order in which the move names them.
    pub cells: Vec<CellName>,
}

/// A cell, or a whole column or row.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CellName {
    /// The index of the board.
    pub board: usize,
    /// The index of the column; null for all.
    pub column: Option<usize>,
    /// The index of the row; null for all.
    pub row: Option<usize>,
}

/// The instances of a condition.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Answers {
    /// The number of the state.
    pub at: usize,
    /// For each the values of the variables; one without values if there are none and the condition holds.
    pub answers: Vec<IndexMap<String, String>>,
    /// Whether there are no others.
    pub complete: bool,
    /// Why there may be more.
    pub stopped: Option<String>,
}

/// Why something holds or not: one of the two is null.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Explained {
    /// The number of the state.
    pub at: usize,
    /// Whether it holds.
    pub holds: bool,
    /// Why it holds: step 0 is the goal.
    pub proof: Option<Vec<ProofStep>>,
    /// Why it does not: every rule that could give it.
    pub failure: Option<Vec<FailedRule>>,
}

/// A goal of a proof.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProofStep {
    /// The goal as it holds.
    pub goal: String,
    /// Why it holds.
    pub reason: Reason,
    /// Where its rule stands.
    pub rule: Option<Rule>,
    /// The goals that it rests on, by index. There is no cycle.
    pub children: Vec<usize>,
}

/// Why a goal holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A rule gives it.
    Rule,
    /// It is part of the state, or of the joint move.
    State,
    /// It is built in.
    Builtin,
    /// No rule gives what is negated.
    Negation,
    /// It is neither true nor false.
    Undefined,
    /// Its parts hold.
    Parts,
    /// It was not looked into.
    Omitted,
}

/// A rule that does not give a goal.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FailedRule {
    /// Where it stands; null for what holds in the state.
    pub rule: Option<Rule>,
    /// The condition that fails; null if the rule gives the goal after all.
    pub condition: Option<String>,
}

/// A rule of the sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Rule {
    /// Its first line, from 1.
    pub line: u32,
    /// Its text, on one line.
    pub text: String,
}

/// What a joint move would change.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Effects {
    /// The number of the state.
    pub at: usize,
    /// The joint move, of all roles.
    pub moves: JointMove,
    /// What changes; what goes comes first.
    pub changes: Vec<Change>,
}

/// A fluent that changes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Change {
    /// `+` if it comes, `-` if it goes.
    pub sign: &'static str,
    /// The fluent.
    pub fluent: String,
    /// The roles whose moves have to do with it; none if every joint move does it.
    pub roles: Vec<String>,
    /// The rules that give it, or could have kept it and do not.
    pub rules: Vec<Rule>,
    /// Conditions that hold and from which it follows.
    pub conditions: Vec<String>,
}

/// What the game is made of, as `flux analyze` says it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Analyzed {
    /// What `flux analyze --format json` prints.
    pub analysis: analysis::AnalysisReport,
}

/// A picture.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Picture {
    /// As SVG, without scripts, styles from elsewhere, or links.
    pub svg: String,
    /// What is left out.
    pub note: Option<String>,
}

/// How random playouts went.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Played {
    /// All of them: finished, cut and stuck.
    pub playouts: u64,
    /// Ended at a terminal state.
    pub finished: u64,
    /// Cut at a limit.
    pub cut: u64,
    /// Came to a state that is not terminal in which a role has no move.
    pub stuck: u64,
    /// Ended without a goal value for some role.
    pub undefined: u64,
    /// Ended with two goal values for some role.
    pub ambiguous: u64,
    /// Joint moves of finished playouts.
    pub mean_length: Option<f64>,
    /// By role.
    pub outcomes: IndexMap<String, Outcomes>,
    /// How long it took.
    pub seconds: f64,
    /// Why there are fewer than were asked for.
    pub stopped: Option<String>,
}

/// What a role got.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Outcomes {
    /// Playouts that give it a value.
    pub count: u64,
    /// The mean of these values.
    pub mean: Option<f64>,
    /// How often it was best, one of the best, not the best.
    pub win: u64,
    /// One of the best.
    pub draw: u64,
    /// Not the best.
    pub loss: u64,
}

/// Best play.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Solved {
    /// The number of the state.
    pub at: usize,
    /// By role, what it can force whatever the others do.
    pub values: IndexMap<String, ForcedValue>,
    /// Whether it is known exactly what all roles can force; by chance, where two with a constant sum choose at once.
    pub proved: bool,
    /// Joint moves of best play; null if none is known.
    pub line: Option<Vec<JointMove>>,
    /// States that were computed.
    pub states: u64,
    /// How it was found.
    pub algorithm: &'static str,
    /// How long it took.
    pub seconds: f64,
    /// What kept the search from its end.
    pub stopped: Option<String>,
}

/// Bounds of a goal value; null where nothing is known.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ForcedValue {
    /// The role can get so much.
    pub at_least: Option<u8>,
    /// The role cannot get more.
    pub at_most: Option<u8>,
}

/// Whether a request was stopped or kept from being begun.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Cancelled {
    /// False if it was done before, or never was.
    pub cancelled: bool,
}
