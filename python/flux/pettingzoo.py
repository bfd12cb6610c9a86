"""Games as environments of PettingZoo: `AECGame`, in which roles move one after the other, and `ParallelGame`, in which
all move at once.

>>> from flux.pettingzoo import AECGame
>>> env = AECGame("kb/games/tic_tac_toe.gdl")
>>> env.reset(seed=1)
>>> env.agent_selection
'xplayer'
"""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv, ParallelEnv

from flux._flux import Game, State, load

__all__ = ["AECGame", "ParallelGame"]

Observation = dict[str, npt.NDArray[np.int8]]


class _Spaces:
    """What observations and actions of a game are."""

    def __init__(self, sheet: str | os.PathLike[str] | Game) -> None:
        self.game = sheet if isinstance(sheet, Game) else load(sheet)
        self.fluents = self.game.fluents
        self.moves = self.game.moves
        self._places = {fluent: place for place, fluent in enumerate(self.fluents)}
        self._actions = {
            role: {mv: action for action, mv in enumerate(moves)}
            for role, moves in self.moves.items()
        }
        self.actions = {
            role: gymnasium.spaces.Discrete(len(moves)) for role, moves in self.moves.items()
        }
        self.observations = {
            role: gymnasium.spaces.Dict(
                observation=gymnasium.spaces.MultiBinary(len(self.fluents)),
                action_mask=gymnasium.spaces.MultiBinary(len(moves)),
            )
            for role, moves in self.moves.items()
        }

    def observe(self, state: State, role: str) -> Observation:
        bits = np.zeros(len(self.fluents), np.int8)
        bits[[self._places[fluent] for fluent in state.fluents]] = 1
        mask = np.zeros(len(self.moves[role]), np.int8)
        if not state.terminal:
            mask[[self._actions[role][mv] for mv in state.legal(role)]] = 1
        return {"observation": bits, "action_mask": mask}

    def rewards(self, state: State) -> dict[str, float]:
        """Goal values over 100 at the end, nothing before."""
        if not state.terminal:
            return dict.fromkeys(self.game.roles, 0.0)
        return {role: (value or 0) / 100 for role, value in state.goals().items()}


class AECGame(AECEnv):  # type: ignore[misc]
    """A game whose roles are asked one after the other.

    Asked are the roles that have a choice; the others make the only move they have. Where several have one, they choose
    in the order of the rules, and none is told what the others chose. An action is the number of a move of the role, an
    observation has ``observation``, a one for each fluent that holds, and ``action_mask``. Rewards are goal values over
    100, at the end. An action that is not legal raises `MoveError`.
    """

    def __init__(
        self, sheet: str | os.PathLike[str] | Game, *, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self._spaces = _Spaces(sheet)
        #: The game.
        self.game = self._spaces.game
        self.metadata = {
            "name": self.game.name,
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = list(self.game.roles)
        self.agents = list(self.possible_agents)
        #: The state of the game.
        self.state_of_game: State = self.game.initial
        self._chosen: dict[str, str] = {}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self._spaces.observations[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self._spaces.actions[agent]

    def observe(self, agent: str) -> Observation:
        return self._spaces.observe(self.state_of_game, agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._enter(self.game.initial)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] = self._spaces.moves[agent][int(action)]
        if self._asked:
            self.agent_selection = self._asked.pop(0)
        else:
            self._enter(self.state_of_game.apply(self._chosen))
            self.rewards = self._spaces.rewards(self.state_of_game)
            self.terminations = dict.fromkeys(self.agents, self.state_of_game.terminal)
        self._accumulate_rewards()

    def _enter(self, state: State) -> None:
        """Asks the roles that have a choice in a state; the first one if none has."""
        self.state_of_game = state
        self._chosen, self._asked = {}, []
        if not state.terminal:
            legal = state.legal()
            self._chosen = {role: moves[0] for role, moves in legal.items() if len(moves) == 1}
            self._asked = [role for role, moves in legal.items() if len(moves) > 1]
        self.agent_selection = self._asked.pop(0) if self._asked else self.agents[0]

    def render(self) -> str | None:
        return "\n".join(self.state_of_game.fluents) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


class ParallelGame(ParallelEnv):  # type: ignore[misc]
    """A game whose roles move all at once; where they take turns, most have one legal move. The rest as in `AECGame`."""

    def __init__(
        self, sheet: str | os.PathLike[str] | Game, *, render_mode: str | None = None
    ) -> None:
        self._spaces = _Spaces(sheet)
        #: The game.
        self.game = self._spaces.game
        self.metadata = {"name": self.game.name, "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.possible_agents = list(self.game.roles)
        self.agents: list[str] = []
        #: The state of the game.
        self.state_of_game: State = self.game.initial

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self._spaces.observations[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self._spaces.actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.agents = list(self.possible_agents)
        self.state_of_game = self.game.initial
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        moves = {role: self._spaces.moves[role][int(action)] for role, action in actions.items()}
        self.state_of_game = self.state_of_game.apply(moves)
        agents = self.agents
        result = (
            self._observations(),
            self._spaces.rewards(self.state_of_game),
            dict.fromkeys(agents, self.state_of_game.terminal),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )
        if self.state_of_game.terminal:
            self.agents = []
        return result

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._spaces.observe(self.state_of_game, agent) for agent in self.agents}

    def render(self) -> str | None:
        return "\n".join(self.state_of_game.fluents) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass
