//! The whole program: the rules of the game with what makes them plays.

use thiserror::Error;

use crate::gdl::answer_sets::conditions::cases;
use crate::gdl::answer_sets::names::SolverNames;
use crate::gdl::answer_sets::relations::Relations;
use crate::gdl::answer_sets::rules::RuleText;
use crate::gdl::game::Game;
use crate::gdl::keyword::Keywords;
use crate::term::Store;

/// A rule has too many cases to be written one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a rule has more than {most} cases, which an answer set program would list one by one")]
pub struct TooManyCases {
    /// The index of the rule.
    pub rule: usize,
    /// The limit.
    pub most: usize,
}

/// The plays of a game as a program for clingo; `title` names the game, `horizon` is how many joint moves a play may
/// have unless the solver is told otherwise.
///
/// With one role the program maximises its goal value. With several, its models are all plays.
///
/// # Errors
/// [`TooManyCases`] if alternatives within one rule multiply beyond bounds.
pub fn answer_set_program(
    game: &Game,
    store: &mut Store,
    title: &str,
    horizon: u32,
) -> Result<String, TooManyCases> {
    let keywords = Keywords::of(store);
    let relations = Relations::of(store, &keywords, game.clauses());
    let names = SolverNames::of(store, &keywords, game.clauses(), &relations);
    let mut rules = String::new();
    for (index, clause) in game.clauses().iter().enumerate() {
        let is_needed = store
            .functor(clause.head)
            .is_some_and(|head| relations.needed.contains(&head));
        if !is_needed {
            continue;
        }
        for case in cases(store, clause).map_err(|most| TooManyCases { rule: index, most })? {
            let written = clause.variables.iter().map(|&name| store.name(name));
            let variables = names.variables(written);
            let text = RuleText {
                store,
                keywords: &keywords,
                relations: &relations,
                names: &names,
                variables: &variables,
            };
            rules.push_str(&text.rule(clause.head, &case));
        }
    }
    let aim = match game.roles().len() {
        1 => format!("#maximize {{ V,R : {} }}.\n", worth(&names)),
        _ => String::new(),
    };
    Ok(frame(&names, title, horizon, &rules, &aim))
}

/// What a role gets: the goal value at the end, if there is only one.
fn worth(names: &SolverNames) -> String {
    let [.., end, _, several] = names.reserved();
    format!("goal(R,V,T), {end}(T), not {several}(R)")
}

/// The program around the rules of the game.
fn frame(names: &SolverNames, title: &str, horizon: u32, rules: &str, aim: &str) -> String {
    let title: String = title.chars().filter(|c| !c.is_control()).collect();
    let [most, time, goes_on, playing, end, over, several] = names.reserved();
    let renamed = names.renamed();
    let worth = worth(names);
    format!(
        "\
% The plays of {title}, written by flux: an answer set is a play of at most {most} joint moves.
%
%   clingo FILE -c {most}=N     N other than {horizon}
%
% does(R,M,T) is the move M of role R at time T, true(F,T) a fluent of the state.
{renamed}
#const {most} = {horizon}.
{time}(0..{most}).

% A play: one legal move of each role as long as the game is not over.
{playing}(0).
{playing}(T+1) :- {goes_on}(T).
{goes_on}(T) :- {playing}(T), not terminal(T), T < {most}.
{end}(T) :- {playing}(T), terminal(T).
{over} :- {end}(_).
:- not {over}.
1 {{ does(R,M,T) : legal(R,M,T) }} 1 :- role(R), {goes_on}(T).

% A role that has several goal values at the end gets none of them.
{several}(R) :- {end}(T), goal(R,V,T), goal(R,W,T), V < W.
{aim}
% The rules of the game.
{rules}
#show does/3.
#show goal(R,V) : {worth}.
"
    )
}
