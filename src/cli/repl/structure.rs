//! `:analyze` and `:why-edge`, `:parts` and `:why-together`: what the game is made of.

use crate::analysis;
use crate::cli::analyze::explain;
use crate::cli::failure::Failure;
use crate::cli::repl::play::View;
use crate::cli::repl::session::{Session, no_game};
use crate::cli::repl::show::term;
use crate::cli::repl::walk::Decomposed;
use crate::cli::{load, output};
use crate::decomposition::{
    self, Cause, DecomposedGame, Difference, JoiningStep, Together, Witness,
};
use crate::term::TermId;

/// `:analyze`
pub(super) fn analyze(session: &mut Session) -> Result<(), Failure> {
    let limits = session.limits();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let known = walk.analysis(&limits)?;
    let title = load::title(known.game);
    output::text(&analysis::text(known.analysis, known.store, &title))
}

/// `:why-edge`
pub(super) fn why_edge(session: &mut Session, edge: &str) -> Result<(), Failure> {
    let limits = session.limits();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let known = walk.analysis(&limits)?;
    session.last.exit = explain(known, edge, &limits)?;
    Ok(())
}

/// `:parts`
pub(super) fn parts(session: &mut Session) -> Result<(), Failure> {
    let limits = session.limits();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let known = walk.parts(&limits)?;
    let title = load::title(known.game);
    let roles = known.game.role_names(known.store);
    output::text(&decomposition::text(&DecomposedGame {
        title: &title,
        found: known.found,
        circuit: &known.circuit,
        roles: &roles,
        store: known.store,
    }))
}

/// `:why-together`
pub(super) fn why_together(session: &mut Session, fluents: &str) -> Result<(), Failure> {
    let limits = session.limits();
    let view = session.view();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let terms = walk.players(view.notation).terms(fluents);
    let terms = terms.map_err(|part| Failure::bad_input(format!("{part} is no fluent")))?;
    let known = walk.parts(&limits)?;
    let [one, other] = terms[..] else {
        return Err(Failure::bad_input(
            "two fluents are asked for, as in :why-together step(1) cell(1,1,b)",
        ));
    };
    let shown = Shown { known, view };
    let places = [shown.place(one)?, shown.place(other)?];
    let Decomposed { circuit, found, .. } = &shown.known;
    let together =
        decomposition::why_together(circuit, found, places, &limits.stop).map_err(|reason| {
            Failure::from(decomposition::Undecomposed::Stopped("witnesses", reason))
        })?;
    output::text(&shown.together(&together))
}

/// What is known, and how it is shown.
struct Shown<'w> {
    known: Decomposed<'w>,
    view: View,
}

impl Shown<'_> {
    /// The place of a fluent in the circuit.
    fn place(&self, fluent: TermId) -> Result<usize, Failure> {
        let mut fluents = self.known.circuit.fluents.iter();
        let place = fluents.position(|known| known.term == fluent);
        place.ok_or_else(|| {
            Failure::bad_input(format!("{} is a fluent of no state", self.term(fluent)))
        })
    }

    fn term(&self, id: TermId) -> String {
        term(self.known.store, id, self.view.notation)
    }

    /// Some fluents, or that there are none.
    fn fluents(&self, places: &[usize]) -> String {
        let fluents = places
            .iter()
            .map(|&place| self.term(self.known.circuit.fluents[place].term));
        let fluents: Vec<String> = fluents.collect();
        if fluents.is_empty() {
            "nothing of it".to_owned()
        } else {
            fluents.join(" ")
        }
    }

    /// A variable, by its first fluents.
    fn variable(&self, number: usize) -> String {
        let fluents = &self.known.found.variables[number].fluents;
        match fluents[..] {
            [first, second, _, ..] => format!("{} …", self.fluents(&[first, second])),
            _ => self.fluents(fluents),
        }
    }

    fn together(&self, together: &Together) -> String {
        match together {
            Together::Values => {
                "they are values of one variable: at most one of them holds\n".to_owned()
            }
            Together::Apart { is_proved: true } => "nothing joins them: proved\n".to_owned(),
            Together::Apart { is_proved: false } => {
                "nothing that was seen joins them; the proof is open\n".to_owned()
            }
            Together::Joined(steps) => steps.iter().map(|step| self.step(step)).collect(),
        }
    }

    fn step(&self, step: &JoiningStep) -> String {
        let (from, to) = (self.variable(step.from), self.variable(step.to));
        let role = |role: usize| self.term(self.known.game.roles()[role]);
        let reason = match step.cause {
            Cause::Successor => format!("what [{to}] is next depends on [{from}]"),
            Cause::Moves(number) => {
                format!("moves of {} act in [{from}] and [{to}]", role(number))
            }
            Cause::Legality(number) => {
                format!(
                    "which moves of {} are legal depends on [{from}] and [{to}]",
                    role(number)
                )
            }
            Cause::Concept => format!("end or goal values need [{from}] and [{to}] together"),
            Cause::Refuted => format!("a proof that [{from}] and [{to}] are apart failed"),
        };
        let witness = step.witness.as_ref();
        reason + "\n" + &witness.map_or_else(String::new, |witness| self.witness(witness, step))
    }

    fn witness(&self, witness: &Witness, step: &JoiningStep) -> String {
        let own = &self.known.found.variables[step.from].fluents;
        let held: Vec<usize> = witness
            .state
            .iter()
            .copied()
            .filter(|place| own.contains(place))
            .collect();
        let mut text = format!(
            "  in the state  {}\n  with          {} instead of {}\n",
            self.fluents(&witness.state),
            self.fluents(&witness.changed),
            self.fluents(&held),
        );
        let mv = |role: usize, mv: usize| self.term(self.known.circuit.moves[role][mv].term);
        text += &match &witness.difference {
            Difference::Next {
                joint_move,
                one,
                other,
            } => {
                let moves = joint_move.iter().enumerate();
                let moves: Vec<String> = moves.map(|(role, &made)| mv(role, made)).collect();
                format!(
                    "  after         {}\n  there is      {} instead of {}\n",
                    moves.join(" "),
                    self.fluents(other),
                    self.fluents(one),
                )
            }
            Difference::Legal {
                role,
                mv: made,
                in_first,
            } => format!(
                "  the move      {} is legal {}\n",
                mv(*role, *made),
                if *in_first {
                    "only without the change"
                } else {
                    "only with it"
                }
            ),
        };
        text
    }
}
