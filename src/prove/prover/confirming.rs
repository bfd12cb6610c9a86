//! Findings, confirmed by the rules: plays are replayed, and where states are few, all of them are counted again.

use std::ops::Range;

use crate::gdl::{ReasonerError, Vocabulary};
use crate::prove::application::relation;
use crate::prove::census::Census;
use crate::prove::cover::CoverItem;
use crate::prove::finding::{Finding, Play, Verdict};
use crate::prove::property::{Property, PropertyKind, PropertyQuestion};
use crate::prove::prover::prepare::{Prover, ZERO_SUM};
use crate::prove::prover::shown::Shown;
use crate::prove::reduction::Reduction;
use crate::prove::replay::{self, Meaning};

/// States that may be counted by the rules.
const MAX_STATES: usize = 5_000;

impl Prover {
    /// Whether the rules say of a play what it is said to show.
    pub(super) fn confirms_play(
        &mut self,
        question: &PropertyQuestion,
        play: &Play,
        vocabulary: &mut Vocabulary,
    ) -> Result<bool, ReasonerError> {
        let meaning = Meaning {
            question,
            circuit: &self.circuit,
            sum: sum(question, self.sum),
            roles: self.circuit.moves.len(),
        };
        replay::confirms(play, meaning, &mut self.tabled, vocabulary)
    }

    /// Whether all states, counted by the rules, say the same as a finding; nothing if they are too many.
    pub(super) fn confirms_states(
        &mut self,
        asked: (&PropertyQuestion, &Reduction),
        finding: &Finding,
        vocabulary: &mut Vocabulary,
    ) -> Result<Option<bool>, ReasonerError> {
        let states = self.graph.as_ref().map_or(0, |graph| graph.len());
        if self.census.is_none() {
            let roles = self.circuit.moves.len();
            let census = match states {
                1..=MAX_STATES => Census::take(&mut self.tabled, vocabulary, roles)?,
                _ => None,
            };
            self.census = Some(census);
        }
        // Taken out while the reasoner is asked about its states.
        let Some(Some(census)) = self.census.take() else {
            self.census = Some(None);
            return Ok(None);
        };
        let is_confirmed = self.confirms_by(&census, asked, finding, vocabulary);
        // The graph, found by lanes, has the same states: what it said was of no others.
        let is_same = census.states.len() == states;
        self.census = Some(Some(census));
        Ok(is_confirmed?.map(|is_confirmed| is_confirmed && is_same))
    }

    /// Whether a census says the same as a finding; nothing if it cannot tell.
    fn confirms_by(
        &mut self,
        census: &Census,
        (question, reduction): (&PropertyQuestion, &Reduction),
        finding: &Finding,
        vocabulary: &mut Vocabulary,
    ) -> Result<Option<bool>, ReasonerError> {
        let property = match question {
            PropertyQuestion::Named(property) => *property,
            PropertyQuestion::Formula(_) => Property::of_game(PropertyKind::Playable),
        };
        let is_proved = finding.verdict == Verdict::Proved;
        Ok(match (reduction, property.kind) {
            // What is proved with plays was replayed play by play.
            (Reduction::Claims(_), PropertyKind::WeaklyWinnable) if is_proved => Some(true),
            (Reduction::Claims(_), PropertyKind::WeaklyWinnable) => {
                Some(self.some_never_wins(census, property, vocabulary)?)
            }
            (Reduction::Claims(_), _) => {
                Some(!self.showing(census, question, vocabulary)?.contains(&true))
            }
            (Reduction::Strong(_), _) => {
                Some(self.some_can_force(census, property, vocabulary)? == is_proved)
            }
            (Reduction::End(kind), _) => {
                let longest = census.longest();
                // What looking at all states calls the bound is the longest play, and so has to be the same here.
                let is_longest = *kind == PropertyKind::Acyclic || longest == finding.bound;
                Some(longest.is_some() && is_longest)
            }
            (Reduction::Covers(Some(numbers)), _) => {
                let missing = self.missing_by(census, numbers.clone(), vocabulary)?;
                let store = vocabulary.store();
                let missing = missing.into_iter().map(|cover| self.missing(cover, store));
                // What is proved with plays was replayed play by play.
                Some(is_proved || missing.eq(finding.missing.iter().cloned()))
            }
            // Formulas over the graph of states have no second reader.
            (Reduction::Branching(_) | Reduction::Covers(None) | Reduction::Symmetry, _) => None,
        })
    }

    /// Whether one of the roles of a property wins in no state.
    fn some_never_wins(
        &mut self,
        census: &Census,
        property: Property,
        vocabulary: &mut Vocabulary,
    ) -> Result<bool, ReasonerError> {
        let mut is_never = false;
        for role in self.roles_of(property) {
            is_never |= !self.winning(census, role, vocabulary)?.contains(&true);
        }
        Ok(is_never)
    }

    /// Whether one of the roles of a property can force to win.
    fn some_can_force(
        &mut self,
        census: &Census,
        property: Property,
        vocabulary: &mut Vocabulary,
    ) -> Result<bool, ReasonerError> {
        let mut can = false;
        for role in self.roles_of(property) {
            can |= census.can_force(role, &self.winning(census, role, vocabulary)?);
        }
        Ok(can)
    }

    fn roles_of(&self, property: Property) -> Vec<usize> {
        let roles = 0..self.circuit.moves.len();
        roles.filter(|&role| property.is_of(role)).collect()
    }

    /// By state, whether the rules say that a role wins in it.
    fn winning(
        &mut self,
        census: &Census,
        role: usize,
        vocabulary: &mut Vocabulary,
    ) -> Result<Vec<bool>, ReasonerError> {
        let property = Property {
            kind: PropertyKind::WeaklyWinnable,
            role: Some(role),
        };
        self.showing(census, &PropertyQuestion::Named(property), vocabulary)
    }

    /// By state, whether the rules say that it shows what is asked.
    fn showing(
        &mut self,
        census: &Census,
        question: &PropertyQuestion,
        vocabulary: &mut Vocabulary,
    ) -> Result<Vec<bool>, ReasonerError> {
        let meaning = Meaning {
            question,
            circuit: &self.circuit,
            sum: sum(question, self.sum),
            roles: self.circuit.moves.len(),
        };
        replay::showing(census, meaning, &mut self.tabled, vocabulary)
    }

    /// The targets among some that no state and no joint move reaches, by the rules.
    fn missing_by(
        &mut self,
        census: &Census,
        numbers: Range<usize>,
        vocabulary: &mut Vocabulary,
    ) -> Result<Vec<usize>, ReasonerError> {
        let relation = relation(vocabulary.store_mut());
        let asks_rules =
            |prover: &Self, cover: usize| matches!(prover.covers[cover].item, CoverItem::Rule(_));
        let asks_rules = numbers.clone().any(|cover| asks_rules(self, cover));
        let mut missing: Vec<usize> = numbers.collect();
        for (state, (own, &is_end)) in census
            .states
            .iter()
            .zip(census.moves.iter().zip(&census.ends))
        {
            let mut shown = Shown::at(is_end);
            for (joint, _) in own {
                shown.make(joint);
                if asks_rules {
                    let rows = self
                        .tabled
                        .answers_with(vocabulary, state, joint, relation)?;
                    shown.apply(rows, vocabulary.store(), true);
                }
            }
            if own.is_empty() && !is_end {
                self.legal_in(&mut shown, state, vocabulary)?;
            }
            if asks_rules {
                let rows = self.tabled.answers_with(vocabulary, state, &[], relation)?;
                shown.apply(rows, vocabulary.store(), false);
            }
            missing.retain(|&cover| !self.shows(cover, &shown, vocabulary));
        }
        Ok(missing)
    }
}

/// What goal values are said to add up to.
fn sum(question: &PropertyQuestion, of_a_play: i64) -> i64 {
    match question {
        PropertyQuestion::Named(property) if property.kind == PropertyKind::ZeroSum => ZERO_SUM,
        PropertyQuestion::Named(_) | PropertyQuestion::Formula(_) => of_a_play,
    }
}
