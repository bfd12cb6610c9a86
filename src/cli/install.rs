//! `flux completions` and `flux man`: what a shell and a reader of manuals want to have installed.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::cli::failure::{Exit, Failure};
use crate::cli::output;

/// Print a script that lets a shell complete commands and options
///
/// For bash: `flux completions bash > ~/.local/share/bash-completion/completions/flux`
#[derive(Debug, Args)]
pub(super) struct Completions {
    shell: Shell,
}

/// Print the manual page of flux, or of one of its commands
///
/// To read it: `flux man | man -l -`
#[derive(Debug, Args)]
pub(super) struct Man {
    /// The command, such as `playout`
    command: Option<String>,
}

/// Prints the script for a shell, from the options of `flux`.
pub(super) fn completions(arguments: &Completions, flux: &mut Command) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, flux, "flux", &mut script);
    output::text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Prints the manual page of `flux`, or of a command of it.
pub(super) fn man(arguments: &Man, mut flux: Command) -> Result<Exit, Failure> {
    flux.build();
    let command = match &arguments.command {
        None => flux,
        Some(name) => match flux.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let message = format!("there is no command {name}; flux --help lists them");
                return Err(Failure::bad_input(message));
            }
        },
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    output::text(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}
