//! What makes circuits small does not change what they say: proved output by output.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Gates, Signal};
use crate::circuit::ground::{self, Atom, GroundProgram};
use crate::circuit::narrow::narrow;
use crate::circuit::sat::cardinality::at_most_one;
use crate::circuit::sat::encode::Encoding;
use crate::circuit::sat::solver::{Answer, Literal, Solver};
use crate::circuit::schedule::needed;
use crate::gdl::{Game, RuleSheet};
use crate::limits::{Limits, StopFlag};
use crate::syntax::{Source, detect};
use crate::term::{Case, PredicateSet, Store, TermId};

/// A king and a rook of each side on a board of three by three. A move must not leave the king to a rook other than
/// the one that is taken, through the square that is left.
const ROOKS: &str = "
    (role white) (role black) (opponent white black) (opponent black white)
    (index 1) (index 2) (index 3) (succ 1 2) (succ 2 3) (place 1) (place 2) (place 3)
    (init (cell 1 1 (king white))) (init (cell 2 1 (rook white))) (init (cell 1 2 empty))
    (init (cell 3 3 (king black))) (init (cell 2 3 (rook black))) (init (cell 2 2 empty))
    (init (cell 3 1 (rook black))) (init (cell 3 2 empty)) (init (cell 1 3 empty))
    (init (control white))
    (<= (different ?x ?y ?u ?v) (distinct ?x ?u) (place ?x) (place ?y) (place ?u) (place ?v))
    (<= (different ?x ?y ?u ?v) (distinct ?y ?v) (place ?x) (place ?y) (place ?u) (place ?v))
    (<= (near ?x ?y) (succ ?x ?y))
    (<= (near ?x ?y) (succ ?y ?x))
    (<= (row ?x ?y ?u ?y ?ix ?iy) (near ?x ?u) (index ?y) (index ?ix) (index ?iy))
    (<= (row ?x ?y ?u ?y ?ix ?iy) (succ ?x ?m) (succ ?m ?u) (true (cell ?m ?y empty)) (index ?ix) (index ?iy))
    (<= (row ?x ?y ?u ?y ?m ?y) (succ ?x ?m) (succ ?m ?u) (index ?y))
    (<= (column ?x ?y ?x ?v ?ix ?iy) (near ?y ?v) (index ?x) (index ?ix) (index ?iy))
    (<= (column ?x ?y ?x ?v ?ix ?iy) (succ ?y ?m) (succ ?m ?v) (true (cell ?x ?m empty)) (index ?ix) (index ?iy))
    (<= (column ?x ?y ?x ?v ?x ?m) (succ ?y ?m) (succ ?m ?v) (index ?x))
    (<= (threat ?p ?cx ?cy ?x ?y ?ix ?iy)
        (opponent ?p ?o)
        (true (cell ?u ?v (rook ?o)))
        (or (row ?u ?v ?x ?y ?ix ?iy) (column ?u ?v ?x ?y ?ix ?iy) (row ?x ?y ?u ?v ?ix ?iy))
        (different ?cx ?cy ?u ?v))
    (<= (free ?p ?x ?y) (true (cell ?x ?y empty)) (role ?p))
    (<= (free ?p ?x ?y) (true (cell ?x ?y (rook ?o))) (opponent ?p ?o))
    (<= (legal ?p (move ?x ?y ?u ?v))
        (true (control ?p))
        (true (cell ?x ?y (rook ?p)))
        (or (row ?x ?y ?u ?v ?x ?y) (column ?x ?y ?u ?v ?x ?y))
        (free ?p ?u ?v)
        (true (cell ?kx ?ky (king ?p)))
        (not (threat ?p ?u ?v ?kx ?ky ?x ?y)))
    (<= (legal ?p stay) (role ?p))
    (<= (next (cell ?u ?v (rook ?p))) (does ?p (move ?x ?y ?u ?v)))
    (<= (next (cell ?x ?y empty)) (does ?p (move ?x ?y ?u ?v)))
    (<= (next (cell ?a ?b ?c))
        (true (cell ?a ?b ?c)) (does ?p (move ?x ?y ?u ?v)) (different ?a ?b ?x ?y) (different ?a ?b ?u ?v))
    (<= (next (cell ?a ?b ?c)) (true (cell ?a ?b ?c)) (true (control ?p)) (does ?p stay))
    (<= (next (control ?o)) (true (control ?p)) (opponent ?p ?o))
    (<= (goal ?p 100) (role ?p) (not (lost ?p)))
    (<= (goal ?p 0) (lost ?p))
    (<= (lost ?p) (true (cell ?kx ?ky (king ?p))) (index ?ix) (index ?iy) (threat ?p 0 0 ?kx ?ky ?ix ?iy))
    (<= (lost ?p) (true (cell ?kx ?ky (king ?p))) (index ?i) (threat ?p ?i ?i ?kx ?ky ?i ?i))
    (<= terminal (lost ?p))";

/// What a circuit gives, by name.
type Outputs = BTreeMap<(u8, usize, TermId), Signal>;

/// Reads the rules of a game.
pub(in crate::circuit) fn read(
    store: &mut Store,
    name: &str,
    rules: Vec<u8>,
) -> Result<Game, Box<dyn Error>> {
    let source = Source::from_bytes(name, rules)?;
    let sheet = RuleSheet::read(store, &source, detect(&source), Case::Fold);
    Ok(Game::new(store, source, sheet.clauses, &Limits::default())?)
}

/// Does something with every sample game whose atoms do not depend on each other, and the rooks.
fn for_each_game(
    mut look: impl FnMut(&mut Store, &Game, &GroundProgram) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kb/games");
    let mut games = vec![("rooks".to_owned(), ROOKS.as_bytes().to_vec())];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() {
            games.push((path.display().to_string(), fs::read(path)?));
        }
    }
    games.sort();
    assert!(games.len() > 15);
    for (name, rules) in games {
        let mut store = Store::new();
        let game = read(&mut store, &name, rules)?;
        let program = ground::ground(&game, &mut store, &Limits::default(), 100_000)?;
        look(&mut store, &game, &program).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// A gate for each rule and each atom, as they stand; nothing is made smaller.
fn literally(store: &Store, program: &GroundProgram, roles: usize) -> Option<Circuit> {
    let mut gates = Gates::default();
    let source = |gates: &mut Gates, atom: &Atom| match *atom {
        Atom::True(fluent) => Some(gates.source(Gate::Fluent(fluent))),
        Atom::Does(mv) => Some(gates.source_move(program.moves[mv as usize].0, mv)),
        Atom::Void => Some(Signal::FALSE),
        Atom::Next(_) | Atom::Legal(_) | Atom::Goal(..) | Atom::Terminal | Atom::Other(..) => None,
    };
    let atoms = program.atoms.iter();
    let mut signals: Vec<Option<Signal>> = atoms.map(|atom| source(&mut gates, atom)).collect();
    loop {
        let before = signals.iter().flatten().count();
        for atom in 0..signals.len() {
            if signals[atom].is_some() {
                continue;
            }
            let bodies = program.rules_of(atom).map(|rule| {
                let literals = program.rule(rule).1.iter();
                let inputs = literals.map(|literal| {
                    Some(signals[literal.atom()]?.inverted_if(literal.is_negated()))
                });
                inputs.collect::<Option<Vec<Signal>>>()
            });
            let Some(bodies) = bodies.collect::<Option<Vec<_>>>() else {
                continue;
            };
            // A disjunction of bodies: not all of them fail.
            let mut none: Vec<Signal> = bodies
                .into_iter()
                .map(|mut inputs| !gates.narrow_and(&mut inputs, usize::MAX))
                .collect();
            signals[atom] = Some(!gates.narrow_and(&mut none, usize::MAX));
        }
        if signals.iter().flatten().count() == before {
            break;
        }
    }
    let signals: Vec<Signal> = signals.into_iter().collect::<Option<_>>()?;
    let signal = |atom: usize| signals[atom];
    Some(Circuit::of_atoms(store, program, roles, (gates, &signal)))
}

/// What a state and a joint move give a circuit.
fn inputs(circuit: &Circuit) -> Outputs {
    let fluents = circuit.fluents.iter();
    let moves = circuit.moves.iter().enumerate();
    let moves = moves.flat_map(|(role, moves)| {
        let each = moves.iter();
        each.map(move |mv| ((1, role, mv.term), mv.made))
    });
    let fluents = fluents.map(|fluent| ((0, 0, fluent.term), fluent.holds));
    fluents.chain(moves).collect()
}

fn outputs(circuit: &Circuit, nobody: TermId) -> Outputs {
    let mut outputs = Outputs::new();
    outputs.insert((0, 0, nobody), circuit.terminal);
    for fluent in &circuit.fluents {
        outputs.insert((1, 0, fluent.term), fluent.next);
    }
    for (role, (moves, payoffs)) in circuit.moves.iter().zip(&circuit.goals).enumerate() {
        for mv in moves {
            outputs.insert((2, role, mv.term), mv.legal);
        }
        for payoff in payoffs {
            outputs.insert((3, role, payoff.term), payoff.signal);
        }
    }
    outputs
}

/// Proves that two circuits say the same whenever every role makes one move and fluents hold that one of the
/// circuits takes for granted.
fn prove_same(store: &mut Store, one: &Circuit, other: &Circuit) -> Result<(), Box<dyn Error>> {
    let mut solver = Solver::new(StopFlag::default(), u64::MAX);
    let circuits = [one, other];
    let mut encodings = circuits.map(|circuit| Encoding::new(&circuit.gates));
    let mut moves: BTreeMap<usize, Vec<Literal>> = BTreeMap::new();
    let given = circuits.map(inputs);
    for name in given[0].keys().chain(given[1].keys()) {
        let literals = [0, 1].map(|at| {
            let signal = given[at].get(name).copied().unwrap_or(Signal::FALSE);
            encodings[at].literal(&mut solver, &circuits[at].gates, signal)
        });
        solver.require([!literals[0], literals[1]]);
        solver.require([literals[0], !literals[1]]);
        if name.0 == 1 {
            moves.entry(name.1).or_default().push(literals[0]);
        }
    }
    for mut choices in moves.into_values() {
        choices.sort_unstable();
        choices.dedup();
        solver.require(choices.iter().copied());
        let always = solver.truth();
        at_most_one(&mut solver, always, &choices);
    }
    let nobody = store.constant("nobody");
    let said = circuits.map(|circuit| outputs(circuit, nobody));
    for name in said[0].keys().chain(said[1].keys()) {
        let [a, b] = [0, 1].map(|at| {
            let signal = said[at].get(name).copied().unwrap_or(Signal::FALSE);
            encodings[at].literal(&mut solver, &circuits[at].gates, signal)
        });
        for question in [[a, !b], [!a, b]] {
            if solver.ask(&question) != Answer::Unsatisfiable {
                let term = crate::term::Infix::new(store, name.2);
                return Err(format!("output {} {term} differs", name.0).into());
            }
        }
    }
    Ok(())
}

#[test]
fn circuits_say_what_the_rules_say() -> Result<(), Box<dyn Error>> {
    let (mut proved, mut before, mut after) = (0, 0, 0);
    for_each_game(|store, game, program| {
        let roles = game.roles().len();
        let circuit = Circuit::new(store, program, roles)?;
        if let Some(literal) = literally(store, program, roles) {
            before += literal.gates.edges();
            after += circuit.gates.edges();
            proved += 1;
            prove_same(store, &literal, &circuit)?;
        }
        Ok(())
    })?;
    assert!(proved > 15, "{proved}");
    assert!(after < before, "{after} inputs instead of {before}");
    Ok(())
}

#[test]
fn narrow_gates_say_the_same() -> Result<(), Box<dyn Error>> {
    for_each_game(|store, game, program| {
        let circuit = Circuit::new(store, program, game.roles().len())?;
        let narrowed = narrow(&circuit, &needed(&circuit, true), 2);
        prove_same(store, &circuit, &narrowed)
    })
}

/// Every predicate is taken for one of very many instances.
#[test]
fn rewritten_rules_say_the_same() -> Result<(), Box<dyn Error>> {
    let mut smaller = 0;
    for_each_game(|store, game, program| {
        let limits = Limits::default();
        let heads = game.clauses().iter();
        let all: PredicateSet = heads.filter_map(|rule| store.functor(rule.head)).collect();
        let roles = game.roles().len();
        let circuit = Circuit::new(store, program, roles)?;
        for crowded in [PredicateSet::default(), all] {
            let rewritten = ground::ground_crowded(game, &crowded, store, &limits)?;
            smaller += usize::from(2 * rewritten.rules() < program.rules());
            let rewritten = Circuit::new(store, &rewritten, roles)?;
            prove_same(store, &circuit, &rewritten)?;
        }
        Ok(())
    })?;
    assert!(smaller > 0);
    Ok(())
}

/// The proof can fail.
#[test]
fn a_difference_is_found() -> Result<(), Box<dyn Error>> {
    let mut store = Store::new();
    let game = read(&mut store, "rooks", ROOKS.as_bytes().to_vec())?;
    let program = ground::ground(&game, &mut store, &Limits::default(), 100_000)?;
    let circuit = Circuit::new(&mut store, &program, 2)?;
    let mut other = circuit.clone();
    other.moves[1][0].legal = !other.moves[1][0].legal;
    assert!(prove_same(&mut store, &circuit, &other).is_err());
    Ok(())
}
