"""RuleTaker V2020.2.4 directories on disk (DU0..DU5, NatLang, Birds-Electricity ...).

Finds the files of a split, reads both in parallel (one record is `record_in`), and writes them.
Written theories have one component per sentence, as in synthetic data: ParaRules cannot be written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from ibr.data.formats import jsonl
from ibr.data.formats.example import Example, by_theory
from ibr.data.formats.jsonl import BadLines, DataError, as_text, need, without_nulls
from ibr.data.formats.pararules import read_tsv
from ibr.data.formats.proof_string import Names, write_clause, write_literal
from ibr.data.formats.record_in import ReadReport, read_record
from ibr.errors import InputError
from ibr.files import new_file
from ibr.logic.clause import Literal
from ibr.logic.solving.solver import Solver
from ibr.logic.surface import templates
from ibr.theory import Kind, Theory

SPLITS: Final = ("train", "dev", "test")
_PERSON: Final = re.compile(r"\b(someone|people|they)\b", re.IGNORECASE)


def read(
    path: Path,
    split: str | None = None,
    *,
    mappings: Path | None = None,
    report: ReadReport | None = None,
    bad: BadLines | None = None,
) -> Iterator[Example]:
    """The labelled questions of a directory (all its splits, or one) or of one .jsonl file.

    `meta-X.jsonl` beside `X.jsonl` is used if it exists. `mappings` is the tsv with the sentence
    boundaries of NatLang theories; by default a `turk-questions-{split}-mappings.tsv` beside the
    file. `report` collects what is unusual, `bad` what is skipped.
    """
    report = ReadReport() if report is None else report
    for file in find_files(path, split):
        yield from _read_file(file, mappings, report, bad)


def find_files(path: Path, split: str | None = None) -> list[Path]:
    """The question files at `path`, in the order train, dev, test."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise DataError(path, None, "", "no such file or directory")
    names = [f"{name}.jsonl" for name in (SPLITS if split is None else (split,))]
    files = [path / name for name in names if (path / name).is_file()]
    if not files:
        raise DataError(path, None, "", f"no {' or '.join(names)} in it")
    return files


def _read_file(
    file: Path, mappings: Path | None, report: ReadReport, bad: BadLines | None
) -> Iterator[Example]:
    tsv = mappings or file.with_name(f"turk-questions-{file.stem}-mappings.tsv")
    known = mappings is not None or tsv.is_file()
    rows = {theory.record_id: theory.rows for theory in read_tsv(tsv, bad)} if known else {}
    meta = MetaFile(file.with_name(f"meta-{file.name}"))

    def examples(record: dict[str, Any]) -> list[Example]:
        name = need(record, "id", as_text)
        return read_record(record, meta.find(name), rows.get(name, ()), report)

    with jsonl.reading(file) as stream:
        for _, found in jsonl.read_records(stream, file, examples, bad):
            yield from found


class MetaFile:
    """Records of a meta file by id. Both files usually have the same order, so the file is read
    only up to the record; those that were passed over are kept as text."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = jsonl.number_lines(path) if path.is_file() else iter(())
        self._passed: dict[str, tuple[int, str]] = {}

    def find(self, name: str) -> dict[str, Any] | None:
        if name in self._passed:
            number, text = self._passed.pop(name)
            return jsonl.parse_line(text, self._path, number)
        for number, text in self._lines:
            record = jsonl.parse_line(text, self._path, number)
            if record.get("id") == name:
                return record
            self._passed.setdefault(str(record.get("id")), (number, text))
        return None


class TheoryLines(NamedTuple):
    """Questions about one theory as lines of `X.jsonl` and `meta-X.jsonl`."""

    questions: int
    text: str
    meta: str | None = None  # None where the logic of theory or questions is not known

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Self:
        meta = _meta_record(examples)
        text = jsonl.dump_line(_question_record(examples))
        return cls(len(examples), text, None if meta is None else jsonl.dump_line(meta))


def write(directory: Path, split: str, examples: Iterable[Example]) -> int:
    """Questions about one theory must be consecutive; see `write_theories`."""
    return write_theories(directory, split, map(TheoryLines.of, by_theory(examples)))


def write_theories(directory: Path, split: str, theories: Iterable[TheoryLines]) -> int:
    """Write `meta-{split}.jsonl` and then `{split}.jsonl`; return how many questions.

    No meta file is made if there are no lines of it. An older split is never replaced: two files
    cannot be at once, and questions with the meta file of others would be wrong.
    """
    count = metas = 0
    questions_path, meta_path = directory / f"{split}.jsonl", directory / f"meta-{split}.jsonl"
    if questions_path.exists():
        raise DataError(questions_path, None, "", "exists already; delete it, or give another name")
    with new_file(questions_path) as questions, new_file(meta_path) as meta:
        for theory in theories:
            questions.write(f"{theory.text}\n")
            count += theory.questions
            if theory.meta is not None:
                meta.write(f"{theory.meta}\n")
                metas += 1
    if not metas:
        meta_path.unlink()
    return count


def _question_record(examples: Sequence[Example]) -> dict[str, Any]:
    """The line of `X.jsonl` for questions about one theory."""
    theory = examples[0].theory
    return {
        "id": examples[0].theory_id,
        "context": theory.text,
        "meta": {"sentenceScramble": _scramble(theory)},
        "questions": [
            {
                "id": example.id,
                "text": example.question,
                "label": example.answer,
                "meta": {**_labels(example), "Qid": f"Q{k}"},
            }
            for k, example in enumerate(examples, start=1)
        ],
    }


def _meta_record(examples: Sequence[Example]) -> dict[str, Any] | None:
    """The line of `meta-X.jsonl`."""
    first = examples[0]
    if first.program is None or any(example.literal is None for example in examples):
        return None
    names = Names.of_theory(first.theory)
    parts = _components(first, names)
    ordered = sorted(parts, key=lambda name: (len(name), name))
    facts, rules = (
        {name: parts[name] for name in ordered if name.startswith(word)}
        for word in ("triple", "rule")
    )
    positive = {e.literal: e.question for e in examples if e.literal and e.literal.positive}
    questions = enumerate(examples, start=1)
    record = {
        "id": first.theory_id,
        "maxD": first.source and first.source.max_depth,
        "NFact": len(facts),
        "NRule": len(rules),
        "triples": facts,
        "rules": rules,
        "questions": {f"Q{k}": _meta_question(asked, names, positive) for k, asked in questions},
        "allProofs": first.source and first.source.all_proofs,
    }
    return without_nulls(record)


def _scramble(theory: Theory) -> list[int]:
    """Place of each sentence among the components: facts first, then rules, each by number."""
    known = all(sentence.kind in (Kind.FACT, Kind.RULE) for sentence in theory)
    rows = zip(theory, theory.numbers, strict=True)
    places = [(known and sentence.kind is Kind.RULE, number) for sentence, number in rows]
    return [sorted(places).index(place) + 1 for place in places]


def _labels(example: Example) -> dict[str, Any]:
    """QDep, QLen and strategy, which both files have; absent where they are not known."""
    length = "" if example.length is None else example.length
    labels = {"QDep": example.depth, "QLen": length, "strategy": example.fine_strategy}
    return without_nulls(labels)


def _meta_question(
    example: Example, names: Names, positive: Mapping[Literal, str]
) -> dict[str, Any]:
    literal = example.literal
    assert literal is not None
    record = {"question": example.question, "answer": example.answer, **_labels(example)}
    if example.proofs:
        # A failure names the positive statement, worded as its question if there is one.
        sentence = positive.get(literal.atom) or templates.write_literal(literal.atom)
        record["proofs"] = names.write(example.proofs, sentence)
    record["representation"] = write_literal(literal)
    return record


def _components(example: Example, names: Names) -> dict[str, dict[str, str]]:
    """Every triple and rule by name."""
    assert example.program is not None
    variable = "someone" if _PERSON.search(example.theory.text) else "something"
    parts: dict[str, dict[str, str]] = {}
    rows = zip(example.theory, names.components, example.program.clauses, strict=True)
    for index, (sentence, held, clauses) in enumerate(rows):
        if len(clauses) != 1 or len(held) != 1:
            raise InputError(
                f"{example.theory_id}: sentence {index} has {len(clauses)} clauses and is "
                f"{len(held)} component(s): RuleTaker's files need one each"
            )
        representation = write_clause(clauses[0], variable)
        parts[held[0]] = {"text": sentence.text, "representation": representation}
    return parts


def all_proofs(solver: Solver, names: Names, max_proofs: int) -> str:
    """The `allProofs` field: every provable statement by depth, with its proofs.

    `@0: Bob is red.[(triple1)] @1: Bob is big.[(((triple1) -> rule2))]`. Facts are listed from the
    last to the first, as in the published files, then the others by rule.
    """
    found = {literal: list(islice(solver.proofs(literal), max_proofs)) for literal in solver.model}

    def place(literal: Literal) -> tuple[int, int, Literal]:
        root = found[literal][0].root
        assert root is not None
        depth, number = solver.model[literal], solver.program.numbers[root.node]
        return depth, number if depth else -number, literal

    sections = []
    for depth, literals in groupby(sorted(found, key=place), key=solver.model.__getitem__):
        proved = (
            f"{templates.write_literal(literal)}{names.write(found[literal], '')}"
            for literal in literals
        )
        sections.append(f"@{depth}: {' '.join(proved)}")
    return " ".join(sections)
