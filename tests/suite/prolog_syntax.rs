//! What `writeq/1` writes is read back as the same term, whatever the operators are.

use flux::limits::Limits;
use flux::prolog::{Machine, MemoryFiles, Solution};
use flux::syntax::Source;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Names that may become operators, and stand as atoms and functors in terms.
const NAMES: [&str; 12] = [
    "-", "+", "a", "op", "*", "\\", "f g", ";", "=", "mod", ":-", "Op",
];
const TYPES: [&str; 7] = ["xfx", "xfy", "yfx", "fx", "fy", "xf", "yf"];

fn quoted(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\"))
}

/// A term in canonical notation.
fn term() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => prop::sample::select(&NAMES[..]).prop_map(quoted),
        1 => (-2_i32..3).prop_map(|number| number.to_string()),
        1 => prop::sample::select(vec!["1.5", "-0.5", "[]", "{}", "\"s\\\"\"", "'\\x1\\'", "V"])
            .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let name = || prop::sample::select(&NAMES[..]).prop_map(quoted);
        prop_oneof![
            3 => (name(), inner.clone()).prop_map(|(f, x)| format!("{f}({x})")),
            4 => (name(), inner.clone(), inner.clone())
                .prop_map(|(f, x, y)| format!("{f}({x},{y})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(x, y)| format!("'[|]'({x},{y})")),
            1 => inner.clone().prop_map(|x| format!("{{}}({x})")),
            1 => (inner.clone(), inner).prop_map(|(x, y)| format!("','({x},{y})")),
        ]
    })
}

#[test]
fn written_terms_are_read_back_under_random_operators() {
    let operator = (
        prop::sample::select(vec![1_u16, 200, 200, 400, 700, 999, 1000, 1200]),
        prop::sample::select(&TYPES[..]),
        prop::sample::select(&NAMES[..]),
    );
    let strategy = (
        prop::collection::vec(operator, 0..8),
        prop::collection::vec(term(), 12),
    );
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let config = Config::with_cases(120);
    let run = TestRunner::new_with_rng(config, rng).run(&strategy, |(operators, terms)| {
        let mut machine = Machine::new();
        // Terms are read before the operators change how they are read.
        let facts: Vec<String> = terms.iter().map(|term| format!("t({term}).\n")).collect();
        let faults = machine.consult(&Source::new("terms", facts.concat()));
        prop_assert!(faults.is_empty(), "{faults:?}");
        for (priority, kind, name) in &operators {
            let goal = format!("catch(op({priority}, {kind}, {}), _, true)", quoted(name));
            let solution = machine
                .query(&goal, Limits::default())
                .map(|mut solutions| solutions.next_solution());
            prop_assert!(matches!(solution, Ok(Solution::Answer(_))), "{goal}");
        }
        let goal = "'\\\\+'(','(t(T),','(copy_term(T, C),','(with_output_to(atom(A), writeq(C)),\
                    '\\\\+'(','(catch(term_to_atom(U, A), _, fail),'=@='(U, C)))))))";
        let holds = machine
            .query(goal, Limits::default())
            .map(|mut solutions| solutions.next_solution());
        if !matches!(holds, Ok(Solution::Answer(_))) {
            let shown = "','(t(T),','(with_output_to(atom(A), writeq(T)),'\\\\+'(','(catch(\
                         term_to_atom(U, A), _, fail),'=@='(U, T)))))";
            let shown = machine
                .query(shown, Limits::default())
                .map(|mut solutions| solutions.next_solution());
            prop_assert!(false, "{operators:?}\n{shown:?}");
        }
        Ok(())
    });
    run.unwrap();
}

#[test]
fn standard_input_is_asked_for_lines_until_a_term_ends() {
    let mut machine = Machine::new();
    let files = MemoryFiles::default().with_input("foo(\n bar). x. 'open");
    machine.set_environment(Box::new(files));
    let goal = "read(X), read(Y), catch(read(_), error(syntax_error(_), _), true), read(Z)";
    let mut solutions = machine.query(goal, Limits::default()).unwrap();
    let Solution::Answer(answer) = solutions.next_solution() else {
        panic!("no answer");
    };
    assert_eq!(answer.to_string(), "X = foo(bar), Y = x, Z = end_of_file");
}

#[test]
fn programs_consist_of_files_and_conditions() {
    let mut machine = Machine::new();
    let files = MemoryFiles::default()
        .with_file("dir/more.pl", "q(1). :- include(rest).")
        .with_file("dir/rest", "q(2).");
    machine.set_environment(Box::new(files));
    let program = "
        :- ensure_loaded(more).
        :- ensure_loaded('more.pl').
        :- if(q(3)). p(a). :- elif(q(2)). p(b). :- if(true). p(c). :- endif.
        :- else. p(d). :- if(true). p(e). :- endif. :- endif.
        p(f).
    ";
    let faults = machine.consult(&Source::new("dir/main.pl", program));
    assert!(faults.is_empty(), "{faults:?}");
    let goal = "findall(X, p(X), Ps), findall(X, q(X), Qs)";
    let mut solutions = machine.query(goal, Limits::default()).unwrap();
    let Solution::Answer(answer) = solutions.next_solution() else {
        panic!("no answer");
    };
    assert_eq!(answer.to_string(), "Ps = [b,c,f], Qs = [1,2]");
}
