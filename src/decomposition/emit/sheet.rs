//! The rule sheet of a part.

use std::fmt::Write;

use fixedbitset::FixedBitSet;

use crate::circuit::{Gate, Signal};
use crate::decomposition::emit::rules::{RuleWriter, Stand, Stands, values};
use crate::decomposition::emit::surroundings::{Choices, Surroundings};
use crate::decomposition::local_concepts::LocalConcepts;
use crate::decomposition::report::DecomposedGame;
use crate::term::Prefix;

/// The move of a role that is made in other parts.
pub(super) const ELSEWHERE: &str = "elsewhere";

/// A fluent of sheets that have no end of their own.
const NEVER: &str = "over";

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
    subject: &DecomposedGame<'_>,
    owners: &[Option<usize>],
    concepts: &LocalConcepts,
    part: Option<usize>,
    around: &Surroundings,
) -> PartSheet {
    let writer = SheetWriter {
        subject,
        concepts,
        part,
        around,
        kept: kept(subject, owners, concepts, part, around),
    };
    PartSheet {
        name: match part {
            Some(number) => format!("part{}.gdl", number + 1),
            None => "by_itself.gdl".to_owned(),
        },
        text: writer.text(),
    }
}

/// The name of a local concept.
pub(super) fn concept(place: usize) -> String {
    format!("concept{}", place + 1)
}

/// What a local move is called.
pub(super) fn called(subject: &DecomposedGame<'_>, role: usize, mv: usize) -> String {
    Prefix::new(subject.store, subject.circuit.moves[role][mv].term).to_string()
}

/// The fluents of a sheet: those of the part, and of what runs by itself all that they depend on.
fn kept(
    subject: &DecomposedGame<'_>,
    owners: &[Option<usize>],
    concepts: &LocalConcepts,
    part: Option<usize>,
    around: &Surroundings,
) -> FixedBitSet {
    let circuit = subject.circuit;
    let mut kept = FixedBitSet::with_capacity(circuit.fluents.len());
    kept.extend((0..owners.len()).filter(|&place| owners[place] == part));
    // Others than those that run by themselves are constants; moves do not matter here.
    let stands = Stands {
        fluents: owners
            .iter()
            .zip(&around.state)
            .map(|(owner, &holds)| {
                if *owner == part || owner.is_none() {
                    Stand::Literal(String::new())
                } else {
                    Stand::Constant(holds)
                }
            })
            .collect(),
        moves: None,
    };
    let values = values(circuit, &stands);
    let own = concepts.concepts().filter(|concept| concept.part == part);
    let mut pending: Vec<Signal> = own.flat_map(|concept| concept.signals.clone()).collect();
    pending.extend(kept.ones().map(|place| circuit.fluents[place].next));
    for (choices, moves) in around.choices.iter().zip(&circuit.moves) {
        pending.extend(choices.moves.iter().flatten().map(|&mv| moves[mv].legal));
    }
    if part.is_some() {
        pending.push(circuit.terminal);
        pending.extend(circuit.goals.iter().flatten().map(|payoff| payoff.signal));
    }
    let mut seen = FixedBitSet::with_capacity(circuit.gates.len());
    while let Some(signal) = pending.pop() {
        let gate = signal.gate();
        if values[gate].is_some() || seen.put(gate) {
            continue;
        }
        match circuit.gates.gate(gate) {
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

/// What a sheet is written from.
struct SheetWriter<'w> {
    subject: &'w DecomposedGame<'w>,
    concepts: &'w LocalConcepts,
    part: Option<usize>,
    around: &'w Surroundings,
    kept: FixedBitSet,
}

impl SheetWriter<'_> {
    fn text(&self) -> String {
        let mut text = self.heading();
        for role in self.subject.roles {
            _ = writeln!(text, "(role {role})");
        }
        text.push('\n');
        let circuit = self.subject.circuit;
        for place in self.kept.ones().filter(|&place| self.around.state[place]) {
            _ = writeln!(text, "(init {})", self.fluent(place));
        }
        text.push('\n');
        let stands = self.stands(&self.around.state);
        let mut rules = RuleWriter::new(circuit, &stands);
        for role in 0..circuit.moves.len() {
            self.legal(&mut rules, role);
        }
        rules.text.push('\n');
        for place in self.kept.ones() {
            let head = format!("(next {})", self.fluent(place));
            rules.define(&head, &[circuit.fluents[place].next]);
        }
        rules.text.push('\n');
        let own = self.concepts.concepts().enumerate();
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
            let mut rules = RuleWriter::new(circuit, &stands);
            self.end(&mut rules);
            // Names of the two lists of rules must not meet.
            text += &rules.finish().replace("some", "other");
        }
        text
    }

    fn heading(&self) -> String {
        let title = self.subject.title;
        let phase = self
            .part
            .and_then(|part| self.subject.found.parts[part].phase);
        let mut text = match self.part {
            Some(part) => format!("; {title}, part {}", part + 1),
            None => format!("; {title}, what runs by itself"),
        };
        if let Some(phase) = phase {
            _ = write!(text, ", played in phase {}", phase + 1);
        }
        text + "\n; how the game comes from its parts is in composition.json\n\n"
    }

    fn fluent(&self, place: usize) -> String {
        let term = self.subject.circuit.fluents[place].term;
        Prefix::new(self.subject.store, term).to_string()
    }

    fn stands(&self, state: &[bool]) -> Stands {
        let made = |role: usize, mv: usize| {
            let choices = &self.around.choices[role];
            let name = &self.subject.roles[role];
            if choices.named.contains(&mv) {
                return Some(format!("(does {name} {})", called(self.subject, role, mv)));
            }
            let waits = choices.waits.as_ref().filter(|(_, named)| *named == mv);
            waits.map(|_| format!("(does {name} {ELSEWHERE})"))
        };
        let fluent = |place| format!("(true {})", self.fluent(place));
        let is_kept = |place| self.kept.contains(place);
        self.around
            .stands(state, &is_kept, &fluent, &made, self.subject.circuit)
    }

    fn legal(&self, rules: &mut RuleWriter<'_>, role: usize) {
        let name = &self.subject.roles[role];
        let Choices {
            moves,
            named,
            waits,
            still: _,
        } = &self.around.choices[role];
        let own = &self.subject.circuit.moves[role];
        let mut count = 0;
        for (moves, &named) in moves.iter().zip(named) {
            let legal: Vec<Signal> = moves.iter().map(|&mv| own[mv].legal).collect();
            let head = format!("(legal {name} {})", called(self.subject, role, named));
            count += rules.define(&head, &legal);
        }
        // Whether there is something to be moved elsewhere is no matter of this part.
        if waits.is_some() || count == 0 {
            _ = writeln!(rules.text, "(legal {name} {ELSEWHERE})");
        }
    }

    /// A head that is true if all of some signals are.
    fn define_all(&self, rules: &mut RuleWriter<'_>, head: &str, signals: &[Signal]) {
        match signals {
            [signal] => _ = rules.define(head, &[*signal]),
            _ => rules.define_conjunction(head, signals),
        }
    }

    fn end(&self, rules: &mut RuleWriter<'_>) {
        let circuit = self.subject.circuit;
        if rules.define("terminal", &[circuit.terminal]) == 0 {
            self.own_end(rules);
        }
        for (role, payoffs) in self.subject.roles.iter().zip(&circuit.goals) {
            let mut count = 0;
            for payoff in payoffs {
                let value = Prefix::new(self.subject.store, payoff.term);
                count += rules.define(&format!("(goal {role} {value})"), &[payoff.signal]);
            }
            if count == 0 {
                _ = writeln!(rules.text, "(goal {role} 0)");
            }
        }
    }

    /// The end of what does not end the whole game: that of its phase, or none.
    fn own_end(&self, rules: &mut RuleWriter<'_>) {
        let circuit = self.subject.circuit;
        let own = self.around.choices.iter().zip(&circuit.moves);
        let offers = own.flat_map(|(choices, moves)| {
            let own = choices.moves.iter().flatten();
            own.map(|&mv| !moves[mv].legal)
        });
        let is_over: Vec<Signal> = offers.collect();
        let phase = self
            .part
            .and_then(|part| self.subject.found.parts[part].phase);
        let before = rules.text.len();
        if phase.is_some() {
            rules.define_conjunction("terminal", &is_over);
        }
        if rules.text.len() == before {
            // Nobody ever makes this fluent true.
            _ = writeln!(rules.text, "(<= terminal\n    (true {NEVER}))");
        }
    }
}
