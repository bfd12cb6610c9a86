"""Planning tasks, solved by Fast Downward; its plans are played by the rules."""

import subprocess
import sys
from pathlib import Path

import pytest

import flux

PUZZLES = [
    "bad_terminals_maze",
    "best_buttons_and_lights",
    "blocks_world",
    "greedy_fails",
    "hanoi",
    "incredible",
    "joint_buttons_and_lights",
    "lights_out",
    "multiple_buttons_and_lights",
    "two_graphs",
]


def test_a_task_is_a_domain_with_problems(sample):
    task = sample("blocks_world").planning_task()
    assert task.domain.count("(:action") == 12 and list(task.problems) == [100, 0]
    assert task.moves("(u-c-a)\n; a comment\n1: S-B-C\n") == ["(u c a)", "(s b c)"]
    with pytest.raises(ValueError, match="line 1 of the plan"):
        task.moves("(fly)")
    with pytest.raises(flux.UnsuitableError):
        sample("tic_tac_toe").planning_task()


@pytest.mark.parametrize("name", PUZZLES)
def test_a_planner_wins_by_the_rules(sample, name, tmp_path):
    package = pytest.importorskip("up_fast_downward", reason="pip install './python[planning]'")
    driver = Path(package.__file__).parent / "downward" / "fast-downward.py"
    game = sample(name)
    task = game.planning_task()
    best = game.solve().value
    files = {part: tmp_path / f"{part}.pddl" for part in ("domain", "problem")}
    files["domain"].write_text(task.domain)
    files["problem"].write_text(task.problems[best])
    run = [sys.executable, driver, "--alias", "lama-first", "--overall-time-limit", "120s"]
    ended = subprocess.run([*run, *files.values()], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout[-2000:]
    state = game.initial
    for move in task.moves((tmp_path / "sas_plan").read_text()):
        state = state.apply(move)
    assert state.terminal and list(state.goals().values()) == [best]
