//! flux for Python: what [`flux::workbench`] offers, as objects of Python.
//!
//! ```text
//! game          a game and what can be asked of it      state    one of its states, as a value
//! environments  many games at once, as arrays           failure  errors as exceptions
//! interruption  long work, without the interpreter lock, that Ctrl-C ends
//! ```
//!
//! Rules, states and searches are the library's; what is here turns texts into texts and numbers into arrays. What is
//! better said in Python is said there, in the package beside this folder.

mod environments;
mod failure;
mod game;
mod interruption;
mod state;

use pyo3::prelude::*;

/// The compiled part of the package `flux`.
#[pymodule]
fn _flux(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<game::Game>()?;
    module.add_class::<state::State>()?;
    module.add_class::<environments::Lanes>()?;
    module.add_function(wrap_pyfunction!(game::load, module)?)?;
    module.add_function(wrap_pyfunction!(game::loads, module)?)?;
    module.add_function(wrap_pyfunction!(game::check, module)?)?;
    Ok(())
}
