"""The sets on which other systems report: yes, no, and in an open world unknown.

What a file contains decides how it is read, never its name:

* ProofWriter and PrOntoQA as they circulate, a list or one record a line:
  {"id", "context", "question": "... true or false? STATEMENT", "options": ["A) True", ...],
  "answer": "A"}, perhaps with an "explanation" (sentences);
* ProofWriter's own meta-*.jsonl, of both worlds, with or without proofs;
* PrOntoQA's own file: {"example1": {"test_example": {"question": CONTEXT,
  "query": "True or false: STATEMENT", "chain_of_thought": [...], "answer": "True"}}}.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from ibr.data.formats import jsonl
from ibr.data.formats.example import Reported
from ibr.data.formats.jsonl import BadLines, FieldError, as_text, inside, need, take
from ibr.data.formats.pararules import Row
from ibr.data.formats.record_in import ReadReport, components_of, read_record
from ibr.errors import InputError
from ibr.logic.surface.segment import segment
from ibr.prediction import Verdict
from ibr.theory import Problem, Question, Strategy, Theory

_LABELS: Final = {
    "true": Verdict.YES,
    "false": Verdict.NO,
    "unknown": Verdict.NOT_SHOWN,
    "uncertain": Verdict.NOT_SHOWN,
}
_OPTION: Final = re.compile(r"\s*\(?([A-Za-z])[).:]\s*(\w+)\W*")

Json = Mapping[str, Any]
Convert = Callable[[dict[str, Any], ReadReport], list[Reported]]
SetReader = Callable[[Path, ReadReport, BadLines | None], Iterator[Reported]]


def reader_of(path: Path, first: Json) -> SetReader | None:
    """None if the file is none of these. `first` is the first line that is a record, if any is."""
    if _opening(path) == "[" and path.suffix != ".jsonl":
        return partial(_from_document, _from_options)
    if {"context", "options"} <= first.keys():
        return partial(_from_lines, _from_options)
    if isinstance(first.get("questions"), dict):
        return partial(_from_lines, _from_proofwriter)
    by_name = any(isinstance(value, dict) and "test_example" in value for value in first.values())
    over_lines = not first and '"test_example"' in _opening(path, 1 << 16)
    return partial(_from_document, _from_prontoqa) if by_name or over_lines else None


def _opening(path: Path, size: int = 1) -> str:
    """The first characters that are not blank."""
    with jsonl.reading(path) as stream:
        text = stream.read(size)
        while text.isspace():
            text = stream.read(size)
        return text


def _from_lines(
    convert: Convert, path: Path, report: ReadReport, bad: BadLines | None
) -> Iterator[Reported]:
    with jsonl.reading(path) as stream:
        for _, found in jsonl.read_records(stream, path, lambda line: convert(line, report), bad):
            yield from found


def _from_document(
    convert: Convert, path: Path, report: ReadReport, bad: BadLines | None
) -> Iterator[Reported]:
    """A list, or an object by name; the name is the id."""
    with jsonl.reading(path) as stream:
        document = jsonl.parse_json(stream.read(), path, None)
    if isinstance(document, dict):
        records = [(name, {"id": name}, record) for name, record in document.items()]
    else:
        records = [(f"[{number}]", {}, record) for number, record in enumerate(document)]
    known: dict[str, str] = {}
    for place, named, record in records:
        with jsonl.at_line(path, None, bad), inside(place):
            for found in convert(named | jsonl.converted(record, dict), report):
                if known.setdefault(found.id, place) != place:
                    raise FieldError("id", f"{found.id!r:.60} is that of {known[found.id]}, too")
                yield found


def _from_options(record: dict[str, Any], report: ReadReport) -> list[Reported]:
    name, context = need(record, "id", as_text), need(record, "context", as_text)
    statement = _statement(record, "question", "?")
    options = dict(need(record, "options", jsonl.list_of(_option)))
    letter = need(record, "answer", as_text).strip(" ().:").upper()
    if letter not in options:
        raise FieldError("answer", f"{letter!r:.60} is none of the options {', '.join(options)}")
    explanation = take(record, "explanation", _sentences, ())
    made = _question(name, context, statement, options[letter], explanation)
    return [replace(made, has_unknown=Verdict.NOT_SHOWN in options.values())]


def _from_prontoqa(record: dict[str, Any], report: ReadReport) -> list[Reported]:
    test = need(record, "test_example", dict)
    with inside("test_example"):
        context, statement = need(test, "question", as_text), _statement(test, "query", ":")
        label = need(test, "answer", _label_of)
        explanation = take(test, "chain_of_thought", _sentences, ())
    return [_question(record["id"], context, statement, label, explanation)]


def _statement(record: Json, key: str, mark: str) -> str:
    statement = need(record, key, as_text).partition(mark)[2].strip()
    if not statement:
        raise FieldError(key, f'no statement follows its first "{mark}"')
    return statement


def _question(
    name: str, context: str, statement: str, label: Verdict, explanation: Sequence[str]
) -> Reported:
    theory = Theory.of([part.text for part in segment(context)])
    cited = frozenset(i for i, sentence in enumerate(theory) if sentence.text in explanation)
    return Reported(
        Problem(name, theory, Question(statement)),
        answer=label is Verdict.YES,
        label=label,
        has_unknown=label is Verdict.NOT_SHOWN,
        cited=(cited,) if cited else (),
    )


def _option(text: Any) -> tuple[str, Verdict]:
    match = _OPTION.fullmatch(as_text(text))
    if match is None:
        raise InputError(f'expected an option such as "A) True", found {text!r:.60}')
    return match[1].upper(), _label_of(match[2])


def _sentences(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.text for part in segment(value))
    return tuple(text.strip() for text in jsonl.list_of(as_text)(value))


def _label_of(value: Any) -> Verdict:
    label = _LABELS.get(str(value).lower())
    if label is None:
        raise InputError(f"expected true, false or unknown, found {value!r:.60}")
    return label


def _from_proofwriter(record: dict[str, Any], report: ReadReport) -> list[Reported]:
    """Read as RuleTaker's two files are: a record has what both say, and the text of the theory."""
    labels: list[Verdict] = []
    asked: list[dict[str, Any]] = []
    known: dict[str, dict[str, Any]] = {}
    name = need(record, "id", as_text)
    for key, value in need(record, "questions", dict).items():
        with inside(f"questions.{key}"):
            question = jsonl.converted(value, dict)
            labels.append(need(question, "answer", _label_of))
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
    return [Reported.of(e, label, has_unknown) for e, label in zip(examples, labels, strict=True)]


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
