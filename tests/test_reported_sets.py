"""The sets that others report on: each reader on a file of its own, its errors, and the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ibr.choices import Assumption
from ibr.data.formats.example import Example, Reported
from ibr.data.formats.jsonl import BadLines, DataError
from ibr.data.formats.sources import FileLogic, Reader, count_questions
from ibr.evaluation.answers import AnswerReport, answer_of
from ibr.prediction import NoAnswer, Prediction, Verdict
from ibr.proof import NAF, Graph
from ibr.theory import Strategy
from tests.shell import Run

CONTEXT = "Ada is old. Old people are wise. If someone is wise and not rude then they are kind."
ASKED = "Based on the above information, is the following statement true, false, or unknown? "
OPTIONS = ["A) True", "B) False", "C) Unknown"]


def chosen(name: str, statement: str, answer: str, **more: Any) -> dict[str, Any]:
    record = {"id": name, "context": CONTEXT, "question": ASKED + statement, "options": OPTIONS}
    return {**record, "answer": answer, **more}


THREE = [
    chosen("one", "Ada is wise.", "A", explanation=["Ada is old.", "Old people are wise."]),
    chosen("two", "Ada is not old.", "B"),
    chosen("three", "Ada is rude.", "C"),
]
RULE = '((("someone" "is" "old" "+")) -> ("someone" "is" "wise" "+"))'
KIND = '((("someone" "is" "wise" "+") ("someone" "is" "rude" "~")) -> ("someone" "is" "kind" "+"))'
FAILED = "[CWA. Example of deepest failure = (FAIL)]]"


def asked(text: str, answer: bool | str, strategy: str, proofs: str, logic: str) -> dict[str, Any]:
    found = {"question": text, "answer": answer, "QDep": 0, "QLen": "", "strategy": strategy}
    return {**found, "proofs": proofs, "representation": logic}


def meta(unknown: bool | str, name: str = "AttNeg-OWA-D1-1") -> dict[str, Any]:
    """A record of ProofWriter; in the closed world its last question is true."""
    wise = "[(((triple1) -> rule1))]"
    return {
        "id": name,
        "maxD": 1,
        "theory": CONTEXT,
        "triples": {"triple1": {"text": "Ada is old.", "representation": '("Ada" "is" "old" "+")'}},
        "rules": {
            "rule1": {"text": "Old people are wise.", "representation": RULE},
            "rule2": {"text": CONTEXT.partition("wise. ")[2], "representation": KIND},
        },
        "questions": {
            "Q1": asked("Ada is wise.", True, "proof", wise, '("Ada" "is" "wise" "+")'),
            "Q2": asked("Ada is not wise.", False, "inv-proof", wise, '("Ada" "is" "wise" "-")'),
            "Q3": asked(
                "Ada is not rude.", unknown, "inv-random", f"[@0: Ada is rude.{FAILED}",
                '("Ada" "is" "rude" "-")',
            ),
        },
    }  # fmt: skip


PRONTOQA = {
    "example1": {
        "in_context_example0": {"question": "not read"},
        "test_example": {
            "question": "Each jompus is a tumpus. Tumpuses are not sour. Max is a jompus.",
            "query": "True or false: Max is sour.",
            "chain_of_thought": [
                "Max is a jompus.", "Each jompus is a tumpus.", "Max is a tumpus.",
                "Tumpuses are not sour.", "Max is not sour.",
            ],
            "answer": "False",
        },
    }
}  # fmt: skip


def written(folder: Path, text: str) -> Path:
    path = folder / "set.txt"  # the name says nothing
    path.write_text(text)
    return path


def lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def read(path: Path, bad: BadLines | None = None) -> list[Reported]:
    found = list(Reader(bad=bad).examples(path))
    assert all(isinstance(example, Reported) for example in found)
    return [example for example in found if isinstance(example, Reported)]


@pytest.mark.parametrize("text", [json.dumps(THREE, indent=2), json.dumps(THREE), lines(*THREE)])
def test_options(tmp_path: Path, text: str) -> None:
    first, second, third = read(written(tmp_path, text))
    assert [s.text for s in first.theory][:2] == ["Ada is old.", "Old people are wise."]
    assert [e.question for e in (first, second, third)] == [
        "Ada is wise.", "Ada is not old.", "Ada is rude."
    ]  # fmt: skip
    assert [e.label for e in (first, second, third)] == [
        Verdict.YES, Verdict.NO, Verdict.NOT_SHOWN
    ]  # fmt: skip
    assert first.has_unknown
    assert first.cited == (frozenset({0, 1}),)
    assert second.cited == ()
    assert count_questions(str(tmp_path / "set.txt")) is None


def test_options_without_unknown(tmp_path: Path) -> None:
    record = chosen("one", "", "B") | {
        "question": "Is the following statement true or false? Ada is rude.",
        "options": OPTIONS[:2],
    }
    (found,) = read(written(tmp_path, json.dumps([record])))
    assert (found.question, found.label, found.has_unknown) == ("Ada is rude.", Verdict.NO, False)


@pytest.mark.parametrize(("unknown", "label"), [("Unknown", Verdict.NOT_SHOWN), (True, "yes")])
def test_proofwriter(tmp_path: Path, unknown: bool | str, label: Verdict) -> None:
    found = read(written(tmp_path, lines(meta(unknown))))
    assert [e.id for e in found] == [f"AttNeg-OWA-D1-1-Q{k}" for k in (1, 2, 3)]
    assert [e.label for e in found] == [Verdict.YES, Verdict.NO, label]
    assert [e.has_unknown for e in found] == [unknown == "Unknown"] * 3
    assert [e.answer for e in found] == [True, False, True]  # as the closed world counts
    assert [e.cited for e in found] == [(frozenset({0, 1}),)] * 2 + [()]
    assert found[0].program is not None
    assert [len(e.proofs or ()) for e in found] == [1, 1, 1]


def test_proofwriter_without_proofs(tmp_path: Path) -> None:
    record = meta("Unknown")
    for question in record["questions"].values():
        del question["proofs"], question["representation"]
    del record["triples"], record["rules"]
    found = read(written(tmp_path, lines(record)))
    assert len(found[0].theory) == 3
    assert [e.cited for e in found] == [(), (), ()]


def test_proofwriter_paraphrases(tmp_path: Path) -> None:
    record = meta("Unknown", "AttNonegNatLang-OWA-1")
    record["sentences"] = {
        "sent1": "That Ada is old, and old people are wise.", "sent2": "The wise are kind."
    }  # fmt: skip
    record["mappings"] = {"triple1": "sent1", "rule1": "sent1", "rule2": "sent2"}
    record["theory"] = " ".join(record["sentences"].values())
    found = read(written(tmp_path, lines(record)))
    assert [s.text for s in found[0].theory] == list(record["sentences"].values())
    assert found[0].cited == (frozenset({0}),)


@pytest.mark.parametrize("indent", [None, 2])
def test_prontoqa(tmp_path: Path, indent: int | None) -> None:
    (found,) = read(written(tmp_path, json.dumps(PRONTOQA, indent=indent)))
    assert (found.id, found.question, found.label) == ("example1", "Max is sour.", Verdict.NO)
    assert found.cited == (frozenset({0, 1, 2}),)


BAD = {
    "[1].options[0]: expected an option": [THREE[0], THREE[1] | {"options": ["True"]}],
    "[0].answer: 'D' is none of the options A, B, C": [THREE[0] | {"answer": "D"}],
    "[0].question: no statement follows": [THREE[0] | {"question": "Ada is old."}],
    "[0].context: is missing": [{k: v for k, v in THREE[0].items() if k != "context"}],
    "[1].id: 'one' is that of [0], too": [THREE[0], THREE[0]],
    "[0]: expected an object": ["a text"],
}


@pytest.mark.parametrize("message", BAD)
def test_a_bad_record_is_named(tmp_path: Path, message: str) -> None:
    path = written(tmp_path, json.dumps(BAD[message]))
    with pytest.raises(DataError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: {message}")
    bad = BadLines()
    assert len(read(path, bad)) == len(BAD[message]) - 1
    assert bad.count == 1


def test_bad_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"set.txt:2: not JSON: .* at column \d"):
        read(written(tmp_path, "[\n{,\n]"))
    wrong = meta("Perhaps")
    with pytest.raises(DataError, match=r"set.txt:1: questions.Q3.answer: expected true, false"):
        read(written(tmp_path, lines(wrong)))
    test = PRONTOQA["example1"]["test_example"] | {"query": "Max is sour."}
    wrong = {"example1": {"test_example": test}}
    with pytest.raises(DataError, match=r"set.txt: example1.test_example.query: no statement"):
        read(written(tmp_path, json.dumps(wrong)))


def test_the_solver_answers_every_reader(tmp_path: Path, run: Run) -> None:
    for text, count in ((json.dumps(THREE), 3), (lines(meta("Unknown")), 3)):
        path = written(tmp_path, text)
        (found,) = run("evaluate", "--data", path, "--reasoner", "solver", "--json").lines
        assert found["ways"] == 3
        rows = found["answers"]
        assert (rows["all"]["count"], rows["all"]["accuracy"]) == (count, 100.0)
        assert rows["all"]["cited"] == 100.0
        assert rows["answer unknown"]["given"]["unknown"] == 1
    path = written(tmp_path, json.dumps(PRONTOQA))
    (found,) = run("evaluate", "--data", path, "--reasoner", "solver", "--json").lines
    assert (found["ways"], found["answers"]["all"]["accuracy"]) == (2, 100.0)
    assert found["answers"]["all"]["cited"] == 100.0


def test_the_table(tmp_path: Path, run: Run) -> None:
    shown = run("evaluate", "--data", written(tmp_path, json.dumps(THREE)), "--reasoner", "solver")
    table = [line.split() for line in shown.out.splitlines()]
    assert ["3-way,", "closed", "world"] in table
    assert ["all", "3", "100.0", "100.0", "1", "1", "1"] in table
    assert ["answer", "unknown", "1", "100.0", "n/a", "0", "0", "1"] in table
    closed = written(tmp_path, lines(meta(True)))
    shown = run("evaluate", "--data", closed, "--reasoner", "solver")
    assert "2-way, closed world" in shown.out
    assert "PAmin" in shown.out  # a closed world's own proofs are scored, too


def test_predict_reads_them(tmp_path: Path, run: Run) -> None:
    path = written(tmp_path, json.dumps(THREE))
    found = run("predict", "--reasoner", "solver", "--in", path, "--out", "-").lines
    assert [(line["id"], line["strategy"]) for line in found] == [
        ("one", "proof"), ("two", "proof"), ("three", "fail-proof")
    ]  # fmt: skip


def graph(*nodes: int) -> Graph:
    return Graph.of(nodes, [(nodes[0], nodes[-1])] if len(nodes) > 1 else [])


def test_counting() -> None:
    (example,) = (e for e in _examples() if e.id == "one")
    proved = Prediction("one", True, "hand", Strategy.PROOF, graph(0, 1))
    failed = Prediction("one", True, "hand", Strategy.FAIL_PROOF, graph(1))
    report = AnswerReport()
    for prediction in (proved, failed, NoAnswer("one", False, "hand")):
        report.add(example, prediction)
    assert report.rows["all"].answers.right == 1
    assert report.rows["all"].cited.right == 1
    assert report.rows["all"].given == {
        Verdict.YES: 1, Verdict.NOT_SHOWN: 1, Verdict.CANNOT_SAY: 1
    }  # fmt: skip
    with_naf = Prediction("one", True, "hand", Strategy.PROOF, Graph.of([0, 1, NAF], [(0, 1)]))
    report.add(example, with_naf)
    assert report.rows["all"].cited.right == 2
    assert answer_of(Prediction("one", False, "hand")) is Verdict.NO


def test_two_ways_count_what_is_not_shown_as_false_in_a_closed_world_only() -> None:
    from dataclasses import replace

    example = replace(next(_examples()), label=Verdict.NO, has_unknown=False)
    failed = Prediction("one", False, "hand", Strategy.FAIL_PROOF, graph(1))
    for world, right in ((Assumption.CLOSED, 1), (Assumption.OPEN, 0)):
        report = AnswerReport(world)
        report.add(example, failed)
        assert report.rows["all"].answers.right == right


def _examples() -> Any:
    from ibr.data.formats.record_in import ReadReport
    from ibr.data.formats.reported_sets import _from_options

    for record in THREE:
        yield from _from_options(dict(record), ReadReport())


def test_the_logic_of_a_file_is_its_own(tmp_path: Path) -> None:
    from ibr.choices import LogicFrom

    source = FileLogic(LogicFrom.FILE)
    examples: list[Example] = list(source.watch(Reader().examples(
        written(tmp_path, lines(meta("Unknown")))
    )))  # fmt: skip
    assert source.read(examples[0].problem).program == examples[0].program
