//! `flux explore`: a game in the browser.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr};

use clap::Args;

use crate::cli::failure::{Exit, Failure};
use crate::cli::watch::MEGABYTE;
use crate::cli::{input, load, output};
use crate::serve::{Opening, page};

/// Show a game in the browser: its board, its moves, and why
///
/// Serves one page on the loopback address and prints the link to it; nothing else is needed, and nothing leaves the
/// machine. The link has a key that every request needs. Ctrl-C ends the program.
#[derive(Debug, Args)]
pub(super) struct Explore {
    /// File with the rules of a game; - is standard input
    game: Option<String>,
    /// Port of the loopback address [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Stop work when the program uses so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 8192)]
    max_memory: usize,
}

pub(super) fn run(arguments: &Explore) -> Result<Exit, Failure> {
    let opening = arguments.game.as_deref().map(opening).transpose()?;
    let page = page::Page::bind(arguments.port).map_err(|error| unbound(arguments.port, &error))?;
    output::line(&page.link())?;
    let memory = arguments.max_memory.saturating_mul(MEGABYTE);
    page.serve(opening, memory)
        .map_err(|error| Failure::new(Exit::Internal, format!("cannot serve the page: {error}")))?;
    Ok(Exit::Done)
}

/// Why there is no page at a port.
fn unbound(port: u16, error: &io::Error) -> Failure {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let why = if error.kind() == ErrorKind::AddrInUse {
        "is taken by another program"
    } else if error.kind() == ErrorKind::PermissionDenied {
        "is not open to this user"
    } else {
        // No other port would do.
        let message = format!("cannot serve {address}: {error}");
        return Failure::new(Exit::Internal, message);
    };
    Failure::bad_input(format!("{address} {why}; --port chooses another one"))
}

/// The rules in a file, whatever is wrong with them: the page shows that, and they can be mended there.
fn opening(file: &str) -> Result<Opening, Failure> {
    let source = input::read(file)?;
    Ok(Opening {
        name: load::stem(source.name()),
        text: source.text().to_owned(),
    })
}
