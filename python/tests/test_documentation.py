"""What the documentation shows is what happens."""

import doctest
from pathlib import Path

import flux
import flux.environments

ROOT = Path(__file__).parents[2]


def test_the_tour_is_true(monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "docs" / "python.md"), module_relative=False)
    assert tried > 10 and failed == 0


def test_docstrings_are_true(monkeypatch):
    monkeypatch.chdir(ROOT)
    for module in (flux, flux.environments):
        failed, tried = doctest.testmod(module)
        assert tried and failed == 0
