//! The words that the Game Description Language reserves, as symbols of one store.
//!
//! Everything in this layer asks of some functor whether it is `next/1` or a connective, many
//! times a rule; with the words interned once, that is a comparison of two small integers.
//!
//! Source: \[LHHSG08\], the list of game relations and the syntax of rules; `base` and `input` are
//! those of the Stanford games, where they list what fluents and moves there can be.

use crate::term::{Functor, Store, SymbolId};

/// A reserved word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Keyword {
    /// `role(R)`: R takes part.
    Role,
    /// `init(F)`: F holds in the first state.
    Init,
    /// `true(F)`: F holds now.
    True,
    /// `does(R, M)`: R makes the move M now.
    Does,
    /// `next(F)`: F holds in the next state.
    Next,
    /// `legal(R, M)`: R may make the move M now.
    Legal,
    /// `goal(R, V)`: the state is worth V, 0..=100, to R.
    Goal,
    /// `terminal`: the game is over.
    Terminal,
    /// `base(F)`: F may hold in some state. A hint, never needed.
    Base,
    /// `input(R, M)`: R may be able to make the move M in some state. A hint, never needed.
    Input,
    /// `distinct(S, T)`: the terms differ.
    Distinct,
    /// `not(L)`
    Not,
    /// `or(L, ...)`
    Or,
    /// `and(L, ...)`
    And,
    /// `<=`
    If,
}

/// What kind of word a keyword is; it decides where the word may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeywordClass {
    /// Defined by clauses of the game: `role init next legal goal terminal base input`.
    Defined,
    /// Given by whoever plays the game, and only asked for: `true does`.
    Given,
    /// Part of the logic: `distinct not or and <=`.
    Logic,
}

impl Keyword {
    /// All of them, in a fixed order.
    pub const ALL: [Keyword; 15] = [
        Keyword::Role,
        Keyword::Init,
        Keyword::True,
        Keyword::Does,
        Keyword::Next,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Terminal,
        Keyword::Base,
        Keyword::Input,
        Keyword::Distinct,
        Keyword::Not,
        Keyword::Or,
        Keyword::And,
        Keyword::If,
    ];

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Keyword::Role => "role",
            Keyword::Init => "init",
            Keyword::True => "true",
            Keyword::Does => "does",
            Keyword::Next => "next",
            Keyword::Legal => "legal",
            Keyword::Goal => "goal",
            Keyword::Terminal => "terminal",
            Keyword::Base => "base",
            Keyword::Input => "input",
            Keyword::Distinct => "distinct",
            Keyword::Not => "not",
            Keyword::Or => "or",
            Keyword::And => "and",
            Keyword::If => "<=",
        }
    }

    /// The number of arguments; none if any number is allowed.
    pub fn arity(self) -> Option<u32> {
        match self {
            Keyword::Terminal => Some(0),
            Keyword::Role
            | Keyword::Init
            | Keyword::True
            | Keyword::Next
            | Keyword::Base
            | Keyword::Not => Some(1),
            Keyword::Does | Keyword::Legal | Keyword::Goal | Keyword::Input | Keyword::Distinct => {
                Some(2)
            }
            Keyword::Or | Keyword::And | Keyword::If => None,
        }
    }

    /// What kind of word it is.
    pub fn class(self) -> KeywordClass {
        match self {
            Keyword::Role
            | Keyword::Init
            | Keyword::Next
            | Keyword::Legal
            | Keyword::Goal
            | Keyword::Terminal
            | Keyword::Base
            | Keyword::Input => KeywordClass::Defined,
            Keyword::True | Keyword::Does => KeywordClass::Given,
            Keyword::Distinct | Keyword::Not | Keyword::Or | Keyword::And | Keyword::If => {
                KeywordClass::Logic
            }
        }
    }

    /// How an atom of it is written in prefix notation.
    pub fn usage(self) -> &'static str {
        match self {
            Keyword::Role => "(role ?role)",
            Keyword::Init => "(init ?fluent)",
            Keyword::True => "(true ?fluent)",
            Keyword::Does => "(does ?role ?move)",
            Keyword::Next => "(next ?fluent)",
            Keyword::Legal => "(legal ?role ?move)",
            Keyword::Goal => "(goal ?role ?value)",
            Keyword::Terminal => "terminal",
            Keyword::Base => "(base ?fluent)",
            Keyword::Input => "(input ?role ?move)",
            Keyword::Distinct => "(distinct ?x ?y)",
            Keyword::Not => "(not condition)",
            Keyword::Or => "(or condition ...)",
            Keyword::And => "(and condition ...)",
            Keyword::If => "(<= head condition ...)",
        }
    }
}

/// The reserved words in one store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keywords {
    /// In the order of [`Keyword::ALL`].
    symbols: [SymbolId; Keyword::ALL.len()],
}

impl Keywords {
    /// Interns the words.
    pub fn of(store: &mut Store) -> Self {
        Self {
            symbols: Keyword::ALL.map(|keyword| store.symbol(keyword.name())),
        }
    }

    /// The symbol of a word.
    pub fn symbol(&self, keyword: Keyword) -> SymbolId {
        self.symbols[keyword as usize]
    }

    /// The word that a symbol is, if it is one.
    pub fn keyword(&self, symbol: SymbolId) -> Option<Keyword> {
        let position = self.symbols.iter().position(|&other| other == symbol)?;
        Some(Keyword::ALL[position])
    }

    /// The functor of a word with the number of arguments that it has in the language; `or`, `and`
    /// and `<=`, which have any number, are given with none.
    pub fn functor(&self, keyword: Keyword) -> Functor {
        Functor {
            symbol: self.symbol(keyword),
            arity: keyword.arity().unwrap_or(0),
        }
    }

    /// The word that a functor is an atom of, if its number of arguments is right too.
    pub fn predicate(&self, functor: Functor) -> Option<Keyword> {
        let keyword = self.keyword(functor.symbol)?;
        let fits = keyword.arity().is_none_or(|arity| arity == functor.arity);
        fits.then_some(keyword)
    }

    /// Whether a functor is an atom of this word with the right number of arguments.
    pub fn is(&self, functor: Functor, keyword: Keyword) -> bool {
        functor.symbol == self.symbol(keyword)
            && keyword.arity().is_none_or(|arity| arity == functor.arity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_symbol_and_arity() {
        let mut store = Store::new();
        let keywords = Keywords::of(&mut store);
        for keyword in Keyword::ALL {
            let functor = keywords.functor(keyword);
            assert_eq!(keywords.predicate(functor), Some(keyword));
            assert_eq!(store.name(functor.symbol), keyword.name());
        }
        let base = Functor {
            symbol: keywords.symbol(Keyword::Base),
            arity: 3,
        };
        assert_eq!(keywords.predicate(base), None);
        let cell = store.symbol("cell");
        assert_eq!(keywords.keyword(cell), None);
    }
}
