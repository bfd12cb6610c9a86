//! The rule sheet of a part.

use std::fmt::Write;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::circuit::{Gate, Signal};
use crate::decomposition::emit::choices::LocalMove;
use crate::decomposition::emit::divided::{DividedGame, ELSEWHERE, concept};
use crate::decomposition::emit::rules::{RuleWriter, Stand, Stands, values};
use crate::decomposition::emit::surroundings::Surroundings;

/// A fluent of sheets that have no end of their own.
const NEVER: &str = "over";

/// The relation of moves that stand for others.
const MADE: &str = "made";

/// A file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartSheet {
    /// The name of the file.
    pub name: String,
    /// The rules, in prefix GDL.
    pub text: String,
}

/// The sheet of a part, or of what runs by itself.
pub(super) fn of_part(
    game: &DividedGame<'_>,
    part: Option<usize>,
    around: &Surroundings,
) -> PartSheet {
    let writer = SheetWriter {
        game,
        part,
        around,
        kept: kept(game, part, around),
    };
    PartSheet {
        name: match part {
            Some(number) => format!("part{}.gdl", number + 1),
            None => "by_itself.gdl".to_owned(),
        },
        text: writer.text(),
    }
}

/// The fluents of a sheet: those of the part, and of what runs by itself all that they depend on.
fn kept(game: &DividedGame<'_>, part: Option<usize>, around: &Surroundings) -> FixedBitSet {
    let circuit = game.circuit;
    let mut kept = FixedBitSet::with_capacity(circuit.fluents.len());
    kept.extend((0..game.owners.len()).filter(|&place| game.owners[place] == part));
    let mut pending = defined(game, part, around);
    pending.extend(kept.ones().map(|place| circuit.fluents[place].next));
    // Others than those that run by themselves are constants: gates that these decide are not gone into.
    let stands = game.stands(&around.state, |owner| owner == part || owner.is_none());
    let values = values(circuit, &stands);
    let mut seen = FixedBitSet::with_capacity(circuit.gates.len());
    while let Some(signal) = pending.pop() {
        let gate = signal.gate();
        if values[gate].is_some() || seen.put(gate) {
            continue;
        }
        match circuit.gates.gate(gate) {
            // A fluent that is kept is one of the sheet, which then says what it is next.
            Gate::Fluent(place) => {
                if !kept.put(place as usize) {
                    pending.push(circuit.fluents[place as usize].next);
                }
            }
            Gate::Variable(number, variable) => {
                let definitions = &circuit.gates.loops()[number as usize].definitions;
                pending.push(definitions[variable as usize]);
            }
            Gate::And => pending.extend(circuit.gates.inputs(gate)),
            Gate::False | Gate::Move(..) => {}
        }
    }
    kept
}

/// The signals that a sheet has rules for, but for next states.
fn defined(game: &DividedGame<'_>, part: Option<usize>, around: &Surroundings) -> Vec<Signal> {
    let circuit = game.circuit;
    let concepts = game.concepts.concepts();
    let own = concepts.filter(|concept| concept.part == part);
    let mut signals: Vec<Signal> = own.flat_map(|concept| concept.signals.clone()).collect();
    for (choices, moves) in around.choices.iter().zip(&circuit.moves) {
        let own = choices.own.iter().flat_map(|local| &local.moves);
        // Which of several moves stands for another one depends on what is legal.
        let several = choices.all().map(|local| &local.representatives);
        let several = several.filter(|some| some.len() > 1).flatten();
        signals.extend(own.chain(several).map(|&mv| moves[mv].legal));
    }
    if part.is_some() {
        signals.push(circuit.terminal);
        signals.extend(circuit.goals.iter().flatten().map(|payoff| payoff.signal));
    }
    signals
}

/// What a sheet is written from.
struct SheetWriter<'w> {
    game: &'w DividedGame<'w>,
    part: Option<usize>,
    around: &'w Surroundings,
    kept: FixedBitSet,
}

impl SheetWriter<'_> {
    fn text(&self) -> String {
        let mut text = self.heading();
        for role in self.game.subject.roles {
            _ = writeln!(text, "(role {role})");
        }
        text.push('\n');
        let circuit = self.game.circuit;
        for place in self.kept.ones().filter(|&place| self.around.state[place]) {
            _ = writeln!(text, "(init {})", self.game.fluent(place));
        }
        text.push('\n');
        let stands = self.stands(&self.around.state);
        let mut rules = RuleWriter::new(circuit, &stands, "some");
        for role in 0..circuit.moves.len() {
            self.legal(&mut rules, role);
        }
        for role in 0..circuit.moves.len() {
            self.stand_for(&mut rules, role);
        }
        rules.text.push('\n');
        for place in self.kept.ones() {
            let head = format!("(next {})", self.game.fluent(place));
            rules.define(&head, &[circuit.fluents[place].next]);
        }
        rules.text.push('\n');
        let own = self.game.concepts.concepts().enumerate();
        for (place, own) in own.filter(|(_, concept)| concept.part == self.part) {
            self.define_all(&mut rules, &concept(place), &own.signals);
        }
        let is_same = self.around.at_end.is_none();
        if is_same {
            self.end(&mut rules);
        }
        text += &rules.finish();
        if let Some(state) = &self.around.at_end {
            let stands = self.stands(state);
            // Names of the two lists of rules must not meet.
            let mut rules = RuleWriter::new(circuit, &stands, "other");
            self.end(&mut rules);
            text += &rules.finish();
        }
        text
    }

    fn heading(&self) -> String {
        let title = self.game.subject.title;
        let phase = self.part.and_then(|part| self.game.found.parts[part].phase);
        let mut text = match self.part {
            Some(part) => format!("; {title}, part {}", part + 1),
            None => format!("; {title}, what runs by itself"),
        };
        if let Some(phase) = phase {
            _ = write!(text, ", played in phase {}", phase + 1);
        }
        text + "\n; how the game comes from its parts is in composition.json\n\n"
    }

    /// What stands for fluents and moves where the others are as in a state.
    fn stands(&self, state: &[bool]) -> Stands {
        let circuit = self.game.circuit;
        let fluents = state.iter().enumerate().map(|(place, &holds)| {
            if self.kept.contains(place) && circuit.fluents[place].holds.constant().is_none() {
                Stand::Literal(format!("(true {})", self.game.fluent(place)))
            } else {
                Stand::Constant(holds)
            }
        });
        let mut moves = FxHashMap::default();
        for (role, own) in circuit.moves.iter().enumerate() {
            for (local, name) in self.local_moves(role) {
                for &mv in &local.representatives {
                    let literal = match local.representatives[..] {
                        [_] => self.does(role, &name),
                        _ => self.made(role, mv),
                    };
                    moves.insert(own[mv].made.gate(), Stand::Literal(literal));
                }
            }
        }
        Stands {
            fluents: fluents.collect(),
            moves: Some(moves),
        }
    }

    /// The local moves of a role and what they are called, what is made elsewhere among them.
    fn local_moves(&self, role: usize) -> impl Iterator<Item = (&LocalMove, String)> {
        let choices = &self.around.choices[role];
        let own = choices.own.iter();
        let own = own.map(move |local| (local, local.name(self.game, role)));
        let waits = choices.waits.iter();
        own.chain(waits.map(|local| (local, ELSEWHERE.to_owned())))
    }

    /// The literal of a local move.
    fn does(&self, role: usize, name: &str) -> String {
        format!("(does {} {name})", self.game.subject.roles[role])
    }

    /// The literal of a move that is one of several which stand for a local move.
    fn made(&self, role: usize, mv: usize) -> String {
        let name = &self.game.subject.roles[role];
        format!("({MADE} {name} {})", self.game.mv(role, mv))
    }

    fn legal(&self, rules: &mut RuleWriter<'_>, role: usize) {
        let name = &self.game.subject.roles[role];
        let choices = &self.around.choices[role];
        let moves = &self.game.circuit.moves[role];
        let mut count = 0;
        for local in &choices.own {
            let legal: Vec<Signal> = local.moves.iter().map(|&mv| moves[mv].legal).collect();
            let head = format!("(legal {name} {})", local.name(self.game, role));
            count += rules.define(&head, &legal);
        }
        // Whether there is something to be moved elsewhere is no matter of this part.
        if choices.waits.is_some() || count == 0 {
            _ = writeln!(rules.text, "(legal {name} {ELSEWHERE})");
        }
    }

    /// Which of several moves stands for a local move: the first that is legal, or else the last one.
    fn stand_for(&self, rules: &mut RuleWriter<'_>, role: usize) {
        let moves = &self.game.circuit.moves[role];
        for (local, name) in self.local_moves(role) {
            let [first @ .., last] = &local.representatives[..] else {
                continue;
            };
            let mut conditions = Vec::new();
            for &mv in first {
                conditions.push(moves[mv].legal);
                let head = self.made(role, mv);
                rules.define_conjunction(&head, Some(self.does(role, &name)), &conditions);
                conditions.pop();
                conditions.push(!moves[mv].legal);
            }
            if !first.is_empty() {
                let head = self.made(role, *last);
                rules.define_conjunction(&head, Some(self.does(role, &name)), &conditions);
            }
        }
    }

    /// A head that is true if all of some signals are.
    fn define_all(&self, rules: &mut RuleWriter<'_>, head: &str, signals: &[Signal]) {
        match signals {
            [signal] => _ = rules.define(head, &[*signal]),
            _ => rules.define_conjunction(head, None, signals),
        }
    }

    fn end(&self, rules: &mut RuleWriter<'_>) {
        let circuit = self.game.circuit;
        if rules.define("terminal", &[circuit.terminal]) == 0 {
            self.own_end(rules);
        }
        for (role, payoffs) in self.game.subject.roles.iter().zip(&circuit.goals) {
            let mut count = 0;
            for payoff in payoffs {
                let value = self.game.text(payoff.term);
                count += rules.define(&format!("(goal {role} {value})"), &[payoff.signal]);
            }
            // GDL asks for a goal value of each role at the end; here none of those of the whole game can be had.
            if count == 0 {
                _ = writeln!(rules.text, "(goal {role} 0)");
            }
        }
    }

    /// The end of what does not end the whole game: that of its phase, or none.
    fn own_end(&self, rules: &mut RuleWriter<'_>) {
        let circuit = self.game.circuit;
        let own = self.around.choices.iter().zip(&circuit.moves);
        let offers = own.flat_map(|(choices, moves)| {
            let own = choices.own.iter().flat_map(|local| &local.moves);
            own.map(|&mv| !moves[mv].legal)
        });
        let is_over: Vec<Signal> = offers.collect();
        let phase = self.part.and_then(|part| self.game.found.parts[part].phase);
        let before = rules.text.len();
        if phase.is_some() {
            rules.define_conjunction("terminal", None, &is_over);
        }
        if rules.text.len() == before {
            // Nobody ever makes this fluent true.
            _ = writeln!(rules.text, "(<= terminal\n    (true {NEVER}))");
        }
    }
}
