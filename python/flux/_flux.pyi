"""The compiled part of the package."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from flux.errors import Diagnostic
from flux.results import FailedRule, Finding, Plan, PlanningTask, Playouts, Proof, Values

Engine = Literal["auto", "tabled", "fluent", "circuit"]
Form = Literal["text", "latex", "json", "flux", "kif", "infix", "asp"]
View = Literal["dependency", "effects", "calls", "concepts", "subgames"]

def load(
    path: str | os.PathLike[str], *, engine: Engine = "auto", seconds: float | None = None
) -> Game:
    """Reads the rules of a game from a file, in prefix or infix notation.

    Raises `RuleError`, with all diagnostics, if they cannot be played, and `OSError` if there is no such file.
    """

def loads(
    text: str, *, name: str = "game", engine: Engine = "auto", seconds: float | None = None
) -> Game:
    """Reads the rules of a game from a text."""

def check(text: str, *, name: str = "game") -> list[Diagnostic]:
    """Everything that is wrong with a text as the rules of a game, in the order of the text."""

class Game:
    """A game: its rules, and what can be asked of them.

    Whatever takes long runs without the interpreter lock, ends by Ctrl-C, and takes ``seconds``, after which it raises
    `LimitError` (a search gives what it has found).
    """

    @property
    def name(self) -> str:
        """The name of the game: that of its file."""
    @property
    def roles(self) -> list[str]:
        """The names of the roles, in the order of the rules."""
    @property
    def engine(self) -> str:
        """The engine that plays: "circuit", "tabled" or "fluent"."""
    @property
    def fluents(self) -> list[str]:
        """The fluents that some state may have; `LimitError` if the rules have too many instances."""
    @property
    def moves(self) -> dict[str, list[str]]:
        """The moves that each role may have in some state; `LimitError` if the rules have too many instances."""
    @property
    def initial(self) -> State:
        """The state in which the game starts."""
    @property
    def warnings(self) -> list[Diagnostic]:
        """The warnings about the rules."""
    def playouts(self, n: int, seed: int = 0, *, seconds: float | None = None) -> Playouts:
        """Makes random playouts; the same seed gives the same ones."""
    def analyze(self, *, seconds: float | None = None) -> dict[str, Any]:
        """What the game is made of: effects, preconditions, subgames, concepts of goal and end."""
    def translate(
        self, to: Form = "text", *, horizon: int = 20, seconds: float | None = None
    ) -> str:
        """The axioms that the rules mean, or the rules themselves, in another form.

        ``horizon`` is the number of joint moves that a play of the form "asp" may have.
        """
    def planning_task(self, *, seconds: float | None = None) -> PlanningTask:
        """The game of one role in PDDL, for planners that know conditional effects and derived predicates.

        Raises `UnsuitableError` for several roles, and `LimitError` if the rules have too many instances.
        """
    def solve(self, *, seconds: float | None = None) -> Plan | Values:
        """The best plan of a game of one role, or what each of several roles can force."""
    def prove(self, property: str, *, seconds: float | None = None) -> Finding:
        """Whether a property holds: one with a name, as "terminates" or "playable:white", or a formula."""
    def svg(
        self, view: View = "dependency", *, max_nodes: int = 80, seconds: float | None = None
    ) -> str:
        """A picture of what the game is made of; ``max_nodes=0`` draws all of it."""
    def _repr_svg_(self) -> str: ...

class State:
    """A state of a game: a value that is kept, compared and hashed."""

    @property
    def game(self) -> Game:
        """The game of which it is a state."""
    @property
    def fluents(self) -> list[str]:
        """The fluents that hold, in order of their text."""
    @property
    def terminal(self) -> bool:
        """Whether the game is over."""
    @overload
    def legal(self) -> dict[str, list[str]]: ...
    @overload
    def legal(self, role: str) -> list[str]: ...
    def apply(self, moves: str | Sequence[str] | Mapping[str, str]) -> State:
        """The state after a joint move.

        The move of each role by name, or in the order of the roles; or one move alone where the others have one only.
        Raises `MoveError` for what is no move or not legal.
        """
    def goals(self) -> dict[str, int | None]:
        """The goal value of each role, 0 to 100; none where the rules give none or several."""
    def query(self, condition: str) -> list[dict[str, str]]:
        """The instances of a condition that hold here: for each, its variables with their values."""
    def why(
        self,
        goal: str,
        moves: str | Sequence[str] | Mapping[str, str] | None = None,
        *,
        seconds: float | None = None,
    ) -> Proof | None:
        """Why a goal holds here, by which rules; none if it does not.

        ``moves``, as `apply` takes them, are what ``does`` and ``next`` are about.
        """
    def why_not(
        self,
        goal: str,
        moves: str | Sequence[str] | Mapping[str, str] | None = None,
        *,
        seconds: float | None = None,
    ) -> list[FailedRule] | None:
        """For every rule that could give a goal, where it fails; none if the goal holds."""
    def svg(self) -> str:
        """A picture: boards, as far as fluents have the form of one, and a line for each other fluent."""
    def _repr_svg_(self) -> str: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: Any) -> State: ...
    def __contains__(self, fluent: str) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Lanes:
    """Games side by side; `flux.environments.VectorEnv` is what to use."""

    fluents: list[str]
    actions: list[str]
    simultaneous: bool

    def __init__(
        self, game: Game, games: int, turns: str, restart: str, max_length: int | None
    ) -> None: ...
    def reset(self, seed: int | None, buffers: tuple[npt.NDArray[Any], ...]) -> None: ...
    def step(
        self, moves: npt.NDArray[np.int32], buffers: tuple[npt.NDArray[Any], ...]
    ) -> None: ...
    def draw(self) -> npt.NDArray[np.int32]: ...
    def state(self, index: int) -> State: ...
