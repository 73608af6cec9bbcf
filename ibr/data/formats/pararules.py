"""ParaRules' mapping files (`turk-questions-*-mappings.tsv`): paraphrases and their logic.

One row is one sentence of a theory: a fact row has several triples of one entity, a rule row one
rule. The file has no questions: `questions` samples them for a theory.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Final

from ibr.data.formats import jsonl
from ibr.data.formats.jsonl import BadLines, DataError, FieldError, inside
from ibr.data.formats.proof_string import parse_facts, parse_rule
from ibr.errors import InputError
from ibr.logic.clause import Clause, Program
from ibr.theory import Kind, Sentence, Theory

COLUMNS: Final = tuple(
    "Theory SID TID Binding NLSentence OrigSentences Triple/RuleIDs Triples/Rule".split()
)


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence: its text, the id of its paraphrase, and its components with their clauses."""

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
    def paraphrases(self) -> frozenset[str]:
        return frozenset(row.paraphrase for row in self.rows)


def read_tsv(path: Path, bad: BadLines | None = None) -> Iterator[Paraphrased]:
    """The theories of a mappings file. A theory with a bad row is skipped as a whole."""
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
                rows[-1] = _row([jsonl.check_unicode(cell) for cell in row])
        whole = tuple(row for row in rows if row is not None)
        if len(whole) == len(rows):
            yield Paraphrased(name, whole)


def _row(cells: Sequence[str]) -> Row:
    if len(cells) != len(COLUMNS):
        raise FieldError("", f"{len(cells)} columns, expected {len(COLUMNS)}")
    _, _, paraphrase, _, text, _, ids, logic = cells
    if not text.strip():
        raise FieldError("NLSentence", "is empty")
    with inside("Triples/Rule"):
        clauses = (parse_rule(logic),) if "->" in logic else parse_facts(logic)
    return Row(paraphrase, text, tuple(ids.split()), clauses)


def hold_out(
    theories: Iterable[Paraphrased], fraction: float, seed: int
) -> tuple[list[Paraphrased], list[Paraphrased]]:
    """Split theories into (train, held out) that share no theory and no paraphrase.

    A paraphrase occurs in about fifteen theories, so that a random twentieth of the theories would
    hold out half of all paraphrases. Instead a random first theory is joined by those that add the
    fewest new paraphrases. Train then loses the rows that it shares with them, and a theory only
    if it has no fact or no rule left.
    """
    if not 0 < fraction < 1:
        raise InputError(f"fraction {fraction}: must be more than 0 and less than 1")
    left = list(theories)
    random.Random(seed).shuffle(left)
    size = max(1, round(fraction * len(left)))
    held_out: list[Paraphrased] = []
    taken: set[str] = set()
    while left and len(held_out) < size:
        best = min(range(len(left)), key=lambda i: len(left[i].paraphrases - taken))
        held_out.append(left.pop(best))
        taken |= held_out[-1].paraphrases
    train = []
    for theory in left:
        rows = tuple(row for row in theory.rows if row.paraphrase not in taken)
        if {row.kind for row in rows} == {Kind.FACT, Kind.RULE}:
            train.append(Paraphrased(theory.id, rows))
    return train, held_out


def renumbered(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows with components numbered as one theory."""
    facts = rules = 0
    for row in rows:
        if row.kind is Kind.RULE:
            rules += 1
            yield replace(row, components=(f"rule{rules}",))
        else:
            first, facts = facts + 1, facts + len(row.clauses)
            yield replace(row, components=tuple(f"triple{n}" for n in range(first, facts + 1)))
