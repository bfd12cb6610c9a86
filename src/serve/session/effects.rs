//! What a joint move would change, by which effects of the game's axioms.

use indexmap::{IndexMap, IndexSet};

use crate::fluent::{EffectRules, Occurrence, Sign};
use crate::serve::protocol::{Change, Code, Effects, Failure, JointMove, Rule};
use crate::serve::session::ask::rule;
use crate::serve::session::game::Opened;
use crate::term::TermId;

/// Rules that are shown for one change.
const MOST_RULES: usize = 20;

/// Why a fluent changes.
#[derive(Default)]
struct Reasons {
    roles: IndexSet<usize>,
    /// By index.
    rules: IndexSet<usize>,
    conditions: IndexSet<TermId>,
}

impl Opened {
    pub(super) fn effects(
        &mut self,
        at: Option<usize>,
        moves: &JointMove,
    ) -> Result<Effects, Failure> {
        let at = self.place(at)?;
        let state = self.state(at);
        if self.workbench.is_terminal(&state)? {
            let message = "the game is over, so that no move changes anything";
            return Err(Failure::new(Code::IllegalMove, message));
        }
        let moves = self.joint_move(at, moves)?;
        // One choice for each role: the forecast is of this joint move alone.
        let choices: Vec<_> = moves.iter().map(|&mv| vec![mv]).collect();
        let axioms = self.workbench.translate()?;
        let limits = self.limits.clone();
        let kept = self.effects.take();
        let parts = self.workbench.parts();
        let (game, vocabulary) = (parts.game, parts.vocabulary);
        let mut effects = match kept {
            Some(effects) => effects,
            None => EffectRules::new(game, &axioms, vocabulary, &limits)?,
        };
        let forecast = effects.forecast(&axioms, vocabulary, &state, &choices, &limits);
        // Kept before the result is looked at: a forecast that is stopped does not cost the rules.
        self.effects = Some(effects);
        let mut changes: IndexMap<(Sign, TermId), Reasons> = IndexMap::new();
        for occurrence in forecast?.occurrences {
            let effect = &axioms.effects[occurrence.effect];
            let roles = axioms.roles_of(self.workbench.parts().vocabulary.store(), effect);
            let reasons = changes
                .entry((occurrence.sign, occurrence.fluent))
                .or_default();
            reasons.take(roles, occurrence);
        }
        let mut told = Vec::new();
        for ((sign, fluent), reasons) in changes {
            told.push(self.change(sign, fluent, reasons)?);
        }
        // `-` is behind `+` in ASCII, so that signs are compared backwards: what goes comes first.
        told.sort_by(|one, other| (other.sign, &one.fluent).cmp(&(one.sign, &other.fluent)));
        Ok(Effects {
            at,
            moves: self.named(&moves)?,
            changes: told,
        })
    }

    fn change(&mut self, sign: Sign, fluent: TermId, reasons: Reasons) -> Result<Change, Failure> {
        let names = self.workbench.roles();
        let mut rules: Vec<Rule> = Vec::new();
        for &number in reasons.rules.iter().take(MOST_RULES) {
            let clause = self.workbench.parts().game.clauses().get(number);
            if let Some(span) = clause.map(|clause| clause.origin.span) {
                rules.push(rule(&mut self.workbench, span));
            }
        }
        Ok(Change {
            sign: match sign {
                Sign::Positive => "+",
                Sign::Negative => "-",
            },
            fluent: self.text(fluent)?,
            roles: reasons
                .roles
                .into_iter()
                .filter_map(|role| names.get(role).cloned())
                .collect(),
            rules,
            conditions: self.texts(reasons.conditions.into_iter().collect())?,
        })
    }
}

impl Reasons {
    fn take(&mut self, roles: impl IntoIterator<Item = usize>, occurrence: Occurrence) {
        self.roles.extend(roles);
        self.rules.extend(occurrence.rules);
        self.conditions.extend(occurrence.conditions);
    }
}
