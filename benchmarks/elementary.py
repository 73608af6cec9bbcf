"""`python -m benchmarks.elementary [FILE…] [--show KIND] [--groups] [--settled] [--table]
[--constructions]`.

Plain English: the files of `tests/english` (see its README) or any with the same fields. `--show
wrong` prints the items of that kind; `--settled` counts those whose wording plainly settles them;
`--table` prints rows of Markdown, `--constructions` those of all files by construction. The solver
answers; `--reasoner` names another system.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import ibr

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "english"
KINDS = ("right", "soft", "undecided", "wrong")
ANSWERS = {"yes": "yes", "no": "no", "not shown": "unknown"}


class Asked(NamedTuple):
    """One question; `acceptable` are the verdicts that are right, `group` the construction."""

    id: str
    group: str
    rules: str
    question: str
    acceptable: tuple[str, ...]
    is_soft: bool  # a verdict `not shown` is neither right nor wrong


def asked(item: dict[str, Any]) -> Iterator[Asked]:
    """The questions of a line of any of the three files."""
    if "acceptable" in item:
        right = tuple(v for v in item["acceptable"] if v != "cannot say")
        yield Asked(item["id"], item["modification"], item["rules"], item["question"], right, False)
        return
    rules = item.get("rules") or f"{item['context']}\n{item['sentence']}".strip()
    for given in item.get("questions", [item]):
        answer, group = given["answer"], item.get("family", item.get("tests", ""))
        right = tuple(verdict for verdict, name in ANSWERS.items() if name == answer)
        yield Asked(item["id"], group, rules, given["question"], right, answer == "no")


def kind_of(verdict: str, question: Asked) -> str:
    """right, soft, undecided or wrong."""
    if verdict in question.acceptable:
        return "right"
    if verdict in ("cannot say", "contradictory"):
        return "undecided"
    return "soft" if question.is_soft and verdict == "not shown" else "wrong"


def count(
    path: Path, prover: ibr.Prover, show: str = "", settled: bool = False
) -> Counter[tuple[str, str]]:
    """How many questions of a file are of each construction and kind."""
    counts: Counter[tuple[str, str]] = Counter()
    with path.open(encoding="utf-8") as lines:
        items = (item for item in map(json.loads, lines) if item.get("settles") or not settled)
        for question in (one for item in items for one in asked(item)):
            verdict = str(prover.prove(question.rules, question.question).verdict)
            kind = kind_of(verdict, question)
            counts[question.group, kind] += 1
            if kind == show:
                print(f"{question.id} [{question.group}] {verdict}: {question.rules!r}")
                print(f"    {question.question}")
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(FOLDER.glob("*.jsonl")))
    parser.add_argument("--show", choices=KINDS, default="")
    parser.add_argument("--groups", action="store_true", help="by construction")
    parser.add_argument("--settled", action="store_true", help='only items with "settles": true')
    parser.add_argument("--table", action="store_true", help="rows of Markdown")
    parser.add_argument("--constructions", action="store_true", help="of all files, in Markdown")
    parser.add_argument("--reasoner", default="solver")
    given = parser.parse_args()
    prover = ibr.load(given.reasoner)
    total: Counter[tuple[str, str]] = Counter()
    for path in given.files:
        counts = count(path, prover, given.show, given.settled)
        for (group, kind), n in counts.items():
            total[group.partition(":")[0], kind] += n
        print(_row(path, counts) if given.table else f"{path.stem}: {_shares(counts)}")
        for group in sorted({group for group, _ in counts}) if given.groups else ():
            print(f"  {group}: {_shares({k: n for k, n in counts.items() if k[0] == group})}")
    for group in sorted({group for group, _ in total}) if given.constructions else ():
        found = [total[group, kind] for kind in KINDS]
        print(f"| {group} | {sum(found)} | {' | '.join(map(str, found))} |")


def _row(path: Path, counts: Mapping[tuple[str, str], int]) -> str:
    total = sum(counts.values()) or 1
    right, soft, undecided, wrong = (
        sum(n for (_, k), n in counts.items() if k == kind)
        for kind in ("right", "soft", "undecided", "wrong")
    )
    shares = [f"{n} ({100 * n / total:.1f} %)" for n in (right, wrong)]
    place = "/".join(path.parts[path.parts.index("english") + 1 :] or [path.name])
    return f"| `{place}` | {total} | {shares[0]} | {soft} | {undecided} | {shares[1]} |"


def _shares(counts: Mapping[tuple[str, str], int]) -> str:
    total = sum(counts.values()) or 1
    by_kind = {kind: sum(n for (_, k), n in counts.items() if k == kind) for kind in KINDS}
    shares = ", ".join(f"{k} {n} ({100 * n / total:.1f} %)" for k, n in by_kind.items() if n)
    return f"{total} questions: {shares}"


if __name__ == "__main__":
    main()
