//! Requests about documents: parameters in, the function of the sheet, its answer in places of the protocol.

mod answer;
mod calls;
mod dispatch;
mod editing;
mod lenses;
mod looking;
mod navigation;
mod view;

pub(super) use answer::refused;
pub(super) use dispatch::answer;
