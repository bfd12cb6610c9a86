//! Names that the machine itself uses, interned first and in this order by every machine.

use crate::term::{Store, SymbolId};

macro_rules! known {
    ($($constant:ident = $name:literal),* $(,)?) => {
        #[allow(
            non_camel_case_types,
            clippy::upper_case_acronyms,
            dead_code,
            reason = "the variants only number the names"
        )]
        #[derive(Clone, Copy)]
        enum Position { $($constant),* }
        $(pub(crate) const $constant: SymbolId =
            SymbolId::from_index(Position::$constant as usize);)*
        const NAMES: &[&str] = &[$($name),*];
    };
}

known! {
    NIL = "[]", DOT = "[|]", CURLY = "{}", COMMA = ",", SEMICOLON = ";", BAR = "|", ARROW = "->",
    SOFT_ARROW = "*->", NECK = ":-", DCG_ARROW = "-->", NOT_PROVABLE = "\\+", TRUE = "true",
    FAIL = "fail", FALSE = "false", CUT = "!", CALL = "call", EQUALS = "=", IDENTICAL = "==",
    NOT_IDENTICAL = "\\==", TERM_LESS = "@<", TERM_GREATER = "@>", TERM_LESS_EQUAL = "@=<",
    TERM_GREATER_EQUAL = "@>=", IS = "is", ARITH_EQUAL = "=:=", ARITH_UNEQUAL = "=\\=", LESS = "<",
    GREATER = ">", LESS_EQUAL = "=<", GREATER_EQUAL = ">=", PLUS = "+", MINUS = "-", SLASH = "/",
    COLON = ":", ERROR = "error", TYPE_ERROR = "type_error", DOMAIN_ERROR = "domain_error",
    EXISTENCE_ERROR = "existence_error", INSTANTIATION_ERROR = "instantiation_error",
    EVALUATION_ERROR = "evaluation_error", PERMISSION_ERROR = "permission_error",
    REPRESENTATION_ERROR = "representation_error", SYNTAX_ERROR = "syntax_error",
    ANSWER = "$answer", VAR = "$VAR", UNDEFINED = "undefined", END_OF_FILE = "end_of_file",
    MIN = "min", MAX = "max", FIRST = "first", LAST = "last", SUM = "sum", LATTICE = "lattice",
    PO = "po", UNDERSCORE = "_", INDEX = "index",
    MATCH_ARROW = "=>", DOUBLE_SLASH = "//", TERM_EXPANSION = "term_expansion",
    GOAL_EXPANSION = "goal_expansion", ARG = "arg",
}

/// Interns the names; `store` must be empty.
pub(crate) fn intern_all(store: &mut Store) {
    for name in NAMES {
        store.symbol(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_their_positions() {
        let mut store = Store::new();
        intern_all(&mut store);
        assert_eq!(store.symbol("[]"), NIL);
        assert_eq!(store.symbol("goal_expansion"), GOAL_EXPANSION);
        assert_eq!(store.symbols().names().count(), NAMES.len());
    }
}
