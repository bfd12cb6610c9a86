"""Games as games of OpenSpiel.

>>> from flux.openspiel import load
>>> game = load("kb/games/tic_tac_toe.gdl")
>>> state = game.new_initial_state()
>>> state.action_to_string(state.legal_actions()[4])
'(mark 2 2)'

`register` makes a game known by a name, under which `pyspiel.load_game` and all algorithms of the package find it.
"""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from flux._flux import Game, State
from flux._flux import load as read
from flux.errors import LimitError

__all__ = ["load", "register"]

#: Seconds that may be spent on finding out what sort of game it is.
_SECONDS = 10.0

#: Joint moves of a play whose end is not proved to come.
_MAX_LENGTH = 1000


def load(
    sheet: str | os.PathLike[str] | Game, *, name: str | None = None, max_length: int | None = None
) -> pyspiel.Game:
    """The game of a rule sheet, registered under a name; see `register`."""
    return pyspiel.load_game(register(sheet, name=name, max_length=max_length))


def register(
    sheet: str | os.PathLike[str] | Game, *, name: str | None = None, max_length: int | None = None
) -> str:
    """Makes the game of a rule sheet known to OpenSpiel and says under which name: ``flux_`` and the name of the file,
    unless there is another one. A name can be registered once.

    Roles are players in their order. An action is a move, whoever makes it. A role that alone has a choice is the current
    player; where several have one all act at once, and where nobody has one the first role is asked. Utilities are goal
    values over 100, at the end; if they are proved to have the same sum in every end, they are shifted and scaled so that
    the sum is zero. Observations are bits of fluents, and strings that list those that hold. A play ends after
    ``max_length`` joint moves without utilities, unless it is proved that every play ends before that.
    """
    game = sheet if isinstance(sheet, Game) else read(sheet)
    name = name or "flux_" + re.sub(r"\W", "_", game.name)
    rules = _Rules(game, name, max_length)
    kind = type(f"_Game_{name}", (_Game,), {"rules": rules})
    pyspiel.register_game(rules.type, kind)
    _REGISTERED[name] = rules
    return name


class _Rules:
    """What is known of a game before it is played."""

    def __init__(self, game: Game, name: str, max_length: int | None) -> None:
        self.game = game
        self.fluents = game.fluents
        self.places = {fluent: place for place, fluent in enumerate(self.fluents)}
        moves = dict.fromkeys(move for own in game.moves.values() for move in own)
        self.moves = sorted(moves)
        self.actions = {move: action for action, move in enumerate(self.moves)}
        players = len(game.roles)
        length = self._proved("terminates")
        self.max_length = max_length or length or _MAX_LENGTH
        # Of a play of no moves nothing could be learned, and OpenSpiel wants one.
        self.max_length = max(self.max_length, 1)
        is_sequential = players == 1 or self._proved("turn-taking") is not None
        constant = self._sum() if players > 1 and length is not None and self.max_length >= length else None
        self.shift = 0.0 if constant is None else constant / players
        self.scale = 100.0 if constant is None else constant / players or 100.0
        kinds = pyspiel.GameType
        self.type = pyspiel.GameType(
            short_name=name,
            long_name=game.name,
            dynamics=kinds.Dynamics.SEQUENTIAL if is_sequential else kinds.Dynamics.SIMULTANEOUS,
            chance_mode=kinds.ChanceMode.DETERMINISTIC,
            information=kinds.Information.PERFECT_INFORMATION,
            utility=kinds.Utility.GENERAL_SUM if constant is None else kinds.Utility.ZERO_SUM,
            reward_model=kinds.RewardModel.TERMINAL,
            max_num_players=players,
            min_num_players=players,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )
        bounds = [self.utility(0), self.utility(100)]
        self.info = pyspiel.GameInfo(
            num_distinct_actions=len(self.moves),
            max_chance_outcomes=0,
            num_players=players,
            min_utility=bounds[0],
            max_utility=bounds[1],
            utility_sum=None if constant is None else 0.0,
            max_game_length=self.max_length,
        )

    def utility(self, value: int) -> float:
        return (value - self.shift) / self.scale

    def _proved(self, property: str) -> int | None:
        """The depth of a proof; none if there is none."""
        try:
            finding = self.game.prove(property, seconds=_SECONDS)
        except LimitError:
            return None
        return (finding.bound or 0) if finding.verdict == "proved" else None

    def _sum(self) -> float | None:
        """What goal values add up to in every end, if it is always the same."""
        if self._proved("constant-sum") is None:
            return None
        ends = self.game.playouts(100).goals.sum(axis=1)
        ends = ends[~np.isnan(ends)]
        return float(ends[0]) if len(ends) else None


#: By name. Names are registered as long as the interpreter runs.
_REGISTERED: dict[str, _Rules] = {}


class _Position:
    """A state with the joint moves that led to it. It is never changed, so that a copy is itself; to be stored it is
    its moves, which are made again."""

    def __init__(self, rules: _Rules, state: State, play: tuple[tuple[str, ...], ...] = ()) -> None:
        self.rules, self.state, self.play = rules, state, play
        self.is_over = state.terminal or len(play) >= rules.max_length
        self.legal: list[list[str]] = [] if self.is_over else list(state.legal().values())
        # A role that cannot move ends the play.
        self.is_over |= not all(self.legal)
        self.player = pyspiel.PlayerId.TERMINAL
        if not self.is_over:
            choosing = [player for player, moves in enumerate(self.legal) if len(moves) > 1]
            self.player = pyspiel.PlayerId.SIMULTANEOUS
            if len(choosing) < 2:
                self.player = choosing[0] if choosing else 0

    def after(self, joint: list[str]) -> _Position:
        return _Position(self.rules, self.state.apply(joint), (*self.play, tuple(joint)))

    def __deepcopy__(self, memo: Any) -> _Position:
        return self

    def __reduce__(self) -> Any:
        return _played, (self.rules.type.short_name, self.play)


def _played(name: str, play: tuple[tuple[str, ...], ...]) -> _Position:
    rules = _REGISTERED[name]
    position = _Position(rules, rules.game.initial)
    for joint in play:
        position = position.after(list(joint))
    return position


class _Game(pyspiel.Game):  # type: ignore[misc]
    #: Given to a class for each game.
    rules: _Rules

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        super().__init__(self.rules.type, self.rules.info, parameters or {})

    def new_initial_state(self, state: Any = None) -> _State:
        if state is not None:
            raise ValueError("states are made by playing")
        return _State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.rules, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class _State(pyspiel.State):  # type: ignore[misc]
    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.position = _Position(game.rules, game.rules.game.initial)

    def current_player(self) -> int:
        return self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        own = self.position
        if own.is_over or own.player not in (player, pyspiel.PlayerId.SIMULTANEOUS):
            return []
        return sorted(own.rules.actions[move] for move in own.legal[player])

    def _apply_action(self, action: int) -> None:
        own = self.position
        joint = [moves[0] for moves in own.legal]
        joint[own.player] = own.rules.moves[action]
        self.position = own.after(joint)

    def _apply_actions(self, actions: list[int]) -> None:
        moves = self.position.rules.moves
        self.position = self.position.after([moves[action] for action in actions])

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.rules.moves[action]

    def is_terminal(self) -> bool:
        return self.position.is_over

    def returns(self) -> list[float]:
        rules, state = self.position.rules, self.position.state
        if not state.terminal:
            return [0.0] * len(rules.game.roles)
        return [rules.utility(value or 0) for value in state.goals().values()]

    def __str__(self) -> str:
        return "\n".join(self.position.state.fluents)


class _Observer:
    """A one for each fluent that holds, whoever looks."""

    def __init__(self, rules: _Rules, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters, not {params}")
        self._places = rules.places
        self.tensor = np.zeros(len(rules.fluents), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        self.tensor.fill(0)
        self.tensor[[self._places[fluent] for fluent in state.position.state.fluents]] = 1

    def string_from(self, state: _State, player: int) -> str:
        return str(state)
