//! Domains: which terms can stand at which argument of which relation, fluent and move.
//!
//! `base` and `input` may be missing or wrong, so domains are computed from the rules. Every
//! argument of a relation has a set of values, and so has every argument of every function. The
//! sets grow until no rule adds anything: a variable of a head takes the values that all its
//! positive occurrences in the body allow.
//!
//! ```text
//! (init (step 1))                                         step.1 ∋ 1
//! (succ 1 2) (succ 2 3)                                   succ.1 = {1 2}, succ.2 = {2 3}
//! (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))     step.1 ⊇ succ.2, hence {1 2 3}
//! ```
//!
//! The sets are upper bounds: a term outside of a set never stands there in any state; one inside
//! may never come up, since arguments are looked at one by one, and negation and `distinct` not at
//! all. Terms are described by forms, a function with a set for each argument. A form that can
//! contain itself describes infinitely many terms; its domain is [`Size::Unbounded`], which means
//! that this computation found no bound.
//!
//! Fluents, moves and other terms have forms of their own, so that a move `(cell 1 1)` does not
//! blur the fluent `(cell 1 1 x)`. A function nested in itself in the text, as in a list, has a
//! form for each level of nesting, so that what is written once stays finite.
//!
//! DIVERGENCE from the dependency graph of positions in \[ST07\]: sets are intersected over the
//! occurrences of a variable instead of united, which is tighter.

mod display;
mod domain;
mod flow;
mod position;
mod propagate;

pub use domain::{Domain, Domains, Size, TermForm, Value};
pub use flow::{Bearer, Flow, Joint, Place, Source};
pub use position::Position;
