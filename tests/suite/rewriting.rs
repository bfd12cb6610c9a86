//! Ways to write the same game otherwise.

use std::path::Path;
use std::process::Command;

use crate::random_game::{Expression, Rules, read};

/// The rules of a game, in prefix notation whatever they are written in.
pub(crate) fn prefix_rules(game: &Path) -> Rules {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .args(["fmt", "--to", "kif"])
        .arg(game)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}: {output:?}", game.display());
    read(&String::from_utf8(output.stdout).unwrap())
}

const KEYWORDS: [&str; 15] = [
    "role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input",
    "distinct", "not", "or", "and", "<=",
];

/// Other names for all symbols but the words of the language; numbers stay.
pub(crate) fn respelled(rules: &Rules) -> Rules {
    let rename = |word: &str| {
        let stays = word.starts_with('?')
            || KEYWORDS.contains(&word)
            || word.starts_with(|c: char| c.is_ascii_digit());
        (!stays).then(|| Expression::Word(format!("xq{word}")))
    };
    rules.iter().map(|rule| rule.map(&rename)).collect()
}

/// The conditions of every rule in the opposite order.
pub(crate) fn reversed(rules: &Rules) -> Rules {
    let reverse = |rule: &Expression| match rule {
        Expression::List(parts) if rule.name() == "<=" => {
            let body = parts[2..].iter().rev();
            Expression::List(parts[..2].iter().chain(body).cloned().collect())
        }
        Expression::Word(_) | Expression::List(_) => rule.clone(),
    };
    rules.iter().map(reverse).collect()
}

/// The roles in the opposite order.
pub(crate) fn permuted(rules: &Rules) -> Rules {
    let is_role = |rule: &&Expression| rule.name() == "role";
    let mut roles = rules.iter().filter(is_role).rev();
    let other = |rule: &Expression| {
        if is_role(&rule) {
            roles.next().unwrap_or(rule).clone()
        } else {
            rule.clone()
        }
    };
    rules.iter().map(other).collect()
}

/// Facts as rules with a condition that holds.
pub(crate) fn ruled(rules: &Rules) -> Rules {
    let always = read("(distinct yes no)").remove(0);
    let rule = |fact: &Expression| match fact.name() {
        "<=" | "role" | "init" | "base" | "input" => fact.clone(),
        _ => Expression::List(vec![
            Expression::Word("<=".into()),
            fact.clone(),
            always.clone(),
        ]),
    };
    rules.iter().map(rule).collect()
}

/// A rule for each branch of a disjunction that is a condition of its own.
pub(crate) fn split(rules: &Rules) -> Rules {
    let mut all = Rules::new();
    let mut pending: Rules = rules.iter().rev().cloned().collect();
    while let Some(rule) = pending.pop() {
        let parts = rule.parts().to_vec();
        let place = match rule.name() {
            "<=" => parts
                .iter()
                .skip(2)
                .position(|part| part.name() == "or" && !part.parts().is_empty()),
            _ => None,
        };
        match place {
            None => all.push(rule),
            Some(place) => {
                for branch in &parts[place + 2].parts()[1..] {
                    let mut parts = parts.clone();
                    parts[place + 2] = branch.clone();
                    pending.push(Expression::List(parts));
                }
            }
        }
    }
    all
}

/// Frame axioms behind a predicate: what is kept is next, `(<= (next ?f) (kept ?f))`.
pub(crate) fn framed(rules: &Rules) -> Rules {
    let mut is_any = false;
    let mut all: Rules = (rules.iter())
        .map(|rule| {
            let (head, body) = rule.rule();
            let holds = |condition: &Expression| {
                condition.name() == "true" && condition.parts().get(1) == head.parts().get(1)
            };
            if head.name() != "next" || !body.iter().any(holds) {
                return rule.clone();
            }
            is_any = true;
            let kept = vec![Expression::Word("kept".into()), head.parts()[1].clone()];
            let rule = [Expression::Word("<=".into()), Expression::List(kept)];
            Expression::List(rule.into_iter().chain(body.iter().cloned()).collect())
        })
        .collect();
    if is_any {
        all.extend(read("(<= (next ?kept) (kept ?kept))"));
    }
    all
}

/// All fluents, or all actions, of an arity as terms of one symbol: `(cell 1 b)` as `(fluent2 cell 1 b)`.
pub(crate) fn merged(rules: &Rules) -> Rules {
    with_terms(rules, &|kind, term| {
        let mut parts = vec![Expression::Word(format!("{kind}{}", term.len() - 1))];
        parts.extend(term.iter().cloned());
        parts
    })
}

/// The arguments of fluents and actions nested in one tuple: `(cell 1 b)` as `(cell (tuple 1 b))`.
pub(crate) fn nested(rules: &Rules) -> Rules {
    with_terms(rules, &|_, term| {
        let mut tuple = vec![Expression::Word("tuple".into())];
        tuple.extend(term[1..].iter().cloned());
        vec![term[0].clone(), Expression::List(tuple)]
    })
}

/// The rules with other terms for fluents and actions; as they are if some are variables, whose values may come
/// from other relations.
fn with_terms(rules: &Rules, replace: &dyn Fn(&str, &[Expression]) -> Vec<Expression>) -> Rules {
    if rules.iter().any(has_open_term) {
        return rules.clone();
    }
    rules.iter().map(|rule| in_terms(rule, replace)).collect()
}

/// What a keyword has a term for, and where it stands.
fn term_place(keyword: &str) -> Option<(&'static str, usize)> {
    match keyword {
        "true" | "init" | "next" | "base" => Some(("fluent", 1)),
        "legal" | "does" | "input" => Some(("action", 2)),
        _ => None,
    }
}

fn has_open_term(expression: &Expression) -> bool {
    let term = term_place(expression.name()).and_then(|(_, place)| expression.parts().get(place));
    match term {
        Some(Expression::Word(word)) => word.starts_with('?'),
        Some(Expression::List(_)) => false,
        None => expression.parts().iter().any(has_open_term),
    }
}

fn in_terms(
    expression: &Expression,
    replace: &dyn Fn(&str, &[Expression]) -> Vec<Expression>,
) -> Expression {
    let Expression::List(parts) = expression else {
        return expression.clone();
    };
    let Some((kind, place)) = term_place(expression.name()) else {
        let parts = parts.iter().map(|part| in_terms(part, replace));
        return Expression::List(parts.collect());
    };
    let mut parts = parts.clone();
    if let Some(term) = parts.get_mut(place) {
        let words = match &*term {
            Expression::Word(_) => vec![term.clone()],
            Expression::List(words) => words.clone(),
        };
        *term = Expression::List(replace(kind, &words));
    }
    Expression::List(parts)
}
