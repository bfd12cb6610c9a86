//! The `flux` binary: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    flux::cli::run(std::env::args_os())
}
