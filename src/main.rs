//! The `flux` binary: arguments in, exit code out.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    flux::cli::run(flux::cli::Arguments::parse())
}
