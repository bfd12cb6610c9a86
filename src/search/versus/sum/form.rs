//! Values of games in which whoever cannot move loses and the roles have options of their own: canonical forms.
//!
//! A value is what the first role (*Left*) and the second one (*Right*) can move to, without options that are no better
//! than another one (*dominated*) and with those that the other role would answer at once to at least its advantage
//! replaced by what follows on the answer (*reversible*). Two games are worth the same in all sums if and only if they
//! have the same form:
//!
//! ```text
//! {0 | 0}: whoever moves wins      {0 | }: Left is one move ahead      {0 | } + { | 0} = { | }: whoever moves loses
//! ```
//!
//! Source: Conway, On Numbers and Games, 1976; Siegel, Combinatorial Game Theory, 2013, ch. II.2.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::search::versus::sum::local::LocalGame;

/// A form of [`Forms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FormId(u32);

impl FormId {
    /// The id as an index.
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Comparisons and sums that may be remembered.
const MOST: usize = 4_000_000;

/// More had to be remembered than may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

/// Options of Left and of Right, ascending by number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Form([Vec<FormId>; 2]);

/// Forms, each once; all but those that are being made canonical are.
pub(super) struct Forms {
    forms: IndexSet<Form, FxBuildHasher>,
    /// Whether one is no better for Left than the other.
    at_most: FxHashMap<(FormId, FormId), bool>,
    sums: FxHashMap<(FormId, FormId), FormId>,
}

impl Forms {
    /// The form without options, which is worth nothing.
    pub(super) const ZERO: FormId = FormId(0);

    pub(super) fn new() -> Self {
        let mut forms = IndexSet::default();
        forms.insert(Form([Vec::new(), Vec::new()]));
        Self {
            forms,
            at_most: FxHashMap::default(),
            sums: FxHashMap::default(),
        }
    }

    /// By state of a part, its form.
    pub(super) fn values(
        &mut self,
        game: &LocalGame,
        order: &[usize],
    ) -> Result<Vec<FormId>, TooLarge> {
        let mut values = vec![Self::ZERO; game.states.len()];
        for &state in order {
            let options = [0, 1].map(|role: usize| {
                let after = game.options[role][state].iter();
                after.map(|&after| values[after as usize]).collect()
            });
            values[state] = self.canonical(options)?;
        }
        Ok(values)
    }

    /// Whether a role that moves first wins.
    pub(super) fn is_won(&mut self, form: FormId, mover: usize) -> Result<bool, TooLarge> {
        // Left loses as the first to move if and only if the form is at most zero; Right, if it is at least zero.
        let is_lost = match mover {
            0 => self.is_at_most(form, Self::ZERO)?,
            _ => self.is_at_most(Self::ZERO, form)?,
        };
        Ok(!is_lost)
    }

    /// The form of two games side by side.
    pub(super) fn sum(&mut self, one: FormId, other: FormId) -> Result<FormId, TooLarge> {
        let key = |one: FormId, other: FormId| (one.min(other), one.max(other));
        let mut pending = vec![key(one, other)];
        while let Some(&(one, other)) = pending.last() {
            if self.sums.contains_key(&(one, other)) {
                pending.pop();
                continue;
            }
            // Pairs are ordered, so that zero, the least number, is the first if it is one of the two.
            if one == Self::ZERO {
                self.sums.insert((one, other), other);
                continue;
            }
            let before = pending.len();
            let mut options = [Vec::new(), Vec::new()];
            for (role, options) in options.iter_mut().enumerate() {
                let ones = self.forms[one.index()].0[role].iter();
                let others = self.forms[other.index()].0[role].iter();
                // A move in a sum is a move in one of its summands: (a + b) → (a' + b) or (a + b').
                let moved = ones.map(|&after| key(after, other));
                for next in moved.chain(others.map(|&after| key(one, after))) {
                    match self.sums.get(&next) {
                        Some(&known) => options.push(known),
                        None => pending.push(next),
                    }
                }
            }
            // All options are known: the pair can be done, and stays pending until it is looked up again.
            if pending.len() == before {
                let form = self.canonical(options)?;
                self.sums.insert((one, other), form);
                self.check_room()?;
            }
        }
        Ok(self.sums[&key(one, other)])
    }

    fn check_room(&self) -> Result<(), TooLarge> {
        let remembered = self.at_most.len() + self.sums.len() + self.forms.len();
        if remembered <= MOST {
            Ok(())
        } else {
            Err(TooLarge)
        }
    }

    /// The form with these options, which need not be canonical.
    fn number(&mut self, mut options: [Vec<FormId>; 2]) -> FormId {
        for options in &mut options {
            options.sort_unstable();
            options.dedup();
        }
        FormId(self.forms.insert_full(Form(options)).0 as u32)
    }

    /// The canonical form of a game with canonical options.
    fn canonical(&mut self, options: [Vec<FormId>; 2]) -> Result<FormId, TooLarge> {
        let mut form = self.number(options);
        // Both steps leave the value as it is; the form is canonical when neither has anything to do.
        loop {
            let bypassed = self.bypass_reversible(form)?;
            let next = self.drop_dominated(bypassed)?;
            if next == form {
                return Ok(form);
            }
            form = next;
        }
    }

    /// Replaces each option that the other role would answer with something at least as good for itself as the whole
    /// by what follows on the answer.
    fn bypass_reversible(&mut self, form: FormId) -> Result<FormId, TooLarge> {
        let mut options = [Vec::new(), Vec::new()];
        for (role, options) in options.iter_mut().enumerate() {
            for option in self.forms[form.index()].0[role].clone() {
                let answers = self.forms[option.index()].0[1 - role].clone();
                let mut reversing = None;
                for answer in answers {
                    if self.is_no_better(role, answer, form)? {
                        reversing = Some(answer);
                        break;
                    }
                }
                match reversing {
                    Some(answer) => options.extend_from_slice(&self.forms[answer.index()].0[role]),
                    None => options.push(option),
                }
            }
        }
        Ok(self.number(options))
    }

    /// Leaves out options that are no better than another one.
    fn drop_dominated(&mut self, form: FormId) -> Result<FormId, TooLarge> {
        let mut kept = [Vec::new(), Vec::new()];
        for (role, kept) in kept.iter_mut().enumerate() {
            let options = self.forms[form.index()].0[role].clone();
            for &option in &options {
                let mut is_dominated = false;
                for &other in options.iter().filter(|&&other| other != option) {
                    is_dominated = is_dominated || self.is_no_better(role, option, other)?;
                }
                if !is_dominated {
                    kept.push(option);
                }
            }
        }
        Ok(self.number(kept))
    }

    /// Whether a form is no better for a role than another one.
    fn is_no_better(&mut self, role: usize, one: FormId, other: FormId) -> Result<bool, TooLarge> {
        match role {
            0 => self.is_at_most(one, other),
            _ => self.is_at_most(other, one),
        }
    }

    /// Whether a form is no better for Left than another one: no option of Left in the one is at least the other, and no
    /// option of Right in the other at most the one.
    fn is_at_most(&mut self, one: FormId, other: FormId) -> Result<bool, TooLarge> {
        let mut pending = vec![(one, other)];
        while let Some(&(one, other)) = pending.last() {
            if self.at_most.contains_key(&(one, other)) {
                pending.pop();
                continue;
            }
            let left = self.forms[one.index()].0[0].iter();
            let right = self.forms[other.index()].0[1].iter();
            // One ≤ other is refuted by an option a of Left in the one with other ≤ a, or an option b of Right in the
            // other with b ≤ one.
            let questions = left
                .map(|&after| (other, after))
                .chain(right.map(|&after| (after, one)));
            let mut unknown = None;
            let mut is_refuted = false;
            for question in questions {
                match self.at_most.get(&question) {
                    Some(true) => {
                        is_refuted = true;
                        break;
                    }
                    Some(false) => {}
                    None => unknown = Some(question),
                }
            }
            match (is_refuted, unknown) {
                (false, Some(question)) => pending.push(question),
                (is_refuted, _) => {
                    self.at_most.insert((one, other), !is_refuted);
                    self.check_room()?;
                }
            }
        }
        Ok(self.at_most[&(one, other)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(forms: &mut Forms, left: &[FormId], right: &[FormId]) -> Result<FormId, TooLarge> {
        forms.canonical([left.to_vec(), right.to_vec()])
    }

    #[test]
    fn values_of_a_game_and_its_negative_cancel() -> Result<(), TooLarge> {
        let forms = &mut Forms::new();
        let zero = Forms::ZERO;
        let one = form(forms, &[zero], &[])?;
        let minus_one = form(forms, &[], &[zero])?;
        assert_eq!(forms.sum(one, minus_one), Ok(zero));
        let half = form(forms, &[zero], &[one])?;
        assert_eq!(forms.sum(half, half), Ok(one));
        let star = form(forms, &[zero], &[zero])?;
        assert_eq!(forms.sum(star, star), Ok(zero));
        let up = form(forms, &[zero], &[star])?;
        let up_and_star = forms.sum(up, star)?;
        assert_eq!(forms.is_won(up_and_star, 0), Ok(true));
        assert_eq!(forms.is_won(up_and_star, 1), Ok(true));
        assert_eq!(forms.is_won(up, 1), Ok(false));
        let switch = form(forms, &[one], &[minus_one])?;
        assert_eq!(forms.sum(switch, switch), Ok(zero));
        Ok(())
    }

    #[test]
    fn options_that_do_not_matter_are_left_out() -> Result<(), TooLarge> {
        let forms = &mut Forms::new();
        let zero = Forms::ZERO;
        let star = form(forms, &[zero], &[zero])?;
        let up = form(forms, &[zero], &[star])?;
        // {↑ | ↑}: Left's move to ↑ is answered with ∗ and reverses through it to Left's 0: {0 | ↑} … whose value is ⇑∗.
        let double_up = forms.sum(up, up)?;
        let expected = forms.sum(double_up, star)?;
        assert_eq!(form(forms, &[up], &[up]), Ok(expected));
        let one = form(forms, &[zero], &[])?;
        let two = form(forms, &[one], &[])?;
        assert_eq!(form(forms, &[zero, one], &[]), Ok(two));
        // A number between: {0 | 2} = 1.
        assert_eq!(form(forms, &[zero], &[two]), Ok(one));
        Ok(())
    }
}
