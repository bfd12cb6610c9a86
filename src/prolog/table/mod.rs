//! Tables: the calls of tabled predicates, their answers, and who waits for them.
//!
//! A call of a tabled predicate makes a table for its variant, and the caller becomes its
//! *generator*: the clauses run, and every solution that reaches the end is an answer of the table,
//! not of the caller. A call of a table that is still incomplete *suspends*: the environments
//! between the call and the generator in which it was made are copied, and the copy, a *consumer*,
//! goes on once for every answer of the table. When the clauses of a generator are exhausted and
//! nothing in its SCC depends on an older incomplete table, it is the *leader*: it feeds consumers
//! until no answer is left to see, and completes the SCC. Only then its caller gets the answers
//! (local scheduling), so that whoever is outside of an SCC sees complete tables only.
//!
//! ```text
//! path(a,Y)      generator, leader
//!   path(a,Z), edge(Z,Y)    first clause: path(a,_) is incomplete, consumer 1 suspends
//!   edge(a,Y)               second clause: answers b, c
//!   completion              consumer 1 resumes with b, with c, with what these add, ...
//! ```
//!
//! Negation and the third truth value: see [`negation`] and [`wfs`].
//!
//! Sources: [CW96] for SLG resolution, its names and the order of operations; the suspension by
//! copied continuations is that of Desouter, van Dooren, Schrijvers: Tabling as a Library with
//! Delimited Control, TPLP 15, 2015. DIVERGENCE: SCCs are approximated from above by the stack of
//! generators (as in XSB), which can only delay completion, never make it wrong.

mod answer;
mod completion;
mod generator;
mod invalidate;
mod mode;
mod negation;
mod suspend;
mod wfs;
