//! Backtraces: the clauses that were running when an exception was thrown that nobody caught.

use crate::prolog::program::instruction::Pc;
use crate::prolog::program::predicate::Place;
use crate::term::Functor;

/// Places that a backtrace has at most, besides the innermost.
const MOST_CALLERS: usize = 12;

/// A clause that was running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallSite {
    /// The predicate of the clause.
    pub predicate: Functor,
    /// The goal that it had called or, where that is not known, the clause; none of the library
    /// and of clauses that the program has asserted.
    pub place: Option<Place>,
    /// Number of calls in a row that were at this place: more than one in a recursion.
    pub repeated: u32,
}

impl CallSite {
    /// `, 3 times` in a recursion, nothing for a single call.
    pub(crate) fn repetition(&self) -> String {
        match self.repeated {
            1 => String::new(),
            times => format!(", {times} times"),
        }
    }
}

/// The code that was running, by addresses in its clauses; of calls that had not returned, that of the call.
///
/// Made for every exception, caught or not, and for that reason without memory of its own.
#[derive(Clone, Copy, Debug)]
pub(in crate::prolog) struct RunningCode {
    /// The instruction that raised the exception.
    pub(in crate::prolog) raised: Pc,
    /// The call that its clause returns to, if the clause has no environment.
    pub(in crate::prolog) caller: Pc,
    /// The calls that environments return to, innermost first, with how often each follows upon itself.
    callers: [(Pc, u32); MOST_CALLERS],
    count: usize,
}

impl RunningCode {
    /// A clause that runs, in front of the address `next` and with the return address `caller`.
    pub(in crate::prolog) fn new(next: Pc, caller: Pc) -> Self {
        Self {
            raised: next.saturating_sub(1),
            caller: caller.saturating_sub(1),
            callers: [(0, 0); MOST_CALLERS],
            count: 0,
        }
    }

    /// Adds the environment that returns to an address.
    pub(in crate::prolog) fn returns_to(&mut self, address: Pc) {
        let call = address.saturating_sub(1);
        match self.callers[..self.count].last_mut() {
            Some((last, times)) if *last == call => *times = times.saturating_add(1),
            _ => {
                if let Some(next) = self.callers.get_mut(self.count) {
                    *next = (call, 1);
                    self.count += 1;
                }
            }
        }
    }

    /// The calls that environments return to, innermost first, with how often each follows upon itself.
    pub(in crate::prolog) fn callers(&self) -> &[(Pc, u32)] {
        &self.callers[..self.count]
    }
}
