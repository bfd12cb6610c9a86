//! Where the command is that examples run.

use std::error::Error;
use std::path::{Path, PathBuf};

/// The command beside the example that runs.
pub(crate) fn flux() -> Result<PathBuf, Box<dyn Error>> {
    let own = std::env::current_exe()?;
    let folder = own.parent().and_then(Path::parent);
    let flux = folder.map(|folder| folder.join("flux"));
    let flux = flux.filter(|flux| flux.exists());
    flux.ok_or_else(|| "there is no flux; cargo build --release makes it".into())
}
