"""A logic workbench for games: rules as logic in, answers out.

>>> import flux
>>> game = flux.loads("(role robot) (init (at 1)) (succ 1 2) (succ 2 3)"
...     "(<= (legal robot (go ?y)) (true (at ?x)) (succ ?x ?y))"
...     "(<= (next (at ?y)) (does robot (go ?y)))"
...     "(<= terminal (true (at 3))) (<= (goal robot 100) (true (at 3)))")
>>> game.initial.legal("robot")
['(go 2)']
>>> game.initial.apply("(go 2)").fluents
['(at 2)']
>>> game.solve().moves
['(go 2)', '(go 3)']

`load` reads a file, `make` plays many games at once as arrays for learners, and the modules `flux.pettingzoo`,
`flux.gymnasium` and `flux.openspiel` are the interfaces of others.
"""

from flux._flux import Game, State, check, load, loads
from flux.environments import VectorEnv, make
from flux.errors import (
    Diagnostic,
    FluxError,
    InternalError,
    LimitError,
    MoveError,
    RuleError,
    UnsuitableError,
)
from flux.results import FailedRule, Finding, Plan, PlanningTask, Playouts, Proof, Values

__all__ = [
    "Diagnostic",
    "FailedRule",
    "Finding",
    "FluxError",
    "Game",
    "InternalError",
    "LimitError",
    "MoveError",
    "Plan",
    "PlanningTask",
    "Playouts",
    "Proof",
    "RuleError",
    "State",
    "UnsuitableError",
    "Values",
    "VectorEnv",
    "check",
    "load",
    "loads",
    "make",
]
