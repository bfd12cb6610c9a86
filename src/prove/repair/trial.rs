//! A rule sheet on trial: read, grounded, and ready to be proved things of.

use crate::gdl::{Game, Reasoner, RuleSheet, Vocabulary};
use crate::limits::Limits;
use crate::prove::application::{Grounded, GroundedGame, ground};
use crate::prove::finding::{Finding, Verdict, within_limits};
use crate::prove::property::{Property, PropertyQuestion};
use crate::prove::prover::{ProofEffort, Prover};
use crate::prove::repair::sheet::{RepairError, SheetText};
use crate::syntax::Notation;
use crate::term::Store;

/// Instances of rules that a changed sheet may have.
const MAX_RULES: usize = 500_000;

/// A rule sheet without errors.
pub(super) struct SheetTrial<'l> {
    pub(super) notation: Notation,
    pub(super) sheet: RuleSheet,
    pub(super) game: Game,
    pub(super) vocabulary: Vocabulary,
    grounded: Grounded,
    effort: ProofEffort,
    limits: &'l Limits,
}

impl<'l> SheetTrial<'l> {
    /// Reads and grounds a sheet; nothing if it has errors.
    pub(super) fn of(
        text: &SheetText,
        effort: ProofEffort,
        limits: &'l Limits,
    ) -> Result<Option<Self>, RepairError> {
        let mut store = Store::new();
        let mut sheet = RuleSheet::read(&mut store, &text.source, text.notation, text.case);
        if sheet.has_errors() {
            return Ok(None);
        }
        sheet.lint(&mut store, &text.source);
        let clauses = sheet.clauses.clone();
        let game = Game::new(&mut store, text.source.clone(), clauses, limits)?;
        let mut vocabulary = Vocabulary::new(store);
        let grounded = ground(&game, &mut vocabulary, limits, MAX_RULES)?;
        Ok(Some(Self {
            notation: text.notation,
            sheet,
            game,
            vocabulary,
            grounded,
            effort,
            limits,
        }))
    }

    /// The names of the roles.
    pub(super) fn roles(&self) -> Vec<String> {
        self.game.role_names(self.vocabulary.store())
    }

    /// Whether the game is over before it begins.
    pub(super) fn is_over(&mut self) -> Result<bool, RepairError> {
        let limits = self.limits.clone();
        let mut tabled = self.game.tabled(&mut self.vocabulary, limits)?;
        let start = tabled.initial_state(&mut self.vocabulary)?;
        Ok(tabled.is_terminal(&mut self.vocabulary, &start)?)
    }

    /// What there is to say of properties.
    pub(super) fn findings(
        &mut self,
        properties: &[Property],
    ) -> Result<Vec<Finding>, RepairError> {
        let questions: Vec<PropertyQuestion> = properties
            .iter()
            .map(|&p| PropertyQuestion::Named(p))
            .collect();
        let (mut prover, vocabulary) = self.prover(&questions)?;
        let numbers = 0..questions.len();
        let findings = numbers.map(|number| within_limits(prover.decide(number, vocabulary)));
        Ok(findings.collect::<Result<_, _>>()?)
    }

    /// Those of the first properties, so many, that hold; none if one of the others is refuted.
    pub(super) fn repaired(
        &mut self,
        properties: &[Property],
        number: usize,
    ) -> Result<Vec<Property>, RepairError> {
        let questions: Vec<PropertyQuestion> = properties
            .iter()
            .map(|&p| PropertyQuestion::Named(p))
            .collect();
        let (mut prover, vocabulary) = self.prover(&questions)?;
        let mut repaired = Vec::new();
        for (place, &property) in properties.iter().enumerate() {
            // What was proved before is asked again only of a change that repairs something.
            if place == number && repaired.is_empty() {
                return Ok(repaired);
            }
            let finding = within_limits(prover.decide(place, vocabulary))?;
            match finding.verdict {
                Verdict::Proved if place < number => repaired.push(property),
                Verdict::Refuted if place >= number => return Ok(Vec::new()),
                Verdict::Proved | Verdict::Refuted | Verdict::Open => {}
            }
        }
        Ok(repaired)
    }

    fn prover(
        &mut self,
        questions: &[PropertyQuestion],
    ) -> Result<(Prover, &mut Vocabulary), RepairError> {
        let subject = GroundedGame {
            game: &self.game,
            circuit: &self.grounded.circuit,
            rules: &self.grounded.rules,
        };
        let vocabulary = &mut self.vocabulary;
        let prover = Prover::new(subject, questions, vocabulary, self.effort, self.limits)?;
        Ok((prover, vocabulary))
    }
}
