//! Tables of values as bytes.
//!
//! ```text
//! {"format":"flux table 1","game":...,"fluents":[...],...}   one line of JSON
//! 0 c1 40 02  0                                              each row: bytes shared with the row before,
//! 2       07  1                                              the others, and the number of its bounds
//! 8 bytes                                                    a hash of all that stands before
//! ```
//!
//! Numbers take seven bits a byte, the lowest first. The fluents of the header are in prefix notation, so that a table
//! does not depend on how a program numbers them.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::gdl::{Fnv, Game, Vocabulary};
use crate::search::versus::kind::Kind;
use crate::search::versus::value_table::ValueTable;
use crate::search::versus::worth::{Bounds, Worth};
use crate::syntax::Notation;
use crate::term::{Case, Prefix};

/// What the header says that it is.
const FORMAT: &str = "flux table 1";

/// Bytes of the hash at the end.
const HASH: usize = 8;

/// Why bytes are no table of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The first line is not the header of a table.
    #[error("not a table of values: {0}")]
    NotATable(String),
    /// It was written by another version.
    #[error("a table of the version {0:?}, not of {FORMAT:?}")]
    OtherVersion(String),
    /// Its rules are others.
    #[error("a table of another game")]
    OtherGame,
    /// What stands in it is not what was written.
    #[error("the table is damaged: {0}")]
    Damaged(&'static str),
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    game: String,
    states: usize,
    turn_taking: bool,
    sum: Option<u32>,
    /// In the order of the bits of a row.
    fluents: Vec<String>,
    /// By number and role: at least, at most; null is less than every payoff.
    bounds: Vec<Vec<[Option<u8>; 2]>>,
}

impl ValueTable {
    /// The table as bytes, for a file.
    pub fn to_bytes(&self, game: &Game, vocabulary: &Vocabulary) -> Vec<u8> {
        let store = vocabulary.store();
        let fluents = self.fluents.iter();
        let names = fluents.map(|&own| Prefix::new(store, vocabulary.fluent_term(own)).to_string());
        let pair = |own: &Bounds| [own.at_least.points(), own.at_most.points()];
        let bounds = self.bounds.iter();
        let header = Header {
            format: FORMAT.to_owned(),
            game: game.fingerprint(store),
            states: self.len(),
            turn_taking: self.kind.is_turn_taking,
            sum: self.kind.sum,
            fluents: names.collect(),
            bounds: bounds.map(|own| own.iter().map(pair).collect()).collect(),
        };
        // Strings and numbers always have a text.
        let mut bytes = serde_json::to_vec(&header).unwrap_or_default();
        bytes.push(b'\n');
        let mut before: &[u8] = &[];
        for (at, &value) in self.values.iter().enumerate() {
            let row = self.row(at);
            let shared = row.iter().zip(before).take_while(|(a, b)| a == b).count();
            push(&mut bytes, shared);
            bytes.extend_from_slice(&row[shared..]);
            push(&mut bytes, usize::from(value));
            before = row;
        }
        let hash = hash(&bytes);
        bytes.extend_from_slice(&hash);
        bytes
    }

    /// Reads what [`ValueTable::to_bytes`] wrote of the same game.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn from_bytes(
        bytes: &[u8],
        game: &Game,
        vocabulary: &mut Vocabulary,
    ) -> Result<Self, TableError> {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let line = &bytes[..end.unwrap_or(bytes.len())];
        let header: Header = serde_json::from_slice(line)
            .map_err(|error| TableError::NotATable(error.to_string()))?;
        if header.format != FORMAT {
            return Err(TableError::OtherVersion(header.format));
        }
        if header.game != game.fingerprint(vocabulary.store()) {
            return Err(TableError::OtherGame);
        }
        let body = bytes.len().saturating_sub(HASH);
        if body <= line.len() || hash(&bytes[..body]) != bytes[body..] {
            return Err(TableError::Damaged("its hash is not that of its content"));
        }
        let fluents = header.fluents.iter().map(|name| {
            let term = vocabulary.ground_term(name, Notation::Prefix, Case::Keep);
            term.map(|term| vocabulary.fluent(term))
        });
        let fluents = fluents.collect::<Option<Vec<_>>>();
        let mut table = Self {
            fluents: fluents.ok_or(TableError::Damaged("a fluent is no ground term"))?,
            kind: Kind {
                is_turn_taking: header.turn_taking,
                sum: header.sum,
                is_proved: true,
            },
            rows: Vec::new(),
            values: Vec::new(),
            bounds: bounds(&header.bounds, game.roles().len())?,
        };
        table.read_rows(&bytes[line.len() + 1..body], header.states)?;
        Ok(table)
    }

    fn read_rows(&mut self, bytes: &[u8], states: usize) -> Result<(), TableError> {
        const SHORT: TableError = TableError::Damaged("it ends in the middle of a state");
        let width = self.width();
        let mut left = bytes;
        let mut row = vec![0; width];
        for number in 0..states {
            let shared = pull(&mut left).filter(|&shared| shared <= width);
            let shared = shared.ok_or(SHORT)?;
            let (own, rest) = left.split_at_checked(width - shared).ok_or(SHORT)?;
            left = rest;
            row[shared..].copy_from_slice(own);
            if number > 0 && self.row(number - 1) >= row.as_slice() {
                return Err(TableError::Damaged("its states are not ascending"));
            }
            let value = pull(&mut left).ok_or(SHORT)?;
            let value = u16::try_from(value)
                .ok()
                .filter(|&value| usize::from(value) < self.bounds.len());
            self.values
                .push(value.ok_or(TableError::Damaged("a state has a value that is not there"))?);
            self.rows.extend_from_slice(&row);
        }
        if left.is_empty() {
            Ok(())
        } else {
            Err(TableError::Damaged("something stands behind its states"))
        }
    }
}

/// The bounds of a header.
fn bounds(written: &[Vec<[Option<u8>; 2]>], roles: usize) -> Result<Vec<Vec<Bounds>>, TableError> {
    let of_state = |own: &Vec<[Option<u8>; 2]>| {
        let own = (own.len() == roles).then_some(own)?;
        let bounds = own.iter().map(|&[at_least, at_most]| {
            Some(Bounds {
                at_least: Worth::of_points(at_least)?,
                at_most: Worth::of_points(at_most)?,
            })
        });
        bounds.collect()
    };
    let all: Option<Vec<Vec<Bounds>>> = written.iter().map(of_state).collect();
    all.ok_or(TableError::Damaged("its values are not those of the roles"))
}

fn hash(bytes: &[u8]) -> [u8; HASH] {
    let mut hash = Fnv::new();
    hash.feed(bytes);
    hash.value().to_le_bytes()
}

fn push(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number of at most 21 bits from the front.
fn pull(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for place in 0..3 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
