//! All states that plays reach, with all joint moves, found breadth first.
//!
//! Whether or not it is all of them, the play to a state has as few moves as a play to it can have, so that what is
//! found here refutes with a shortest play.

use std::collections::{BTreeMap, VecDeque};

use crate::circuit::invariants::{LANES, Row};
use crate::circuit::lanes::{lanes, none};
use crate::circuit::{Circuit, Evaluator, Probe};
use crate::gdl::{
    Expansion, Expansions, MoveId, Reasoner, ReasonerError, State, States, Vocabulary,
};
use crate::limits::StopReason;
use crate::prove::cover::{self, Cover};
use crate::prove::finding::Play;
use crate::term::TermId;

/// States and moves that may be looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraphSize {
    pub(super) states: usize,
    pub(super) moves: usize,
}

/// States and moves between them.
pub(super) struct Graph {
    states: States,
    /// By state, where its joint moves end in `successors`.
    ends: Vec<usize>,
    /// Where joint moves lead, the last role's move changing first.
    successors: Vec<u32>,
    /// By state and role, the number of legal moves; 0 for ends.
    options: Vec<u32>,
    roles: usize,
    parents: Vec<u32>,
    depths: Vec<u32>,
    /// By state, which signals are true in it.
    facts: Vec<Vec<u64>>,
    /// By target of which one play is enough, the first state, and the place of the joint move made in it, that
    /// reach it, if they were looked for.
    pub(super) covered: Vec<Option<(usize, Option<usize>)>>,
    /// Whether these are all states.
    pub(super) is_complete: bool,
}

/// What signals a circuit has in its states: those that stand as payoffs of its first role.
pub(super) struct Labeller<'e> {
    pub(super) circuit: &'e Circuit,
    pub(super) probe: &'e mut Probe,
    /// How many signals are kept of each state.
    pub(super) signals: usize,
    pub(super) covers: &'e [Cover],
    /// The targets among them that are still looked for.
    open: Vec<usize>,
    /// By id of a fluent, its place in the circuit.
    places: Vec<Option<usize>>,
    /// By role and id of a move, its place in the circuit.
    moves: Vec<Vec<Option<usize>>>,
}

impl<'e> Labeller<'e> {
    pub(super) fn new(
        circuit: &'e Circuit,
        probe: &'e mut Probe,
        vocabulary: &mut Vocabulary,
        (signals, covers): (usize, &'e [Cover]),
        open: Vec<usize>,
    ) -> Self {
        let fluents = circuit.fluents.iter();
        let fluents = fluents.map(|fluent| vocabulary.fluent(fluent.term).index());
        let places = inverse(&fluents.collect::<Vec<_>>());
        let moves = circuit.moves.iter().map(|own| {
            let own = own.iter().map(|mv| vocabulary.mv(mv.term).index());
            inverse(&own.collect::<Vec<_>>())
        });
        Self {
            moves: moves.collect(),
            circuit,
            probe,
            signals,
            covers,
            open,
            places,
        }
    }

    /// Sets the fluents of states, a lane each.
    fn enter<'s>(&mut self, states: impl Iterator<Item = &'s State>) {
        let mut rows: Vec<Row> = vec![none(); self.circuit.fluents.len()];
        for (lane, state) in states.enumerate() {
            for fluent in state.fluents() {
                if let Some(Some(place)) = self.places.get(fluent.index()) {
                    rows[*place][lane / 64] |= 1 << (lane % 64);
                }
            }
        }
        self.probe.enter(&rows);
    }

    /// Looks among so many lanes for targets that are still open; gives each with the lane.
    fn cover(&mut self, is_of_moves: bool, number: usize) -> Vec<(usize, usize)> {
        let first = [self.signals, self.circuit.fluents.len()];
        let (covers, probe) = (self.covers, &*self.probe);
        let mut found = Vec::new();
        self.open.retain(|&target| {
            let cover = &covers[target];
            if cover::is_of_moves(&cover.target) != is_of_moves {
                return true;
            }
            let place = first[usize::from(is_of_moves)] + cover.place;
            let hit = if is_of_moves {
                probe.next(place)
            } else {
                probe.payoff(0, place)
            };
            let lane = lanes(hit).next().filter(|&lane| lane < number);
            found.extend(lane.map(|lane| (target, lane)));
            lane.is_none()
        });
        found
    }

    /// Looks at the joint moves of some states for targets that are still open: the target, and the number of the
    /// joint move among those of all of them.
    fn cover_moves(&mut self, states: &[State], expansions: &Expansions) -> Vec<(usize, usize)> {
        let is_open = |&target: &usize| cover::is_of_moves(&self.covers[target].target);
        if !self.open.iter().any(is_open) {
            return Vec::new();
        }
        let mut joint: Vec<(&State, &[MoveId])> = Vec::new();
        for (state, expansion) in states.iter().zip(expansions.iter()) {
            if let Expansion::Successors(successors) = expansion {
                joint.extend(successors.iter().map(|(moves, _)| (state, moves)));
            }
        }
        let mut found = Vec::new();
        for (chunk, joint) in joint.chunks(LANES).enumerate() {
            self.enter(joint.iter().map(|&(state, _)| state));
            for role in 0..self.circuit.moves.len() {
                self.probe.clear(role);
                let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
                for (lane, (_, moves)) in joint.iter().enumerate() {
                    if let Some(Some(place)) = self.moves[role].get(moves[role].index()) {
                        rows.entry(*place).or_insert(none())[lane / 64] |= 1 << (lane % 64);
                    }
                }
                for (place, row) in rows {
                    self.probe.make(role, place, row);
                }
            }
            self.probe.step();
            let here = self.cover(true, joint.len());
            found.extend(
                here.iter()
                    .map(|&(target, lane)| (target, chunk * LANES + lane)),
            );
        }
        found
    }

    /// The signals of each of some states, a bit each.
    fn facts(&mut self, states: &[State], graph: &mut Graph) {
        let signals = self.signals;
        let facts = &mut graph.facts;
        for states in states.chunks(LANES) {
            self.enter(states.iter());
            self.probe.score();
            let first = facts.len();
            for (target, lane) in self.cover(false, states.len()) {
                graph.covered[target] = Some((first + lane, None));
            }
            facts.extend(states.iter().map(|_| vec![0; signals.div_ceil(64)]));
            for signal in 0..signals {
                let row = self.probe.payoff(0, signal);
                for (lane, facts) in facts[first..].iter_mut().enumerate() {
                    facts[signal / 64] |= (row[lane / 64] >> (lane % 64) & 1) << (signal % 64);
                }
            }
        }
    }
}

impl Graph {
    /// Looks at states until there are no more, or there are too many, or one has too many joint moves.
    ///
    /// # Errors
    /// [`ReasonerError`] if it is stopped.
    pub(super) fn explore(
        evaluator: &mut Evaluator,
        vocabulary: &mut Vocabulary,
        eye: &mut Labeller<'_>,
        size: GraphSize,
    ) -> Result<Self, ReasonerError> {
        let start = evaluator.initial_state(vocabulary)?;
        let roles = eye.circuit.moves.len();
        let mut graph = Self {
            states: States::of(&start),
            ends: Vec::new(),
            successors: Vec::new(),
            options: Vec::new(),
            roles,
            parents: vec![0],
            depths: vec![0],
            facts: Vec::new(),
            covered: vec![None; eye.covers.len()],
            is_complete: false,
        };
        eye.facts(&[start], &mut graph);
        let mut expansions = Expansions::new(roles);
        let mut batch = Vec::new();
        while graph.ends.len() < graph.states.len() {
            if graph.states.len() > size.states || graph.successors.len() > size.moves {
                return Ok(graph);
            }
            graph.states.get_many(graph.ends.len(), LANES, &mut batch);
            match evaluator.expand(vocabulary, &batch, &mut expansions) {
                Err(ReasonerError::Stopped(StopReason::JointMoveLimit(_))) => return Ok(graph),
                expanded => expanded?,
            }
            let first = graph.ends.len();
            let covered = eye.cover_moves(&batch, &expansions);
            let before = graph.successors.len();
            graph.add(&expansions, eye);
            for (target, number) in covered {
                let number = before + number;
                let state = first + graph.ends[first..].partition_point(|&end| end <= number);
                let start = state.checked_sub(1).map_or(0, |last| graph.ends[last]);
                graph.covered[target] = Some((state, Some(number - start)));
            }
        }
        graph.is_complete = true;
        Ok(graph)
    }

    /// Adds what comes after the next states.
    fn add(&mut self, expansions: &Expansions, eye: &mut Labeller<'_>) {
        let mut added = Vec::new();
        for expansion in expansions.iter() {
            let from = self.ends.len();
            if let Expansion::Successors(successors) = expansion {
                let moves: Vec<&[MoveId]> = successors.iter().map(|(moves, _)| moves).collect();
                self.options.extend(options(&moves, self.roles));
                for (_, state) in successors.iter() {
                    let (place, is_new) = self.states.insert(state);
                    if is_new {
                        added.push(state.clone());
                        self.parents.push(from as u32);
                        self.depths.push(self.depths[from] + 1);
                    }
                    self.successors.push(place as u32);
                }
            } else {
                self.options.extend(std::iter::repeat_n(0, self.roles));
            }
            self.ends.push(self.successors.len());
        }
        eye.facts(&added, self);
    }

    /// Number of states that were found.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Number of states of which it is known what comes after.
    fn expanded(&self) -> usize {
        self.ends.len()
    }

    /// The moves up to which all plays were looked at.
    pub(super) fn depth(&self) -> u64 {
        let last = self.depths.get(self.expanded()).or(self.depths.last());
        last.map_or(0, |&depth| u64::from(depth))
    }

    /// Whether a signal is true in a state.
    pub(super) fn has(&self, state: usize, signal: usize) -> bool {
        self.facts[state][signal / 64] >> (signal % 64) & 1 == 1
    }

    /// Where the joint moves of a state lead.
    pub(super) fn successors(&self, state: usize) -> &[u32] {
        let Some(&end) = self.ends.get(state) else {
            return &[];
        };
        let start = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.successors[start..end]
    }

    /// The first state in which a signal is true.
    pub(super) fn find(&self, signal: usize) -> Option<usize> {
        (0..self.len()).find(|&state| self.has(state, signal))
    }

    /// The first move with one of some pairs of signals, before and after it.
    pub(super) fn find_step(&self, pairs: &[[usize; 2]]) -> Option<[usize; 2]> {
        let is_step = |from: usize, to: usize| {
            pairs
                .iter()
                .any(|&[before, after]| self.has(from, before) && self.has(to, after))
        };
        (0..self.expanded()).find_map(|from| {
            let mut to = self.successors(from).iter();
            let found = to.find(|&&to| is_step(from, to as usize));
            found.map(|&to| [from, to as usize])
        })
    }

    /// The states on the way to a state, the start first.
    pub(super) fn path(&self, state: usize) -> Vec<usize> {
        let mut path = vec![state];
        let mut at = state;
        while at != 0 {
            at = self.parents[at] as usize;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The play to a state, and a joint move more if there is one.
    ///
    /// # Errors
    /// [`ReasonerError`] if it is stopped.
    pub(super) fn play_to(
        &self,
        state: usize,
        joint: Option<usize>,
        evaluator: &mut Evaluator,
        vocabulary: &mut Vocabulary,
    ) -> Result<Play, ReasonerError> {
        let mut play = self.play(&self.path(state), evaluator, vocabulary)?;
        if let Some(joint) = joint {
            let moves = self.moves(state, joint, evaluator, vocabulary)?;
            play.moves.push(moves);
        }
        Ok(play)
    }

    /// The joint move of a state, by place.
    fn moves(
        &self,
        state: usize,
        joint: usize,
        evaluator: &mut Evaluator,
        vocabulary: &mut Vocabulary,
    ) -> Result<Vec<TermId>, ReasonerError> {
        let mut expansions = Expansions::new(self.roles);
        let state = self.states.get(state).unwrap_or_default();
        evaluator.expand(vocabulary, &[state], &mut expansions)?;
        let moves = match expansions.iter().next() {
            Some(Expansion::Successors(successors)) => successors.iter().nth(joint),
            Some(Expansion::End(_)) | None => None,
        };
        let moves = moves.map_or(&[][..], |(moves, _)| moves).iter();
        Ok(moves.map(|&mv| vocabulary.move_term(mv)).collect())
    }

    /// The play along some states.
    ///
    /// # Errors
    /// [`ReasonerError`] if it is stopped.
    pub(super) fn play(
        &self,
        path: &[usize],
        evaluator: &mut Evaluator,
        vocabulary: &mut Vocabulary,
    ) -> Result<Play, ReasonerError> {
        let mut play = Play::default();
        for pair in path.windows(2) {
            let mut successors = self.successors(pair[0]).iter();
            let joint = successors.position(|&to| to as usize == pair[1]);
            let moves = self.moves(pair[0], joint.unwrap_or_default(), evaluator, vocabulary)?;
            play.moves.push(moves);
        }
        Ok(play)
    }

    /// The number of moves of the longest play; none if a play can come to a state twice.
    pub(super) fn longest(&self) -> Option<u64> {
        let mut left = self.indegrees();
        let mut open: Vec<usize> = (0..self.len()).filter(|&state| left[state] == 0).collect();
        let mut longest = vec![0u64; self.len()];
        let mut done = 0;
        while let Some(state) = open.pop() {
            done += 1;
            for &to in self.successors(state) {
                let to = to as usize;
                longest[to] = longest[to].max(longest[state] + 1);
                left[to] -= 1;
                if left[to] == 0 {
                    open.push(to);
                }
            }
        }
        (done == self.len()).then(|| longest.into_iter().max().unwrap_or(0))
    }

    fn indegrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.len()];
        for &to in &self.successors {
            degrees[to as usize] += 1;
        }
        degrees
    }

    /// The states of a play that comes back to one of them, and the place of that.
    pub(super) fn cycle(&self) -> Option<(Vec<usize>, usize)> {
        let is_left = self.between_cycles();
        let mut at = (0..self.len()).find(|&state| is_left[state])?;
        // Whoever goes on among the states that are left is on a cycle in the end.
        let mut is_met = vec![false; self.len()];
        while !std::mem::replace(&mut is_met[at], true) {
            let mut successors = self.successors(at).iter();
            at = *successors.find(|&&to| is_left[to as usize])? as usize;
        }
        let path = self.path(at);
        let back = self.way_back(at)?;
        let place = path.len() - 1;
        Some(([path, back].concat(), place))
    }

    /// By state, whether it is on a cycle, or comes after one and before another.
    fn between_cycles(&self) -> Vec<bool> {
        let mut left = self.indegrees();
        let mut is_left = vec![true; self.len()];
        let mut open: Vec<usize> = (0..self.len()).filter(|&state| left[state] == 0).collect();
        while let Some(state) = open.pop() {
            is_left[state] = false;
            for &to in self.successors(state) {
                left[to as usize] -= 1;
                if left[to as usize] == 0 {
                    open.push(to as usize);
                }
            }
        }
        // What leads to no cycle is taken away as well, backwards.
        let mut after: Vec<u32> = vec![0; self.len()];
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for state in (0..self.expanded()).filter(|&state| is_left[state]) {
            for &to in self
                .successors(state)
                .iter()
                .filter(|&&to| is_left[to as usize])
            {
                after[state] += 1;
                before[to as usize].push(state as u32);
            }
        }
        let ends = (0..self.len()).filter(|&state| is_left[state] && after[state] == 0);
        let mut open: Vec<usize> = ends.collect();
        while let Some(state) = open.pop() {
            is_left[state] = false;
            for &from in &before[state] {
                after[from as usize] -= 1;
                if after[from as usize] == 0 {
                    open.push(from as usize);
                }
            }
        }
        is_left
    }

    /// The states of the shortest way from a state back to itself, without the first one.
    fn way_back(&self, state: usize) -> Option<Vec<usize>> {
        let mut parents = vec![u32::MAX; self.len()];
        let mut open = VecDeque::from([state]);
        while let Some(from) = open.pop_front() {
            for &to in self.successors(from) {
                let to = to as usize;
                if to == state {
                    let mut way = vec![state];
                    let mut at = from;
                    while at != state {
                        way.push(at);
                        at = parents[at] as usize;
                    }
                    way.reverse();
                    return Some(way);
                }
                if parents[to] == u32::MAX {
                    parents[to] = from as u32;
                    open.push_back(to);
                }
            }
        }
        None
    }

    /// Whether a role can force, whatever the others do, that a play comes to a state in which a signal is true.
    /// The graph is complete.
    pub(super) fn can_force(&self, role: usize, signal: usize) -> bool {
        let mut won: Vec<bool> = (0..self.len())
            .map(|state| self.has(state, signal))
            .collect();
        loop {
            let mut changes = false;
            for state in (0..self.len()).rev() {
                if !won[state] && self.wins_next(state, role, &won) {
                    won[state] = true;
                    changes = true;
                }
            }
            if !changes || won[0] {
                return won[0];
            }
        }
    }

    /// Whether the role has a move all of whose joint moves lead to states that are won.
    fn wins_next(&self, state: usize, role: usize, won: &[bool]) -> bool {
        let successors = self.successors(state);
        let options = &self.options[state * self.roles..][..self.roles];
        // A role's move stays for as long as those of the later ones take to go round.
        let stride: usize = options[role + 1..]
            .iter()
            .map(|&number| number as usize)
            .product();
        let own = options[role] as usize;
        let mut is_safe = vec![!successors.is_empty(); own];
        for (joint, &to) in successors.iter().enumerate() {
            is_safe[joint / stride % own] &= won[to as usize];
        }
        is_safe.contains(&true)
    }
}

/// By id, the place of it.
fn inverse(ids: &[usize]) -> Vec<Option<usize>> {
    let mut places = vec![None; ids.iter().max().map_or(0, |most| most + 1)];
    for (place, &id) in ids.iter().enumerate() {
        places[id] = Some(place);
    }
    places
}

/// By role, the number of its moves, given all joint moves.
fn options(joint: &[&[MoveId]], roles: usize) -> Vec<u32> {
    let mut options = vec![0; roles];
    if joint.is_empty() {
        return options;
    }
    let mut stride = 1;
    for role in (0..roles).rev() {
        let first = joint[0][role];
        let own = joint.iter().step_by(stride).map(|moves| moves[role]);
        let again = own.skip(1).position(|mv| mv == first);
        let number = again.map_or(joint.len() / stride, |before| before + 1);
        options[role] = number as u32;
        stride *= number;
    }
    options
}
