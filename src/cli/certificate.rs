//! Certificates as files: a line that says what is claimed of which game, and a line for each state in which a side
//! has a choice, unless the first line says what it does in all of them.

use std::path::Path;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cli::failure::{Exit, Failure};
use crate::cli::{input, output, shown};
use crate::gdl::{FluentId, Game, MoveId, Reasoner, RoleId, State, Vocabulary};
use crate::limits::Limits;
use crate::search::versus::{Claim, Refutation, Strategy, StrategyMoves, Unchecked, Worth, check};
use crate::syntax::Notation;
use crate::term::Case;

/// What the first line of a certificate says that it is.
const FORMAT: &str = "flux certificate 1";

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    /// A fingerprint of the rules.
    game: String,
    /// The state from which the claims hold: its fluents.
    start: Vec<String>,
    claims: Vec<WrittenClaim>,
}

/// A claim: one of the two bounds of a role.
#[derive(Debug, Serialize, Deserialize)]
struct WrittenClaim {
    role: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_least: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_most: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fixed: Option<FixedMoves>,
}

/// What a side does whatever the state: answers to moves of the other role, or one and the same move of some roles.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum FixedMoves {
    Replies {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opening: Option<String>,
        /// By move of the other role, the answer.
        replies: IndexMap<String, String>,
    },
    /// By role, the move.
    Constant(IndexMap<String, String>),
}

/// Any other line: what the side of a claim, by number, does in a state.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    claim: usize,
    state: Vec<String>,
    moves: Map<String, Value>,
}

/// Writes strategies as a certificate.
pub(super) fn write(
    name: &str,
    (game, vocabulary): (&Game, &Vocabulary),
    start: &State,
    strategies: &[Strategy],
) -> Result<(), Failure> {
    let mut text = String::new();
    let mut line = |value: serde_json::Result<String>| -> Result<(), Failure> {
        text += &value?;
        text.push('\n');
        Ok(())
    };
    let roles = game.roles().iter();
    let roles = roles.map(|&role| shown::whole(vocabulary, role));
    let roles = roles.collect::<Result<Vec<String>, Failure>>()?;
    let role = |role: RoleId| roles[role.0 as usize].clone();
    let claims = strategies.iter();
    let claims = claims.map(|strategy| {
        let fixed = fixed(&strategy.moves, vocabulary, &roles)?;
        Ok(written(role(strategy.role), (strategy.claim, fixed)))
    });
    let header = Header {
        format: FORMAT.to_owned(),
        game: game.fingerprint(vocabulary.store()),
        start: fluents(vocabulary, start)?,
        claims: claims.collect::<Result<_, Failure>>()?,
    };
    line(serde_json::to_string(&header))?;
    for (claim, strategy) in strategies.iter().enumerate() {
        let StrategyMoves::ByState(choices) = &strategy.moves else {
            continue;
        };
        let side = strategy.side(game.roles().len());
        for (state, moves) in choices {
            let moves = side.iter().zip(moves).map(|(&own, &mv)| {
                let mv = shown::whole(vocabulary, vocabulary.move_term(mv))?;
                Ok((role(own), Value::String(mv)))
            });
            let choice = Line {
                claim,
                state: fluents(vocabulary, state)?,
                moves: moves.collect::<Result<_, Failure>>()?,
            };
            line(serde_json::to_string(&choice))?;
        }
    }
    output::file(Path::new(name), &text)
}

/// What a side does whatever the state, if the strategy is of that kind.
fn fixed(
    moves: &StrategyMoves,
    vocabulary: &Vocabulary,
    roles: &[String],
) -> Result<Option<FixedMoves>, Failure> {
    let shown = |mv: MoveId| shown::whole(vocabulary, vocabulary.move_term(mv));
    Ok(match moves {
        StrategyMoves::ByState(_) => None,
        StrategyMoves::Replies { opening, replies } => {
            let replies = replies.iter();
            let replies = replies.map(|&(mv, answer)| Ok((shown(mv)?, shown(answer)?)));
            Some(FixedMoves::Replies {
                opening: opening.map(shown).transpose()?,
                replies: replies.collect::<Result<_, Failure>>()?,
            })
        }
        StrategyMoves::Constant(moves) => {
            let moves = moves.iter();
            let moves = moves.map(|&(role, mv)| Ok((roles[role.0 as usize].clone(), shown(mv)?)));
            Some(FixedMoves::Constant(moves.collect::<Result<_, Failure>>()?))
        }
    })
}

fn written(role: String, (claim, fixed): (Claim, Option<FixedMoves>)) -> WrittenClaim {
    let (at_least, at_most) = match claim {
        Claim::AtLeast(worth) => (worth.value(), None),
        Claim::AtMost(worth) => (None, worth.value()),
    };
    WrittenClaim {
        role,
        at_least: at_least.map(|value| value.0),
        at_most: at_most.map(|value| value.0),
        fixed,
    }
}

fn fluents(vocabulary: &Vocabulary, state: &State) -> Result<Vec<String>, Failure> {
    let fluents = state.fluents();
    let texts = fluents.map(|fluent| shown::whole(vocabulary, vocabulary.fluent_term(fluent)));
    let mut texts = texts.collect::<Result<Vec<String>, Failure>>()?;
    texts.sort_unstable();
    Ok(texts)
}

/// Reads terms, each of which comes again and again.
struct TermReader<'v> {
    game: &'v Game,
    vocabulary: &'v mut Vocabulary,
    case: Case,
    fluents: FxHashMap<String, FluentId>,
    moves: FxHashMap<String, MoveId>,
}

impl TermReader<'_> {
    fn state(&mut self, texts: &[String]) -> Result<State, String> {
        let mut state = State::default();
        for text in texts {
            let fluent = match self.fluents.get(text) {
                Some(&known) => known,
                None => {
                    let term = self
                        .vocabulary
                        .ground_term(text, Notation::Prefix, self.case);
                    let term = term.ok_or_else(|| format!("{text:?} is not a ground term"))?;
                    let fluent = self.vocabulary.fluent(term);
                    self.fluents.insert(text.clone(), fluent);
                    fluent
                }
            };
            state.insert(fluent);
        }
        Ok(state)
    }

    fn mv(&mut self, text: &str) -> Result<MoveId, String> {
        if let Some(&known) = self.moves.get(text) {
            return Ok(known);
        }
        let term = self
            .vocabulary
            .ground_term(text, Notation::Prefix, self.case);
        let mv = self
            .vocabulary
            .mv(term.ok_or_else(|| format!("{text:?} is not a ground term"))?);
        self.moves.insert(text.to_owned(), mv);
        Ok(mv)
    }

    fn role(&self, name: &str) -> Result<RoleId, String> {
        let mut roles = self.game.roles().iter();
        let place = roles
            .position(|&role| shown::whole(self.vocabulary, role).is_ok_and(|own| own == name));
        let place = place.ok_or_else(|| format!("{name:?} is not a role of this game"))?;
        Ok(RoleId(place as u32))
    }

    fn strategy(&mut self, claim: &WrittenClaim) -> Result<Strategy, String> {
        let role = self.role(&claim.role)?;
        let moves = match &claim.fixed {
            None => StrategyMoves::ByState(Vec::new()),
            Some(fixed) => self.fixed(fixed)?,
        };
        let worth = |value| Worth::of(crate::gdl::GoalValue(value));
        let claim = match (claim.at_least, claim.at_most) {
            (Some(value), None) if value <= 100 => Claim::AtLeast(worth(value)),
            (None, Some(value)) if value <= 100 => Claim::AtMost(worth(value)),
            _ => return Err("a claim is either at_least or at_most a value to 100".to_owned()),
        };
        let strategy = Strategy { role, claim, moves };
        let roles = self.game.roles().len();
        let is_of_side = match &strategy.moves {
            StrategyMoves::ByState(_) => true,
            StrategyMoves::Replies { .. } => roles == 2 && strategy.side(roles).len() == 1,
            StrategyMoves::Constant(moves) => {
                let side = strategy.side(roles);
                moves.iter().all(|(role, _)| side.contains(role))
            }
        };
        if !is_of_side {
            return Err("moves are fixed that are not those of the side of the claim".to_owned());
        }
        Ok(strategy)
    }

    fn fixed(&mut self, fixed: &FixedMoves) -> Result<StrategyMoves, String> {
        Ok(match fixed {
            FixedMoves::Replies { opening, replies } => {
                let opening = opening.as_ref().map(|text| self.mv(text)).transpose()?;
                let replies = replies.iter();
                let replies = replies.map(|(mv, answer)| Ok((self.mv(mv)?, self.mv(answer)?)));
                StrategyMoves::Replies {
                    opening,
                    replies: replies.collect::<Result<_, String>>()?,
                }
            }
            FixedMoves::Constant(moves) => {
                let moves = moves.iter();
                let moves = moves.map(|(role, mv)| Ok((self.role(role)?, self.mv(mv)?)));
                StrategyMoves::Constant(moves.collect::<Result<_, String>>()?)
            }
        })
    }

    fn choice(&mut self, line: &Line, strategies: &mut [Strategy]) -> Result<(), String> {
        let state = self.state(&line.state)?;
        let number = line.claim;
        let strategy = strategies
            .get_mut(number)
            .ok_or_else(|| format!("there is no claim {number}"))?;
        let side = strategy.side(self.game.roles().len());
        let StrategyMoves::ByState(choices) = &mut strategy.moves else {
            return Err(format!(
                "claim {number} says already what to do in all states"
            ));
        };
        let mut moves = Vec::new();
        for role in side {
            let name = shown::whole(self.vocabulary, self.game.roles()[role.0 as usize])
                .map_err(|failure| failure.message().to_owned())?;
            let Some(Value::String(text)) = line.moves.get(&name) else {
                return Err(format!("no move of {name}"));
            };
            moves.push(self.mv(text)?);
        }
        choices.push((state, moves));
        Ok(())
    }
}

/// Checks a certificate of a game by its rules and says what it proves.
pub(super) fn run(
    name: &str,
    (game, vocabulary): (&Game, &mut Vocabulary),
    (case, is_json): (Case, bool),
    limits: &Limits,
) -> Result<Exit, Failure> {
    let source = input::read(name)?;
    let reader = TermReader {
        game,
        vocabulary,
        case,
        fluents: FxHashMap::default(),
        moves: FxHashMap::default(),
    };
    let CertificateText {
        start,
        claims,
        strategies,
    } = read(source.text(), reader)
        .map_err(|(number, fault)| Failure::bad_input(format!("{name}:{}: {fault}", number + 1)))?;
    let mut reasoner = game.tabled(vocabulary, limits.clone())?;
    let mut proved = Vec::new();
    for (strategy, claim) in strategies.iter().zip(&claims) {
        let roles = game.roles().len();
        match check(&mut reasoner, vocabulary, &start, (strategy, roles)) {
            Ok(states) => proved.push((claim, states)),
            Err(Unchecked::Reasoner(error)) => return Err(error.into()),
            Err(Unchecked::Refuted(refutation)) => {
                let reason = reason(game, vocabulary, &refutation);
                let message = format!("{name}: {}: {reason}", words(claim));
                return Err(Failure::new(Exit::Negative, message));
            }
        }
    }
    let initial = reasoner.initial_state(vocabulary)?;
    tell(&proved, start == initial, is_json)?;
    Ok(Exit::Done)
}

/// What a file claims, and how it proves that.
struct CertificateText {
    start: State,
    claims: Vec<WrittenClaim>,
    /// One for each claim.
    strategies: Vec<Strategy>,
}

/// Reads a certificate. A fault comes with the index of its line.
fn read(text: &str, mut reader: TermReader<'_>) -> Result<CertificateText, (usize, String)> {
    let mut lines = text.lines().enumerate();
    let first = lines.next().map_or("", |(_, line)| line);
    let header: Header =
        serde_json::from_str(first).map_err(|error| (0, format!("not a certificate: {error}")))?;
    if header.format != FORMAT {
        return Err((0, format!("not a certificate of this version ({FORMAT})")));
    }
    // Told before any state is read: terms of another game would only be found strange one by one.
    if header.game != reader.game.fingerprint(reader.vocabulary.store()) {
        return Err((0, "this is a certificate of another game".to_owned()));
    }
    let start = reader.state(&header.start).map_err(|fault| (0, fault))?;
    let claims = header.claims.iter();
    let strategies: Result<Vec<Strategy>, String> =
        claims.map(|claim| reader.strategy(claim)).collect();
    let mut strategies = strategies.map_err(|fault| (0, fault))?;
    for (number, line) in lines {
        let line: Line = serde_json::from_str(line).map_err(|error| (number, error.to_string()))?;
        let read = reader.choice(&line, &mut strategies);
        read.map_err(|fault| (number, fault))?;
    }
    Ok(CertificateText {
        start,
        claims: header.claims,
        strategies,
    })
}

fn words(claim: &WrittenClaim) -> String {
    match (claim.at_least, claim.at_most) {
        (Some(value), _) => format!("{} can force {value}", claim.role),
        (_, Some(value)) => format!("the others can keep {} from more than {value}", claim.role),
        (None, None) => String::new(),
    }
}

fn tell(
    proved: &[(&WrittenClaim, u64)],
    is_from_start: bool,
    is_json: bool,
) -> Result<(), Failure> {
    if is_json {
        let claims = proved.iter().map(|(claim, states)| {
            serde_json::json!({
                "role": claim.role,
                "at_least": claim.at_least,
                "at_most": claim.at_most,
                "states": states,
            })
        });
        let claims: Vec<Value> = claims.collect();
        return output::json(&serde_json::json!({"proved": claims, "from_start": is_from_start}));
    }
    let mut page = String::new();
    for (claim, states) in proved {
        page += &format!("{}: proved in {states} states\n", words(claim));
    }
    if !is_from_start {
        page += "from another state than the first\n";
    }
    output::text(&page)
}

fn reason(game: &Game, vocabulary: &Vocabulary, refutation: &Refutation) -> String {
    let state = |state: &State| shown::state(vocabulary, state);
    match refutation {
        Refutation::Missing(at) => format!("it says nothing of the state {}", state(at)),
        Refutation::Illegal(at, role, mv) => format!(
            "{} is not legal for {} in the state {}",
            shown::mention(vocabulary, vocabulary.move_term(*mv)),
            shown::mention(vocabulary, game.roles()[role.0 as usize]),
            state(at)
        ),
        Refutation::Worse(at) => format!("it may end otherwise, in the state {}", state(at)),
        Refutation::Endless(at) => format!("it may come back to the state {}", state(at)),
        Refutation::Stuck(at) => format!("some role has no move in the state {}", state(at)),
    }
}
