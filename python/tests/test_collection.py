"""The games of others: all load, and states, moves and goal values are those of the reference traces.

Asked for with FLUX_MATERIAL; FLUX_TRACES says how many games, evenly chosen, are held against their traces.
"""

import gzip
import json
import os
import re

import flux


def games(material):
    return sorted((material / "games").rglob("*.kif"))


def test_all_games_load(material):
    loaded = [flux.load(path, engine="tabled") for path in games(material)]
    assert loaded and all(game.roles for game in loaded)


def test_games_go_as_the_reference_traces_say(material):
    paths = games(material)
    number = min(int(os.environ.get("FLUX_TRACES", "40")), len(paths))
    chosen = [paths[at * len(paths) // number] for at in range(number)]
    for path in chosen:
        trace = material / "oracle" / path.relative_to(material / "games").with_suffix("")
        compare(path, trace.with_name(trace.name + ".jsonl.gz"))
    print(f"{len(chosen)} of {len(paths)} games")
    assert chosen


def compare(path, trace):
    game = flux.load(path)
    with gzip.open(trace, "rt") as lines:
        next(lines)
        for line in map(json.loads, lines):
            state = game.initial if line["step"] == 0 else state.apply(move)
            where = f"{path.stem}, playout {line['playout']}, step {line['step']}"
            assert sorted(map(plain, line["state"])) == sorted(state.fluents), where
            assert line["terminal"] == state.terminal, where
            if state.terminal:
                assert line["goals"] == state.goals(), where
                continue
            legal = {role: sorted(map(plain, moves)) for role, moves in line["legal"].items()}
            assert legal == {role: sorted(moves) for role, moves in state.legal().items()}, where
            move = line.get("move")


def plain(term):
    """A term without parentheses around single symbols: `(over)` is `over`."""
    return re.sub(r"\(([^\s()]+)\)", r"\1", term)
