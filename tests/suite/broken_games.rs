//! Games that are wrong, through every command: no panic, no hang, no exit code that is not documented, and no more
//! memory than was allowed.
//!
//! Random games and sample games lose rules, conditions, roles and ends; most are refused, and what is not must be
//! dealt with. A few are tried here; as many as `FLUX_BROKEN_GAMES` says, with the program that `FLUX_PROGRAM`
//! names and the sheets under `FLUX_MATERIAL`, when they are asked for.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::random_game::{Expression, Rules, random_game, read, text};

/// How long a command may take, unless `FLUX_BROKEN_SECONDS` says.
const SECONDS: f64 = 2.0;

/// What memory a command may use.
const MEGABYTES: u64 = 512;

/// A command may need so much more time of the processor to end, and, where the machine does other things as well,
/// so much more time.
const GRACE: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(300);

/// Games that are tried whenever tests run.
const SAMPLE: u64 = 12;

/// Every command, with every engine, form, view and level.
const COMMANDS: [&str; 50] = [
    "check",
    "check --format json",
    "fmt",
    "fmt --to infix",
    "query terminal",
    "query --format json (legal?r?m)",
    "trace --engine tabled",
    "trace --engine fluent",
    "trace --engine circuit",
    "trace --engine auto",
    "playout -n 5 --max-length 50 --engine tabled",
    "playout -n 5 --max-length 50 --engine fluent",
    "playout -n 5 --max-length 50 --engine circuit",
    "playout -n 5 --max-length 50 --engine circuit --lanes 1",
    "playout -n 5 --max-length 50 --threads 2",
    "playout -n 5 --max-length 50 --format json",
    "translate --to text",
    "translate --to latex",
    "translate --to json",
    "translate --to flux",
    "translate --verify",
    "translate --verify --to json",
    "analyze",
    "analyze --level symbol",
    "analyze --level partial",
    "analyze --level ground",
    "analyze --format json",
    "analyze --format svg --view dependency",
    "analyze --format dot --view effects",
    "analyze --format svg --view calls --level ground",
    "analyze --format svg --view concepts",
    "analyze --format svg --view subgames",
    "analyze --format dot --view domains",
    "ground",
    "ground --rules",
    "ground --format json",
    "ground --format dot",
    "solve",
    "solve --shortest",
    "solve --algorithm direct",
    "solve --strong",
    "solve --format json",
    "decompose",
    "decompose --format json",
    "decompose --certify",
    "translate --to asp",
    "translate --to pddl",
    "check --play",
    "prove --each 1",
    "prove --each 1 --format json",
];

/// A game with something wrong.
fn broken(seed: u64, sheets: &[String]) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    // Sheets of others cost ten times as much.
    let mut rules = match random.random_range(0..4) {
        0 => read(&sheets[random.random_range(0..sheets.len())]),
        _ => random_game(seed),
    };
    for _ in 0..random.random_range(1..4) {
        if !rules.is_empty() {
            mutate(&mut rules, &mut random);
        }
    }
    text(&rules)
}

fn mutate(rules: &mut Rules, random: &mut Xoshiro256PlusPlus) {
    let at = random.random_range(0..rules.len());
    match random.random_range(0..7) {
        0 => {
            rules.remove(at);
        }
        // A relation loses all its rules, such as `goal`, `terminal` or `next`.
        1 => {
            let name = rules[at].rule().0.name().to_owned();
            rules.retain(|rule| rule.rule().0.name() != name);
        }
        2 => rules[at] = without_a_condition(&rules[at], random),
        3 => rules[at] = negated(&rules[at], random),
        // A word in one rule is misspelled: a role, a fluent, a relation, a variable.
        4 => {
            let words = words(&rules[at]);
            let word = words[random.random_range(0..words.len())].clone();
            rules[at] = replaced(&rules[at], &word, &format!("{word}x"));
        }
        // Two words of two rules are taken for each other.
        5 => {
            let other = random.random_range(0..rules.len());
            let (words, others) = (words(&rules[at]), words(&rules[other]));
            let word = words[random.random_range(0..words.len())].clone();
            let instead = others[random.random_range(0..others.len())].clone();
            rules[at] = replaced(&rules[at], &word, &instead);
        }
        _ => {
            let copy = rules[at].clone();
            rules.push(copy);
        }
    }
}

fn without_a_condition(rule: &Expression, random: &mut Xoshiro256PlusPlus) -> Expression {
    match rule {
        Expression::List(parts) if rule.name() == "<=" && parts.len() > 2 => {
            let mut parts = parts.clone();
            parts.remove(random.random_range(2..parts.len()));
            Expression::List(parts)
        }
        Expression::List(_) | Expression::Word(_) => rule.clone(),
    }
}

fn negated(rule: &Expression, random: &mut Xoshiro256PlusPlus) -> Expression {
    match rule {
        Expression::List(parts) if rule.name() == "<=" && parts.len() > 2 => {
            let mut parts = parts.clone();
            let at = random.random_range(2..parts.len());
            let not = Expression::Word("not".to_owned());
            parts[at] = Expression::List(vec![not, parts[at].clone()]);
            Expression::List(parts)
        }
        Expression::List(_) | Expression::Word(_) => rule.clone(),
    }
}

fn words(expression: &Expression) -> Vec<String> {
    match expression {
        Expression::Word(word) => vec![word.clone()],
        Expression::List(parts) => parts.iter().flat_map(words).collect(),
    }
}

fn replaced(expression: &Expression, word: &str, instead: &str) -> Expression {
    match expression {
        Expression::Word(own) if own == word => Expression::Word(instead.to_owned()),
        Expression::Word(own) => Expression::Word(own.clone()),
        Expression::List(parts) => {
            let parts = parts.iter().map(|part| replaced(part, word, instead));
            Expression::List(parts.collect())
        }
    }
}

/// What is wrong with a run, if something is.
fn fault(program: &str, command: &str, seconds: f64, file: &Path) -> Option<String> {
    let mut words = command.split(' ');
    let mut arguments: Vec<String> = vec![words.next()?.to_owned()];
    arguments.push(file.to_str()?.to_owned());
    arguments.extend(words.map(|word| word.replace('?', " ?")));
    // Reading has no limits.
    let only_reads = ["check", "check --format json", "fmt", "fmt --to infix"];
    if !only_reads.contains(&command) {
        let limits = [
            ("--max-seconds", seconds.to_string()),
            ("--max-memory", MEGABYTES.to_string()),
        ];
        for (option, value) in limits {
            arguments.extend([option.to_owned(), value]);
        }
    }
    let start = Instant::now();
    let messages = tempfile::tempfile().unwrap();
    let mut child = Command::new(program)
        .args(&arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(messages.try_clone().unwrap())
        .spawn()
        .unwrap();
    let mut most = 0;
    let status = loop {
        most = most.max(peak_memory(child.id()));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        let (time, used) = (start.elapsed(), processor_time(child.id()));
        if used > Duration::from_secs_f64(seconds) + GRACE || time > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return Some(format!(
                "{command}: still at work after {time:?}, {used:?} of the processor"
            ));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let said = std::io::read_to_string(rewound(messages)).unwrap();
    let is_documented = matches!(status.code(), Some(0..=3));
    if !is_documented || said.contains("panicked") {
        return Some(format!("{command}: {status}: {said}"));
    }
    (most > MEGABYTES * 1024 * 11 / 10).then(|| format!("{command}: {most} kilobytes"))
}

fn rewound(mut file: std::fs::File) -> std::fs::File {
    use std::io::Seek;
    file.rewind().unwrap();
    file
}

/// The time that a process had of the processor so far, in its own code; zero where nobody says.
fn processor_time(process: u32) -> Duration {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Behind the name, which may contain spaces: state, ten numbers, hundredths of a second.
    let behind = status.rsplit(") ").next().unwrap_or_default();
    let number = behind.split_whitespace().nth(11);
    let hundredths = number.and_then(|number| number.parse().ok()).unwrap_or(0);
    Duration::from_millis(10 * hundredths)
}

/// The most memory that a process had so far, in kilobytes; zero where nobody says.
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Sends games with these seeds through every command; gives what went wrong.
fn faults(
    program: &str,
    seconds: f64,
    seeds: std::ops::Range<u64>,
    sheets: &[String],
) -> Vec<String> {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("broken.kif");
        let mut found = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return found;
            }
            std::fs::write(&file, broken(seed, sheets)).unwrap();
            let faults = COMMANDS
                .iter()
                .filter_map(|command| fault(program, command, seconds, &file));
            let faults: Vec<String> = faults.collect();
            if !faults.is_empty() {
                let kept = format!("{}/broken_{seed}.kif", env!("CARGO_TARGET_TMPDIR"));
                std::fs::copy(&file, &kept).unwrap();
                found.extend(faults.iter().map(|fault| format!("{kept}: {fault}")));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    })
}

/// The prefix sheets of a folder and of those in it.
fn sheets(folder: &Path) -> Vec<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path)
            } else {
                files.push(path)
            }
        }
    }
    files.sort();
    let text = |path: &PathBuf| std::fs::read_to_string(path).ok();
    let texts = files.iter().filter_map(text);
    texts.filter(|text| text.contains("(role ")).collect()
}

#[test]
fn broken_games_are_dealt_with() {
    let own = sheets(&Path::new(env!("CARGO_MANIFEST_DIR")).join("kb/games"));
    let found = faults(env!("CARGO_BIN_EXE_flux"), SECONDS, 0..SAMPLE, &own);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
#[ignore = "takes as long as FLUX_BROKEN_GAMES says, and wants sheets of the collection"]
fn many_broken_games_are_dealt_with() {
    let number = std::env::var("FLUX_BROKEN_GAMES").unwrap_or_else(|_| "3".to_owned());
    let first = std::env::var("FLUX_BROKEN_FROM").unwrap_or_else(|_| "1000".to_owned());
    let (first, number): (u64, u64) = (first.parse().unwrap(), number.parse().unwrap());
    let program = std::env::var("FLUX_PROGRAM");
    let program = program.unwrap_or_else(|_| env!("CARGO_BIN_EXE_flux").to_owned());
    let sheets = sheets(&crate::collection::material("games"));
    let seconds = std::env::var("FLUX_BROKEN_SECONDS");
    let seconds = seconds.map_or(SECONDS, |seconds| seconds.parse().unwrap());
    let found = faults(&program, seconds, first..first + number, &sheets);
    eprintln!("{number} games through {} commands", COMMANDS.len());
    assert!(found.is_empty(), "{}", found.join("\n"));
}
