//! How far a strong solution is, as a file that the next start reads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::search::versus::distributed::cluster::ClusterError;
use crate::search::versus::distributed::store::{failed, write_whole};
use crate::search::versus::worth::Worth;

/// The version of codes, marks and messages: what a checkpoint says that it is, and processes say to each other.
pub(super) const FORMAT: &str = "flux layers 1";

/// How many of the states of a layer are worth what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Counts {
    /// As in a [`Census`](crate::search::versus::layers::Census).
    pub(super) states: Vec<Vec<u64>>,
    /// As there.
    pub(super) longest: u8,
}

impl Counts {
    /// Adds what others have counted.
    pub(super) fn add(&mut self, other: &Self) {
        self.states
            .resize(self.states.len().max(other.states.len()), Vec::new());
        for (row, own) in self.states.iter_mut().zip(&other.states) {
            row.resize(row.len().max(own.len()), 0);
            row.iter_mut()
                .zip(own)
                .for_each(|(sum, states)| *sum += states);
        }
        self.longest = self.longest.max(other.longest);
    }
}

/// What all workers have finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    format: String,
    /// Of which game, start and codes.
    solution: String,
    /// By layer, how many states are kept of it.
    pub(super) layers: Vec<u64>,
    /// Whether nothing follows on the last of them.
    pub(super) is_grown: bool,
    /// The payoffs of ends that were met, ascending.
    pub(super) ends: Vec<Vec<Option<u8>>>,
    /// The first state in which a role can do nothing, and the first end without a payoff.
    pub(super) stuck: Option<Vec<u64>>,
    pub(super) valueless: Option<Vec<u64>>,
    /// What is counted, from the last layer to the first.
    pub(super) evaluated: Vec<Counts>,
}

impl Checkpoint {
    /// Nothing is done.
    pub(super) fn new(solution: &str) -> Self {
        Self {
            format: FORMAT.to_owned(),
            solution: solution.to_owned(),
            layers: Vec::new(),
            is_grown: false,
            ends: Vec::new(),
            stuck: None,
            valueless: None,
            evaluated: Vec::new(),
        }
    }

    /// What a directory has of a solution.
    pub(super) fn read(directory: &Path, solution: &str) -> Result<Self, ClusterError> {
        let path = path(directory);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self::new(solution));
            }
            other => other.map_err(failed(&path))?,
        };
        let wrong = |reason: String| ClusterError::File {
            path: path.clone(),
            reason,
        };
        let found: Self = serde_json::from_slice(&text)
            .map_err(|error| wrong(format!("it does not say how far a solution is: {error}")))?;
        if found.format != FORMAT {
            let format = found.format;
            return Err(wrong(format!(
                "layers of the version {format:?}, not of {FORMAT:?}"
            )));
        }
        if found.solution != solution {
            return Err(wrong(
                "layers of another game or start, or of another version of flux; another directory is needed"
                    .to_owned(),
            ));
        }
        if found.evaluated.len() > found.layers.len() {
            return Err(wrong("more layers are evaluated than there are".to_owned()));
        }
        Ok(found)
    }

    pub(super) fn write(&self, directory: &Path) -> Result<(), ClusterError> {
        fs::create_dir_all(directory).map_err(failed(directory))?;
        // Strings and numbers always have a text.
        let text = serde_json::to_vec(self).unwrap_or_default();
        write_whole(&path(directory), &text)
    }

    /// Whether all layers are there and evaluated.
    pub(super) fn is_finished(&self) -> bool {
        self.is_grown && self.evaluated.len() == self.layers.len()
    }

    /// How much is done, as something that can be compared.
    pub(super) fn progress(&self) -> (usize, bool, usize) {
        (self.layers.len(), self.is_grown, self.evaluated.len())
    }

    /// Adds payoffs of ends.
    pub(super) fn add_ends(&mut self, ends: impl IntoIterator<Item = Vec<Option<u8>>>) {
        self.ends.extend(ends);
        self.ends.sort_unstable();
        self.ends.dedup();
    }

    /// What ends are worth; none if a payoff is none.
    pub(super) fn end_worths(&self) -> Option<Vec<Vec<Worth>>> {
        let ends = self.ends.iter();
        let worths = ends.map(|end| end.iter().map(|&points| Worth::of_points(points)).collect());
        worths.collect()
    }
}

fn path(directory: &Path) -> PathBuf {
    directory.join("layers.json")
}
