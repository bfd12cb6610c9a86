//! The rules of towers of Hanoi side by side.

/// What is to be done with the towers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// All of them are to be moved.
    All,
    /// There is one move less than that takes: only some can be moved, and the first one should be.
    TooLittleTime,
}

impl Task {
    /// Both, in the order of the pictures.
    pub(crate) const BOTH: [Task; 2] = [Task::All, Task::TooLittleTime];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Task::All => "move all towers",
            Task::TooLittleTime => "one move too few",
        }
    }
}

/// One tower of three disks, for every copy: each move is one of a disk of one copy.
const TOWER: &str = "
(role player)
(disk 1) (disk 2) (disk 3)
(smaller 1 2) (smaller 1 3) (smaller 2 3)
(peg a) (peg b) (peg c)
(<= (init (on ?copy ?disk a)) (copy ?copy) (disk ?disk))
(<= (legal player (move ?copy ?disk ?from ?to))
    (true (on ?copy ?disk ?from)) (peg ?to) (distinct ?from ?to)
    (not (blocked ?copy ?disk ?from)) (not (blocked ?copy ?disk ?to)))
(<= (blocked ?copy ?disk ?peg) (true (on ?copy ?other ?peg)) (smaller ?other ?disk))
(<= (next (on ?copy ?disk ?to)) (does player (move ?copy ?disk ?from ?to)))
(<= (next (on ?copy ?disk ?peg)) (true (on ?copy ?disk ?peg)) (not (moved ?copy ?disk)))
(<= (moved ?copy ?disk) (does player (move ?copy ?disk ?from ?to)))
(<= (solved ?copy)
    (true (on ?copy 1 c)) (true (on ?copy 2 c)) (true (on ?copy 3 c)))
";

/// Moves that one tower takes.
const MOVES: usize = 7;

/// The rules of so many towers.
pub(crate) fn rules(task: Task, towers: usize) -> String {
    let each = |make: &dyn Fn(usize) -> String| (1..=towers).map(make).collect::<String>();
    let mut rules = TOWER.to_owned();
    rules += &each(&|copy| format!("(copy {copy})\n"));
    rules += &format!("(<= all {})\n", each(&|copy| format!(" (solved {copy})")));
    rules += "(<= (goal player 100) all)\n";
    rules += match task {
        Task::All => "(<= terminal all)\n(<= (goal player 0) (not all))\n",
        Task::TooLittleTime => {
            "(<= (goal player 50) (solved 1) (not all))\n\
             (<= (goal player 0) (not (solved 1)))\n\
             (init (step 0))\n\
             (<= (next (step ?later)) (true (step ?now)) (then ?now ?later))\n"
        }
    };
    if task == Task::TooLittleTime {
        let last = MOVES * towers - 1;
        rules += &format!("(<= terminal (true (step {last})))\n");
        for step in 0..last {
            rules += &format!("(then {step} {})\n", step + 1);
        }
    }
    rules
}
