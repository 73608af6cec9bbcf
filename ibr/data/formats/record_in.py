"""One theory of RuleTaker's two files → its Examples. Files and lines are `rule_reasoning`'s.

What a field says is kept even where it is unusual; what we cannot use is kept in `extra`, so that
`record_out` can write it back, and counted in the Report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from ibr.data.example import Example, Source
from ibr.data.jsonl import (
    FieldError,
    as_bool,
    as_int,
    as_list,
    as_object,
    as_text,
    inside,
    need,
    take,
)
from ibr.data.logic_string import parse_literal, parse_rule
from ibr.data.pararules import Paraphrased
from ibr.data.proof_string import Failed, Names, parse
from ibr.data.ruletaker import boundaries
from ibr.data.ruletaker.boundaries import Component, Layout
from ibr.data.ruletaker.record_out import component_texts, failure_sentence, positive_texts
from ibr.logic.clause import Clause
from ibr.proof import Proof
from ibr.theory import FineStrategy, Problem, Question

RECORD_KEYS: Final = ("id", "context", "meta", "questions")
QUESTION_KEYS: Final = ("id", "text", "label", "meta")
LABEL_KEYS: Final = ("QDep", "QLen", "strategy", "Qid")
META_KEYS: Final = (
    "id",
    "maxD",
    "NFact",
    "NRule",
    "triples",
    "rules",
    "questions",
    "allProofs",
)
META_QUESTION_KEYS: Final = (
    "question",
    "answer",
    "QDep",
    "QLen",
    "strategy",
    "proofs",
    "representation",
)
USUAL_DEPTHS: Final = range(6)

T = TypeVar("T")


@dataclass
class Report:
    """What a reader met: sizes, and everything that a user may want to know about."""

    theories: int = 0
    questions: int = 0
    without_meta: int = 0  # theories whose proofs and logic no file gives
    guessed: list[str] = field(default_factory=list)  # boundaries drawn by a plain splitter
    unmapped: int = 0  # theories with proofs that cannot be tied to their sentences
    unusual: Counter[tuple[str, str]] = field(default_factory=Counter)  # (field, value) kept as is

    def lines(self) -> list[str]:
        """The report in words; empty when there is nothing unusual."""
        said = [
            f"{name} is {value}: {n}, kept" for (name, value), n in sorted(self.unusual.items())
        ]
        if self.guessed:
            said.append(f"sentence boundaries guessed in {len(self.guessed)} theories")
        if 0 < self.without_meta < self.theories:
            said.append(f"no meta record for {self.without_meta} of {self.theories} theories")
        if self.unmapped:
            said.append(f"proofs not tied to sentences in {self.unmapped} theories")
        return said


def read_record(
    record: Mapping[str, Any],
    meta: Mapping[str, Any] | None,
    rows: Paraphrased | None,
    report: Report,
) -> list[Example]:
    """The questions of one theory, in order; they share its Theory, Program and Source."""
    name = need(record, "id", as_text)
    context = need(record, "context", as_text)
    scramble = take(take(record, "meta", as_object, {}), "sentenceScramble", as_list, None)
    known = components_of(meta) if meta else []
    layout = _layout(name, context, scramble, known, rows)
    source = _source(record, meta, layout, scramble, known)
    reader = _Questions(name, layout, source, meta, report)
    examples = []
    for k, question in enumerate(need(record, "questions", as_list)):
        with inside(f"questions[{k}]"):
            examples.append(reader.read(k, as_object(question)))
    report.theories += 1
    report.questions += len(examples)
    report.without_meta += meta is None
    if layout.guessed:
        report.guessed.append(name)
    report.unmapped += meta is not None and layout.components is None
    return _with_odd_failures(examples, meta)


def components_of(meta: Mapping[str, Any]) -> list[Component]:
    """triple1, triple2, ..., rule1, ... with text and logic."""
    found = []
    for group, word, read in (("triples", "triple", _fact), ("rules", "rule", parse_rule)):
        entries = take(meta, group, as_object, {})
        for n in range(1, len(entries) + 1):
            name = f"{word}{n}"
            with inside(f"meta file: {group}"):
                entry = need(entries, name, as_object)
            with inside(f"meta file: {group}.{name}"):
                text = need(entry, "text", as_text)
                found.append(Component(name, text, take(entry, "representation", read, None)))
    return found


def _fact(text: str) -> Clause:
    return Clause(parse_literal(text))


def _layout(
    name: str,
    context: str,
    scramble: list[Any] | None,
    known: Sequence[Component],
    rows: Paraphrased | None,
) -> Layout:
    if scramble:
        with inside("meta.sentenceScramble"):
            order = [as_int(s) for s in scramble]
        return boundaries.scrambled(context, order, known)
    layout = boundaries.paraphrased(context, rows) if rows else None
    return layout or boundaries.unscrambled(context, known, natural="NatLang" in name)


def _source(
    record: Mapping[str, Any],
    meta: Mapping[str, Any] | None,
    layout: Layout,
    scramble: list[Any] | None,
    known: Sequence[Component],
) -> Source:
    """What the writer could not work out from the theory goes to `extra`."""
    meta = meta or {}
    extra: dict[str, Any] = {}
    _keep(extra, "record", _unknown(record, RECORD_KEYS))
    _keep(extra, "record.meta", _unknown(record.get("meta") or {}, ("sentenceScramble",)))
    _keep(extra, "meta", _unknown(meta, META_KEYS))
    if not scramble:
        extra["sentenceScramble"] = scramble
    if record["context"] != layout.theory.text:
        extra["context"] = record["context"]
    names = layout.components
    regular = names is None or names == Names.of_theory(layout.theory).components
    if names is not None and layout.program is not None:
        texts = component_texts(layout.theory, Names(names), layout.program)
        _keep(extra, "texts", {c.name: c.text for c in known if c.text != texts.get(c.name)})
    return Source(
        id=need(record, "id", as_text),
        max_depth=take(meta, "maxD", as_int, None),
        all_proofs=take(meta, "allProofs", str, None),
        components=None if regular else names,
        extra=extra,
    )


def _unknown(record: Mapping[str, Any], known: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in known}


def _keep(extra: dict[str, Any], key: str, values: Mapping[str, Any]) -> None:
    if values:
        extra[key] = dict(values)


@dataclass(frozen=True, slots=True)
class _Questions:
    """Reads the questions of one record; holds what they share."""

    theory_id: str
    layout: Layout
    source: Source
    meta: Mapping[str, Any] | None
    report: Report

    def read(self, k: int, record: Mapping[str, Any]) -> Example:
        text = need(record, "text", as_text)
        answer = need(record, "label", as_bool)
        labels = take(record, "meta", as_object, {})
        extra: dict[str, Any] = {}
        name = take(labels, "Qid", as_text, f"Q{k + 1}")
        if name != f"Q{k + 1}":
            extra["Qid"] = name
        said = self._meta_question(name, text, answer)
        _keep(extra, "question", _unknown(record, QUESTION_KEYS))
        _keep(extra, "question.meta", _unknown(labels, LABEL_KEYS))
        _keep(extra, "meta", _unknown(said, META_QUESTION_KEYS))
        values = {**said, **labels}
        with inside("meta file"):
            literal = take(said, "representation", parse_literal, None)
            proofs = take(said, "proofs", self._proofs, None)
        return Example(
            problem=Problem(
                take(record, "id", as_text, f"{self.theory_id}-{k + 1}"),
                self.layout.theory,
                Question(text),
            ),
            answer=answer,
            depth=self._depth(values, extra),
            length=self._usual(values, "QLen", as_int, extra),
            fine_strategy=self._usual(values, "strategy", FineStrategy, extra),
            proofs=proofs,
            program=self.layout.program,
            literal=literal,
            source=self.source,
            extra=extra,
        )

    def _meta_question(self, name: str, text: str, answer: bool) -> Mapping[str, Any]:
        """The same question in the meta file; {} if it is not there."""
        if self.meta is None:
            return {}
        with inside("meta file"):
            said = take(take(self.meta, "questions", as_object, {}), name, as_object, {})
            if said.get("question", text) != text:
                raise FieldError(name, f"asks {said['question']!r}, not {text!r}")
            if said.get("answer", answer) != answer:
                raise FieldError(name, f"answers {said['answer']!r}, the label is {answer!r}")
        return said

    def _proofs(self, text: str) -> tuple[Proof, ...] | None:
        said = parse(as_text(text))
        if self.layout.components is None:
            return None
        return Names(self.layout.components).to_proofs(said)

    def _depth(self, values: Mapping[str, Any], extra: dict[str, Any]) -> int | None:
        depth = self._usual(values, "QDep", as_int, extra)
        if depth is not None and depth not in USUAL_DEPTHS:
            self.report.unusual["QDep", repr(depth)] += 1
        return depth

    def _usual(
        self,
        values: Mapping[str, Any],
        key: str,
        convert: Callable[[Any], T],
        extra: dict[str, Any],
    ) -> T | None:
        """The converted value; None for "" or nothing; anything else is kept and reported."""
        value = values.get(key)
        if value in ("", None):
            return None
        try:
            return convert(value)
        except ValueError:
            extra[key] = value
            self.report.unusual[key, repr(value)] += 1
            return None


def _with_odd_failures(examples: list[Example], meta: Mapping[str, Any] | None) -> list[Example]:
    """Keep the depth and sentence of a failure string where the writer would say otherwise."""
    if meta is None:
        return examples
    said = take(meta, "questions", as_object, {})
    positives = positive_texts(examples)
    for k, example in enumerate(examples):
        text = said.get(example.extra.get("Qid", f"Q{k + 1}"), {}).get("proofs")
        failed = parse(text) if text else None
        if isinstance(failed, Failed):
            written = (len(failed.rules), failure_sentence(example, positives))
            if written != (failed.depth, failed.sentence):
                extra = {**example.extra, "failed": [failed.depth, failed.sentence]}
                examples[k] = replace(example, extra=extra)
    return examples
