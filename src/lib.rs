//! flux: a logic workbench for games.
//!
//! Rules of games go in, as logic; answers come out: what is legal, what moves do, what a game is made of, how it is
//! won. Three lines lead to the first one:
//!
//! ```
//! use flux::workbench::Workbench;
//!
//! let mut game = Workbench::read(include_str!("../kb/games/tic_tac_toe.gdl"))?;
//! let start = game.initial_state()?;
//! assert_eq!(game.legal_moves(&start, "xplayer")?.len(), 9);
//! # Ok::<(), flux::workbench::WorkbenchError>(())
//! ```
//!
//! [`guide`] goes on from there, to the first playout, the first axiom and the first solution.
//!
//! # Layers
//!
//! Each uses only itself and those above it in this list (`tests/suite/layering.rs` enforces it): [`syntax`] reads text
//! into spanned trees; [`term`] gives them meaning as hash-consed terms and clauses; [`rules`] evaluates the rules of
//! games, and [`prolog`] runs programs and questions, both by tabled resolution; [`gdl`] defines what a game is;
//! [`fluent`] says what its moves do; [`circuit`] makes it propositional and plays many games at once; [`analysis`] says
//! what it is made of as its rules are written, [`decomposition`] as the function that they compute, and [`drawing`]
//! makes pictures of both; [`search`] solves it; [`workbench`] is the façade; `cli` talks to people.
//!
//! # Bibliography
//! - \[LHHSG08\] Love, Hinrichs, Haley, Schkufza, Genesereth: General Game Playing: Game
//!   Description Language Specification, Stanford LG-2006-01, 2008.
//! - \[G07\] M. Günther: Decomposition of Single Player Games, TU Dresden, 2007.
//! - \[GST09\] M. Günther, S. Schiffel, M. Thielscher: Factoring General Games, GIGA 2009.
//! - \[ST07\] S. Schiffel, M. Thielscher: Fluxplayer: A Successful General Game Player, AAAI 2007.
//! - \[T09\] M. Thielscher: Answer Set Programming for Single-Player Games in General Game Playing,
//!   ICLP 2009.
//! - \[GT14\] M. Genesereth, M. Thielscher: General Game Playing, 2014 (chapter 14: Factoring).
//! - \[H09\] M. Helmert: Concise Finite-Domain Representations for PDDL Planning Tasks, Artificial Intelligence
//!   173(5-6), 2009.
//! - \[HVM16\] A. Hufschmitt, J.-N. Vittaut, J. Méhat: A General Approach of Game Description Decomposition for
//!   General Game Playing, Computer Games Workshop 2016.
//! - \[RST14\] J. Romero, A. Saffidine, M. Thielscher: Solving the Inferential Frame Problem in the
//!   General Game Description Language, AAAI 2014.
//! - \[Cla78\] K. L. Clark: Negation as Failure, in: Logic and Data Bases, Plenum, 1978.
//! - \[CW96\] W. Chen, D. S. Warren: Tabled Evaluation with Delaying for General Logic Programs,
//!   J. ACM 43(1), 1996.
//! - \[GMS93\] A. Gupta, I. S. Mumick, V. S. Subrahmanian: Maintaining Views Incrementally, SIGMOD
//!   1993.
//! - \[HMH18\] P. Hu, B. Motik, I. Horrocks: Optimised Maintenance of Datalog Materialisations,
//!   AAAI 2018.
//! - \[Thi10\] M. Thielscher: A General Game Description Language for Incomplete Information Games, AAAI 2010.
//! - \[T86\] K. Thompson: Retrograde Analysis of Certain Endgames, ICCA Journal 9(3), 1986.
//! - \[N02\] A. Nagai: Df-pn Algorithm for Searching AND/OR Trees and Its Applications, University of
//!   Tokyo, 2002.
//! - \[A94\] L. V. Allis: Searching for Solutions in Games and Artificial Intelligence, University of Limburg, 1994.
//! - \[AN77\] S. G. Akl, M. M. Newborn: The Principal Continuation and the Killer Heuristic, ACM 1977.
//! - \[SB95\] C.-J. H. Seger, R. E. Bryant: Formal Verification by Symbolic Evaluation of Partially-Ordered
//!   Trajectories, Formal Methods in System Design 6(2), 1995.
//! - \[UHHI08\] T. Ueda, T. Hashimoto, J. Hashimoto, H. Iida: Weak Proof-Number Search, CG 2008.
//! - \[WWHU04\] M. Winands, E. van der Werf, H. J. van den Herik, J. Uiterwijk: The Relative History Heuristic, CG
//!   2004.
//! - \[U92\] J. Uiterwijk: The Countermove Heuristic, ICCA Journal 15(1), 1992.
//! - \[ST09\] S. Schiffel, M. Thielscher: Automated Theorem Proving for General Game Playing, IJCAI 2009.
//! - \[HST12\] S. Haufe, S. Schiffel, M. Thielscher: Automated Verification of State Sequence Invariants in
//!   General Game Playing, Artificial Intelligence 187, 2012.
//! - \[B11\] A. Bradley: SAT-Based Model Checking without Unrolling, VMCAI 2011.
//! - \[FL03\] M. Fox, D. Long: PDDL2.1: An Extension to PDDL for Expressing Temporal Planning Domains, JAIR 20, 2003.
//! - \[EH04\] S. Edelkamp, J. Hoffmann: PDDL2.2: The Language for the Classical Part of the 4th International
//!   Planning Competition, University of Freiburg, 2004.
//! - \[ISO\] ISO/IEC 13211-1:1995, Prolog, Part 1: General core.

#![allow(
    rustdoc::private_intra_doc_links,
    reason = "pages of modules say where to start reading, which is inside of them"
)]

pub mod analysis;
pub mod circuit;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod decomposition;
pub mod drawing;
pub mod fluent;
pub mod gdl;
pub mod limits;
pub mod prolog;
pub mod prove;
pub mod rules;
pub mod search;
#[cfg(feature = "cli")]
pub mod serve;
pub mod syntax;
pub mod term;
pub mod workbench;

#[doc = include_str!("../docs/library.md")]
pub mod guide {}
