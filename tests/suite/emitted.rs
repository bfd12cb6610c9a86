//! Parts as rule sheets: playing each by itself and putting them together as `composition.json` says gives the
//! whole game, state by state: on random playouts of sample games, and on reference traces of games of others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use flux::gdl::{Reasoner, RoleId, State, Watcher};
use flux::limits::Limits;
use flux::syntax::{Notation, OperatorTable, Source, parse_term};
use flux::term::{Case, Lowering, Prefix, TermId};
use flux::workbench::Workbench;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::collection::{material, sample_games};
use crate::composed_game::composed;

/// Random playouts of each sample game, and moves of each at most.
const PLAYOUTS: u64 = 3;
const MOVES: usize = 40;

/// Random games.
const RANDOM_GAMES: u64 = 40;

type Fluents = BTreeSet<String>;

/// A sheet that is played.
struct Sheet {
    game: Workbench,
    /// The concepts that it defines, in the order in which they are watched.
    concepts: Vec<String>,
    watcher: Option<Watcher>,
}

impl Sheet {
    fn read(path: &Path, concepts: Vec<String>) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let mut game = Workbench::read(&text)
            .unwrap_or_else(|error| panic!("{}: {error}\n{text}", path.display()));
        let faults: Vec<_> = game
            .warnings()
            .iter()
            .filter(|one| one.is_error())
            .collect();
        assert!(faults.is_empty(), "{}: {faults:?}", path.display());
        let parts = game.parts();
        let atoms: Vec<TermId> = concepts
            .iter()
            .map(|name| parts.vocabulary.store_mut().constant(name))
            .collect();
        let watcher = (!atoms.is_empty()).then(|| {
            let limits = Limits::default();
            parts
                .game
                .watcher(parts.vocabulary, &atoms, &limits)
                .unwrap()
        });
        Self {
            game,
            concepts,
            watcher,
        }
    }

    fn term(&mut self, text: &str) -> TermId {
        let source = Source::new("term", text);
        let (document, node) =
            parse_term(&source, Notation::Prefix, &OperatorTable::prolog()).unwrap();
        let store = self.game.parts().vocabulary.store_mut();
        Lowering::new(&document, &source, Case::Fold).term(store, node)
    }

    fn state(&mut self, fluents: &Fluents) -> State {
        let terms: Vec<TermId> = fluents.iter().map(|text| self.term(text)).collect();
        let vocabulary = self.game.parts().vocabulary;
        terms
            .into_iter()
            .map(|term| vocabulary.fluent(term))
            .collect()
    }

    fn holding(&mut self, fluents: &Fluents) -> Vec<(String, bool)> {
        let state = self.state(fluents);
        let Some(watcher) = &mut self.watcher else {
            return Vec::new();
        };
        let held = watcher
            .holding(self.game.parts().vocabulary, &state)
            .unwrap();
        let names = self.concepts.iter().enumerate();
        names
            .map(|(place, name)| (name.clone(), held.contains(place)))
            .collect()
    }

    /// The state after local moves, each of which must be legal.
    fn next(&mut self, fluents: &Fluents, moves: &[String]) -> Fluents {
        let state = self.state(fluents);
        let terms: Vec<TermId> = moves.iter().map(|mv| self.term(mv)).collect();
        let parts = self.game.parts();
        let mut joint = Vec::new();
        for (role, term) in terms.into_iter().enumerate() {
            let mv = parts.vocabulary.mv(term);
            let mut legal = Vec::new();
            let role = RoleId(role as u32);
            parts
                .player
                .legal_moves(parts.vocabulary, &state, role, &mut legal)
                .unwrap();
            assert!(
                legal.contains(&mv),
                "{} is not legal in {fluents:?}",
                moves[role.0 as usize]
            );
            joint.push(mv);
        }
        let next = parts
            .player
            .successor(parts.vocabulary, &state, &joint)
            .unwrap();
        let store = |id| parts.vocabulary.fluent_term(id);
        let terms: Vec<TermId> = next.fluents().map(store).collect();
        let texts = terms
            .into_iter()
            .map(|term| Prefix::new(parts.vocabulary.store(), term).to_string());
        texts.collect()
    }
}

/// A game that is put together from its parts.
struct Composed {
    composition: Value,
    sheets: BTreeMap<String, Sheet>,
}

impl Composed {
    /// None for games of which it is said that their parts have no sheets.
    fn of(game: &Path) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_flux"))
            .arg("decompose")
            .arg(game)
            .arg("--out")
            .arg(folder.path())
            .output()
            .unwrap();
        if String::from_utf8_lossy(&output.stderr).contains("have no sheets") {
            assert_eq!(output.status.code(), Some(3));
            return None;
        }
        assert!(output.status.success(), "{}: {output:?}", game.display());
        let text = std::fs::read_to_string(folder.path().join("composition.json")).unwrap();
        let composition: Value = serde_json::from_str(&text).unwrap();
        let mut sheets = BTreeMap::new();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(!name.starts_with('.'), "{name} was left behind");
            if name.ends_with(".gdl") {
                let concepts = composition["concepts"].as_object().unwrap().iter();
                let own = concepts.filter(|(_, file)| file.as_str() == Some(&name));
                let own = own.map(|(concept, _)| concept.clone()).collect();
                sheets.insert(name.clone(), Sheet::read(&folder.path().join(&name), own));
            }
        }
        Some(Self {
            composition,
            sheets,
        })
    }

    /// What holds of all concepts and formulas; an operand comes before what it is one of.
    fn truths(&mut self, state: &Fluents) -> BTreeMap<String, bool> {
        let mut truths = BTreeMap::new();
        for sheet in self.sheets.values_mut() {
            truths.extend(sheet.holding(state));
        }
        let formulas = self.composition["formulas"].as_object().unwrap();
        for number in 1..=formulas.len() {
            let name = format!("formula{number}");
            let mut conditions = formulas[&name].as_array().unwrap().iter();
            let all = conditions.all(|condition| is_so(&truths, condition));
            truths.insert(name, all);
        }
        truths
    }

    /// Compares with what is known of a state: legal moves by role, whether it is over.
    fn compare(&mut self, state: &Fluents, known: &Value) {
        let truths = self.truths(state);
        let over = is_so(&truths, &self.composition["terminal"]);
        assert_eq!(known["terminal"], over, "end of {state:?}");
        if over {
            for (role, value) in known["goals"].as_object().into_iter().flatten() {
                let values = self.composition["goals"][role].as_object().unwrap().iter();
                let had = values.filter(|(_, condition)| is_so(&truths, condition));
                let had: Vec<&str> = had.map(|(value, _)| value.as_str()).collect();
                if !value.is_null() {
                    assert_eq!(had, [value.to_string()], "goal of {role} in {state:?}");
                }
            }
            return;
        }
        for (role, moves) in known["legal"].as_object().unwrap() {
            let all = self.composition["moves"][role].as_object().unwrap().iter();
            let legal = all.filter(|(_, mv)| is_so(&truths, &mv["legal"]));
            let legal: BTreeSet<String> = legal.map(|(mv, _)| mv.clone()).collect();
            let moves = moves.as_array().unwrap().iter();
            let expected = moves.map(|mv| mv.as_str().unwrap().to_owned());
            assert_eq!(
                legal,
                expected.collect::<BTreeSet<_>>(),
                "{role} in {state:?}"
            );
        }
    }

    /// The state after a joint move, by role.
    fn next(&mut self, state: &Fluents, joint: &Value) -> Fluents {
        let truths = self.truths(state);
        let roles = self.composition["roles"].as_array().unwrap().iter();
        let roles: Vec<String> = roles
            .map(|role| role.as_str().unwrap().to_owned())
            .collect();
        let parts = self.composition["parts"].as_array().unwrap().clone();
        let mut next = Fluents::new();
        for (number, part) in parts.iter().enumerate() {
            let own = part["fluents"].as_array().unwrap().iter();
            let own: Fluents = own.map(|text| text.as_str().unwrap().to_owned()).collect();
            let moves = roles.iter().map(|role| {
                let mv = joint[role].as_str().unwrap();
                self.composition["moves"][role][mv]["parts"][number]
                    .as_str()
                    .map(str::to_owned)
            });
            let after = match moves.collect::<Option<Vec<String>>>() {
                Some(moves) => {
                    let sheet = part["sheet"].as_str().unwrap();
                    self.sheets.get_mut(sheet).unwrap().next(state, &moves)
                }
                None => state.clone(),
            };
            next.extend(after.intersection(&own).cloned());
        }
        let timed = self.composition["by_itself"].as_object().unwrap().clone();
        let waiting = vec!["elsewhere".to_owned(); roles.len()];
        let sheet = self.sheets.get_mut("by_itself.gdl");
        let after = sheet
            .map(|sheet| sheet.next(state, &waiting))
            .unwrap_or_default();
        for (fluent, timed) in &timed {
            let holds = match &timed["next"] {
                Value::Null => after.contains(fluent),
                Value::String(_)
                | Value::Bool(_)
                | Value::Number(_)
                | Value::Array(_)
                | Value::Object(_) => is_so(&truths, &timed["next"]),
            };
            next.extend(holds.then(|| fluent.clone()));
        }
        next
    }
}

/// Whether a condition holds: a name, perhaps with `not` before it.
fn is_so(truths: &BTreeMap<String, bool>, condition: &Value) -> bool {
    let text = condition.as_str().unwrap();
    match text.strip_prefix("not ") {
        Some(name) => !truths[name],
        None => truths[text],
    }
}

fn fluents(state: &Value) -> Fluents {
    let state = state.as_array().unwrap().iter();
    state
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

/// Follows a trace; gives the number of moves.
fn follow(composed: &mut Composed, trace: &[Value]) -> usize {
    let mut moves = 0;
    for (place, line) in trace.iter().enumerate() {
        let state = fluents(&line["state"]);
        composed.compare(&state, line);
        let then = trace.get(place + 1).filter(|then| then["step"] != 0);
        if let (Some(then), Some(_)) = (then, line["move"].as_object()) {
            assert_eq!(
                composed.next(&state, &line["move"]),
                fluents(&then["state"])
            );
            moves += 1;
        }
    }
    moves
}

/// A random playout as a trace.
fn playout(game: &mut Workbench, seed: u64) -> Vec<Value> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = game.initial_state().unwrap();
    let mut trace = Vec::new();
    for step in 0..MOVES {
        let over = game.is_terminal(&state).unwrap();
        let (mut legal, mut goals, mut joint) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for role in game.roles() {
            let moves = game.legal_moves(&state, &role).unwrap();
            if over {
                let value = game.goal_value(&state, &role).unwrap();
                goals.insert(role, value.map(|value| value.0));
            } else {
                joint.insert(
                    role.clone(),
                    moves[random.random_range(0..moves.len())].clone(),
                );
                legal.insert(role, moves);
            }
        }
        let made: Vec<&str> = game
            .roles()
            .iter()
            .filter_map(|role| joint.get(role))
            .map(|mv| &mv[..])
            .collect();
        let fluents = game.fluents(&state);
        trace.push(serde_json::json!({
            "step": step, "state": fluents, "legal": legal, "terminal": over, "goals": goals, "move": joint,
        }));
        if over {
            break;
        }
        state = game.play(&state, &made).unwrap();
    }
    trace
}

/// Follows random playouts of a game; gives the number of moves.
fn follow_playouts(path: &Path) -> usize {
    let Some(mut composed) = Composed::of(path) else {
        return 0;
    };
    let mut game = Workbench::read(&std::fs::read_to_string(path).unwrap()).unwrap();
    let seeds = 0..PLAYOUTS;
    seeds
        .map(|seed| follow(&mut composed, &playout(&mut game, seed)))
        .sum()
}

#[test]
fn parts_of_sample_games_put_together_are_the_games() {
    let games = sample_games();
    let moves: usize = games.iter().map(|path| follow_playouts(path)).sum();
    assert!(moves > 200, "only {moves} moves");
}

/// Sums, products and series, of one and of two roles.
#[test]
fn parts_of_random_games_put_together_are_the_games() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..RANDOM_GAMES {
        let path = folder.path().join(format!("{seed}.kif"));
        std::fs::write(&path, composed(seed).text).unwrap();
        assert!(follow_playouts(&path) > 0, "game {seed} is not followed");
    }
}

#[test]
#[ignore = "needs the collection of games and their traces, FLUX_MATERIAL"]
fn parts_put_together_give_the_reference_traces() {
    let table = std::fs::read_to_string(material("games").join("decomposition.tsv")).unwrap();
    for line in table.lines().skip(1) {
        let name = line.split('\t').next().unwrap();
        let path: PathBuf = material("games").join(format!("{name}.kif"));
        let Some(mut composed) = Composed::of(&path) else {
            panic!("{name}: no sheets");
        };
        let packed = material("oracle").join(format!("{name}.jsonl.gz"));
        let output = Command::new("gzip")
            .arg("-dc")
            .arg(&packed)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines = text.lines().skip(1);
        let trace: Vec<Value> = lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let moves = follow(&mut composed, &trace);
        assert!(moves > 0, "{name}: no moves");
    }
}
