//! The steps of a decomposition, one after the other.

use std::fmt;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuit::invariants::{Account, Plays, Row, Trial, Variable};
use crate::circuit::lanes::{lanes, none};
use crate::circuit::sat::Requirement;
use crate::circuit::{Circuit, Probe};
use crate::decomposition::certificate::{Finding, Prover, Use};
use crate::decomposition::certify::Premises;
use crate::decomposition::classes::{Classes, differs, of_part};
use crate::decomposition::composition::{Composition, unjoined};
use crate::decomposition::concepts;
use crate::decomposition::dependencies::{self, Dependencies, autonomous};
use crate::decomposition::local::{self, LocalMoves};
use crate::decomposition::model::Model;
use crate::decomposition::partition::{Cause, Partition, join_by_legality, join_by_moves};
use crate::decomposition::phases::{self, Phases};
use crate::limits::{Limits, StopReason};

/// How much may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Variables at most.
    pub max_variables: usize,
    /// Operations that classifying the moves may take.
    pub max_operations: usize,
    /// Assignments that the solver may infer.
    pub max_assignments: u64,
    /// Those of them that the proof of the variables may take.
    pub max_induction: u64,
    /// Seed of the samples.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            max_variables: 10_000,
            max_operations: 40_000_000_000,
            max_assignments: 50_000_000,
            max_induction: 50_000_000,
            seed: 1,
        }
    }
}

/// Why there is no decomposition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecomposed {
    /// More variables than there may be.
    TooManyVariables(usize),
    /// Moves and gates are too many to try each move in many states.
    TooManyMoves(usize),
    /// What samples show is not what is looked for; see [`decompose_if`].
    NotWanted,
    /// Something raised a stop, or the solver gave up on the variables.
    Stopped(&'static str, StopReason),
}

impl fmt::Display for Undecomposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no decomposition: ")?;
        match self {
            Undecomposed::TooManyVariables(number) => write!(f, "{number} variables are too many"),
            Undecomposed::TooManyMoves(number) => {
                write!(f, "{number} moves are too many to try all of them")
            }
            Undecomposed::NotWanted => write!(f, "samples show no such parts"),
            Undecomposed::Stopped(step, reason) => write!(f, "{step}: {reason}"),
        }
    }
}

impl std::error::Error for Undecomposed {}

/// How sure a claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No state is a counterexample, by SAT.
    Proved,
    /// Nothing is claimed: it is the whole game.
    Nothing,
    /// The solver gave up.
    Open,
}

/// A part: a game of its own within the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The variables, by number, ascending.
    pub variables: Vec<usize>,
    /// By role, the moves that can be made in it.
    pub moves: Vec<LocalMoves>,
    /// The phase in which it is played, from 0, if there are several.
    pub phase: Option<usize>,
    /// What depends on it.
    pub useful: Use,
    /// That it is independent of the other parts.
    pub proof: Proof,
}

/// Variables that no move has an influence on: step counters, whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Autonomous {
    /// The variables, by number, ascending.
    pub variables: Vec<usize>,
    /// What depends on it.
    pub useful: Use,
    /// That it depends on nothing else.
    pub proof: Proof,
}

/// What a game is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// The variables; all else is by their numbers.
    pub variables: Vec<Variable>,
    /// The games in the game.
    pub parts: Vec<Part>,
    /// What runs by itself.
    pub autonomous: Vec<Autonomous>,
    /// Variables that never change, or say no more than which phase it is.
    pub constant: Vec<usize>,
    /// That these depend on nothing but themselves and on what runs by itself.
    pub constant_proof: Proof,
    /// Number of phases, at least one.
    pub phases: usize,
    /// How moves, end and goal values are made of those of the parts.
    pub composition: Composition,
    /// Pairs of variables with the reason why they belong together; enough of them to connect each part.
    pub links: Vec<(usize, usize, Cause)>,
    /// Questions that the solver was asked.
    pub questions: usize,
    /// What the claims stand on beside each other.
    pub(super) premises: Premises,
}

impl Decomposition {
    /// Whether all claims of independence are proved.
    pub fn is_certified(&self) -> bool {
        let parts = self.parts.iter().map(|part| part.proof);
        let autonomous = self.autonomous.iter().map(|group| group.proof);
        let claims = parts.chain(autonomous).chain([self.constant_proof]);
        claims.into_iter().all(|proof| proof != Proof::Open)
    }
}

/// What samples show of a game before anything but its variables is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// Parts; there can only be fewer in the end.
    pub parts: usize,
    /// Phases, at least one.
    pub phases: usize,
    /// Whether a move of some role is one in several parts.
    pub is_compound: bool,
}

/// Decomposes a game.
///
/// # Errors
/// [`Undecomposed`] if the game is too large or a limit is reached.
pub fn decompose(
    circuit: &Circuit,
    effort: &Effort,
    limits: &Limits,
) -> Result<Decomposition, Undecomposed> {
    decompose_if(circuit, effort, limits, &|_| true)
}

/// Decomposes a game unless samples show that the parts would be of no use.
///
/// # Errors
/// [`Undecomposed`] if the game is too large, a limit is reached, or the parts are not wanted.
pub fn decompose_if(
    circuit: &Circuit,
    effort: &Effort,
    limits: &Limits,
    is_wanted: &dyn Fn(Prospect) -> bool,
) -> Result<Decomposition, Undecomposed> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(effort.seed);
    let probe = Probe::new(circuit, &mut random);
    let moves: usize = circuit.moves.iter().map(Vec::len).sum();
    if moves.saturating_mul(probe.operations()) > effort.max_operations / 16 {
        return Err(Undecomposed::TooManyMoves(moves));
    }
    let stop = &limits.stop;
    let mut trial = Trial::new(circuit, probe, random);
    let stopped = |reason| Undecomposed::Stopped("variables", reason);
    let conjecture = trial.conjecture(stop).map_err(stopped)?;
    let few = |variables: &[Variable]| match variables.len() {
        number if number > effort.max_variables => Err(Undecomposed::TooManyVariables(number)),
        _ => Ok(()),
    };
    few(&conjecture.variables)?;
    let granted = effort.max_induction.min(effort.max_assignments);
    let mut account = Account {
        steps: granted,
        questions: 0,
    };
    let proved = trial.prove(conjecture, stop, &mut account);
    let proved = proved.map_err(stopped)?;
    // What is refuted falls apart into single fluents.
    few(&proved.variables)?;
    account.steps += effort.max_assignments - granted;
    let sampling = |reason| Undecomposed::Stopped("sampling", reason);
    let model = Model::new(
        circuit,
        &trial.sources,
        proved.variables,
        &trial.plays,
        trial.probe,
        trial.random,
        stop.clone(),
    );
    let mut work = Work {
        model: model.map_err(sampling)?,
        plays: trial.plays,
        invariants: proved.requirements,
        gained: proved.gained,
        account,
    };
    let found = work.run(is_wanted).map_err(sampling)?;
    found.ok_or(Undecomposed::NotWanted)
}

/// A decomposition on its way.
struct Work<'c> {
    model: Model<'c>,
    plays: Plays,
    invariants: Vec<Requirement>,
    /// Fluents, by place, that hold in no play, but after moves from states that satisfy the invariants.
    gained: FxHashSet<usize>,
    account: Account,
}

/// The parts under some phases.
struct Draft {
    phases: Option<Phases>,
    found: Dependencies,
    autonomous: Vec<bool>,
    partition: Partition,
}

impl Draft {
    /// Has variables that were thought to run by themselves belong to the parts of others: those named, or if
    /// there are none, those from which their next values are computed.
    ///
    /// Samples that never show a change say nothing of what it depends on; the gates bound that.
    fn evict(&mut self, model: &Model, variables: &[usize], others: &[usize]) {
        for &variable in variables {
            self.autonomous[variable] = false;
            self.partition.admit(variable);
        }
        for &variable in variables {
            let others: Vec<usize> = match others {
                [] => model.sources_of(variable).collect(),
                _ => others.to_vec(),
            };
            for other in others {
                self.partition.join(variable, other, Cause::Refuted);
            }
        }
    }
}

impl Work<'_> {
    fn run(
        &mut self,
        is_wanted: &dyn Fn(Prospect) -> bool,
    ) -> Result<Option<Decomposition>, StopReason> {
        let mut draft = self.draft(None)?;
        if let Some(phases) = self.phases(&draft)? {
            let phased = self.draft(Some(phases))?;
            // A partition into phases is of use if it tells more apart.
            let number = |work: &Self, draft: &Draft| {
                draft.partition.parts().len() + work.autonomous_groups(draft).moving.len()
            };
            if number(self, &phased) > number(self, &draft) {
                draft = phased;
            }
        }
        if !is_wanted(self.prospect(&draft)) {
            return Ok(None);
        }
        self.join_by_concepts(&mut draft);
        self.certify(draft).map(Some)
    }

    fn prospect(&self, draft: &Draft) -> Prospect {
        let parts = draft.partition.parts();
        let moves = self.local_moves(&parts);
        let is_compound = (0..self.model.roles()).any(|role| {
            let mut seen = FxHashSet::default();
            let own = moves.iter().flat_map(|by_role| &by_role[role].classes);
            own.flatten().any(|mv| !seen.insert(mv))
        });
        Prospect {
            parts: parts.len(),
            phases: draft.phases.as_ref().map_or(1, Phases::len),
            is_compound,
        }
    }

    fn draft(&mut self, phases: Option<Phases>) -> Result<Draft, StopReason> {
        let found = dependencies::sample(&mut self.model, phases.as_ref())?;
        let autonomous = autonomous(&self.model, &found);
        let partition = Partition::new(autonomous.iter().map(|is| !is).collect());
        let mut draft = Draft {
            phases,
            found,
            autonomous,
            partition,
        };
        let changes: Vec<usize> = (0..self.model.variables.len())
            .filter(|&variable| draft.autonomous[variable] && self.changes_unseen(variable))
            .collect();
        draft.evict(&self.model, &changes, &[]);
        let partition = &mut draft.partition;
        partition.join_dependent(&draft.found.by_like_move);
        join_by_moves(&self.model, partition)?;
        join_by_legality(&mut self.model, partition, draft.phases.as_ref())?;
        Ok(draft)
    }

    /// The phases that plays show, if they never come back.
    fn phases(&mut self, draft: &Draft) -> Result<Option<Phases>, StopReason> {
        // Parts as they are without the influence of one phase on the next.
        let mut partition = Partition::new(vec![true; self.model.variables.len()]);
        partition.join_dependent(&draft.found.by_same_move);
        join_by_moves(&self.model, &mut partition)?;
        let parts = partition.parts();
        let Some(phases) = phases::conjecture(&mut self.model, &self.plays, &parts) else {
            return Ok(None);
        };
        let mut prover = self.prover(None, &[]);
        let finding = prover.phases_are_latches(&phases);
        self.account = prover.account;
        Ok((finding == Finding::Proved).then_some(phases))
    }

    fn join_by_concepts(&mut self, draft: &mut Draft) {
        let parts = draft.partition.parts();
        if parts.len() < 2 {
            return;
        }
        for group in concepts::group(&mut self.model, &self.plays, &parts).groups {
            for pair in group.windows(2) {
                let (one, other) = (parts[pair[0]][0], parts[pair[1]][0]);
                draft.partition.join(one, other, Cause::Concept);
            }
        }
    }

    fn prover<'m>(&'m self, phases: Option<&'m Phases>, is_context: &'m [bool]) -> Prover<'m> {
        Prover {
            circuit: self.model.circuit,
            variables: &self.model.variables,
            invariants: &self.invariants,
            phases,
            is_context,
            stop: &self.model.stop,
            account: self.account,
        }
    }

    /// By part and role, the local moves.
    fn local_moves(&self, parts: &[Vec<usize>]) -> Vec<Vec<LocalMoves>> {
        let mut moves = vec![Vec::new(); parts.len()];
        for classes in &self.model.classes {
            let classes = parts.iter().map(|part| of_part(classes, part));
            let local = local::by_part(&classes.collect::<Vec<Classes>>());
            for (moves, local) in moves.iter_mut().zip(local) {
                moves.push(local);
            }
        }
        moves
    }

    fn certify(&mut self, mut draft: Draft) -> Result<Decomposition, StopReason> {
        let context = self.certify_context(&mut draft)?;
        let (parts, proofs) = self.certify_parts(&mut draft)?;
        let is_context = self.context(&draft);
        let mut prover = self.prover(draft.phases.as_ref(), &is_context);
        let autonomous = context
            .moving
            .into_iter()
            .map(|(variables, proof)| Autonomous {
                useful: prover.uses(&variables),
                variables,
                proof,
            });
        let autonomous = autonomous.collect();
        let mut finished = Vec::new();
        let moves = self.local_moves(&parts);
        for ((variables, proof), moves) in parts.into_iter().zip(proofs).zip(moves) {
            finished.push(Part {
                useful: prover.uses(&variables),
                moves,
                phase: None,
                proof,
                variables,
            });
        }
        let composition = Composition::of(&mut prover, &finished);
        self.account = prover.account;
        for part in &mut finished {
            part.phase = draft
                .phases
                .as_ref()
                .and_then(|phases| phase_of(phases, part));
        }
        Ok(Decomposition {
            variables: self.model.variables.clone(),
            parts: finished,
            autonomous,
            constant: context.constant,
            constant_proof: context.constant_proof,
            phases: draft.phases.as_ref().map_or(1, Phases::len),
            composition,
            links: draft.partition.links.clone(),
            questions: self.account.questions,
            premises: Premises {
                invariants: self.invariants.clone(),
                phases: draft.phases,
            },
        })
    }

    /// Puts parts together of which not all that is legal can be chosen together, until there are none.
    fn join_unjoined(&mut self, draft: &mut Draft) {
        let is_context = self.context(draft);
        loop {
            let parts = draft.partition.parts();
            let moves = self.local_moves(&parts);
            let mut prover = self.prover(draft.phases.as_ref(), &is_context);
            let mut roles = 0..self.model.roles();
            let found = roles.find_map(|role| {
                let moves: Vec<&LocalMoves> = moves.iter().map(|by_role| &by_role[role]).collect();
                Some((role, unjoined(&mut prover, &moves, role)?))
            });
            self.account = prover.account;
            let Some((role, together)) = found else {
                return;
            };
            for pair in together.windows(2) {
                let (one, other) = (parts[pair[0]][0], parts[pair[1]][0]);
                draft.partition.join(one, other, Cause::Moves(role));
            }
        }
    }

    /// Proves that what runs by itself does; what a counterexample shows to depend on a part is of that part,
    /// until there is none.
    fn certify_context(&mut self, draft: &mut Draft) -> Result<Context, StopReason> {
        loop {
            let groups = self.autonomous_groups(draft);
            let is_context = self.context(draft);
            let parts = draft.partition.parts();
            let mut prover = self.prover(draft.phases.as_ref(), &is_context);
            let mut refuted: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
            let mut moving = Vec::new();
            for variables in groups.moving {
                let finding = prover.autonomy(&parts, &variables);
                moving.push((variables.clone(), proof(&finding)));
                if let Finding::Refuted(needed) = finding {
                    refuted.push((variables, needed));
                }
            }
            let mut constant_proof = Proof::Proved;
            if refuted.is_empty() && !groups.constant.is_empty() {
                let finding = prover.constancy(&groups.constant);
                constant_proof = proof(&finding);
                if let Finding::Refuted(variables) = finding {
                    refuted.push((variables, Vec::new()));
                }
            }
            self.account = prover.account;
            self.model.stop.poll()?;
            if refuted.is_empty() {
                return Ok(Context {
                    constant: groups.constant,
                    constant_proof,
                    moving,
                });
            }
            for (variables, needed) in refuted {
                let needed: Vec<usize> = needed.iter().map(|&part| parts[part][0]).collect();
                draft.evict(&self.model, &variables, &needed);
            }
            draft.partition.join_dependent(&draft.found.by_like_move);
            join_by_moves(&self.model, &mut draft.partition)?;
        }
    }

    /// Proves the parts independent; those of a counterexample are joined, until there is none.
    fn certify_parts(
        &mut self,
        draft: &mut Draft,
    ) -> Result<(Vec<Vec<usize>>, Vec<Proof>), StopReason> {
        loop {
            self.join_unjoined(draft);
            let parts = draft.partition.parts();
            if parts.len() < 2 {
                let proofs = parts.iter().map(|_| Proof::Nothing).collect();
                return Ok((parts, proofs));
            }
            let is_context = self.context(draft);
            let mut prover = self.prover(draft.phases.as_ref(), &is_context);
            let moves = self.local_moves(&parts);
            let findings = moves.iter().enumerate();
            let findings = findings.map(|(part, own)| prover.independence(&parts, part, own));
            let findings: Vec<Finding> = findings.collect();
            self.account = prover.account;
            self.model.stop.poll()?;
            let mut is_stable = true;
            for (part, finding) in findings.iter().enumerate() {
                if let Finding::Refuted(others) = finding {
                    for &other in others {
                        let (one, other) = (parts[part][0], parts[other][0]);
                        is_stable &= !draft.partition.join(one, other, Cause::Refuted);
                    }
                }
                if let Finding::Unlike(state) = finding {
                    is_stable &= !self.model.tell_apart(&parts[part], state);
                }
            }
            if is_stable {
                let proofs = findings.iter().map(proof).collect();
                return Ok((parts, proofs));
            }
            join_by_moves(&self.model, &mut draft.partition)?;
        }
    }

    /// By fluent, whether it belongs to an autonomous variable.
    fn context(&self, draft: &Draft) -> Vec<bool> {
        let mut is_context = vec![false; self.model.circuit.fluents.len()];
        for (variable, _) in draft.autonomous.iter().enumerate().filter(|(_, is)| **is) {
            for &fluent in &self.model.variables[variable].fluents {
                is_context[fluent] = true;
            }
        }
        is_context
    }

    /// Autonomous variables by dependence on each other, and those that never change.
    fn autonomous_groups(&self, draft: &Draft) -> Groups {
        let (constant, moving): (Vec<usize>, Vec<usize>) = (0..self.model.variables.len())
            .filter(|&variable| draft.autonomous[variable])
            .partition(|&variable| self.is_constant(variable, draft.phases.as_ref()));
        let mut is_member = vec![false; self.model.variables.len()];
        moving
            .iter()
            .for_each(|&variable| is_member[variable] = true);
        let mut partition = Partition::new(is_member);
        partition.join_dependent(&draft.found.by_like_move);
        Groups {
            constant,
            moving: partition.parts(),
        }
    }

    /// Whether a variable never changes, or has the same value after every move, as what is true only at
    /// the start.
    fn is_constant(&self, variable: usize, phases: Option<&Phases>) -> bool {
        if self.never_changes(variable) {
            return true;
        }
        let variable = &self.model.variables[variable];
        let samples = &self.model.samples;
        // By phase: what has the same value after every move of a phase only says which phase it is.
        let is_fixed = |&fluent: &usize| {
            let mut values: FxHashMap<Vec<bool>, bool> = FxHashMap::default();
            samples.iter().all(|sample| {
                let rows = phases.map_or_else(Vec::new, |phases| phases.conditions(&sample.legal));
                lanes(sample.open).all(|lane| {
                    let bit = |row: &Row| row[lane / 64] >> (lane % 64) & 1 == 1;
                    let phase: Vec<bool> = rows.iter().map(bit).collect();
                    let holds = bit(&sample.next[fluent]);
                    *values.entry(phase).or_insert(holds) == holds
                })
            })
        };
        variable.fluents.iter().all(is_fixed)
    }

    /// Whether a variable is the same after all moves of the samples.
    fn never_changes(&self, variable: usize) -> bool {
        let variable = &self.model.variables[variable];
        let mut samples = self.model.samples.iter();
        samples.all(|sample| differs(variable, &sample.state, &sample.next, sample.open) == none())
    }

    /// Whether a variable is known to change, but not from samples.
    fn changes_unseen(&self, variable: usize) -> bool {
        let mut fluents = self.model.variables[variable].fluents.iter();
        fluents.any(|&place| self.gained.contains(&place) || self.plays.changes(place))
            && self.never_changes(variable)
    }
}

/// Autonomous variables, with proofs.
struct Context {
    constant: Vec<usize>,
    constant_proof: Proof,
    moving: Vec<(Vec<usize>, Proof)>,
}

/// Autonomous variables.
struct Groups {
    constant: Vec<usize>,
    moving: Vec<Vec<usize>>,
}

fn proof(finding: &Finding) -> Proof {
    match finding {
        Finding::Proved => Proof::Proved,
        Finding::Refuted(_) | Finding::Unlike(_) | Finding::Open(_) => Proof::Open,
    }
}

/// The phase whose moves are those of a part.
fn phase_of(phases: &Phases, part: &Part) -> Option<usize> {
    (0..phases.len()).find(|&phase| {
        part.moves.iter().enumerate().any(|(role, own)| {
            let mut moves = own.classes.iter().flatten();
            moves.any(|mv| phases.moves[phase][role].contains(mv))
        })
    })
}
