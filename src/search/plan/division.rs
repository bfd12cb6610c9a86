//! What `decompose` finds, for search: parts of the function that the rules compute, where the subgames of the
//! symbols are fewer.
//!
//! Subgames by symbols are joined by every move that acts in two of them and by every move that waits for the end
//! of another game. Where these are proved to be products and series, the parts are searched instead: in products
//! in step ([`lockstep`](crate::search::plan::lockstep)), in series one after the other
//! ([`series`](crate::search::plan::series)).

use rustc_hash::FxHashMap;

use crate::analysis::{AtomQuestion, Conditions, Formula, Heuristic};
use crate::circuit::{Circuit, Gate, Signal};
use crate::decomposition::{
    self, ConceptCondition, ConceptOperand, Decomposition, DecompositionEffort, Legality,
    LocalConcepts, Prospect, Undecomposed,
};
use crate::gdl::{GoalValue, Reasoner};
use crate::limits::Limits;
use crate::search::halt::Halt;
use crate::search::plan::estimate::Estimator;
use crate::search::plan::outcome::Remark;
use crate::search::plan::problem::Problem;
use crate::term::TermId;

/// States that are computed, unless said otherwise, before it is asked what `decompose` finds.
pub const UNDIVIDED: u64 = 5_000;

/// Assignments that finding the parts may take for each state that was computed before.
const ASSIGNMENTS: u64 = 200;

/// Those of them that may be taken by the proof of the variables, in which most games are told from compound ones.
const INDUCTION: u64 = 80;

/// Variables at most, and operations that classifying moves may take at most.
const EFFORT: DecompositionEffort = DecompositionEffort {
    max_variables: 1_000,
    max_operations: 16_000_000,
    max_assignments: 0,
    max_induction: 0,
    seed: 1,
};

/// Parts at most that samples show. What falls into more is a board, or a sum as the analysis finds it.
const MAX_PARTS: usize = 12;

/// What is known of the parts.
pub(super) enum Divisibility {
    /// It takes more than may be spent by now.
    Open,
    /// There are no more than the analysis finds, or they cannot be searched as parts.
    Not,
    Divided(Box<Division>),
}

/// How the parts are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Play {
    /// Each move is one in every part.
    Together,
    /// One part after the other.
    InTurn,
}

impl Play {
    /// What there is to say about a search of such parts.
    pub(super) fn remark(self) -> Remark {
        match self {
            Play::Together => Remark::Together,
            Play::InTurn => Remark::InTurn,
        }
    }
}

/// A game of one role, taken apart.
pub(super) struct Division {
    /// The parts, by number, in the order in which they are played.
    pub(super) parts: Vec<usize>,
    pub(super) play: Play,
    /// End and goal values over the local concepts of the parts.
    pub(super) conditions: Conditions,
    pub(super) estimator: Estimator,
    /// The goal values, the highest first, each with the question whether the game ends with it, and all phases
    /// before the last are over then.
    pub(super) wins: Vec<(GoalValue, AtomQuestion)>,
    /// What the parts are next, and what is legal there, depends on nothing that runs by itself.
    pub(super) is_timeless: bool,
    /// By fluent of a part, its number.
    part_of: FxHashMap<TermId, usize>,
    /// By part, by move, the number of the local move that it is; none if it is made elsewhere.
    classes: Vec<FxHashMap<TermId, usize>>,
}

impl Division {
    /// Takes a game apart, if it has more parts than are known.
    ///
    /// # Errors
    /// [`Halt`] if a limit of the search was reached.
    pub(super) fn of<R: Reasoner>(
        problem: &mut Problem<'_, R>,
        known: usize,
    ) -> Result<Divisibility, Halt> {
        let Some(circuit) = problem.circuit().cloned() else {
            return Ok(Divisibility::Not);
        };
        let limits = Limits {
            stop: problem.stop(),
            ..Limits::default()
        };
        // The effort is a share of what the search has spent, so that looking in vain costs no more than that share.
        let spent = problem.counts().total().max(UNDIVIDED);
        let effort = DecompositionEffort {
            max_assignments: spent.saturating_mul(ASSIGNMENTS),
            max_induction: spent.saturating_mul(INDUCTION),
            ..EFFORT
        };
        let is_wanted = |prospect: Prospect| {
            let more = known + 1..=MAX_PARTS;
            more.contains(&prospect.parts) && (prospect.is_compound || prospect.phases > 1)
        };
        let found = decomposition::decompose_if(&circuit, &effort, &limits, &is_wanted);
        problem.poll()?;
        let found = match found {
            Ok(found) if found.is_certified() => found,
            Ok(_) | Err(Undecomposed::Stopped(..)) => return Ok(Divisibility::Open),
            Err(_) => return Ok(Divisibility::Not),
        };
        if found.parts.len() <= known {
            return Ok(Divisibility::Not);
        }
        let division = Self::of_parts(problem, &circuit, &found);
        Ok(division.map_or(Divisibility::Not, |division| {
            Divisibility::Divided(Box::new(division))
        }))
    }

    fn of_parts<R: Reasoner>(
        problem: &mut Problem<'_, R>,
        circuit: &Circuit,
        found: &Decomposition,
    ) -> Option<Self> {
        let play = play(found)?;
        let owners = owners(circuit, found);
        let Functions {
            conditions,
            wins,
            heuristic,
        } = functions(circuit, found, &owners)?;
        let mut parts: Vec<usize> = (0..found.parts.len()).collect();
        // A series is played in the order of its phases.
        parts.sort_by_key(|&part| found.parts[part].phase);
        Some(Self {
            parts,
            play,
            conditions,
            estimator: Estimator::of_fluents(problem.vocabulary_mut(), heuristic),
            wins,
            is_timeless: is_timeless(circuit, found, &owners),
            part_of: part_of(circuit, &owners),
            classes: classes(circuit, found),
        })
    }

    /// The part to which a fluent belongs.
    pub(super) fn part_of(&self, fluent: TermId) -> Option<usize> {
        self.part_of.get(&fluent).copied()
    }

    /// The local move of a part that a move is; none for all that are made elsewhere.
    pub(super) fn class(&self, mv: TermId, part: usize) -> Option<usize> {
        self.classes[part].get(&mv).copied()
    }
}

/// How the parts are played, if it is in a way that can be searched.
fn play(found: &Decomposition) -> Option<Play> {
    let legality = found.composition.legality.first()?;
    match (legality, found.phases) {
        // One move in every part at once, or one part at a time in an order that phases give.
        (Legality::Product, 1) => Some(Play::Together),
        (Legality::Sum, 2..) => Some(Play::InTurn),
        _ => None,
    }
}

/// By fluent, the part that it belongs to; none if it runs by itself.
fn owners(circuit: &Circuit, found: &Decomposition) -> Vec<Option<usize>> {
    let mut owners = vec![None; circuit.fluents.len()];
    for (number, part) in found.parts.iter().enumerate() {
        for &variable in &part.variables {
            for &fluent in &found.variables[variable].fluents {
                owners[fluent] = Some(number);
            }
        }
    }
    owners
}

fn part_of(circuit: &Circuit, owners: &[Option<usize>]) -> FxHashMap<TermId, usize> {
    let fluents = circuit.fluents.iter().zip(owners);
    let owned = fluents.filter_map(|(fluent, owner)| Some((fluent.term, (*owner)?)));
    owned.collect()
}

fn classes(circuit: &Circuit, found: &Decomposition) -> Vec<FxHashMap<TermId, usize>> {
    let of_part = |part: &decomposition::Part| {
        let classes = part.moves[0].classes.iter().enumerate();
        let moves = classes.flat_map(|(class, moves)| moves.iter().map(move |&mv| (mv, class)));
        let named = moves.map(|(mv, class)| (circuit.moves[0][mv].term, class));
        named.collect()
    };
    found.parts.iter().map(of_part).collect()
}

/// End, goal values and phases over local concepts.
struct Functions {
    conditions: Conditions,
    /// What is asked of a play that is worth so much, the most first.
    wins: Vec<(GoalValue, AtomQuestion)>,
    /// How far a state is from each concept.
    heuristic: Heuristic,
}

/// The signals that a division asks for.
struct Roots {
    payoffs: Vec<(GoalValue, Signal)>,
    /// By phase but the last, signals of which one is true as long as a move of it can be made.
    phases: Vec<Vec<Signal>>,
}

impl Roots {
    fn of(circuit: &Circuit, found: &Decomposition) -> Option<Self> {
        let payoffs = circuit.goals.first()?.iter();
        let payoffs = payoffs.filter_map(|payoff| Some((payoff.value?, payoff.signal)));
        let phases = (1..found.phases).map(|phases| found.goes_on(circuit, phases));
        Some(Self {
            payoffs: payoffs.collect(),
            phases: phases.collect(),
        })
    }

    /// End, payoffs and phases over local concepts.
    fn concepts(&self, circuit: &Circuit, owners: &[Option<usize>]) -> Option<LocalConcepts> {
        let mut signals = vec![circuit.terminal];
        signals.extend(self.payoffs.iter().map(|&(_, signal)| signal));
        signals.extend(self.phases.iter().flatten());
        LocalConcepts::of(circuit, owners, &signals)
    }
}

fn functions(
    circuit: &Circuit,
    found: &Decomposition,
    owners: &[Option<usize>],
) -> Option<Functions> {
    let roots = Roots::of(circuit, found)?;
    let concepts = roots.concepts(circuit, owners)?;
    // The formulas in the order of their numbers: conjunctions, the end, the payoffs, the ends with each payoff.
    let mut formulas: Vec<Formula> = concepts
        .conjunctions()
        .iter()
        .map(|conditions| Formula::All(conditions.iter().copied().map(formula).collect()))
        .collect();
    let end = formulas.len();
    formulas.push(formula(concepts.condition(circuit.terminal)?));
    let mut values = Vec::new();
    for &(value, signal) in &roots.payoffs {
        values.push((value, formulas.len()));
        formulas.push(formula(concepts.condition(signal)?));
    }
    // A phase is over once none of its moves can be made.
    let mut over = Vec::new();
    for &signal in roots.phases.iter().flatten() {
        over.push(Formula::Not(Box::new(formula(concepts.condition(signal)?))));
    }
    let mut wins = Vec::new();
    for &(value, atom) in &values {
        let mut all = vec![Formula::Atom(atom), Formula::Atom(end)];
        all.extend(over.iter().cloned());
        wins.push((value, Conditions::question(formulas.len())));
        formulas.push(Formula::All(all));
    }
    wins.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    let subgames = concepts.concepts().map(|concept| concept.part).collect();
    let values = values
        .into_iter()
        .map(|(value, atom)| (i64::from(value.0), atom));
    let heuristic = heuristic(circuit, &concepts)?;
    let conditions = Conditions::of_formulas(formulas, subgames, end, values);
    Some(Functions {
        conditions,
        wins,
        heuristic,
    })
}

fn formula(condition: ConceptCondition) -> Formula {
    let formula = match condition.operand {
        ConceptOperand::Concept(place) => Formula::Concept(place),
        ConceptOperand::Conjunction(place) => Formula::Atom(place),
    };
    negated_if(condition.is_inverted, formula)
}

fn negated_if(is_inverted: bool, formula: Formula) -> Formula {
    if is_inverted {
        Formula::Not(Box::new(formula))
    } else {
        formula
    }
}

/// How far a state is from each concept; none if that takes too much, or a loop.
fn heuristic(circuit: &Circuit, concepts: &LocalConcepts) -> Option<Heuristic> {
    let signals = concepts.concepts().flat_map(|concept| &concept.signals);
    let is_below = cone(circuit, signals.copied());
    // By gate, the number of its formula; inputs come before their gates.
    let mut places = vec![0; circuit.gates.len()];
    let (mut leaves, mut formulas) = (Vec::new(), Vec::new());
    let atom = |places: &[usize], signal: Signal| {
        negated_if(signal.is_inverted(), Formula::Atom(places[signal.gate()]))
    };
    for gate in (0..circuit.gates.len()).filter(|&gate| is_below[gate]) {
        let formula = match circuit.gates.gate(gate) {
            Gate::False => Formula::Constant(false),
            Gate::Fluent(place) => {
                leaves.push(circuit.fluents[place as usize].term);
                Formula::Concept(leaves.len() - 1)
            }
            Gate::And => {
                let inputs = circuit.gates.inputs(gate).iter();
                Formula::All(inputs.map(|&input| atom(&places, input)).collect())
            }
            Gate::Move(..) | Gate::Variable(..) => return None,
        };
        places[gate] = formulas.len();
        formulas.push(formula);
    }
    let asked = concepts.concepts().map(|concept| {
        let signals = concept.signals.iter();
        Formula::All(signals.map(|&signal| atom(&places, signal)).collect())
    });
    Heuristic::of_formulas(leaves, &formulas, &asked.collect::<Vec<_>>())
}

/// By gate, whether some signals depend on it, through loops as well.
fn cone(circuit: &Circuit, signals: impl Iterator<Item = Signal>) -> Vec<bool> {
    let gates = &circuit.gates;
    let mut is_below = vec![false; gates.len()];
    let mut pending: Vec<usize> = signals.map(Signal::gate).collect();
    while let Some(gate) = pending.pop() {
        if std::mem::replace(&mut is_below[gate], true) {
            continue;
        }
        pending.extend(gates.inputs(gate).iter().map(|input| input.gate()));
        // A variable of a loop depends on its definition, which comes later among the gates.
        if let Gate::Variable(number, _) = gates.gate(gate) {
            let definitions = gates.loops()[number as usize].definitions.iter();
            pending.extend(definitions.map(|definition| definition.gate()));
        }
    }
    is_below
}

/// Whether neither what the parts are next nor what is legal in them depends on what runs by itself.
fn is_timeless(circuit: &Circuit, found: &Decomposition, owners: &[Option<usize>]) -> bool {
    let fluents = circuit.fluents.iter().zip(owners);
    let owned = fluents.filter(|(_, owner)| owner.is_some());
    let next = owned.map(|(fluent, _)| fluent.next);
    let classes = found.parts.iter().flat_map(|part| &part.moves[0].classes);
    let legal = classes.flatten().map(|&mv| circuit.moves[0][mv].legal);
    let is_below = cone(circuit, next.chain(legal));
    let mut gates = (0..circuit.gates.len()).filter(|&gate| is_below[gate]);
    gates.all(|gate| match circuit.gates.gate(gate) {
        Gate::Fluent(place) => owners[place as usize].is_some(),
        Gate::False | Gate::Move(..) | Gate::Variable(..) | Gate::And => true,
    })
}
