"""Vectorised environments: many games at once, as arrays.

All games are stepped side by side, one bit each, so that a thousand cost little more than one. `make` gives a
`VectorEnv`, whose arrays have a row for each environment:

>>> import flux
>>> env = flux.make("kb/games/tic_tac_toe.gdl", num_envs=1000)
>>> observations, info = env.reset(seed=1)
>>> observations.shape, env.observation_names[0]
((1000, 29), '(control xplayer)')
>>> observations, rewards, terminated, truncated, info = env.step(env.sample())
>>> info["legal_action_mask"].sum(axis=1)[:3]
array([8, 8, 8])
"""

from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from flux._flux import Game, Lanes, State, load

__all__ = ["VectorEnv", "make"]

Turns = Literal["auto", "alternating", "simultaneous"]
Autoreset = Literal["same_step", "next_step", "disabled"]
Info = dict[str, npt.NDArray[Any]]


def make(
    sheet: str | os.PathLike[str] | Game,
    num_envs: int = 1,
    *,
    seed: int | None = None,
    turns: Turns = "auto",
    autoreset: Autoreset = "same_step",
    max_length: int | None = None,
    final_observations: bool = False,
) -> VectorEnv:
    """Makes environments of a game, given as a file or as a `Game`. See `VectorEnv` for the options."""
    game = sheet if isinstance(sheet, Game) else load(sheet)
    return VectorEnv(
        game,
        num_envs,
        seed=seed,
        turns=turns,
        autoreset=autoreset,
        max_length=max_length,
        final_observations=final_observations,
    )


class VectorEnv:
    """Many environments of one game.

    An action is the number of a move in ``action_names``, the same for all roles. Where ``turns`` is "alternating",
    one action an environment is given, that of the role in control (``info["current_player"]``, a place in ``roles``),
    and the others make the only move they have; where it is "simultaneous", actions have the shape (num_envs, roles).
    "auto" finds out by random play. It makes a difference only for games of several roles.

    An observation has a byte for each fluent that holds in some states and not in others: one where it holds. Rewards
    are goal values over 100, at the end of a game, for each role; not a number where the rules give none.

    ``autoreset`` says what becomes of a game that is over: "same_step" starts the next one in the step that ends it,
    whose first state is observed (with ``final_observations``, ``info["final_obs"]`` has the last ones); "next_step"
    lets the last state be observed, and starts the next game with the next step, whatever the action; "disabled" leaves
    it as it is. ``max_length`` truncates games of more joint moves.

    Games stand on the circuit of the rules: `LimitError` says that they have too many instances.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        *,
        seed: int | None = None,
        turns: Turns = "auto",
        autoreset: Autoreset = "same_step",
        max_length: int | None = None,
        final_observations: bool = False,
    ) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)):
            raise TypeError(f"num_envs is a number, not {num_envs!r}")
        if num_envs < 1:
            raise ValueError(f"num_envs is at least 1, not {num_envs}")
        if max_length is not None and max_length < 1:
            raise ValueError(f"max_length is at least 1, not {max_length}")
        self._lanes = Lanes(game, int(num_envs), turns, autoreset, max_length)
        self._final = final_observations
        #: The game.
        self.game = game
        #: The number of environments.
        self.num_envs = int(num_envs)
        #: The names of the roles.
        self.roles: list[str] = game.roles
        #: Whether actions have the shape (num_envs, roles).
        self.simultaneous: bool = self._lanes.simultaneous and len(self.roles) > 1
        #: The moves, by action.
        self.action_names: list[str] = self._lanes.actions
        #: The fluents, by column of an observation.
        self.observation_names: list[str] = self._lanes.fluents
        self.autoreset: Autoreset = autoreset
        shape = (self.num_envs, len(self.roles)) if self.simultaneous else (self.num_envs,)
        self._action_shape: tuple[int, ...] = shape
        self._observation_shape = (self.num_envs, len(self.observation_names))
        self._mask_shape = (*shape, len(self.action_names))
        self._reward_shape = (self.num_envs, len(self.roles))
        self._seed = seed

    @property
    def num_actions(self) -> int:
        """The number of moves."""
        return len(self.action_names)

    def reset(self, *, seed: int | None = None) -> tuple[npt.NDArray[np.uint8], Info]:
        """Puts all environments into the initial state; gives observations and info."""
        buffers = _Buffers(self)
        self._lanes.reset(self._seed if seed is None else seed, buffers.all())
        return buffers.observations, buffers.info()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.uint8],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        Info,
    ]:
        """Makes a move in each environment.

        Gives observations (num_envs, fluents), rewards (num_envs, roles), terminated and truncated (num_envs,), and
        info with ``legal_action_mask`` and ``current_player``. Raises `MoveError`, and changes nothing, if an action
        is not legal.
        """
        moves = self._moves(actions)
        buffers = _Buffers(self)
        self._lanes.step(moves, buffers.all())
        return (
            buffers.observations,
            buffers.rewards,
            buffers.terminated.view(np.bool_),
            buffers.truncated.view(np.bool_),
            buffers.info(),
        )

    def sample(self) -> npt.NDArray[np.int32]:
        """Legal actions, uniformly at random; 0 for games that are over."""
        return self._lanes.draw().reshape(self._action_shape)

    def state(self, index: int) -> State:
        """The state of an environment."""
        return self._lanes.state(index)

    def _moves(self, actions: npt.ArrayLike) -> npt.NDArray[np.int32]:
        moves = np.asarray(actions)
        if moves.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {moves.dtype}")
        if moves.shape != self._action_shape:
            raise ValueError(f"actions have the shape {self._action_shape}, not {moves.shape}")
        if moves.dtype != np.int32:
            # What does not fit is no action, and must not become one.
            moves = np.clip(moves, -1, len(self.action_names)).astype(np.int32)
        return moves.ravel()

    def __repr__(self) -> str:
        return f"VectorEnv({self.game.name!r}, num_envs={self.num_envs})"


class _Buffers:
    """What one step writes."""

    def __init__(self, env: VectorEnv) -> None:
        number = env.num_envs
        self.observations = np.empty(env._observation_shape, np.uint8)
        self.last = np.empty(env._observation_shape, np.uint8) if env._final else None
        self.mask = np.empty(env._mask_shape, np.uint8)
        self.control = np.empty(number, np.int32)
        self.rewards = np.empty(env._reward_shape, np.float32)
        self.terminated = np.empty(number, np.uint8)
        self.truncated = np.empty(number, np.uint8)

    def all(self) -> tuple[npt.NDArray[Any], ...]:
        """The arrays in the order in which they are written."""
        return (
            self.observations,
            np.empty(0, np.uint8) if self.last is None else self.last,
            self.mask,
            self.control,
            self.rewards,
            self.terminated,
            self.truncated,
        )

    def info(self) -> Info:
        info: Info = {
            "legal_action_mask": self.mask.view(np.bool_),
            "current_player": self.control,
        }
        if self.last is not None:
            info["final_obs"] = self.last
        return info
