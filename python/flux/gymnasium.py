"""A game of one role as an environment of Gymnasium.

>>> from flux.gymnasium import GameEnv
>>> env = GameEnv("kb/games/hanoi.gdl")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.sample())
"""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from flux._flux import Game, State, load
from flux.errors import UnsuitableError

__all__ = ["GameEnv"]

Observation = npt.NDArray[np.int8]


class GameEnv(gymnasium.Env[Observation, np.int64]):
    """One game, one role.

    An action is the number of a move in ``action_names``, an observation has a one for each fluent of
    ``observation_names`` that holds, and the reward is the goal value over 100, at the end. What is legal is in
    ``info["action_mask"]``, in the form that ``action_space.sample`` takes. An action that is not legal ends the episode
    without a reward, since learners try such; ``info["is_legal"]`` tells.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self, sheet: str | os.PathLike[str] | Game, *, render_mode: str | None = None
    ) -> None:
        self.game = sheet if isinstance(sheet, Game) else load(sheet)
        if len(self.game.roles) != 1:
            raise UnsuitableError(
                f"Gymnasium is for one role, {self.game.name} has {len(self.game.roles)}: see flux.pettingzoo"
            )
        self.render_mode = render_mode
        self.action_names = self.game.moves[self.game.roles[0]]
        self.observation_names = self.game.fluents
        self._places = {fluent: place for place, fluent in enumerate(self.observation_names)}
        self._actions = {mv: action for action, mv in enumerate(self.action_names)}
        self.action_space = gymnasium.spaces.Discrete(len(self.action_names))
        self.observation_space = gymnasium.spaces.MultiBinary(len(self.observation_names))
        #: The state of the game.
        self.state: State = self.game.initial

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.state = self.game.initial
        return self._observation(), self._info()

    def step(
        self, action: np.int64
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        mv = self.action_names[int(action)]
        if self.state.terminal or mv not in self.state.legal(self.game.roles[0]):
            return self._observation(), 0.0, True, False, self._info(is_legal=False)
        self.state = self.state.apply(mv)
        value = self.state.goals()[self.game.roles[0]] if self.state.terminal else None
        return self._observation(), (value or 0) / 100, self.state.terminal, False, self._info()

    def sample(self) -> np.int64:
        """A legal action, uniformly at random."""
        legal = np.flatnonzero(self._mask())
        return np.int64(self.np_random.choice(legal)) if len(legal) else np.int64(0)

    def render(self) -> str | None:  # type: ignore[override]
        return "\n".join(self.state.fluents) if self.render_mode == "ansi" else None

    def _observation(self) -> Observation:
        bits = np.zeros(len(self._places), np.int8)
        bits[[self._places[fluent] for fluent in self.state.fluents]] = 1
        return bits

    def _mask(self) -> npt.NDArray[np.int8]:
        mask = np.zeros(len(self.action_names), np.int8)
        if not self.state.terminal:
            mask[[self._actions[mv] for mv in self.state.legal(self.game.roles[0])]] = 1
        return mask

    def _info(self, *, is_legal: bool = True) -> dict[str, Any]:
        return {"action_mask": self._mask(), "is_legal": is_legal}
