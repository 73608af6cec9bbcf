"""ProofWriter's own files (meta-*.jsonl): one record has a theory, its logic, questions and proofs.

Its fields are those of RuleTaker's meta files, and the text of the theory; in the open world an
answer may be "Unknown".
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from ibr.data.formats.example import Example, Reported
from ibr.data.formats.jsonl import as_text, converted, inside, need, take
from ibr.data.formats.pararules import Row
from ibr.data.formats.record_in import ReadReport, components_of, read_record
from ibr.errors import InputError
from ibr.prediction import Verdict
from ibr.proof import NAF
from ibr.theory import Strategy

_LABELS: Final = {
    "true": Verdict.YES,
    "false": Verdict.NO,
    "unknown": Verdict.NOT_SHOWN,
    "uncertain": Verdict.NOT_SHOWN,
}

Json = Mapping[str, Any]


def label_of(value: Any) -> Verdict:
    label = _LABELS.get(str(value).lower())
    if label is None:
        raise InputError(f"expected true, false or unknown, found {value!r:.60}")
    return label


def read_meta(record: dict[str, Any], report: ReadReport) -> list[Reported]:
    """The questions of one record, read as RuleTaker's two files are: it has what both say."""
    labels: list[Verdict] = []
    asked: list[dict[str, Any]] = []
    known: dict[str, dict[str, Any]] = {}
    name = need(record, "id", as_text)
    for key, value in need(record, "questions", dict).items():
        with inside(f"questions.{key}"):
            question = converted(value, dict)
            labels.append(need(question, "answer", label_of))
            answer, text = labels[-1] is Verdict.YES, need(question, "question", as_text)
        asked.append({"id": f"{name}-{key}", "text": text, "label": answer, "meta": {"Qid": key}})
        known[key] = {**question, "answer": answer}
    rows = components_of(record)
    context = take(record, "theory", as_text, None) or " ".join(row.text for row in rows)
    wanted = {"id": name, "context": context, "questions": asked}
    mapped = _paraphrases(record, rows)
    examples = read_record(wanted, {**record, "questions": known}, mapped, report)
    provable = all(example.strategy is Strategy.PROOF for example in examples)
    has_unknown = Verdict.NOT_SHOWN in labels or provable
    pairs = zip(examples, labels, strict=True)
    return [_labelled(example, label, has_unknown) for example, label in pairs]


def _paraphrases(record: Json, components: Sequence[Row]) -> list[Row]:
    """Of NatLang: the sentences, each with the components that "mappings" gives it."""
    mappings = take(record, "mappings", dict, {})
    clauses = {row.components[0]: row.clauses[0] for row in components}
    found = []
    for key, text in take(record, "sentences", dict, {}).items():
        names = tuple(name for name, sentence in mappings.items() if sentence == key)
        with inside("mappings"):
            if unknown := [name for name in names if name not in clauses]:
                raise InputError(f"{unknown[0]} is no triple and no rule of the record")
        with inside(f"sentences.{key}"):
            found.append(Row("", as_text(text), names, tuple(clauses[name] for name in names)))
    return found


def _labelled(example: Example, label: Verdict, has_unknown: bool) -> Reported:
    known = {field.name: getattr(example, field.name) for field in fields(Example)}
    if label is Verdict.NOT_SHOWN and example.literal is not None:
        known["answer"] = not example.literal.positive
    proofs = [proof for proof in example.proofs or () if proof.strategy is Strategy.PROOF]
    cited = dict.fromkeys(proof.graph.nodes - {NAF} for proof in proofs)
    return Reported(**known, label=label, has_unknown=has_unknown, cited=tuple(cited))
