"""Faults that are put into the rules of games, and how many of them `flux check --play` tells, as a table.

    python benches/faults.py --flux ../target/release/flux --each 200 GAMES... > ../docs/faults.tsv

A fault of a kind goes into a rule drawn at random of a game drawn at random, where the kind applies. What is told of the
rules with the fault and not of those without it counts: errors (codes below G0800), lints (G08), and properties that
plays or proofs refute (above). Games whose own check takes longer than `--patience` seconds are left out.
"""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from measuring import answer_of, used

Term = str | list["Term"]
COLUMNS = ["fault", "games", "faults", "by the language", "by lints", "by plays and proofs", "told", "not told"]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--flux", type=Path, required=True, help="the program")
    arguments.add_argument("--each", type=int, default=200, help="faults of each kind")
    arguments.add_argument("--seconds", type=float, default=5, help="for each check")
    arguments.add_argument("--patience", type=float, default=1, help="seconds that the check of a game may take")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--keep", type=Path, help="folder for the sheets whose faults are not told")
    arguments.add_argument("games", nargs="+", type=Path, metavar="GAME")
    arguments = arguments.parse_args()
    flux = arguments.flux.resolve()
    sheets = []
    for game in sorted(arguments.games):
        start = used()
        rules = parsed(game.read_text(errors="replace"))
        untouched = told(flux, rules, arguments.seconds)
        if untouched is not None and used() - start < arguments.patience:
            sheets.append((game, rules, untouched))
    print(f"{len(sheets)} games", file=sys.stderr)
    print(*COLUMNS, sep="\t", flush=True)
    for kind, fault in FAULTS.items():
        chance = random.Random(f"{arguments.seed} {kind}")
        by: Counter[str] = Counter()
        games = set()
        for number in range(arguments.each):
            for _ in range(1000):
                game, rules, untouched = chance.choice(sheets)
                faulty = fault(chance, rules)
                if faulty is not None and faulty != rules:
                    break
            else:
                break
            games.add(game)
            new = (told(flux, faulty, arguments.seconds) or Counter()) - untouched
            ways = {way_of(code) for code in new}
            by.update(ways)
            by["told" if ways else "not told"] += 1
            if arguments.keep and not ways:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                (arguments.keep / f"{kind.replace(' ', '_')}_{number}_{game.stem}.kif").write_text(text_of(faulty))
        sums = [by[way] for way in ("language", "lints", "plays", "told", "not told")]
        print(kind, len(games), by["told"] + by["not told"], *sums, sep="\t", flush=True)


def told(flux: Path, rules: list[Term], seconds: float) -> Counter[str] | None:
    """How often each code is told of rules; none if the check fails by itself."""
    with tempfile.NamedTemporaryFile("w", suffix=".kif") as sheet:
        sheet.write(text_of(rules))
        sheet.flush()
        command = [flux, "check", "--play", "--format", "json", "--max-seconds", str(seconds), sheet.name]
        try:
            report = json.loads(answer_of(command, 3 * seconds))
            return Counter(one["code"] for one in report["diagnostics"])
        except (json.JSONDecodeError, KeyError):
            return None


def way_of(code: str) -> str:
    """What finds the faults of a code."""
    return "language" if code < "G0800" else "lints" if code < "G0900" else "plays"


def parsed(text: str) -> list[Term]:
    """The sentences of a sheet in prefix notation."""
    plain = "\n".join(line.split(";", 1)[0] for line in text.splitlines())
    stack: list[list[Term]] = [[]]
    for token in plain.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            closed = stack.pop()
            stack[-1].append(closed)
        elif token != ")":
            stack[-1].append(token.lower())
    return stack[0]


def text_of(rules: list[Term]) -> str:
    """The text of sentences, one a line."""

    def term(one: Term) -> str:
        return one if isinstance(one, str) else f"({' '.join(map(term, one))})"

    return "".join(f"{term(rule)}\n" for rule in rules)


def head(rule: Term) -> Term:
    """The head of a rule, or a fact."""
    return rule[1] if isinstance(rule, list) and rule[:1] == ["<="] and len(rule) > 1 else rule


def relation(atom: Term) -> str:
    """The name of the relation of an atom."""
    return atom if isinstance(atom, str) else atom[0] if atom and isinstance(atom[0], str) else ""


def is_rule(rule: Term) -> bool:
    return head(rule) is not rule


def is_frame(rule: Term) -> bool:
    """Whether a rule says that a fluent stays: `(next F)` if `(true F)`."""
    kept = head(rule)
    return is_rule(rule) and relation(kept) == "next" and ["true", *kept[1:]] in rule[2:]


def without(chance: random.Random, rules: list[Term], of: Callable[[Term], bool]) -> list[Term] | None:
    """The rules without one of those that a condition picks."""
    places = [place for place, rule in enumerate(rules) if of(rule)]
    if not places:
        return None
    place = chance.choice(places)
    return rules[:place] + rules[place + 1 :]


def constants(term: Term, at: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], str]]:
    """The arguments in a term that are constants, with their places."""
    if isinstance(term, str):
        return []
    inner = [found for place, part in enumerate(term) for found in constants(part, (*at, place))]
    own = [((*at, place), part) for place, part in enumerate(term) if place and isinstance(part, str)]
    return own * (relation(term) not in ("<=", "not", "or")) + inner


def replaced(term: Term, at: tuple[int, ...], by: Term) -> Term:
    """A term with another one at a place."""
    if not at:
        return by
    return [replaced(part, at[1:], by) if place == at[0] else part for place, part in enumerate(term)]


def constant_changed(chance: random.Random, rules: list[Term]) -> list[Term] | None:
    """Another constant of the game in the place of one in a rule."""
    places = [
        ((number, *at), name)
        for number, rule in enumerate(rules)
        if is_rule(rule)
        for at, name in constants(rule)
        if not name.startswith("?")
    ]
    names = sorted({name for rule in rules for _, name in constants(rule) if not name.startswith("?")})
    if not places or len(names) < 2:
        return None
    at, name = chance.choice(places)
    return replaced(rules, at, chance.choice([other for other in names if other != name]))


def head_misspelt(chance: random.Random, rules: list[Term]) -> list[Term] | None:
    """A letter left out of the relation of a head."""
    places = [number for number, rule in enumerate(rules) if is_rule(rule) and len(relation(head(rule))) > 2]
    if not places:
        return None
    number = chance.choice(places)
    name = relation(head(rules[number]))
    letter = chance.randrange(1, len(name))
    at = (number, 1) if isinstance(head(rules[number]), str) else (number, 1, 0)
    return replaced(rules, at, name[:letter] + name[letter + 1 :])


def is_noop(rule: Term) -> bool:
    """Whether a sentence gives a role a move without arguments."""
    allowed = head(rule)
    return relation(allowed) == "legal" and len(allowed) == 3 and isinstance(allowed[2], str) and allowed[2][0] != "?"


FAULTS = {
    "rule dropped": lambda chance, rules: without(chance, rules, is_rule),
    "constant changed": constant_changed,
    "head misspelt": head_misspelt,
    "frame rule removed": lambda chance, rules: without(chance, rules, is_frame),
    "noop removed": lambda chance, rules: without(chance, rules, is_noop),
    "end removed": lambda chance, rules: without(chance, rules, lambda rule: relation(head(rule)) == "terminal"),
}


if __name__ == "__main__":
    main()
