"""What can go wrong, as exceptions, and what rules are at fault with, as values."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "Diagnostic",
    "FluxError",
    "InternalError",
    "LimitError",
    "MoveError",
    "RuleError",
    "UnsuitableError",
]


@dataclass(frozen=True)
class Diagnostic:
    """A message about a place of a rule sheet; lines and columns count from 1."""

    code: str
    severity: str
    message: str
    help: str | None
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity} {self.code}: {self.message}"


class FluxError(Exception):
    """Whatever flux refuses."""


class RuleError(FluxError, ValueError):
    """The rules cannot be played, or not in the way that was asked for.

    ``diagnostics`` has everything that is wrong with them, in the order of the text.
    """

    def __init__(self, message: str, diagnostics: list[Diagnostic] | None = None) -> None:
        super().__init__(message)
        self.diagnostics: list[Diagnostic] = list(diagnostics or [])


class MoveError(FluxError, ValueError):
    """A text is no role, move, condition or property of the game, or the move is not legal."""


class LimitError(FluxError):
    """A limit was reached: a time limit, or the number of instances that rules may have."""


class UnsuitableError(FluxError, ValueError):
    """The question is not for a game of this sort: of several roles, or of chance."""


class InternalError(FluxError, RuntimeError):
    """A bug of flux."""
