"""ParaRules' mapping files (`turk-questions-*-mappings.tsv`): paraphrases and what they say.

One row is one sentence of a theory: a fact row carries several triples of one entity, a rule row
one rule. There are no questions in the file: `questions` samples them for a theory.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Final

from ibr.data import jsonl
from ibr.data.jsonl import BadLines, DataError, FieldError
from ibr.data.logic_string import LogicStringError, parse_facts, parse_rule
from ibr.logic.clause import Clause, Program
from ibr.theory import Kind, Sentence, Theory

COLUMNS: Final = (
    "Theory",
    "SID",
    "TID",
    "Binding",
    "NLSentence",
    "OrigSentences",
    "Triple/RuleIDs",
    "Triples/Rule",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence: its text, the id of its paraphrase, and the components that it says."""

    paraphrase: str
    text: str
    components: tuple[str, ...]
    clauses: tuple[Clause, ...]

    def __post_init__(self) -> None:
        if len(self.components) != len(self.clauses):
            raise FieldError(
                "Triple/RuleIDs", f"{len(self.components)} ids for {len(self.clauses)} clauses"
            )

    @property
    def kind(self) -> Kind:
        return Kind.FACT if all(clause.is_fact for clause in self.clauses) else Kind.RULE


@dataclass(frozen=True, slots=True)
class Paraphrased:
    """One theory of the file."""

    id: str
    rows: tuple[Row, ...]

    @property
    def record_id(self) -> str:
        """The same theory in NatLang's own files: AttNonegNatLang-12 for AttNoneg12-theory."""
        number = re.search(r"(\d+)", self.id)
        return f"AttNonegNatLang-{number[1]}" if number else self.id

    @property
    def theory(self) -> Theory:
        return Theory(tuple(Sentence(row.text, row.kind) for row in self.rows))

    @property
    def program(self) -> Program:
        return Program(tuple(row.clauses for row in self.rows))

    @property
    def components(self) -> tuple[tuple[str, ...], ...]:
        return tuple(row.components for row in self.rows)

    @property
    def paraphrases(self) -> frozenset[str]:
        return frozenset(row.paraphrase for row in self.rows)


def read_tsv(path: Path, bad: BadLines | None = None) -> Iterator[Paraphrased]:
    """The theories of a mappings file. A theory that has a bad row is bad as a whole."""
    lines = jsonl.number_lines(path)
    number, header = next(lines, (1, ""))
    if tuple(header.rstrip("\r\n").split("\t")) != COLUMNS:
        raise DataError(path, number, "", f"expected the columns {', '.join(COLUMNS)}")
    cells = ((number, line.rstrip("\r\n").split("\t")) for number, line in lines)
    for name, group in groupby(cells, key=lambda numbered: numbered[1][0]):
        rows: list[Row | None] = []
        for number, row in group:
            rows.append(None)
            with jsonl.at_line(path, number, bad):
                rows[-1] = _row(row)
        whole = tuple(row for row in rows if row is not None)
        if len(whole) == len(rows):
            yield Paraphrased(name, whole)


def _row(cells: Sequence[str]) -> Row:
    if len(cells) != len(COLUMNS):
        raise FieldError("", f"{len(cells)} columns, expected {len(COLUMNS)}")
    _, _, paraphrase, _, text, _, ids, logic = cells
    if not text.strip():
        raise FieldError("NLSentence", "is empty")
    try:
        clauses = (parse_rule(logic),) if "->" in logic else parse_facts(logic)
    except LogicStringError as error:
        raise FieldError("Triples/Rule", str(error)) from None
    return Row(paraphrase, text, tuple(ids.split()), clauses)


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Two sets that share no theory and no paraphrase, and what that cost."""

    train: tuple[Paraphrased, ...]
    held_out: tuple[Paraphrased, ...]
    paraphrases: frozenset[str]  # only in `held_out`
    dropped_rows: int  # rows left out of train because their paraphrase is held out
    dropped_theories: int  # theories of train that had no fact or no rule left


def hold_out(theories: Iterable[Paraphrased], fraction: float, seed: int) -> HeldOut:
    """Hold out theories together with their paraphrases.

    Every paraphrase serves some fifteen theories, so that a random twentieth of the theories would
    take half of all paraphrases with it. Instead a random first theory is joined by those that add
    the fewest new paraphrases; train then loses the rows (not the theories) it shares with them.
    """
    if not 0 < fraction < 1:
        raise ValueError(f"fraction {fraction}: hold out more than nothing and less than all")
    left = list(theories)
    random.Random(seed).shuffle(left)
    size = max(1, round(fraction * len(left)))
    chosen: list[Paraphrased] = []
    taken: set[str] = set()
    while left and len(chosen) < size:
        best = min(range(len(left)), key=lambda i: len(left[i].paraphrases - taken))
        chosen.append(left.pop(best))
        taken |= chosen[-1].paraphrases
    cut = [_without(theory, taken) for theory in left]
    train = tuple(theory for theory in cut if theory is not None)
    rows = sum(len(t.rows) for t in left) - sum(len(t.rows) for t in train)
    return HeldOut(train, tuple(chosen), frozenset(taken), rows, len(left) - len(train))


def _without(theory: Paraphrased, paraphrases: set[str]) -> Paraphrased | None:
    """The theory without those rows; None if no fact or no rule is left."""
    rows = tuple(row for row in theory.rows if row.paraphrase not in paraphrases)
    kinds = {row.kind for row in rows}
    return Paraphrased(theory.id, rows) if kinds == {Kind.FACT, Kind.RULE} else None


def renumbered(rows: Sequence[Row]) -> Iterator[Row]:
    """Components are numbered within a theory."""
    facts = rules = 0
    for row in rows:
        if row.kind is Kind.RULE:
            rules += 1
            yield replace(row, components=(f"rule{rules}",))
        else:
            first, facts = facts + 1, facts + len(row.clauses)
            yield replace(row, components=tuple(f"triple{n}" for n in range(first, facts + 1)))
