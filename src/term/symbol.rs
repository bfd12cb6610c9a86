//! Symbols: names as small integers, so that equal names are compared in one instruction.

use string_interner::StringInterner;
use string_interner::backend::BucketBackend;
use string_interner::symbol::{Symbol as _, SymbolU32};

type Interner = StringInterner<BucketBackend<SymbolU32>, rustc_hash::FxBuildHasher>;

/// An interned name. Ids are dense, from 0, in order of first sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(u32);

impl SymbolId {
    /// The id as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The id with this index; meaningful only for indices obtained from [`SymbolId::index`], or
    /// for names interned in a known order.
    pub const fn from_index(index: usize) -> Self {
        Self(index as u32)
    }
}

/// The table of all names in use.
#[derive(Clone, Debug)]
pub struct Symbols {
    interner: Interner,
    /// Memory of the names, in bytes.
    bytes: usize,
}

/// Memory of an entry of the table beside its text, in bytes, about: a slice, a slot of the hash table.
const ENTRY_BYTES: usize = 32;

impl Default for Symbols {
    fn default() -> Self {
        Self {
            interner: Interner::with_hasher(rustc_hash::FxBuildHasher),
            bytes: 0,
        }
    }
}

impl Symbols {
    /// The id of a name; the same name always has the same id.
    pub fn intern(&mut self, name: &str) -> SymbolId {
        let known = self.interner.len();
        let symbol = self.interner.get_or_intern(name);
        if self.interner.len() > known {
            self.bytes += name.len() + ENTRY_BYTES;
        }
        SymbolId(symbol.to_usize() as u32)
    }

    /// Memory that the names take, in bytes. None is ever freed.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The id of a name that was interned before.
    pub fn find(&self, name: &str) -> Option<SymbolId> {
        self.interner
            .get(name)
            .map(|symbol| SymbolId(symbol.to_usize() as u32))
    }

    /// The name behind an id; empty for an id of another table.
    pub fn name(&self, id: SymbolId) -> &str {
        SymbolU32::try_from_usize(id.index())
            .and_then(|symbol| self.interner.resolve(symbol))
            .unwrap_or("")
    }

    /// All names, in order of first sight.
    pub fn names(&self) -> impl Iterator<Item = (SymbolId, &str)> {
        self.interner
            .iter()
            .map(|(symbol, name)| (SymbolId(symbol.to_usize() as u32), name))
    }
}
