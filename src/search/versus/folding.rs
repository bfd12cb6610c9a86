//! What states are worth to all roles, as small numbers: games have few different vectors of worths.
//!
//! Where one role chooses among successors, it is worth the most of them to this role and the least to each other
//! one. That is done for two numbers at a time, and for the same two only once.

use std::cmp::Ordering;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::search::versus::induction::compare;
use crate::search::versus::worth::Worth;

/// Numbers that a byte has room for, but one.
const MOST: usize = u8::MAX as usize;

/// Stands for what was not computed yet.
const UNKNOWN: u8 = u8::MAX;

/// Vectors of worths, one a role, by number.
pub(super) struct Folding {
    vectors: IndexSet<Vec<Worth>, FxBuildHasher>,
    /// By role that chooses and two numbers, what the choice is worth.
    chosen: Vec<Option<Choice>>,
    /// By role that chooses and two numbers, the one that it chooses.
    preferred: Vec<u8>,
    /// By number of an end, the number of what it is worth.
    ends: Vec<Option<u8>>,
    /// By number, the role that gets more than each other one.
    winners: Vec<Option<usize>>,
}

/// What it is worth to choose between two states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The number of what it is worth to all.
    pub(super) value: u8,
    /// How what the chooser can force in the first compares to what it can force in the second.
    pub(super) order: Ordering,
}

/// There are more vectors than numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooManyVectors;

impl Folding {
    /// For so many roles.
    pub(super) fn new(roles: usize) -> Self {
        Self {
            vectors: IndexSet::default(),
            chosen: vec![None; roles << 16],
            preferred: vec![UNKNOWN; roles << 16],
            ends: Vec::new(),
            winners: Vec::new(),
        }
    }

    /// The number of a vector.
    pub(super) fn number(&mut self, worths: Vec<Worth>) -> Result<u8, TooManyVectors> {
        let number = match self.vectors.get_index_of(&worths) {
            Some(known) => known,
            None => {
                self.winners.push(winner(&worths));
                self.vectors.insert_full(worths).0
            }
        };
        if number < MOST {
            Ok(number as u8)
        } else {
            Err(TooManyVectors)
        }
    }

    /// The vector of a number.
    pub(super) fn worths(&self, number: u8) -> &[Worth] {
        &self.vectors[usize::from(number)]
    }

    /// What it is worth to choose between two.
    pub(super) fn choose(
        &mut self,
        role: usize,
        one: u8,
        other: u8,
    ) -> Result<Choice, TooManyVectors> {
        if one == other {
            return Ok(Choice {
                value: one,
                order: Ordering::Equal,
            });
        }
        let place = role << 16 | usize::from(one) << 8 | usize::from(other);
        if let Some(known) = self.chosen[place] {
            return Ok(known);
        }
        let (first, second) = (self.worths(one), self.worths(other));
        let worths = first.iter().zip(second).enumerate();
        let worths = worths.map(|(own, (&one, &other))| {
            if own == role {
                one.max(other)
            } else {
                // The chooser may take either, so that the others are sure of the lesser alone.
                one.min(other)
            }
        });
        let (worths, order) = (worths.collect(), first[role].cmp(&second[role]));
        let value = self.number(worths)?;
        Ok(*self.chosen[place].insert(Choice { value, order }))
    }

    /// The payoffs that a role chooses of two, under backward induction.
    pub(super) fn prefer(&mut self, role: usize, one: u8, other: u8) -> u8 {
        if one == other {
            return one;
        }
        let place = role << 16 | usize::from(one) << 8 | usize::from(other);
        if self.preferred[place] == UNKNOWN {
            self.preferred[place] = match compare(role, self.worths(one), self.worths(other)) {
                Ordering::Less => other,
                Ordering::Equal | Ordering::Greater => one,
            };
        }
        self.preferred[place]
    }

    /// What an end is worth, if it was noted.
    pub(super) fn end(&self, end: u32) -> Option<u8> {
        self.ends.get(end as usize).copied().flatten()
    }

    /// Notes what an end is worth.
    pub(super) fn note_end(&mut self, end: u32, worths: Vec<Worth>) -> Result<u8, TooManyVectors> {
        let number = self.number(worths)?;
        if self.ends.len() <= end as usize {
            self.ends.resize(end as usize + 1, None);
        }
        self.ends[end as usize] = Some(number);
        Ok(number)
    }

    /// Whether a role that may choose something has all that it can force in a state of that worth.
    pub(super) fn is_as_good(&self, role: usize, chosen: u8, worth: u8) -> bool {
        chosen == worth || self.worths(chosen)[role] == self.worths(worth)[role]
    }

    /// The role that gets more than each other one, if there is one.
    pub(super) fn winner(&self, number: u8) -> Option<usize> {
        self.winners[usize::from(number)]
    }

    /// All vectors, by number.
    pub(super) fn vectors(&self) -> Vec<Vec<Worth>> {
        self.vectors.iter().cloned().collect()
    }
}

#[cfg(feature = "distributed")]
impl Folding {
    /// For the worths of ends: all vectors that choices between them can make, ascending, so that their numbers do not
    /// depend on the order in which states are evaluated.
    pub(super) fn closed(roles: usize, ends: &[Vec<Worth>]) -> Result<Self, TooManyVectors> {
        let mut found = Self::new(roles);
        for end in ends {
            found.number(end.clone())?;
        }
        let mut one = 0;
        while one < found.vectors.len() {
            for other in 0..one {
                for role in 0..roles {
                    found.choose(role, one as u8, other as u8)?;
                }
            }
            one += 1;
        }
        let mut vectors = found.vectors();
        vectors.sort_unstable();
        let mut closed = Self::new(roles);
        for vector in vectors {
            closed.number(vector)?;
        }
        Ok(closed)
    }
}

fn winner(worths: &[Worth]) -> Option<usize> {
    let most = worths.iter().max()?;
    let mut having = (0..worths.len()).filter(|&role| worths[role] == *most);
    let first = having.next();
    first.filter(|_| having.next().is_none())
}
