//! flux: a logic workbench for games.
//!
//! The layers, each using only itself and the ones above it in this list (`tests/suite/layering.rs`
//! enforces it): [`syntax`] reads text into spanned trees; [`term`] gives them meaning as
//! hash-consed terms and clauses; [`engine`] evaluates clauses by tabled resolution; [`gdl`] knows
//! what a game is; [`cli`] talks to people.
//!
//! # Bibliography
//! - \[LHHSG08\] Love, Hinrichs, Haley, Schkufza, Genesereth: General Game Playing: Game
//!   Description Language Specification, Stanford LG-2006-01, 2008.
//! - \[G07\] M. Günther: Decomposition of Single Player Games, TU Dresden, 2007.
//! - \[GST09\] M. Günther, S. Schiffel, M. Thielscher: Factoring General Games, GIGA 2009.
//! - \[ST07\] S. Schiffel, M. Thielscher: Fluxplayer: A Successful General Game Player, AAAI 2007.
//! - \[GT14\] M. Genesereth, M. Thielscher: General Game Playing, 2014 (chapter 14: Factoring).
//! - \[CW96\] W. Chen, D. S. Warren: Tabled Evaluation with Delaying for General Logic Programs,
//!   J. ACM 43(1), 1996.
//! - \[ISO\] ISO/IEC 13211-1:1995, Prolog, Part 1: General core.

pub mod cli;
pub mod engine;
pub mod gdl;
pub mod syntax;
pub mod term;
