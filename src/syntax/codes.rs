//! The codes of the faults that this layer finds in texts.

use std::fmt;

/// A stable code of a kind of fault, such as `E0102`; each layer lists its own in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// What a diagnostic code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeDescription {
    /// The code, as diagnostics carry it.
    pub code: Code,
    /// The fault in a few words.
    pub title: &'static str,
    /// The shortest text that has the fault.
    pub example: &'static str,
}

macro_rules! syntax_codes {
    ($($name:ident $code:literal $title:literal $example:literal)*) => {
        $(#[doc = $title] pub(crate) const $name: Code = Code($code);)*

        /// All codes of this layer, in order.
        pub const SYNTAX_CODES: &[CodeDescription] = &[
            $(CodeDescription { code: $name, title: $title, example: $example },)*
        ];
    };
}

syntax_codes! {
    UNCLOSED "S0001" "unclosed parenthesis or bracket" "(role robot"
    EXTRA_CLOSE "S0002" "closing parenthesis or bracket without an opening one" "(role robot))"
    EMPTY_LIST "S0003" "empty list" "()"
    LIST_AS_NAME "S0004" "list as the name of a relation" "((f) ?x)"
    VARIABLE_AS_NAME "S0005" "variable as the name of a relation" "(?x 1)"
    NOT_A_SENTENCE "S0006" "something that is not a sentence" "?x"
    STRAY_ARROW "S0007" "`<=` that does not begin a rule" "(p <= q)"
    INNER_RULE "S0008" "rule inside of another sentence" "(p (<= q r))"
    RULE_WITHOUT_HEAD "S0009" "rule without a head" "(<=)"
    BAD_HEAD "S0010" "head of a rule that is not an atom" "(<= ?x p)"
    RUBBISH "S0011" "character that no text of this notation contains" "(p \0)"
    NAMELESS_VARIABLE "S0012" "variable without a name" "(p ?)"
    TOO_DEEP "S0013" "parentheses nested too deeply" "((((((...))))))"
    TOO_LARGE "S0014" "text too large" "more than 4 GiB"
    EXPECTED_OPERATOR "S0020" "term where an operator was expected" "p :- q r."
    EXPECTED_TERM "S0021" "term missing" "p :- ."
    MISMATCH "S0022" "bracket closed by one of another kind" "p(a]."
    UNCLOSED_QUOTE "S0023" "unclosed quote" "p('a)."
    UNCLOSED_COMMENT "S0024" "unclosed block comment" "/* p."
    BAD_ESCAPE "S0025" "unknown escape sequence" "p('\\q')."
    BAD_NUMBER "S0026" "number that cannot be represented" "p(99999999999999999999)."
    OPERATOR_CLASH "S0027" "operators that do not combine" "a = b = c."
    MISSING_END "S0028" "clause without final dot" "p :- q"
    NOT_INFIX_GDL "S0029" "Prolog that is not part of infix GDL" "p([a])."
    CONDITION_IN_TERM "S0030" "condition inside of a term" "p(a & b)."
    BAD_OPERATOR "S0031" "operator definition that is not one" ":- op(1201, xfx, foo)."
    UNSPEAKABLE "S0032" "symbol that the Game Description Language cannot spell" "p('a b')."
    TOO_MANY "S0099" "more faults than are shown" "a binary file"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_distinct() {
        assert!(
            SYNTAX_CODES
                .windows(2)
                .all(|pair| pair[0].code < pair[1].code)
        );
    }
}
