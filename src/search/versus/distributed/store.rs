//! Where the shards of layers are kept: in memory, or as files of a directory.
//!
//! ```text
//! DIR/layers.json            how far it is
//! DIR/017/05.codes           the states of shard 5 of layer 17: their number, and what they are packed into
//! DIR/017/05.marks           what they are worth, three bytes each
//! ```
//!
//! A file ends with a hash of what is before it. It is renamed to its name once it is complete.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::search::versus::codes::{self, Codes};
use crate::search::versus::distributed::cluster::ClusterError;
use crate::search::versus::lookup::Mark;

/// Bytes of a number.
const NUMBER: usize = 8;

/// Bytes of a mark.
const MARK: usize = 3;

/// What is kept of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    Codes,
    Marks,
}

/// What is kept: layer, shard and content.
type Key = (usize, usize, Content);

/// The shards that a worker keeps.
#[derive(Debug)]
pub(super) struct Store(Place);

#[derive(Debug)]
enum Place {
    Memory(BTreeMap<Key, Vec<u8>>),
    Directory(PathBuf),
}

impl Store {
    pub(super) fn new(directory: Option<&Path>) -> Self {
        match directory {
            None => Self(Place::Memory(BTreeMap::new())),
            Some(path) => Self(Place::Directory(path.to_owned())),
        }
    }

    pub(super) fn write_codes(
        &mut self,
        (layer, shard): (usize, usize),
        codes: &Codes,
    ) -> Result<(), ClusterError> {
        let mut bytes = (codes.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(codes.bytes());
        self.write((layer, shard, Content::Codes), bytes)
    }

    pub(super) fn codes(&self, (layer, shard): (usize, usize)) -> Result<Codes, ClusterError> {
        let key = (layer, shard, Content::Codes);
        let bytes = self.read(key)?;
        let Some((number, packed)) = bytes.split_first_chunk::<NUMBER>() else {
            return Err(self.damaged(key));
        };
        let states = u64::from_le_bytes(*number) as usize;
        Ok(Codes::of_bytes(packed.to_vec(), states))
    }

    pub(super) fn write_marks(
        &mut self,
        (layer, shard): (usize, usize),
        marks: &[Mark],
    ) -> Result<(), ClusterError> {
        self.write((layer, shard, Content::Marks), marks_to_bytes(marks))
    }

    pub(super) fn marks(&self, (layer, shard): (usize, usize)) -> Result<Vec<Mark>, ClusterError> {
        Ok(marks_of_bytes(&self.read((layer, shard, Content::Marks))?).collect())
    }

    fn write(&mut self, key: Key, mut bytes: Vec<u8>) -> Result<(), ClusterError> {
        match &mut self.0 {
            Place::Memory(kept) => {
                bytes.shrink_to_fit();
                kept.insert(key, bytes);
                Ok(())
            }
            Place::Directory(directory) => {
                let path = path(directory, key);
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent).map_err(failed(parent))?;
                }
                let hash = hash(&bytes);
                bytes.extend_from_slice(&hash);
                write_whole(&path, &bytes)
            }
        }
    }

    fn read(&self, key: Key) -> Result<Cow<'_, [u8]>, ClusterError> {
        match &self.0 {
            Place::Memory(kept) => Ok(kept.get(&key).map(Vec::as_slice).unwrap_or_default().into()),
            Place::Directory(directory) => {
                let path = path(directory, key);
                let mut bytes = fs::read(&path).map_err(failed(&path))?;
                let body = bytes.len().saturating_sub(NUMBER);
                if bytes.len() < NUMBER || hash(&bytes[..body]) != bytes[body..] {
                    return Err(self.damaged(key));
                }
                bytes.truncate(body);
                Ok(bytes.into())
            }
        }
    }

    fn damaged(&self, key: Key) -> ClusterError {
        let path = match &self.0 {
            Place::Memory(_) => PathBuf::new(),
            Place::Directory(directory) => path(directory, key),
        };
        ClusterError::File {
            path,
            reason: "the file is damaged: its hash is not that of its content".to_owned(),
        }
    }
}

/// Marks in three bytes each.
pub(super) fn marks_to_bytes(marks: &[Mark]) -> Vec<u8> {
    let bytes = marks.iter();
    bytes
        .flat_map(|mark| [mark.value, mark.moves, mark.induced])
        .collect()
}

/// The marks of [`marks_to_bytes`].
pub(super) fn marks_of_bytes(bytes: &[u8]) -> impl Iterator<Item = Mark> {
    let (marks, _) = bytes.as_chunks::<MARK>();
    marks.iter().map(|&[value, moves, induced]| Mark {
        value,
        moves,
        induced,
    })
}

fn path(directory: &Path, (layer, shard, content): Key) -> PathBuf {
    let ending = match content {
        Content::Codes => "codes",
        Content::Marks => "marks",
    };
    directory
        .join(format!("{layer:03}"))
        .join(format!("{shard:02}.{ending}"))
}

/// Writes a file that is there as a whole, or not at all. Several processes may write the same at once.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ClusterError> {
    let draft = path.with_extension(format!("draft-{}", std::process::id()));
    fs::write(&draft, bytes).map_err(failed(&draft))?;
    fs::rename(&draft, path).map_err(failed(path))
}

/// What went wrong with a file.
pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> ClusterError {
    move |error| ClusterError::File {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

/// A hash of whole words, as files have gigabytes.
fn hash(bytes: &[u8]) -> [u8; NUMBER] {
    let (words, rest) = bytes.as_chunks::<NUMBER>();
    let mut last = [0; NUMBER];
    last[..rest.len()].copy_from_slice(rest);
    let words = words
        .iter()
        .chain([&last])
        .map(|word| u64::from_le_bytes(*word));
    let words = words.chain([bytes.len() as u64]);
    words.fold(0, hash_word).to_le_bytes()
}

/// Mixes a word into a hash.
fn hash_word(sum: u64, word: u64) -> u64 {
    codes::hash(&[sum, word])
}
