//! What must hold of any text whatever: shared by the property tests, the replay of the fuzzing
//! corpus, and the fuzz targets in `fuzz/`, so that all three look for the same faults.

use std::fmt::Write as _;

use flux::cli::render::{Style, render};
use flux::gdl::{
    Game, Goal, Playouts, Reasoner, ReasonerError, RoleId, RuleSheet, State, Tabled, Vocabulary,
};
use flux::limits::Limits;
use flux::syntax::{
    Diagnostic, Document, Node, NodeId, Notation, SentenceKind, Source, detect, parse, print,
};
use flux::term::{Case, Store};

/// Steps that one question about a random game may take.
const STEPS: u64 = 20_000;

/// Joint moves of a playout of a random game.
const MOVES: u64 = 6;

/// The clauses of a document as text: symbols of GDL in lower case, variables numbered by their
/// first occurrence in the sentence (`alpha`) or by name.
fn clauses(document: &Document, source: &Source, notation: Notation, alpha: bool) -> Vec<String> {
    let fold = |name: &str| match notation {
        Notation::Prefix | Notation::Infix => name.to_lowercase(),
        Notation::Prolog => name.to_owned(),
    };
    let mut result = Vec::new();
    for sentence in document.sentences() {
        let mut variables = Vec::new();
        let mut text = match sentence.kind {
            SentenceKind::Directive => "directive".to_owned(),
            SentenceKind::Fact | SentenceKind::Rule => String::new(),
        };
        let mut work: Vec<Option<NodeId>> = vec![];
        for &condition in document.children(sentence.body).iter().rev() {
            work.push(Some(condition));
        }
        work.push(Some(sentence.head));
        while let Some(next) = work.pop() {
            let Some(id) = next else {
                text.push(')');
                continue;
            };
            match document.node(id) {
                Node::Variable(name) => {
                    let name = document.name(source, name).to_owned();
                    let number = variables.iter().position(|known| *known == name);
                    let number = number.unwrap_or(variables.len());
                    if number == variables.len() {
                        variables.push(name.clone());
                    }
                    if alpha {
                        write!(text, " ?{number}").unwrap()
                    } else {
                        write!(text, " ?{name}").unwrap()
                    }
                }
                Node::Symbol(_) => {
                    write!(text, " {}", fold(&document.functor(source, id))).unwrap();
                }
                Node::Compound { .. } => {
                    write!(text, " ({}", fold(&document.functor(source, id))).unwrap();
                    work.push(None);
                    work.extend(document.arguments(id).iter().rev().map(|&id| Some(id)));
                }
                Node::Integer(value) => write!(text, " #{value}").unwrap(),
                Node::Float(value) => write!(text, " #{value:?}").unwrap(),
                Node::Big(name) => write!(text, " #{}", document.name(source, name)).unwrap(),
                Node::Text(name) => write!(text, " {:?}", document.name(source, name)).unwrap(),
            }
        }
        result.push(text);
    }
    result
}

/// Reads a text without faults, prints it in `target`, and checks all laws of that.
pub(crate) fn round_trip(
    source: &Source,
    notation: Notation,
    target: Notation,
) -> Result<(), String> {
    let parsed = parse(source, notation);
    if !parsed.diagnostics.is_empty() {
        return Err(format!("not read: {:?}", parsed.diagnostics[0]));
    }
    let alpha = notation != target;
    let printed = Source::new("printed", print(&parsed.document, source, target));
    let again = parse(&printed, target);
    if !again.diagnostics.is_empty() {
        return Err(format!(
            "printed text is not read: {:?}\n{}",
            again.diagnostics[0],
            printed.text()
        ));
    }
    let before = clauses(&parsed.document, source, notation, alpha);
    let after = clauses(&again.document, &printed, target, alpha);
    if before != after {
        return Err(format!("clauses differ:\n{before:?}\n{after:?}"));
    }
    let comments = (
        parsed.document.comments().len(),
        again.document.comments().len(),
    );
    if comments.1 < comments.0 && notation == target {
        return Err(format!("comments lost: {comments:?}"));
    }
    let twice = print(&again.document, &printed, target);
    if twice != printed.text() {
        return Err(format!("not idempotent:\n{}\n{twice}", printed.text()));
    }
    let back = Source::new("back", print(&again.document, &printed, notation));
    let home = parse(&back, notation);
    if clauses(&home.document, &back, notation, true)
        != clauses(&parsed.document, source, notation, true)
    {
        return Err(format!(
            "differs on the way back:\n{}\n{}",
            source.text(),
            back.text()
        ));
    }
    Ok(())
}

/// Reads any text in one notation: messages can be shown, what was understood can be printed, and
/// if all was, the printed text means the same.
pub(crate) fn syntax_laws(text: &str, notation: Notation) -> Result<(), String> {
    let source = Source::new("text", text);
    detect(&source);
    let parsed = parse(&source, notation);
    for diagnostic in &parsed.diagnostics {
        render(&source, diagnostic, Style::Plain);
    }
    print(&parsed.document, &source, notation);
    if !parsed.diagnostics.is_empty() {
        return Ok(());
    }
    let targets = match notation {
        Notation::Prefix | Notation::Infix => &[Notation::Prefix, Notation::Infix][..],
        Notation::Prolog => &[Notation::Prolog],
    };
    targets
        .iter()
        .try_for_each(|&target| round_trip(&source, notation, target))
}

/// The laws in every notation.
pub(crate) fn read_everything(text: &str) {
    for notation in [Notation::Prefix, Notation::Infix, Notation::Prolog] {
        assert_eq!(syntax_laws(text, notation), Ok(()), "{notation:?}: {text}");
    }
}

/// Reads any text as a game and plays a few moves: nothing panics, nothing hangs, and rules that
/// were evaluated beforehand mean the same as rules that are asked call by call.
pub(crate) fn game_laws(text: &str) -> Result<(), String> {
    let source = Source::new("text", text);
    let mut store = Store::new();
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    for diagnostic in &sheet.diagnostics {
        render(&source, diagnostic, Style::Plain);
    }
    if sheet.diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(());
    }
    let limits = Limits {
        steps: Some(STEPS),
        ..Limits::default()
    };
    let clauses = sheet.clauses.clone();
    let Ok(game) = Game::new(&mut store, source, sheet.clauses, &limits) else {
        return Ok(());
    };
    let roles = game.roles().to_vec();
    let mut vocabulary = Vocabulary::new(store);
    let Ok(mut prepared) = game.tabled(&mut vocabulary, limits.clone()) else {
        return Ok(());
    };
    let Ok(mut plain) = Tabled::new(vocabulary.store_mut(), clauses, roles, limits) else {
        return Err("refused without preparation only".to_owned());
    };
    for seed in 0..2 {
        // Either may need more steps than it is given.
        let _ = play(&game, &mut vocabulary, &mut prepared, &mut plain, seed)?;
    }
    let roles = game.roles().len() as u32;
    if let Ok(mut playouts) = Playouts::new(&mut prepared, &mut vocabulary, roles, 0, MOVES) {
        let _ = playouts.run(&mut prepared, &mut vocabulary, 0);
    }
    Ok(())
}

/// Plays with two reasoners at once and compares all they say; none if one of them stopped.
fn play(
    game: &Game,
    vocabulary: &mut Vocabulary,
    left: &mut Tabled,
    right: &mut Tabled,
    seed: usize,
) -> Result<Option<()>, String> {
    let pair = |left: Result<State, ReasonerError>, right: Result<State, ReasonerError>| {
        Some((left.ok()?, right.ok()?))
    };
    let roles = game.roles().len() as u32;
    let states = (
        left.initial_state(vocabulary),
        right.initial_state(vocabulary),
    );
    let Some((mut state, other)) = pair(states.0, states.1) else {
        return Ok(None);
    };
    if state != other {
        return Err("they start in different states".to_owned());
    }
    for number in 0..MOVES {
        let ends = (
            left.is_terminal(vocabulary, &state),
            right.is_terminal(vocabulary, &state),
        );
        let (Ok(terminal), Ok(other)) = ends else {
            return Ok(None);
        };
        if terminal != other {
            return Err(format!(
                "terminal after {number} moves: {terminal}, {other}"
            ));
        }
        for role in (0..roles).map(RoleId) {
            let goals = (
                left.goal(vocabulary, &state, role),
                right.goal(vocabulary, &state, role),
            );
            let (Ok(goal), Ok(other)) = goals else {
                return Ok(None);
            };
            if sorted_goal(&goal) != sorted_goal(&other) {
                return Err(format!("goal after {number} moves: {goal:?}, {other:?}"));
            }
        }
        if terminal {
            return Ok(Some(()));
        }
        let mut joint_move = Vec::new();
        for role in (0..roles).map(RoleId) {
            let (mut moves, mut others) = (Vec::new(), Vec::new());
            if left
                .legal_moves(vocabulary, &state, role, &mut moves)
                .is_err()
                || right
                    .legal_moves(vocabulary, &state, role, &mut others)
                    .is_err()
            {
                return Ok(None);
            }
            moves.sort_unstable();
            others.sort_unstable();
            if moves != others {
                return Err(format!("legal after {number} moves: {moves:?}, {others:?}"));
            }
            let Some(&mv) = moves.get(seed % moves.len().max(1)) else {
                return Ok(Some(()));
            };
            joint_move.push(mv);
        }
        let states = (
            left.successor(vocabulary, &state, &joint_move),
            right.successor(vocabulary, &state, &joint_move),
        );
        let Some((next, other)) = pair(states.0, states.1) else {
            return Ok(None);
        };
        if next != other {
            return Err(format!("they differ after move {number}"));
        }
        state = next;
    }
    Ok(Some(()))
}

/// A payoff with contradictions in an order of their own.
fn sorted_goal(goal: &Goal) -> Goal {
    match goal {
        Goal::Contradictory(values) => {
            let mut values = values.clone();
            values.sort_unstable();
            Goal::Contradictory(values)
        }
        Goal::Value(_) | Goal::Absent | Goal::NotAValue(_) => goal.clone(),
    }
}
