"""Games of the repository, and material beside it that is asked for."""

import os
from pathlib import Path

import pytest

import flux

SAMPLES = Path(__file__).parents[2] / "kb" / "games"


@pytest.fixture
def sample():
    """A game of the repository by name."""
    return lambda name: flux.load(SAMPLES / f"{name}.gdl")


@pytest.fixture
def material():
    """The folder with the games of others; tests that need it are asked for."""
    folder = os.environ.get("FLUX_MATERIAL")
    if folder is None:
        pytest.skip("asked for with FLUX_MATERIAL=../../shared")
    folder = Path(folder)
    assert (folder / "games").is_dir(), f"no games in {folder}"
    return folder
