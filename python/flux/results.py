"""What analyses, searches and playouts find, as values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Finding", "Plan", "Playouts", "Values"]


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
