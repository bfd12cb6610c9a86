"""What each role can force in games of several roles, and what stops it from being known, as a table.

Seconds are those of the processor, so that other work on the machine takes nothing from anybody.

    python benches/values.py --flux ../target/release/flux --seconds 60 GAMES... > ../docs/values.tsv

Games of one role are left out. The exit code says how many games the program failed on.
"""

import argparse
import json
import re
import sys
from pathlib import Path

from measuring import answer_of, used

COLUMNS = ["game", "roles", "kind", "forced", "decided", "algorithm", "states", "seconds", "what stops it"]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--flux", type=Path, required=True, help="the program")
    arguments.add_argument("--seconds", type=float, default=60, help="for each game")
    arguments.add_argument("--megabytes", type=int, default=6000, help="for each game")
    arguments.add_argument("games", nargs="+", type=Path, metavar="GAME")
    arguments = arguments.parse_args()
    print(*COLUMNS, sep="\t", flush=True)
    failed = 0
    for game in arguments.games:
        names = re.findall(r"\(\s*role\s+([^?\s)][^\s)]*)", game.read_text().lower())
        roles = len(set(names))
        if roles > 1:
            row = values(arguments.flux.resolve(), game, arguments.seconds, arguments.megabytes)
            failed += row is None
            print(f"{game.parent.name}/{game.stem}", roles, *(row or ["", "", "failed"]), sep="\t", flush=True)
    sys.exit(failed)


def values(flux: Path, game: Path, seconds: float, megabytes: int) -> list[str] | None:
    """The cells of a game after its name and number of roles; none if the program fails."""
    start = used()
    command = [flux, "solve", game, "--format", "json", "--max-memory", str(megabytes)]
    answer = answer_of(command, seconds, 2 * megabytes)
    taken = used() - start
    try:
        report = json.loads(answer)
        forced = "; ".join(f"{role} {bounds(report, role)}" for role in report["values"])
    except (json.JSONDecodeError, KeyError):
        return None
    decided = "yes" if report["proved"] else "no"
    stopped = "" if report["proved"] else report.get("gap") or ("memory" if taken < seconds else "time")
    return [report["kind"], forced, decided, report["algorithm"], str(report["states"]), f"{taken:.2f}", stopped]


def bounds(report: dict, role: str) -> str:
    """What a role can force; a play without end or without payoff is worth nothing at all."""
    mixed = (report.get("mixed") or {}).get("values", {}).get(role)
    if mixed is not None:
        return str(mixed)
    least, most = ("none" if value is None else str(value) for value in report["values"][role].values())
    if least == most:
        return least
    # What a role forces for certain is known, and that it may have more if it sees what the others choose.
    return f"{least} ({most})" if report["proved"] else f"{least}..{most}"


if __name__ == "__main__":
    main()
