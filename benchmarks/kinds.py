"""`python -m benchmarks kinds`: accuracy of `ibr.inputs.kinds` on distinct sentences.

The gold kind is that of the data; where they have none, the one that the parser reads.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks import fit_kinds as training
from benchmarks.symbolic import DATA, ROOT
from ibr.data.formats.rule_reasoning import read as read_ruletaker
from ibr.data.formats.sources import Reader
from ibr.inputs.model_words import default_words
from ibr.logic.language import read, theory_from_text
from ibr.theory import Kind

Kinds = Mapping[str, Kind]
CLAUSES = (Kind.FACT, Kind.RULE)
FOLDS = 5
TSV = "turk-questions-train-mappings.tsv"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks kinds", description=__doc__)
    parser.add_argument("--pararules", type=Path, help="ParaRules' tsv; default: that of --data")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the real files")
    options = parser.parse_args(arguments)
    pararules = options.pararules or options.data / "pararules" / TSV
    for line in report(pararules, options.data):
        print(line, flush=True)


def report(pararules: Path, folder: Path) -> Iterator[str]:
    yield from paraphrases(pararules)
    for name in ("birds-electricity", "depth-5-dev-slice"):
        if (folder / name).is_dir():
            examples = read_ruletaker(folder / name)
            kinds = {s.text: s.kind for example in examples for s in example.theory}
            yield accuracy(name, {text: _given_or_read(text, kind) for text, kind in kinds.items()})
    yield accuracy("rulebooks and examples, readable", books())


def _given_or_read(text: str, kind: Kind) -> Kind:
    """The slice has no kinds; the parser reads all of it."""
    return read(text).kind if kind is Kind.UNKNOWN else kind


def paraphrases(path: Path) -> Iterator[str]:
    parts = training.pararules(path)
    held_out = {text: kind for texts in parts.held_out.values() for text, kind in texts.items()}
    yield accuracy("ParaRules held out", held_out)
    unread = {text: kind for text, kind in held_out.items() if not read(text).readable}
    yield accuracy("ParaRules held out, not readable", unread)
    theories = Reader("dev").paraphrased(path)
    rows = [(row.text, row.kind) for theory in theories for row in theory.rows]
    yield accuracy("ParaRules held out, every row of its theories", rows)
    yield accuracy("ParaRules held out, the parser first", held_out, parser_first=True)
    yield accuracy("ParaRules held out, every row, the parser first", rows, parser_first=True)
    for text, kind in held_out.items():
        if default_words().kinds.kind_of(text) is not kind:
            yield f"  not predicted as a {kind}: {text}"
    yield cross_validated(parts.train)


def cross_validated(train: Mapping[str, Kinds]) -> str:
    """The same on the train part: each fifth of the paraphrases by weights from the others."""
    names = sorted(train, key=int)
    beside = [*training.generated(), *training.ordinary()]
    right = 0.0
    for fold in range(FOLDS):
        kept = [train[name] for k, name in enumerate(names) if k % FOLDS != fold]
        fitted = training.fit([*training.paraphrased(kept), *beside])
        for texts in (train[name] for name in names[fold::FOLDS]):
            for text, kind in texts.items():
                right += (fitted.kind_of(text) is kind) / len(texts)
    share = 100 * right / len(names)
    return f"ParaRules train, {FOLDS}-fold: {share:.2f} % of {len(names):,} paraphrases"


def books() -> Kinds:
    """The rulebooks of the tests and the examples, as the parser reads them."""
    files = sorted((ROOT / "tests" / "rulebooks").glob("*.json"))
    texts = (s["text"] for file in files for s in json.loads(file.read_text("utf-8"))["sentences"])
    kinds = {text: read(text).kind for text in texts}
    for file in sorted((ROOT / "examples").glob("*.txt")):
        kinds |= {s.text: s.kind for s in theory_from_text(file.read_text("utf-8"))}
    return kinds


def accuracy(
    name: str, given: Kinds | Iterable[tuple[str, Kind]], parser_first: bool = False
) -> str:
    pairs = given.items() if isinstance(given, Mapping) else given
    asked = [(text, kind) for text, kind in pairs if kind in CLAUSES]
    right = sum(_guess(text, parser_first) is kind for text, kind in asked)
    share = f"{100 * right / len(asked):.2f} %" if asked else "n/a"
    return f"{name}: {share} ({right:,} of {len(asked):,} sentences)"


def _guess(text: str, parser_first: bool) -> Kind:
    read_as = read(text).kind if parser_first else Kind.UNKNOWN
    return default_words().kinds.kind_of(text) if read_as is Kind.UNKNOWN else read_as
