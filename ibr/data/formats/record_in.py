"""One theory of RuleTaker's two files → its Examples. Files and lines are `rule_reasoning`'s.

A record gives one running text. Sentence boundaries come from the best source available: the
mappings of ParaRules, the components of the meta file, or the full stops. Fields that are not
known are ignored; values that are unusual are counted in the ReadReport.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from ibr.data.formats.example import Example, RecordSource
from ibr.data.formats.jsonl import FieldError, as_text, converted, inside, need, take
from ibr.data.formats.pararules import Row
from ibr.data.formats.proof_string import Names, parse_literal, parse_rule, parse_tree
from ibr.errors import InputError
from ibr.logic.clause import Clause, Literal, Program
from ibr.proof import Proof
from ibr.theory import FineStrategy, Kind, Problem, Question, Sentence, Theory

_USUAL_DEPTHS: Final = range(6)
_STOP: Final = re.compile(r"[^.]*\.|[^.]+$")
_PLAIN: Final = re.compile(r"\S.*?[.!?][\"')\]]*(?=\s|$)|\S.*$", re.DOTALL)

Json = Mapping[str, Any]
T = TypeVar("T")


@dataclass
class ReadReport:
    """Sizes of what was read, and everything in it that is unusual."""

    theories: int = 0
    questions: int = 0
    without_meta: int = 0  # theories whose proofs and logic no file gives
    guessed: list[str] = field(default_factory=list)  # boundaries drawn by a plain splitter
    unmapped: int = 0  # theories with proofs that cannot be related to their sentences
    unusual: Counter[tuple[str, str]] = field(default_factory=Counter)  # by (field, value)

    def lines(self) -> list[str]:
        """The report in words; empty when nothing is unusual."""
        lines = [
            f"{name} is {value}: {n}, kept" for (name, value), n in sorted(self.unusual.items())
        ]
        if self.guessed:
            lines.append(f"sentence boundaries guessed in {len(self.guessed)} theories")
        if 0 < self.without_meta < self.theories:
            lines.append(f"no meta record for {self.without_meta} of {self.theories} theories")
        if self.unmapped:
            lines.append(f"proofs not tied to sentences in {self.unmapped} theories")
        return lines


def read_record(
    record: Json, meta: Json | None, mapped: Sequence[Row], report: ReadReport
) -> list[Example]:
    """The questions of one theory, in order; they share its Theory, Program and RecordSource.

    `meta` is its record in the meta file, `mapped` its rows in the mappings of ParaRules.
    """
    name = need(record, "id", as_text)
    theory, rows, guessed = _split(record, components_of(meta or {}), mapped)
    source = RecordSource(
        name,
        max_depth=take(meta or {}, "maxD", int, None),
        all_proofs=take(meta or {}, "allProofs", str, None),
    )
    program = Program(tuple(row.clauses for row in rows), theory.numbers) if rows else None
    names = Names(tuple(row.components for row in rows)) if rows else None
    reader = _Questions(theory, program, names, source, meta or {}, report)
    examples = []
    for k, question in enumerate(need(record, "questions", list)):
        with inside(f"questions[{k}]"):
            examples.append(reader.read(k, converted(question, dict)))
    if len({example.id for example in examples}) < len(examples):
        raise FieldError("questions", "two of them have the same id")
    report.theories += 1
    report.questions += len(examples)
    report.without_meta += meta is None
    if guessed:
        report.guessed.append(name)
    report.unmapped += meta is not None and not rows
    return examples


def components_of(meta: Json) -> list[Row]:
    """triple1, triple2, ..., rule1, ... with text and logic."""
    found = []
    for group, word, read in (
        ("triples", "triple", lambda text: Clause(parse_literal(as_text(text)))),
        ("rules", "rule", lambda text: parse_rule(as_text(text))),
    ):
        entries = take(meta, group, dict, {})
        for name in (f"{word}{n}" for n in range(1, len(entries) + 1)):
            with inside(f"meta file: {group}"):
                entry = need(entries, name, dict)
            with inside(f"meta file: {group}.{name}"):
                text, clause = need(entry, "text", as_text), need(entry, "representation", read)
                found.append(Row("", text, (name,), (clause,)))
    return found


def _statement(text: Any) -> Literal:
    """The literal of a question, which has no variable."""
    literal = parse_literal(as_text(text))
    if literal.variables:
        raise InputError(f"expected a statement without variables, found {text!r:.60}")
    return literal


# A theory; its rows, () if it is not known which is which; whether boundaries were guessed.
SplitContext = tuple[Theory, Sequence[Row], bool]


def _joined(texts: Sequence[str], rows: Sequence[Row], numbers: tuple[int, ...]) -> SplitContext:
    """Text i is row i; without rows nothing but the texts is known."""
    kinds = [row.kind for row in rows] or [Kind.UNKNOWN] * len(texts)
    return Theory(tuple(map(Sentence, texts, kinds)), numbers), rows, False


def _split(record: Json, known: Sequence[Row], mapped: Sequence[Row]) -> SplitContext:
    context = need(record, "context", as_text)
    scramble = take(take(record, "meta", dict, {}), "sentenceScramble", list, None)
    if scramble:
        with inside("meta.sentenceScramble"):
            order = [converted(s, int) for s in scramble]
        return _scrambled(context, order, known)
    for rows in (mapped, known):  # the mappings may be those of another split
        if _is_text_of(rows, context):
            return _joined([row.text for row in rows], rows, ())
    natural = "NatLang" in record["id"]
    texts = split_plain(context) if natural else split_stops(context)
    matched = _matched(texts, known)
    if matched is None:
        return Theory.of(texts), (), natural
    places = {row.components: place for place, row in enumerate(known)}
    return _joined(texts, matched, tuple(places[row.components] for row in matched))


def _scrambled(context: str, scramble: Sequence[int], known: Sequence[Row]) -> SplitContext:
    """Sentence p is component `scramble[p]`, counted from 1."""
    count, place = len(scramble), "meta.sentenceScramble"
    if sorted(scramble) != list(range(1, count + 1)):
        raise FieldError(place, f"is not an order of 1..{count}")
    if known and len(known) != count:
        why = f"orders {count} sentences, but the meta file has {len(known)} components"
        raise FieldError(place, why)
    rows = [known[s - 1] for s in scramble] if known else []
    texts = [row.text for row in rows] if _is_text_of(rows, context) else split_stops(context)
    if len(texts) != count:
        raise FieldError("context", f"{len(texts)} sentences, but sentenceScramble orders {count}")
    return _joined(texts, rows, tuple(s - 1 for s in scramble))


def _matched(texts: Sequence[str], known: Sequence[Row]) -> list[Row] | None:
    """The component of each text, each used once; None unless texts and components match."""
    by_text: dict[str, list[Row]] = {}
    for row in reversed(known):
        by_text.setdefault(_squeezed(row.text), []).append(row)
    found = [left.pop() for text in texts if (left := by_text.get(text))]
    return found if known and len(found) == len(texts) == len(known) else None


def _is_text_of(rows: Sequence[Row], context: str) -> bool:
    return bool(rows) and _squeezed(" ".join(row.text for row in rows)) == _squeezed(context)


def split_stops(context: str) -> list[str]:
    """Every full stop ends a sentence, whatever the spacing (synthetic data)."""
    pieces = (_squeezed(piece) for piece in _STOP.findall(context))
    return [piece for piece in pieces if piece.strip(". ")]


def split_plain(context: str) -> list[str]:
    """A sentence ends at . ! or ? before a blank (written English)."""
    return [_squeezed(piece) for piece in _PLAIN.findall(context)]


def _squeezed(text: str) -> str:
    """The text with single blanks."""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class _Questions:
    """Reads the questions of one record; holds what they share."""

    theory: Theory
    program: Program | None
    names: Names | None
    source: RecordSource
    meta: Json
    report: ReadReport

    def read(self, k: int, record: Json) -> Example:
        text = need(record, "text", as_text)
        answer = need(record, "label", bool)
        labels = take(record, "meta", dict, {})
        name = take(labels, "Qid", as_text, f"Q{k + 1}")
        with inside("meta file"):
            meta = self._meta_question(name, text, answer)
            literal = take(meta, "representation", _statement, None)
            proofs = take(meta, "proofs", self._proofs, None)
        values = {**meta, **labels}
        depth = self._usual(values, "QDep", int)
        if depth is not None and depth not in _USUAL_DEPTHS:
            self.report.unusual["QDep", repr(depth)] += 1
        question_id = take(record, "id", as_text, f"{self.source.id}-{k + 1}")
        return Example(
            Problem(question_id, self.theory, Question(text)),
            answer,
            depth,
            length=self._usual(values, "QLen", int),
            fine_strategy=self._usual(values, "strategy", FineStrategy),
            proofs=proofs,
            program=self.program,
            literal=literal,
            source=self.source,
        )

    def _meta_question(self, name: str, text: str, answer: bool) -> Json:
        """The same question in the meta file; {} if it is not there."""
        meta = take(take(self.meta, "questions", dict, {}), name, dict, {})
        if meta.get("question", text) != text:
            raise FieldError(name, f"asks {meta['question']!r}, not {text!r}")
        if meta.get("answer", answer) != answer:
            raise FieldError(name, f"answers {meta['answer']!r}, the label is {answer!r}")
        return meta

    def _proofs(self, text: Any) -> tuple[Proof, ...] | None:
        if self.names is not None:
            return self.names.parse(as_text(text))
        parse_tree(as_text(text))  # an error, if it is none
        return None

    def _usual(self, values: Json, key: str, convert: Callable[[Any], T]) -> T | None:
        """The converted value; None for "" or nothing, and for an unusual value, which counts."""
        value = values.get(key)
        if value in ("", None):
            return None
        try:
            return converted(value, convert)
        except ValueError:
            self.report.unusual[key, repr(value)] += 1
            return None
