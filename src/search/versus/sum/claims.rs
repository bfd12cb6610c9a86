//! What makes a game a sum in which whoever cannot move loses, proved for all states that its parts may have together.
//!
//! | claim | for all turns and all states of the parts |
//! |---|---|
//! | one moves, one passes | the mover has no moves but those in parts, the other role has its pass alone |
//! | normal play | the game is over if and only if the mover cannot move in any part |
//! | payoffs | at an end they depend on whose turn it is alone |
//! | nothing else moves | a move changes its part and no other one, and leads to the next turn |
//!
//! A state of the solver has one turn and one local state of each part, of those that were found; so the claims hold
//! for the states that can be reached, and the moves lead to such states again.

use crate::circuit::sat::{Answer, Encoding, Literal, Solver, require_move};
use crate::circuit::{Circuit, Signal};
use crate::limits::StopFlag;
use crate::search::versus::sum::local::LocalGame;
use crate::search::versus::sum::split::Split;
use crate::search::versus::sum::turns::Turn;
use crate::search::versus::worth::Worth;

/// Assignments that the solver may infer for a claim.
const ASSIGNMENTS: u64 = 20_000_000;

/// Literals of all states of all parts at most.
const MOST: usize = 8_000_000;

/// States of a sum: one turn, and one local state of each part.
struct SumEncoding<'p> {
    split: &'p Split<'p>,
    turns: &'p [Turn],
    solver: Solver,
    encoding: Encoding,
    /// By place of the fluent.
    now: Vec<Literal>,
    /// By turn.
    at: Vec<Literal>,
}

impl<'p> SumEncoding<'p> {
    fn new(
        split: &'p Split<'p>,
        turns: &'p [Turn],
        games: &[LocalGame],
        stop: &StopFlag,
    ) -> Option<Self> {
        let literals = split.parts.iter().zip(games);
        let literals = literals.map(|(part, game)| part.len() * game.states.len());
        if literals.sum::<usize>() > MOST {
            return None;
        }
        let mut solver = Solver::new(stop.clone(), 0);
        let mut encoding = Encoding::new(&split.circuit.gates);
        let gates = &split.circuit.gates;
        let fluents = split.circuit.fluents.iter();
        let now: Vec<Literal> = fluents
            .map(|fluent| encoding.literal(&mut solver, gates, fluent.holds))
            .collect();
        let at = choose(
            &mut solver,
            (&now, &split.outside),
            turns.iter().map(|turn| &turn.holds[..]),
        );
        for (part, game) in split.parts.iter().zip(games) {
            let states = game.states.iter().map(Vec::as_slice);
            choose(&mut solver, (&now, part), states);
        }
        Some(Self {
            split,
            turns,
            solver,
            encoding,
            now,
            at,
        })
    }

    fn circuit(&self) -> &'p Circuit {
        self.split.circuit
    }

    fn literal(&mut self, signal: Signal) -> Literal {
        let circuit = self.circuit();
        self.encoding
            .literal(&mut self.solver, &circuit.gates, signal)
    }

    /// A literal that is true if and only if one of some is.
    fn any(&mut self, literals: Vec<Literal>) -> Literal {
        let some = self.solver.variable();
        for &literal in &literals {
            self.solver.require([!literal, some]);
        }
        self.solver.require(literals.into_iter().chain([!some]));
        some
    }

    /// A literal that is true only if all of some are.
    fn all(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        let all = self.solver.variable();
        for literal in literals {
            self.solver.require([!all, literal]);
        }
        all
    }

    /// Whether some of the moves of a role are legal.
    fn legal(&mut self, role: usize, moves: Vec<usize>) -> Literal {
        let circuit = self.circuit();
        let legal = moves.iter().map(|&mv| circuit.moves[role][mv].legal);
        let legal: Vec<Literal> = legal.map(|signal| self.literal(signal)).collect();
        self.any(legal)
    }

    /// Whether a state is proved not to exist in which all of some literals are true.
    fn excludes(&mut self, literals: &[Literal]) -> bool {
        self.ask(literals) == Some(false)
    }

    /// Whether there is a state in which all of some literals are true; none if the solver gives up.
    fn ask(&mut self, literals: &[Literal]) -> Option<bool> {
        self.solver.grant(ASSIGNMENTS);
        match self.solver.ask(literals) {
            Answer::Satisfiable => Some(true),
            Answer::Unsatisfiable => Some(false),
            Answer::Stopped(_) => None,
        }
    }

    /// A literal that is true only if one of some fluents is next what it is not now, or is not what it should be.
    fn differs(&mut self, fluents: &[usize], wanted: impl Fn(usize) -> Option<bool>) -> Literal {
        let circuit = self.circuit();
        let mut differences = Vec::new();
        for (number, &place) in fluents.iter().enumerate() {
            let next = self.literal(circuit.fluents[place].next);
            let differs = self.solver.variable();
            match wanted(number) {
                Some(wanted) => self.solver.require([!differs, next.negated_if(wanted)]),
                None => {
                    let now = self.now[place];
                    self.solver.require([!differs, next, now]);
                    self.solver.require([!differs, !next, !now]);
                }
            }
            differences.push(differs);
        }
        self.any(differences)
    }
}

/// Requires that fluents are as in one of some states; gives a literal for each state.
fn choose<'s>(
    solver: &mut Solver,
    (now, fluents): (&[Literal], &[usize]),
    states: impl Iterator<Item = &'s [bool]>,
) -> Vec<Literal> {
    let mut chosen = Vec::new();
    for state in states {
        let this = solver.variable();
        for (&place, &holds) in fluents.iter().zip(state) {
            solver.require([!this, now[place].negated_if(!holds)]);
        }
        chosen.push(this);
    }
    solver.require(chosen.iter().copied());
    chosen
}

/// What an end is worth to both roles, by the role whose turn it is; none if some claim is not proved.
pub(super) fn payoffs(
    split: &Split<'_>,
    turns: &[Turn],
    games: &[LocalGame],
    stop: &StopFlag,
) -> Option<[[Worth; 2]; 2]> {
    let mut ends = SumEncoding::new(split, turns, games, stop)?;
    let mut moves = SumEncoding::new(split, turns, games, stop)?;
    if !is_normal_play(&mut ends) || !is_sum(&mut moves) {
        return None;
    }
    let of_mover = [0, 1].map(|mover| ends_of(&mut ends, mover));
    let [first, second] = of_mover;
    Some([first?, second?])
}

/// Whether one role moves and the other one passes, and the game is over when the one cannot.
fn is_normal_play(product: &mut SumEncoding<'_>) -> bool {
    let split = product.split;
    let terminal = product.literal(product.circuit().terminal);
    let in_parts = [0, 1].map(|role| {
        let moves = (0..split.parts.len()).flat_map(|part| split.moves(role, part));
        product.legal(role, moves.collect())
    });
    let mut wrong = Vec::new();
    for (number, turn) in product.turns.iter().enumerate() {
        let (mover, other, at) = (turn.mover, 1 - turn.mover, product.at[number]);
        let passes = product.legal(mover, split.passes(mover).collect());
        let pass = product.legal(other, vec![turn.pass]);
        let others = split.passes(other).filter(|&mv| mv != turn.pass).collect();
        let others = product.legal(other, others);
        // Each pair of literals is a way in which the turn is wrong.
        for fault in [
            [terminal, in_parts[mover]],
            [!terminal, !in_parts[mover]],
            [!terminal, in_parts[other]],
            [!terminal, passes],
            [!terminal, !pass],
            [!terminal, others],
        ] {
            wrong.push(product.all(fault.into_iter().chain([at])));
        }
    }
    let wrong = product.any(wrong);
    product.excludes(&[wrong])
}

/// Whether each move changes its own part only, and leads to the next turn.
fn is_sum(product: &mut SumEncoding<'_>) -> bool {
    let split = product.split;
    require_move(split.circuit, &mut product.solver, &mut product.encoding);
    let mut wrong = Vec::new();
    for part in 0..split.parts.len() {
        let differs = product.differs(&split.parts[part], |_| None);
        // No move of either role in this part is made, and yet the part changes.
        let elsewhere = [0, 1].map(|role| {
            let moves = split.moves(role, part);
            let made = moves.map(|mv| product.literal(split.circuit.moves[role][mv].made));
            let made: Vec<Literal> = made.collect();
            !product.any(made)
        });
        wrong.push(product.all(elsewhere.into_iter().chain([differs])));
    }
    for (number, turn) in product.turns.iter().enumerate() {
        let next = &product.turns[turn.next].holds;
        let differs = product.differs(&split.outside, |number| Some(next[number]));
        let at = product.at[number];
        wrong.push(product.all([at, differs]));
    }
    let wrong = product.any(wrong);
    product.excludes(&[wrong])
}

/// The payoffs at ends that find a role to move; none if they are not always the same.
fn ends_of(product: &mut SumEncoding<'_>, mover: usize) -> Option<[Worth; 2]> {
    let circuit = product.circuit();
    let terminal = product.literal(circuit.terminal);
    let turns = product.turns.iter().zip(&product.at);
    let own = turns.filter(|(turn, _)| turn.mover == mover);
    let own: Vec<Literal> = own.map(|(_, &literal)| literal).collect();
    let at = product.any(own);
    let mut worths = [Worth::NONE; 2];
    for (role, worth) in worths.iter_mut().enumerate() {
        let mut possible = Vec::new();
        let mut had = Vec::new();
        for payoff in &circuit.goals[role] {
            let literal = product.literal(payoff.signal);
            had.push(literal);
            if product.ask(&[terminal, at, literal])? {
                possible.push(payoff.value?);
            }
        }
        let some = product.any(had);
        // Exactly one payoff is possible, and no end is without any.
        let [value] = possible[..] else {
            return None;
        };
        if !product.excludes(&[terminal, at, !some]) {
            return None;
        }
        *worth = Worth::of(value);
    }
    Some(worths)
}
