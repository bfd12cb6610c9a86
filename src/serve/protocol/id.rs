//! What requests and answers have in common: ids, and joint moves by role.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What tells the answers to several requests apart: a number or a short text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Id {
    /// A number.
    Number(u64),
    /// A text of at most 200 characters.
    Text(String),
}

/// A move for each role that has a choice, in either notation; roles with one legal move may be left out.
pub type JointMove = IndexMap<String, String>;
