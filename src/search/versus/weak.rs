//! The start alone: questions to proof-number search and to alpha-beta search, each with a budget.

use crate::gdl::Reasoner;
use crate::search::halt::Halt;
use crate::search::versus::alpha_beta::depth_first;
use crate::search::versus::arena::Arena;
use crate::search::versus::assured::{Assured, LARGE_EFFORT, SMALL_EFFORT, assured};
use crate::search::versus::certificate::Claim;
use crate::search::versus::df_pn::df_pn;
use crate::search::versus::graph::StateGraph;
use crate::search::versus::kind::Kind;
use crate::search::versus::known::{Known, Source};
use crate::search::versus::lane_game::PackedSearch;
use crate::search::versus::outcome::Gap;
use crate::search::versus::packed_algorithm::{PackedAlgorithm, on_packed};
use crate::search::versus::proof::Proofs;
use crate::search::versus::question::{First, PayoffQuestion, Reply};
use crate::search::versus::replies::{ConstantStrategy, ReplyStrategy, constants, replies};
use crate::search::versus::stages::Mixed;
use crate::search::versus::start::StartBounds;
use crate::search::versus::worth::{Bounds, Worth, snapped};

/// Depth-first search in lanes may expand so many times as many states for each question as a turn has, since that takes so
/// much less time.
const DEPTH_FIRST_SHARE: u64 = 8;

/// The budget of a turn in which it pays to prove more of all plays.
pub(super) const LATE: u64 = 400_000;

/// What came of a turn of a search of the start alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnResult {
    /// Everything is decided.
    Decided,
    /// A larger budget may decide more.
    Open,
    /// No budget will.
    Stuck(Gap),
}

/// What answers questions about the start alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WeakAlgorithm {
    Proof,
    AlphaBeta,
}

/// What is known of the states of a game from searches of the start.
pub(super) struct WeakSearch {
    roles: usize,
    /// Proof-number search where states are not packed.
    proofs: Proofs,
    /// Proof-number search on packed states.
    df_pn: PackedAlgorithm<dyn PackedSearch>,
    depth_first: PackedAlgorithm<dyn PackedSearch>,
    /// What is proved of all plays; nothing if nobody looked as yet.
    assured: Option<Assured>,
    /// No larger effort will be made to prove more of them.
    is_final: bool,
    /// What roles force by fixed answers, once it was looked for.
    replies: Option<Vec<ReplyStrategy>>,
    /// What roles force by constant moves, once it was looked for.
    constants: Option<Vec<ConstantStrategy>>,
}

impl WeakSearch {
    pub(super) fn new(graph: StateGraph, roles: usize) -> Self {
        Self {
            roles,
            proofs: Proofs::new(graph, roles),
            df_pn: PackedAlgorithm::Unknown,
            depth_first: PackedAlgorithm::Unknown,
            assured: None,
            is_final: false,
            replies: None,
            constants: None,
        }
    }

    /// Asks about the start, with a budget for each question.
    pub(super) fn turn<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        (by, budget): (WeakAlgorithm, u64),
        start: &mut StartBounds,
    ) -> Result<TurnResult, Halt> {
        match by {
            WeakAlgorithm::Proof if matches!(self.df_pn, PackedAlgorithm::Unknown) => {
                self.df_pn = on_packed(arena, df_pn);
            }
            WeakAlgorithm::AlphaBeta if matches!(self.depth_first, PackedAlgorithm::Unknown) => {
                self.depth_first = on_packed(arena, depth_first);
            }
            WeakAlgorithm::Proof | WeakAlgorithm::AlphaBeta => {}
        }
        let roles = arena.setting.roles;
        let assured = self.assure(arena, budget);
        start.assure(lowest(assured, start.values()));
        if let Some(search) = self.packed(by) {
            search.assure(assured);
        }
        let mut turn = TurnResult::Decided;
        let first = (0..roles).map(|role| (role, First::Role));
        for (role, first) in first.chain((0..roles).map(|role| (role, First::Others))) {
            // Of two roles of opposite interests, what is open of one is open of the other.
            let kind = self.kind(by);
            let is_opposed = roles == 2 && kind.sum.is_some();
            if turn == TurnResult::Open && is_opposed && kind.is_turn_taking {
                break;
            }
            // What a role can force if it sees the choice of the others tells something new of two roles that want
            // opposite ends.
            if first == First::Others && !is_opposed {
                break;
            }
            while let Some(question) = start.question(role, first) {
                let verdict = self.ask(arena, by, question, budget);
                self.learn(by, question, start);
                turn = match (verdict?, turn) {
                    (Reply::Proved | Reply::Disproved, _) => continue,
                    (Reply::Unsuited, _) => return Ok(TurnResult::Stuck(Gap::Unsuited)),
                    // Another turn may decide what only lacks budget.
                    (Reply::Open, _) | (Reply::Cyclic, TurnResult::Open) => TurnResult::Open,
                    (Reply::Cyclic, _) => TurnResult::Stuck(Gap::Cycles),
                };
                break;
            }
        }
        Ok(turn)
    }

    /// What is proved of all plays; looked for in the first turn, and once more with a larger effort in a later one.
    pub(super) fn assure<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>, budget: u64) -> Assured {
        let effort = match (self.assured, budget) {
            (None, ..LATE) => Some(SMALL_EFFORT),
            (None, LATE..) => Some(LARGE_EFFORT),
            (Some(known), LATE..) if !self.is_final && !self.is_all(known) => Some(LARGE_EFFORT),
            (Some(_), _) => None,
        };
        let is_even = effort.is_some() && arena.is_even();
        if let (Some(circuit), Some(effort)) = (&arena.setting.circuit, effort) {
            let (game, limits) = (&arena.setting.game, &arena.setting.limits);
            self.is_final = budget >= LATE;
            self.assured = Some(assured(
                (game, circuit),
                arena.vocabulary,
                is_even,
                (effort, limits),
            ));
        }
        self.assured.unwrap_or_default()
    }

    /// Whether all that helps to decide the start is known.
    fn is_all(&self, known: Assured) -> bool {
        let is_sum_known = known.sum.is_some() || known.has_several_sums;
        known.is_paid && (is_sum_known || self.roles != 2)
    }

    /// What two roles get that can be exchanged, where payoffs have a constant sum, which may be proved by all states.
    pub(super) fn equals(&self, sum: Option<u32>) -> Option<Mixed> {
        let known = self.assured.filter(|known| known.has_equal_roles)?;
        Some(Mixed::of_equals(known.sum.or(sum)?))
    }

    /// Looks, once, for what roles force by constant moves, where every play is known to end with payoffs.
    pub(super) fn keep_constant<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        start: &mut StartBounds,
    ) {
        if self.constants.is_none() && self.paid_plays(arena, start).is_some() {
            self.constants = Some(constants(arena, start));
        }
    }

    /// What is proved of all plays, if that is that each of them from the start ends with payoffs for everybody.
    fn paid_plays<R: Reasoner>(
        &self,
        arena: &mut Arena<'_, R>,
        start: &mut StartBounds,
    ) -> Option<Assured> {
        // What is proved of all plays is proved of those from the start of the game.
        let known = self.assured.filter(|known| known.is_paid)?;
        arena.is_initial().then(|| {
            start.assure(lowest(known, start.values()));
            known
        })
    }

    /// What roles force by constant moves, as far as it was looked for.
    pub(super) fn constants(&self) -> &[ConstantStrategy] {
        self.constants.as_deref().unwrap_or_default()
    }

    /// Looks, once, for what two roles force by fixed answers, where every play is known to end with payoffs.
    pub(super) fn reply<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>, start: &mut StartBounds) {
        if self.replies.is_some() || start.roles() != 2 {
            return;
        }
        if let Some(known) = self.paid_plays(arena, start) {
            self.replies = Some(replies(arena, known.sum, start));
        }
    }

    /// What roles force by fixed answers, as far as it was looked for.
    pub(super) fn replies(&self) -> &[ReplyStrategy] {
        self.replies.as_deref().unwrap_or_default()
    }

    fn ask<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        by: WeakAlgorithm,
        question: PayoffQuestion,
        budget: u64,
    ) -> Result<Reply, Halt> {
        let reply = match (by, self.packed(by)) {
            (WeakAlgorithm::Proof, Some(search)) => {
                search.ask(&mut arena.meter, question, budget)?
            }
            (WeakAlgorithm::AlphaBeta, Some(search)) => {
                let budget = budget.saturating_mul(DEPTH_FIRST_SHARE);
                search.ask(&mut arena.meter, question, budget)?
            }
            (WeakAlgorithm::Proof | WeakAlgorithm::AlphaBeta, None) => Reply::Unsuited,
        };
        if (by, reply) == (WeakAlgorithm::Proof, Reply::Unsuited) {
            self.df_pn = PackedAlgorithm::None;
            return self.proofs.ask(arena, question, budget);
        }
        Ok(reply)
    }

    /// The search of packed states, if there is one.
    fn packed(&mut self, by: WeakAlgorithm) -> Option<&mut (dyn PackedSearch + 'static)> {
        match by {
            WeakAlgorithm::Proof => self.df_pn.get(),
            WeakAlgorithm::AlphaBeta => self.depth_first.get(),
        }
    }

    /// Takes into account what a search says of the start.
    fn learn(&mut self, by: WeakAlgorithm, question: PayoffQuestion, start: &mut StartBounds) {
        let (role, first) = (question.role, question.first);
        let bounds = match (by, self.packed(by)) {
            (WeakAlgorithm::Proof | WeakAlgorithm::AlphaBeta, Some(search)) => {
                search.at_start(role, first)
            }
            (WeakAlgorithm::Proof, None) => self.proofs.at_start(role, first),
            (WeakAlgorithm::AlphaBeta, None) => return,
        };
        let kind = self.kind(by);
        // As long as one role at a time chooses, it is the same whoever is first.
        for order in [First::Role, First::Others] {
            if order == first || kind.is_turn_taking {
                start.tighten(role, order, bounds);
            }
        }
        if let (true, Some(sum), 2) = (kind.is_turn_taking, kind.sum, start.roles()) {
            start.mirror(role, (bounds, sum));
        }
    }

    /// What sort of game it is as far as a search of the start shows.
    pub(super) fn kind(&self, by: WeakAlgorithm) -> Kind {
        let search = match by {
            WeakAlgorithm::Proof => &self.df_pn,
            WeakAlgorithm::AlphaBeta => &self.depth_first,
        };
        match search {
            PackedAlgorithm::Some(search) => Kind {
                is_turn_taking: !search.is_joint(),
                is_proved: false,
                ..Kind::turn_taking(search.payoffs().unwrap_or(&[]))
            },
            PackedAlgorithm::Unknown | PackedAlgorithm::TooLarge | PackedAlgorithm::None => {
                Kind::of(&self.proofs.graph, false)
            }
        }
    }

    /// What an algorithm has found out about states. Where two roles have a constant sum, what is known of one tells of the other.
    pub(super) fn knowledge<'s>(
        &'s mut self,
        by: WeakAlgorithm,
        kind: Kind,
        start: &'s StartBounds,
    ) -> Known<'s> {
        let assured = lowest(self.assured.unwrap_or_default(), start.values());
        let roles = self.roles;
        let search = match by {
            WeakAlgorithm::Proof => &mut self.df_pn,
            WeakAlgorithm::AlphaBeta => &mut self.depth_first,
        };
        let source = match search.get() {
            Some(search) => Source::Packed(search),
            None => Source::Proofs(&self.proofs),
        };
        Known {
            source,
            values: start.values(),
            assured,
            sum: kind.sum.filter(|_| kind.is_turn_taking && roles == 2),
        }
    }

    /// The algorithm that has shown a claim about the start.
    pub(super) fn source(
        &mut self,
        (role, claim): (usize, Claim),
        start: &StartBounds,
    ) -> Option<Source<'_>> {
        let holds = |bounds: Bounds| match claim {
            Claim::AtLeast(least) => bounds.at_least >= least,
            Claim::AtMost(most) => snapped(start.values(), bounds.at_most) <= most,
        };
        let first = match claim {
            Claim::AtLeast(_) => First::Role,
            Claim::AtMost(_) => First::Others,
        };
        if holds(self.proofs.at_start(role, first)) {
            return Some(Source::Proofs(&self.proofs));
        }
        let searches = [&mut self.df_pn, &mut self.depth_first];
        let mut searches = searches.into_iter().filter_map(PackedAlgorithm::get);
        let search = searches.find(|search| holds(search.at_start(role, first)))?;
        Some(Source::Packed(search))
    }
}

/// What every play gives to every role: if every play pays everybody, that is the lowest payoff that the rules name.
fn lowest(assured: Assured, values: &[Worth]) -> Worth {
    let lowest = values.first().filter(|_| assured.is_paid);
    lowest.copied().unwrap_or(Worth::NONE)
}
