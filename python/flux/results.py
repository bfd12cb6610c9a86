"""What analyses, searches and playouts find, as values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

__all__ = ["FailedRule", "Finding", "Plan", "PlanningTask", "Playouts", "Proof", "Values"]


@dataclass(frozen=True)
class Plan:
    """The best plan of a game of one role."""

    #: What the plan is worth, 0 to 100; none if no plan was found.
    value: int | None
    #: Whether it is proved that no plan is worth more.
    optimal: bool
    #: The moves, from the initial state.
    moves: list[str] | None
    #: States that were computed.
    states: int
    #: Why the search ended before it was done, if it did.
    stopped: str | None


@dataclass(frozen=True)
class Values:
    """What each of several roles can force, whatever the others do."""

    #: By role, what it can force at least and at most; none stands for no payoff.
    bounds: dict[str, tuple[int | None, int | None]]
    #: Whether the bounds meet.
    proved: bool
    #: What sort of game it is, such as "turn-taking constant-sum".
    kind: str
    #: Joint moves from the initial state in which every role forces what it can.
    line: list[dict[str, str]] | None
    #: States that were expanded.
    states: int
    #: Why the search ended before it was done, if it did.
    stopped: str | None


@dataclass(frozen=True)
class Finding:
    """What is known of a property."""

    property: str
    #: "proved", "refuted" or "open".
    verdict: str
    #: The depth up to which it was shown, or the number of moves of the longest play.
    bound: int | None
    #: A play that refutes it, or shows that it can be had.
    witness: list[dict[str, str]] | None


@dataclass(frozen=True)
class PlanningTask:
    """A game of one role in PDDL."""

    #: The domain: each move is an action.
    domain: str
    #: By goal value, the problem of ending the game with it; the highest first.
    problems: dict[int, str]
    _moves: Callable[[str], list[str]] = field(repr=False, compare=False)

    def moves(self, plan: str) -> list[str]:
        """The moves of a plan as a planner writes it, one action a line; `ValueError` for an action that is none."""
        return self._moves(plan)


@dataclass(eq=False)
class Proof:
    """Why something holds: a goal, what gives it, and the goals that this rests on. A goal that several rest on is one
    object."""

    goal: str
    #: "rule", "state" (a fluent, or a move that is made), "builtin", "negation" (no rule gives it), "undefined", "parts"
    #: (of a conjunction), or "omitted" (the proof got too long).
    because: str
    #: The text of the rule, and its line.
    rule: str | None
    line: int | None
    parts: list[Proof] = field(default_factory=list, repr=False)

    def __str__(self) -> str:
        """The proof as a tree of lines. What was shown before is shown once."""
        lines, seen = [], set()
        todo: list[tuple[int, Proof]] = [(0, self)]
        while todo:
            depth, step = todo.pop()
            is_known = id(step) in seen and bool(step.parts)
            reason = f"line {step.line}" if step.line is not None else step.because
            lines.append(f"{'  ' * depth}{step.goal}  [{'see above' if is_known else reason}]")
            if not is_known:
                seen.add(id(step))
                todo += [(depth + 1, part) for part in reversed(step.parts)]
        return "\n".join(lines)


def _proof(steps: list[tuple[str, str, str | None, int | None, list[int]]]) -> Proof:
    """The first of the steps, with those that it rests on by index."""
    made = [Proof(goal, because, rule, line) for goal, because, rule, line, _ in steps]
    for proof, (*_, parts) in zip(made, steps):
        proof.parts.extend(made[part] for part in parts)
    return made[0]


@dataclass(frozen=True)
class FailedRule:
    """A rule that could give a goal and does not."""

    #: The text of the rule, and its line; none for the fluents of the state.
    rule: str | None
    line: int | None
    #: The condition that fails, as far as its variables are bound when it is reached.
    condition: str | None


@dataclass(frozen=True, eq=False)
class Playouts:
    """Random playouts, one after the other in each array."""

    roles: list[str]
    #: Joint moves made, of shape (n,).
    lengths: npt.NDArray[np.uint64]
    #: Whether a terminal state was reached, of shape (n,).
    finished: npt.NDArray[np.bool_]
    #: Goal values of shape (n, roles), not a number where there is none.
    goals: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.lengths)

    def mean(self) -> dict[str, float]:
        """The mean goal value of each role over the playouts that have one."""
        known = ~np.isnan(self.goals)
        sums = np.where(known, self.goals, 0).sum(axis=0, dtype=np.float64)
        counts = known.sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return dict(zip(self.roles, (sums / counts).tolist()))
