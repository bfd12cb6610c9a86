"""Games of one role, solved by flux, by Fast Downward and by clingo, each within the same time, as a table.

Seconds are those of the processor, so that other work on the machine takes nothing from anybody; export is in them.

    pip install unified-planning up-fast-downward clingo
    python benches/exports.py --flux ../target/release/flux --seconds 60 GAMES... > ../docs/exports.tsv

Fast Downward (`lama-first`) gets the problems of `flux translate --to pddl`, the highest goal value first, until it
finds a plan. clingo gets `flux translate --to asp` with horizons that double from 5, until it reaches the highest goal
value or time is over. Whatever they find is replayed by the rules; a play that does not come to the value that was
claimed is marked `WRONG`, and the exit code says so.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from measuring import MEGABYTES, answer_of, used


@dataclass
class Outcome:
    """What a solver has found."""

    value: int | None = None
    length: int | None = None
    seconds: float = 0.0
    remark: str = ""

    def cells(self) -> list[str]:
        value = "–" if self.value is None else str(self.value)
        length = "–" if self.length is None else str(self.length)
        return [value, length, f"{self.seconds:.1f}", self.remark]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--flux", type=Path, required=True, help="the program")
    arguments.add_argument("--seconds", type=float, default=60, help="for each solver and game")
    arguments.add_argument("--solvers", default="flux,downward,clingo", help="those to run, separated by commas")
    arguments.add_argument("games", nargs="+", type=Path, metavar="GAME")
    arguments = arguments.parse_args()
    flux = arguments.flux.resolve()
    solvers = {"flux": by_flux, "downward": by_downward, "clingo": by_clingo}
    chosen = arguments.solvers.split(",")
    print("game", *(f"{name} {cell}" for name in chosen for cell in ("value", "length", "seconds", "remark")), sep="\t")
    wrong = 0
    for game in (game.resolve() for game in arguments.games):
        row = [f"{game.parent.name}/{game.stem}"]
        for name in chosen:
            outcome = solvers[name](flux, game, arguments.seconds)
            wrong += outcome.remark == "WRONG"
            row += outcome.cells()
        print(*row, sep="\t", flush=True)
    sys.exit(1 if wrong else 0)


def by_flux(flux: Path, game: Path, seconds: float) -> Outcome:
    """The best plan of `flux solve`; it is replayed by the command itself."""
    start = used()
    answer = answer_of([flux, "solve", game, "--format", "json", "--max-memory", str(MEGABYTES // 2)], seconds)
    outcome = Outcome(seconds=used() - start)
    report = json.loads(answer or "{}")
    if report.get("plan") is None:
        outcome.remark = "no plan"
        return outcome
    outcome.value, outcome.length = report["value"], len(report["plan"])
    outcome.remark = "proved" if report["optimal"] else "best so far"
    if not report["verified"]:
        outcome.remark = "WRONG"
    return outcome


def by_downward(flux: Path, game: Path, seconds: float) -> Outcome:
    """The first plan for the highest goal value that has one."""
    start = used()
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        answer_of([flux, "translate", game, "--to", "pddl", "--out", folder], seconds)
        if not (folder / "domain.pddl").exists():
            return Outcome(seconds=used() - start, remark="not exported")
        problems = {int(path.stem.split("-")[1]): path for path in folder.glob("problem-*.pddl")}
        for value in sorted(problems, reverse=True):
            left = seconds - (used() - start)
            if left < 1:
                outcome.remark = "time"
                break
            plan = folder / "plan"
            ending = downward(folder / "domain.pddl", problems[value], plan, left)
            if plan.exists():
                outcome.length = sum(not line.startswith(";") for line in plan.read_text().splitlines())
                end = replay(flux, game, ["--plan", plan])
                outcome.value, outcome.remark = value, "" if end == value else "WRONG"
                break
            if ending != "unsolvable":
                outcome.remark = ending
                break
        else:
            outcome.remark = "no plan"
    outcome.seconds = used() - start
    return outcome


def downward(domain: Path, problem: Path, plan: Path, seconds: float) -> str:
    """Runs Fast Downward, and says how it ended."""
    import up_fast_downward

    driver = Path(up_fast_downward.__file__).parent / "downward" / "fast-downward.py"
    limits = ["--overall-time-limit", f"{max(1, int(seconds))}s", "--overall-memory-limit", f"{MEGABYTES}M"]
    run = [sys.executable, driver, "--alias", "lama-first", *limits, "--plan-file", plan, domain, problem]
    ended = subprocess.run(run, capture_output=True, text=True, cwd=plan.parent)
    # The exit codes are documented by the planner.
    kinds = {0: "", 10: "unsolvable", 11: "unsolvable", 12: "incomplete", 20: "memory", 21: "time", 22: "memory", 23: "time"}
    return kinds.get(ended.returncode, f"exit code {ended.returncode}")


def by_clingo(flux: Path, game: Path, seconds: float) -> Outcome:
    """The best play of clingo, with growing horizons."""
    start = used()
    outcome = Outcome()
    horizon = 5
    highest = max((int(value) for value in re.findall(r"\(\s*goal\s+\S+\s+(\d+)\s*\)", game.read_text(), re.I)), default=100)
    with tempfile.TemporaryDirectory() as folder:
        program, moves = Path(folder) / "game.lp", Path(folder) / "moves"
        while (left := seconds - (used() - start)) >= 1:
            export = [flux, "translate", game, "--to", "asp", "--horizon", str(horizon)]
            with program.open("w") as text:
                if subprocess.run(export, stdout=text, stderr=subprocess.DEVNULL).returncode:
                    outcome.remark = "not exported"
                    break
            try:
                report = json.loads(answer_of(["clingo", "--outf=2", program], left) or "{}")
            except json.JSONDecodeError:
                outcome.remark = "time"
                break
            witnesses = (report.get("Call") or [{}])[0].get("Witnesses")
            if witnesses:
                play = joint_moves(program.read_text(), witnesses[-1]["Value"])
                moves.write_text("".join(f"{json.dumps(move)}\n" for move in play))
                claimed = max((int(v) for atom in witnesses[-1]["Value"] for v in re.findall(r"^goal\(.*,(\d+)\)$", atom)), default=None)
                end = replay(flux, game, ["--moves", moves])
                if end != claimed:
                    outcome.remark = "WRONG"
                    break
                if claimed is not None and (outcome.value is None or claimed > outcome.value):
                    outcome.value, outcome.length = claimed, len(play)
                if claimed == highest:
                    break
            horizon *= 2
        else:
            outcome.remark = "time"
    outcome.seconds = used() - start
    return outcome


def joint_moves(program: str, atoms: list[str]) -> list[dict[str, str]]:
    """The moves of an answer set, in their order, as `flux trace` reads them."""
    renamed = dict(re.findall(r"^% (\S+) is (.*) in the rules of the game\.$", program, re.M))
    does = []
    for atom in atoms:
        if not atom.startswith("does("):
            continue
        front, moment = atom[len("does(") : -1].rsplit(",", 1)
        role, move = front.split(",", 1)
        move = move.replace('"', "'")
        for new, old in renamed.items():
            move = move.replace(new, f"'{old}'")
        does.append((int(moment), {role.strip('"'): move}))
    return [joint for _, joint in sorted(does, key=lambda pair: pair[0])]


def replay(flux: Path, game: Path, moves: list) -> int | None:
    """The goal value to which moves lead by the rules; none if they are not legal or end nowhere."""
    trace = subprocess.run([flux, "trace", game, *moves], capture_output=True, text=True)
    lines = trace.stdout.splitlines()
    if trace.returncode or not lines:
        return None
    end = json.loads(lines[-1])
    return next(iter(end["goals"].values())) if end["terminal"] else None


if __name__ == "__main__":
    main()
