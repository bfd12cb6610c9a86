//! `flux lsp`: the language server on standard input and output.

use std::io::{self, BufReader};

use clap::Args;

use crate::cli::failure::{Exit, Failure};
use crate::serve::lsp::{Ending, serve};

/// Serve an editor: the language server for rule sheets, on standard input and output
///
/// Exit codes: 0 the client shut the session down before it left, 1 it did not.
#[derive(Debug, Args)]
pub(super) struct Lsp {
    /// What clients say that want standard input and output; there is no other way
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(super) fn run(_: &Lsp) -> Result<Exit, Failure> {
    match serve(BufReader::new(io::stdin()), io::stdout()) {
        Ending::Orderly => Ok(Exit::Done),
        Ending::Abrupt => Ok(Exit::Negative),
    }
}
