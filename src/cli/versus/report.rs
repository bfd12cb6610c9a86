//! What several roles can force, for programs: the JSON of `flux solve`.

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::Value;

use crate::cli::failure::Failure;
use crate::cli::shown;
use crate::cli::versus::page::{fault, points};
use crate::cli::versus::valued_move::ValuedMove;
use crate::gdl::{Game, MoveId, RoleId, Vocabulary};
use crate::search::versus::{
    Bounds, Claim, ConstantStrategy, ForcingOutcome, Mixed, ReplyStrategy, Tally,
};

/// What `flux solve` prints for games of several roles.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Versus", transform = moves_before_counts)]
pub(in crate::cli) struct VersusReport {
    /// By role, what it can force whatever the others do.
    values: IndexMap<String, BoundsReport>,
    /// Whether it is known exactly what all roles can force; by chance, where two with a constant sum choose at once.
    proved: bool,
    kind: &'static str,
    kind_proved: bool,
    /// Where two roles choose at once: what they can force on average, and how; fractions are text.
    mixed: Option<MixedReport>,
    /// Strategies of two roles that answer each move by a fixed one, proved without a search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replies: Vec<ReplyReport>,
    /// Strategies of roles that make one move whenever it is legal, proved without a search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constants: Vec<ConstantReport>,
    /// By role, the payoff under backward induction; `null` where there is none.
    backward_induction: Option<IndexMap<String, Option<u8>>>,
    /// Best play of all roles: joint moves, by role.
    line: Option<Vec<IndexMap<String, String>>>,
    states: u64,
    seconds: f64,
    algorithm: &'static str,
    /// What is wrong with the rules or kept the search from its end.
    fault: Option<String>,
    #[serde(flatten)]
    counts: Option<CountsReport>,
    /// With --all: every joint move of those who choose, with what it leaves to each role.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<ValuedMoveReport>>,
}

/// How many of all reachable states are worth what.
#[derive(Debug, Serialize, JsonSchema)]
struct CountsReport {
    /// With --strong: the number of reachable states.
    positions: Option<u64>,
    /// With --strong, and layer by layer: moves of the longest win that is not given away.
    longest: Option<u64>,
    /// With --strong and two roles: of these, how many the first role wins, draws and loses.
    won: Option<u64>,
    drawn: Option<u64>,
    lost: Option<u64>,
}

/// What a role forces by fixed answers; where there is none, or it is not legal, it may make any move.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Replies")]
struct ReplyReport {
    role: String,
    at_least: Option<u8>,
    /// The move that it begins with; `null` if it may begin with any.
    opening: Option<String>,
    /// By move of the other role, the answer.
    replies: IndexMap<String, String>,
}

/// What a role gets where some roles, itself or others, make one move each whenever it is legal.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Constants")]
struct ConstantReport {
    role: String,
    at_least: Option<u8>,
    at_most: Option<u8>,
    /// By role, the move.
    moves: IndexMap<String, String>,
}

/// The values of mixed strategies, and how often each move of a role is drawn.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Mixed")]
struct MixedReport {
    values: IndexMap<String, String>,
    strategies: IndexMap<String, IndexMap<String, String>>,
}

/// A joint move and what it leaves to each role.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Choice")]
struct ValuedMoveReport {
    #[serde(rename = "move")]
    joint: IndexMap<String, String>,
    values: IndexMap<String, BoundsReport>,
}

/// Goal values; `null` where no payoff can be forced.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Bounds")]
struct BoundsReport {
    at_least: Option<u8>,
    at_most: Option<u8>,
}

/// The schema names `moves` before what `--strong` adds; in a result it comes last.
fn moves_before_counts(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let Some(properties) = properties else {
        return;
    };
    for name in ["positions", "longest", "won", "drawn", "lost"] {
        if let Some(property) = properties.shift_remove(name) {
            properties.insert(name.to_owned(), property);
        }
    }
}

impl VersusReport {
    pub(super) fn of(
        game: &Game,
        vocabulary: &Vocabulary,
        outcome: &ForcingOutcome,
        seconds: f64,
    ) -> Result<Self, Failure> {
        let mixed = outcome.mixed.as_ref();
        let line = outcome.line.as_ref();
        let is_pair = outcome.bounds.len() == 2;
        Ok(Self {
            values: values(game, vocabulary, &outcome.bounds)?,
            proved: outcome.is_exact(),
            kind: outcome.kind.name(),
            kind_proved: outcome.kind.is_proved,
            mixed: mixed
                .map(|found| MixedReport::of(game, vocabulary, found))
                .transpose()?,
            replies: outcome
                .replies
                .iter()
                .map(|strategy| ReplyReport::of(game, vocabulary, strategy))
                .collect::<Result<_, Failure>>()?,
            constants: outcome
                .constants
                .iter()
                .map(|strategy| ConstantReport::of(game, vocabulary, strategy))
                .collect::<Result<_, Failure>>()?,
            backward_induction: induced(game, vocabulary, outcome)?,
            line: line
                .map(|line| {
                    let moves = line.iter().map(|joint| joint_move(game, vocabulary, joint));
                    moves.collect::<Result<Vec<_>, Failure>>()
                })
                .transpose()?,
            states: outcome.states,
            seconds,
            algorithm: outcome.algorithm.name(),
            fault: fault(game, vocabulary, outcome),
            counts: outcome.tally.map(|tally| CountsReport::of(tally, is_pair)),
            moves: None,
        })
    }

    /// Adds what each joint move leads to.
    pub(super) fn add_moves(
        &mut self,
        game: &Game,
        vocabulary: &Vocabulary,
        moves: &[ValuedMove],
    ) -> Result<(), Failure> {
        let moves = moves.iter().map(|one| {
            Ok(ValuedMoveReport {
                joint: joint_move(game, vocabulary, &one.joint)?,
                values: values(game, vocabulary, &one.bounds)?,
            })
        });
        self.moves = Some(moves.collect::<Result<_, Failure>>()?);
        Ok(())
    }
}

impl CountsReport {
    fn of(tally: Tally, is_pair: bool) -> Self {
        Self {
            positions: Some(tally.positions),
            longest: tally.longest.map(u64::from),
            won: is_pair.then_some(tally.won),
            drawn: is_pair.then_some(tally.drawn),
            lost: is_pair.then_some(tally.lost),
        }
    }
}

impl MixedReport {
    fn of(game: &Game, vocabulary: &Vocabulary, mixed: &Mixed) -> Result<Self, Failure> {
        let (mut values, mut strategies) = (IndexMap::new(), IndexMap::new());
        for (number, (&role, value)) in game.roles().iter().zip(&mixed.values).enumerate() {
            let role = shown::whole(vocabulary, role)?;
            values.insert(role.clone(), value.to_string());
            let Some(strategy) = mixed.strategies.get(number) else {
                continue;
            };
            let moves = strategy.iter().map(|(mv, part)| {
                let mv = shown::whole(vocabulary, vocabulary.move_term(*mv))?;
                Ok((mv, part.to_string()))
            });
            let moves = moves.collect::<Result<_, Failure>>()?;
            strategies.insert(role, moves);
        }
        Ok(Self { values, strategies })
    }
}

impl ReplyReport {
    fn of(game: &Game, vocabulary: &Vocabulary, strategy: &ReplyStrategy) -> Result<Self, Failure> {
        let shown = |mv: MoveId| shown::whole(vocabulary, vocabulary.move_term(mv));
        let replies = strategy.replies.iter();
        let replies = replies.map(|&(mv, answer)| Ok((shown(mv)?, shown(answer)?)));
        Ok(Self {
            role: role_name(game, vocabulary, strategy.role)?,
            at_least: points(strategy.at_least),
            opening: strategy.opening.map(shown).transpose()?,
            replies: replies.collect::<Result<_, Failure>>()?,
        })
    }
}

impl ConstantReport {
    fn of(
        game: &Game,
        vocabulary: &Vocabulary,
        strategy: &ConstantStrategy,
    ) -> Result<Self, Failure> {
        let moves = strategy.moves.iter().map(|&(role, mv)| {
            let mv = shown::whole(vocabulary, vocabulary.move_term(mv))?;
            Ok((role_name(game, vocabulary, role)?, mv))
        });
        let (at_least, at_most) = match strategy.claim {
            Claim::AtLeast(worth) => (points(worth), None),
            Claim::AtMost(worth) => (None, points(worth)),
        };
        Ok(Self {
            role: role_name(game, vocabulary, strategy.role)?,
            at_least,
            at_most,
            moves: moves.collect::<Result<_, Failure>>()?,
        })
    }
}

fn role_name(game: &Game, vocabulary: &Vocabulary, role: RoleId) -> Result<String, Failure> {
    let role = game.roles().get(role.0 as usize);
    let name = role.map(|&role| shown::whole(vocabulary, role));
    Ok(name.transpose()?.unwrap_or_default())
}

/// The bounds of all roles.
fn values(
    game: &Game,
    vocabulary: &Vocabulary,
    bounds: &[Bounds],
) -> Result<IndexMap<String, BoundsReport>, Failure> {
    by_role(game, vocabulary, bounds, |bounds| BoundsReport {
        at_least: points(bounds.at_least),
        at_most: points(bounds.at_most),
    })
}

/// The payoffs under backward induction, if they are known.
fn induced(
    game: &Game,
    vocabulary: &Vocabulary,
    outcome: &ForcingOutcome,
) -> Result<Option<IndexMap<String, Option<u8>>>, Failure> {
    let worths = outcome.induced.as_ref();
    worths
        .map(|worths| by_role(game, vocabulary, worths, |&worth| points(worth)))
        .transpose()
}

/// Something of each role under its name.
fn by_role<T, R>(
    game: &Game,
    vocabulary: &Vocabulary,
    parts: &[T],
    report: impl Fn(&T) -> R,
) -> Result<IndexMap<String, R>, Failure> {
    let parts = game.roles().iter().zip(parts);
    let named = parts.map(|(&role, part)| Ok((shown::whole(vocabulary, role)?, report(part))));
    named.collect()
}

fn joint_move(
    game: &Game,
    vocabulary: &Vocabulary,
    joint: &[MoveId],
) -> Result<IndexMap<String, String>, Failure> {
    let mut moves = IndexMap::new();
    for (&role, &mv) in game.roles().iter().zip(joint) {
        let mv = shown::whole(vocabulary, vocabulary.move_term(mv))?;
        moves.insert(shown::whole(vocabulary, role)?, mv);
    }
    Ok(moves)
}
