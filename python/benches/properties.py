"""What is true of every state of each game, as a table, and how many properties are decided.

    python benches/properties.py --flux ../target/release/flux --each 10 GAMES... > ../docs/properties.tsv

A cell says `proved`, `refuted` or `open`, and how; what stops a game from being looked at stands in the last column.
The sums are printed as errors; the exit code says how many games the program failed on.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from measuring import answer_of, used

PROPERTIES = [
    "terminates", "playable", "goals-defined", "goals-unique", "goals-bounded", "weakly-winnable",
    "strongly-winnable", "turn-taking", "zero-sum", "constant-sum", "monotonic", "acyclic", "rules-apply",
    "moves-legal", "symmetric",
]  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--flux", type=Path, required=True, help="the program")
    arguments.add_argument("--each", type=float, default=10, help="seconds for each property")
    arguments.add_argument("--whole", type=float, default=150, help="seconds for each game")
    arguments.add_argument("--megabytes", type=int, default=6000, help="for each game")
    arguments.add_argument("games", nargs="+", type=Path, metavar="GAME")
    arguments = arguments.parse_args()
    print("game", *PROPERTIES, "unconfirmed", "seconds", "what stops it", sep="\t", flush=True)
    verdicts: Counter[str] = Counter()
    failed = 0
    for game in arguments.games:
        start = used()
        found = findings(arguments, game)
        failed += found is None
        taken = used() - start
        name = f"{game.parent.name}/{game.stem}"
        cells = [f"{one['verdict']} ({one['method']})" if one.get("method") else one["verdict"] for one in found or []]
        verdicts.update(cell.split()[0] for cell in cells)
        verdicts["not looked at"] += len(PROPERTIES) - len(cells)
        unconfirmed = sum(one["verdict"] != "open" and not one["confirmed"] for one in found or [])
        stopped = "" if found else "too many instances of rules"
        cells += [""] * (len(PROPERTIES) - len(cells))
        print(name, *cells, unconfirmed, f"{taken:.2f}", stopped, sep="\t", flush=True)
    print(*(f"{number} {verdict}" for verdict, number in verdicts.items()), sep=", ", file=sys.stderr)
    sys.exit(failed)


def findings(arguments: argparse.Namespace, game: Path) -> list[dict] | None:
    """What is said of each property; none if the game cannot be looked at."""
    command = [arguments.flux.resolve(), "prove", game, "--format", "json", "--each", str(arguments.each)]
    answer = answer_of([*command, "--max-memory", str(arguments.megabytes)], arguments.whole, 2 * arguments.megabytes)
    try:
        found = json.loads(answer)
    except json.JSONDecodeError:
        return None
    return found if isinstance(found, list) else None


if __name__ == "__main__":
    main()
