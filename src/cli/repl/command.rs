//! The commands of the REPL: their names, their help, and how a line becomes one.

/// What can be asked for with a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name {
    Help,
    Load,
    State,
    Legal,
    Do,
    Try,
    Undo,
    Redo,
    Random,
    Goals,
    Why,
    WhyNot,
    Analyze,
    WhyEdge,
    Parts,
    WhyTogether,
    Solve,
    Value,
    Best,
    Line,
    Plan,
    Next,
    Prove,
    Axioms,
    Effects,
    Table,
    Stats,
    Rules,
    Set,
    Quit,
}

/// A command as `:help` shows it.
#[derive(Debug)]
pub(super) struct Description {
    pub(super) name: Name,
    /// Without the colon.
    pub(super) word: &'static str,
    /// What stands behind it; empty if nothing.
    pub(super) arguments: &'static str,
    /// One line.
    pub(super) summary: &'static str,
    /// More lines; may be empty.
    pub(super) details: &'static str,
}

const fn describe(
    name: Name,
    word: &'static str,
    arguments: &'static str,
    summary: &'static str,
    details: &'static str,
) -> Description {
    Description {
        name,
        word,
        arguments,
        summary,
        details,
    }
}

/// All commands, in the order in which `:help` lists them.
pub(super) const COMMANDS: &[Description] = &[
    describe(
        Name::Load,
        "load",
        "[FILE]",
        "load a game, or a Prolog program (.pl) beside it",
        "A game takes the place of the one before. Programs stay; one of the same name is replaced.\n\
         Without a file everything is loaded again.",
    ),
    describe(
        Name::State,
        "state",
        "",
        "the fluents that hold now",
        "Queries see them as true(F).",
    ),
    describe(
        Name::Legal,
        "legal",
        "[ROLE]",
        "the legal moves of a role, or of all",
        "",
    ),
    describe(
        Name::Do,
        "do",
        "MOVE ...",
        "make a joint move",
        "One move a role, in the order of the roles, or each with its role: `:do white: mark(1,1)`.\n\
         Roles with only one legal move may be left out. Moves are written prefix or infix.",
    ),
    describe(
        Name::Try,
        "try",
        "[MOVE ...]",
        "say which moves next(F) is about, without making them",
        "As :do, but the state stays: queries see the moves as does(Role, Move), so that next(F)\n\
         tells what would hold. Without moves, back to none. A change of the state ends it.",
    ),
    describe(
        Name::Undo,
        "undo",
        "[N]",
        "take the last joint move back, or the last N",
        "",
    ),
    describe(
        Name::Redo,
        "redo",
        "[N]",
        "make the joint moves again that were taken back",
        "",
    ),
    describe(
        Name::Random,
        "random",
        "[N]",
        "make N random joint moves, one if no number is given",
        "Stops at the end of the game. `:set seed K` makes another series.",
    ),
    describe(
        Name::Goals,
        "goals",
        "",
        "the payoff of every role, and whether the game is over",
        "",
    ),
    describe(
        Name::Why,
        "why",
        "GOAL",
        "the proof of the first answer, with the rules used",
        "",
    ),
    describe(
        Name::WhyNot,
        "whynot",
        "GOAL",
        "for every rule, the condition on which it fails",
        "",
    ),
    describe(
        Name::Rules,
        "rules",
        "PREDICATE",
        "the rules of a predicate as they are written: legal or legal/2",
        "",
    ),
    describe(
        Name::Effects,
        "effects",
        "MOVE ...",
        "what a move would change here, and why",
        "Moves are given as after :do; if a role with a choice is left out, what depends on its move\n\
         is shown apart. A fluent that goes is shown with the rules that could have kept it.",
    ),
    describe(
        Name::Axioms,
        "axioms",
        "[ACTION]",
        "the axioms of an action in the fluent calculus: mark or mark/2",
        "When it is possible, and what it changes in any state. Without an action, lists them all.",
    ),
    describe(
        Name::Analyze,
        "analyze",
        "",
        "what the game is made of: subgames, concepts of goal and end",
        "",
    ),
    describe(
        Name::WhyEdge,
        "why-edge",
        "EDGE",
        "the rules by which a fluent and an action have to do with each other",
        "Edges are written as cell -> grab for a precondition, move -> cell(+) or move -> cell(-) for\n\
         an effect.",
    ),
    describe(
        Name::Parts,
        "parts",
        "",
        "the games that the game is made of, proved",
        "Found in what the rules compute, however they are written; see flux decompose.",
    ),
    describe(
        Name::WhyTogether,
        "why-together",
        "FLUENT FLUENT",
        "what joins two fluents: two states and a move that show it",
        "The states differ in one variable only, and another one differs after the same move. If the fluents are\n\
         of different games, it says so, and whether that is proved.",
    ),
    describe(
        Name::Solve,
        "solve",
        "",
        "find the best plan from here, for games of one player",
        "The moves of the plan then lie ahead: :plan shows them, :next makes them.\n\
         `:set seconds S` limits the time; the best plan so far is kept.",
    ),
    describe(
        Name::Value,
        "value",
        "",
        "what each role can force from here, whatever the others do",
        "`:set seconds S` limits the time; the bounds so far are kept.",
    ),
    describe(
        Name::Best,
        "best",
        "",
        "what each role can force after each move",
        "",
    ),
    describe(
        Name::Line,
        "line",
        "",
        "best play of all roles from here",
        "Its moves then lie ahead: :plan shows them, :next makes them.",
    ),
    describe(
        Name::Plan,
        "plan",
        "",
        "the moves that lie ahead: of a plan, or taken back",
        "",
    ),
    describe(
        Name::Next,
        "next",
        "[N]",
        "make the next move of the plan, or the next N",
        "The same as :redo: a move of one's own takes the plan away.",
    ),
    describe(
        Name::Prove,
        "prove",
        "[PROPERTY ...]",
        "what is true of every state: properties proved, or refuted with a play",
        "Properties by name, such as terminates or playable:white, and formulas in parentheses, as of flux prove;\n\
         without one, all that have names. They are about all plays from the start, wherever the walk is.\n\
         `:set seconds S` limits the time; what is not decided by then is open.",
    ),
    describe(
        Name::Table,
        "table",
        "[PREDICATE]",
        "the tables: calls of recursive predicates and their answers",
        "With a predicate, its answers too.",
    ),
    describe(Name::Stats, "stats", "", "what the last query took", ""),
    describe(
        Name::Set,
        "set",
        "[KEY VALUE]",
        "settings; without arguments, shows them",
        "answers N       so many answers where all are printed\n\
         seconds S       so long may a query take; 0 is no limit\n\
         steps N         so many steps may a query take; 0 is no limit\n\
         all on|off      print all answers of a query at once, do not ask after each\n\
         notation WORD   of terms that are shown: prefix, infix, or game for the game's own\n\
         seed K          for :random",
    ),
    describe(
        Name::Help,
        "help",
        "[COMMAND]",
        "this list, or more about a command",
        "",
    ),
    describe(Name::Quit, "quit", "", "leave (so does Ctrl-D)", ""),
];

/// A line that begins with a colon: which command, and what follows it.
pub(super) fn parse(line: &str) -> Result<(Name, &str), String> {
    let line = line.trim_start_matches(':').trim();
    // A word ends at what cannot be part of one: `:why(p)` needs no blank.
    let end = line.find(|c: char| !c.is_ascii_alphabetic() && c != '-');
    let (word, rest) = line.split_at(end.unwrap_or(line.len()));
    find(word).map(|description| (description.name, rest.trim()))
}

/// The command of a name, which may be shortened as long as it stays clear.
pub(super) fn find(word: &str) -> Result<&'static Description, String> {
    let word = word.to_ascii_lowercase();
    let begins = |description: &&Description| description.word.starts_with(&word);
    let candidates: Vec<&Description> = COMMANDS.iter().filter(begins).collect();
    // `:why` is one command although `:why-edge` begins with it.
    let exact = candidates.iter().find(|candidate| candidate.word == word);
    match (exact, candidates.as_slice()) {
        (Some(command), _) | (None, [command]) => Ok(command),
        (None, several @ [_, _, ..]) if !word.is_empty() => {
            let words: Vec<String> = several.iter().map(|c| format!(":{}", c.word)).collect();
            Err(format!(
                ":{word} could be {}; write more of it",
                words.join(", ")
            ))
        }
        _ if word.is_empty() => {
            Err("a command is missing behind the colon; :help lists them all".to_owned())
        }
        _ => Err(format!("there is no command :{word}; :help lists them all")),
    }
}

/// The list of all commands, or what there is to say about one.
pub(super) fn help(word: &str) -> Result<String, String> {
    if word.is_empty() {
        return Ok(overview());
    }
    let command = find(word.trim_start_matches(':'))?;
    let mut text = format!("{}\n    {}\n", usage(command), command.summary);
    for line in command.details.lines() {
        text.push_str(&format!("    {}\n", line.trim_start()));
    }
    Ok(text)
}

fn overview() -> String {
    let mut text = String::from(
        "Type a query, such as  legal(robot, X).  or  (legal robot ?x)\n\
         After an answer: ; or space for the next, a for all, Enter to stop. Ctrl-C stops a query.\n\n",
    );
    for command in COMMANDS {
        text.push_str(&format!("  {:<19} {}\n", usage(command), command.summary));
    }
    text.push_str("\nCommands may be shortened. :help COMMAND says more.\n");
    text
}

fn usage(command: &Description) -> String {
    format!(":{} {}", command.word, command.arguments)
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_shortened() {
        assert_eq!(parse(":q"), Ok((Name::Quit, "")));
        assert_eq!(parse(": do  a b "), Ok((Name::Do, "a b")));
        assert_eq!(parse(":why(p)"), Ok((Name::Why, "(p)")));
        assert!(parse(":s").is_err_and(|message| message.contains(":stats")));
        assert!(parse(":").is_err());
        assert!(parse(":nonsense").is_err());
        assert!(COMMANDS.iter().all(|command| help(command.word).is_ok()));
    }
}
