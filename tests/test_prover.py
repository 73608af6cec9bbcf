"""The Python interface: `ibr.load()`, what a `Result` has, errors, and events on the way."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import torch
from provers import (
    CIRCLE,
    FLIES,
    RULES,
    Counting,
    Fixed,
    model,
    needs_model,
    solver,
    untrained,
)
from tiny import model_config

import ibr
from ibr.asking.suggestions import suggestions
from ibr.decoding.proving import Traced
from ibr.decoding.search import Scorer
from ibr.errors import IbrError
from ibr.logic.explaining import repair
from ibr.logic.reading import ReadError
from ibr.model.ibr import IBR
from ibr.model.trained import ModelReasoner
from ibr.prediction import Status
from ibr.theory import Problem, Strategy

ROOT = Path(__file__).resolve().parent.parent


@needs_model
def test_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"rules": (ROOT / "examples" / "access.txt").read_text("utf-8")}
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(code, names)
    said = capsys.readouterr().out
    assert said.startswith("Can Arthur fly?\n")
    assert "\n  Priya has an escort.\n" in said
    assert "\nThe model predicts " in said
    assert said.rstrip().endswith("checked: valid)")
    for name in re.findall(r"^\| `(\w+)[`(]", text.split("## What comes back")[1], re.MULTILINE):
        assert hasattr(ibr.Result, name) or name in ibr.Result.__dataclass_fields__


@needs_model
def test_the_first_example_of_the_documentation() -> None:
    prover = ibr.load()
    proved = prover.prove(RULES, "Is Arthur flying?")
    assert (proved.answer, proved.checked, prover.name) == (True, "valid", "verified")
    assert proved.explain().endswith("so Arthur is flying [4].")


def test_what_is_proved_is_told_in_every_way() -> None:
    proved = solver().prove(RULES, "Is Arthur happy?")
    assert proved.answer
    assert proved.proved
    assert proved.checked is Status.VALID
    assert proved.proof
    assert proved.proof.strategy is Strategy.PROOF
    assert proved.explain().splitlines()[-1] == "Arthur is flying [by 4], so Arthur is happy [5]."
    assert (proved.why_not, proved.repairs, proved.trace) == (None, [], ())
    assert ElementTree.fromstring(proved.to_svg()).tag.endswith("svg")
    assert repr(proved) == (
        "<Result 'Is Arthur happy?': Yes (the solver's proof, depth 2; checked: valid)>"
    )
    assert str(proved).startswith("Is Arthur happy?\n  I read this as: Arthur is happy.\n  Yes ")
    assert proved.to_json()["nodes"] == [0, 3, 4, "NAF"]


def test_what_is_not_provable_says_what_would_help() -> None:
    proved = solver().prove(RULES, "Zoe is happy.")
    assert not proved.answer
    assert not proved.proved
    assert proved.checked == "valid"
    assert proved.why_not is not None
    assert [branch.rule for branch in proved.why_not.branches] == [4]
    assert proved.explain().startswith("Nothing shows that Zoe is happy.")
    assert proved.repairs is not None
    assert "Zoe is flying." in proved.repairs
    for fact in proved.repairs:
        assert solver().prove(f"{RULES}{fact}\n", "Zoe is happy.").proved


def test_repairs_that_are_too_many_to_search_are_not_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repair, "MOST_INSTANCES", 0)
    assert solver().prove(RULES, "Zoe is happy.").repairs is None


def test_what_cannot_be_checked_is_not_explained() -> None:
    proved = ibr.Prover(Fixed(0.9, FLIES), verify=True).prove(
        "Arthur is a bird.\nBirds fly, most of the time, don't they, when of.", "Arthur flies."
    )
    assert proved.checked == "unreadable"
    assert not proved.proved
    assert proved.explain().startswith("Nothing shows that Arthur flies.")  # by what was read
    unread = ibr.Prover(Fixed(0.9, FLIES), verify=True).prove("Arthur is a bird.", "Why?")
    assert unread.explain() == f"Cannot say: {unread.reason}"
    assert (unread.why_not, unread.repairs, unread.proved) == (None, [], False)


def test_html_for_notebooks_shows_text_as_text() -> None:
    proved = model().prove("Bob is big.", "Is Bob <b>big</b>?")
    html = proved._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html
    assert html.endswith("</svg>\n")


def test_lists_and_one_rulebook_for_many_questions() -> None:
    several = solver().prove(RULES, ["Arthur is happy.", "Bill is happy."])
    assert [proved.answer for proved in several] == [True, False]
    assert solver().prove(RULES, []) == []
    asking = solver().ask(RULES)
    assert asking.prove("Arthur is happy.").answer
    assert [p.answer for p in asking.prove(("Bill is flying.", "Arthur is flying."))] == [0, 1]
    assert len(asking.book.entries) == 6
    assert solver().prove(asking.book, "Arthur is happy.").answer


def test_empty_questions_and_unknown_names_are_refused() -> None:
    with pytest.raises(ReadError):
        solver().prove(RULES, " ")
    with pytest.raises(IbrError):
        ibr.load("nobody")
    with pytest.raises(IbrError, match="no reasoner is called 'verified:solver'"):
        ibr.load("verified:solver")


def test_load_takes_every_name_that_get_reasoner_takes() -> None:
    assert ibr.load("solver").name == "solver"


@pytest.mark.parametrize("verify", [True, False])
def test_a_guess_then_the_steps_then_what_is_proved(verify: bool) -> None:
    guess, *steps, proved = model(verify).steps(RULES, "Is Arthur happy?")
    assert isinstance(guess, ibr.Guess)
    assert isinstance(proved, ibr.Result)
    assert (guess.question, guess.reading) == ("Is Arthur happy?", "Arthur is happy.")
    assert folded(steps) == proved.trace
    assert [step.number for step in proved.trace] == list(range(1, len(proved.trace) + 1))
    assert proved.trace[-1].child == "END"
    given = proved.prediction
    assert isinstance(given, Traced)
    assert guess.confidence is not None
    true = guess.confidence if guess.answer else 1 - guess.confidence
    assert true == pytest.approx(given.probability)
    assert guess.proof_probability == pytest.approx(given.proof_probability)
    best = given.found[given.chosen or 0].path
    assert len(proved.trace) == len(best.steps)
    assert guess.strategy is given.found[0].path.strategy


def folded(steps: Iterable[object]) -> tuple[ibr.Stepped, ...]:
    """What a client has that keeps to the rule of `Stepped`."""
    kept: list[ibr.Stepped] = []
    for step in steps:
        assert isinstance(step, ibr.Stepped)
        assert 1 <= step.number <= len(kept) + 1  # no step is left out
        kept = [*kept[: step.number - 1], step]
        assert kept == step.onto(kept)
    return tuple(kept)


def test_the_guess_comes_before_the_search_and_every_step_while_it_is_under_way() -> None:
    counting: list[Counting] = []

    def wrap(problems: Sequence[Problem], scorer: Scorer) -> Scorer:
        counting.append(Counting(scorer))
        return counting[0]

    watched = ModelReasoner(untrained().model, wrap=wrap)
    told = ibr.Prover(watched, verify=True).steps(RULES, "Arthur is happy.")
    assert isinstance(next(told), ibr.Guess)
    assert counting == []
    seen = {}
    for step in told:
        if isinstance(step, ibr.Stepped):
            seen.setdefault(step.number, counting[0].steps)
    assert seen[1] == 1
    assert len(seen) >= 2
    assert all(steps >= number for number, steps in seen.items())
    assert counting[0].steps > seen[2]  # it went on after they were told
    told = ibr.Prover(watched).steps(RULES, "Arthur is happy.")
    counting.clear()
    assert [type(next(told)) for _ in range(2)] == [ibr.Guess, ibr.Stepped]
    told.close()  # type: ignore[attr-defined]  # and nobody has to wait for the rest
    assert counting[0].steps == 1


def test_what_was_told_is_the_trace_of_what_is_proved_whatever_led_on_the_way() -> None:
    questions = ["Arthur is happy.", "Bill is not happy.", "Zoe is happy.", "Ideas of green."]
    asked = [(ibr.Rulebook.parse(RULES), questions), (ibr.Rulebook.parse(CIRCLE), ["Bob is red."])]
    again = lengths = 0
    for seed in range(4):
        torch.manual_seed(seed)
        bonus = float(seed % 2)  # the longer failure is given, whichever led
        watched = ModelReasoner(IBR(model_config(dropout=0.0, fail_length_bonus=bonus)).eval())
        for verify in (False, True):
            prover = ibr.Prover(watched, verify)
            prover.max_steps = 6
            told: dict[tuple[int, int], list[ibr.Stepped]] = {}
            found: list[list[ibr.Result]] = [[], []]
            for place, number, event in filter(None, prover.watch(asked, beams=4)):
                if isinstance(event, ibr.Guess):
                    told[place, number] = []
                elif isinstance(event, ibr.Stepped):
                    told[place, number].append(event)
                else:
                    kept = folded(told[place, number])
                    assert kept == event.trace
                    again += len(told[place, number]) - len(kept)
                    lengths += len(kept)
                    found[place].append(event)
            plain = prover.prove_many(asked, beams=4)
            assert [[p.prediction.to_json() for p in some] for some in found] == [
                [p.prediction.to_json() for p in some] for some in plain
            ]
    assert again > 10  # the lead has changed, or another proof was given
    assert lengths > 50


def test_ordinary_english_is_watched_as_it_is_proved() -> None:
    rules = "Every bird can fly unless it is wounded.\nArthur, who is a bird, is not old."
    *_, proved = model().steps(rules, "Can Arthur fly?")
    assert isinstance(proved, ibr.Result)
    assert proved.to_json(trace=True) == model().prove(rules, "Can Arthur fly?").to_json(trace=True)


def test_a_system_without_a_model_tells_its_answer_and_no_steps() -> None:
    guess, proved = solver().steps(RULES, "Arthur is happy.")
    assert isinstance(guess, ibr.Guess)
    assert isinstance(proved, ibr.Result)
    assert (guess.answer, guess.confidence, guess.strategy) == (True, None, Strategy.PROOF)


def test_many_rulebooks_at_once_are_answered_as_one_by_one() -> None:
    rules = [RULES, "Bob is big. Big people are kind.", RULES]
    questions = [["Arthur is happy.", "Bill is happy."], ["Bob is kind."], ["Zoe is happy."]]
    guesses: dict[tuple[int, int], ibr.Guess] = {}
    asked = [(ibr.Rulebook.parse(r), q) for r, q in zip(rules, questions, strict=True)]
    for place, number, told in filter(None, model().watch(asked)):
        if isinstance(told, ibr.Guess):
            guesses[place, number] = told
    together = model().prove_many(asked)
    assert sorted(guesses) == [(0, 0), (0, 1), (1, 0), (2, 0)]
    for place, (r, q) in enumerate(zip(rules, questions, strict=True)):
        alone = model().prove(r, q)
        assert [p.to_json() for p in together[place]] == [p.to_json() for p in alone]
        for number, question in enumerate(q):
            (guess, *_) = model().steps(r, question)
            assert isinstance(guess, ibr.Guess)
            said = guesses[place, number]
            assert (said.question, said.answer) == (guess.question, guess.answer)
            assert said.confidence == pytest.approx(guess.confidence, abs=1e-4)


def test_beams_and_steps_are_bounded_for_one_call_only() -> None:
    prover = model()
    assert len(found(prover.prove(RULES, "Arthur is happy.", beams=2))) <= 2
    assert untrained().beams == 8
    prover.max_steps = 1
    for one in found(prover.prove(RULES, "Arthur is happy.")):
        assert len(one.path.steps) <= 2  # one node, and END
    assert untrained().max_steps is None


def found(proved: ibr.Result) -> Sequence[object]:
    assert isinstance(proved.prediction, Traced)
    return proved.prediction.found


def test_rules_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "rules.txt"
    file.write_text(RULES, encoding="utf-8")
    assert solver().prove(file, "Arthur is happy.").proved
    with pytest.raises(IbrError, match=r"is the name of a file: give its text, or pathlib\.Path"):
        solver().prove(str(file), "Arthur is happy.")
    with pytest.raises(OSError, match="none"):
        solver().prove(tmp_path / "none.txt", "Arthur is happy.")
    for text in ("x" * 5000, "a\0b", "", "Bob is big."):
        assert solver().prove(text, "Arthur is happy.").verdict == "not shown"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: solver().prove(3, "Bob is big."), "rules must be a text"),  # type: ignore[call-overload]
        (lambda: solver().prove(RULES, 3), "questions must be a text or a list of texts, not int"),  # type: ignore[call-overload]
        (lambda: solver().prove(RULES, ["Bob is big.", None]), "a question must be a text"),  # type: ignore[list-item]
        (lambda: model().prove(RULES, "Bob is big.", beams="8"), "beams must be a whole number"),  # type: ignore[call-overload]
    ],
)
def test_wrong_types_are_said(call: Callable[[], object], said: str) -> None:
    with pytest.raises(TypeError, match=said) as caught:
        call()
    assert isinstance(caught.value, IbrError)


def test_no_beams_are_refused() -> None:
    for call in (lambda: ibr.load(beams=0), lambda: model().prove(RULES, "Bob is big.", beams=0)):
        with pytest.raises(IbrError, match="beams must be at least 1, not 0"):
            call()
    with pytest.raises(IbrError, match="only a model has that"):
        ibr.load("solver", beams=2)


def test_suggestions_can_be_asked_and_are_of_all_kinds() -> None:
    asked = suggested(RULES)
    assert len(asked) <= 12
    verdicts = {solver().prove(RULES, question).verdict for question in asked}
    assert verdicts == {"yes", "no"}  # the open one is refuted by contradiction
    assert suggested("") == []
    assert suggested(CIRCLE)


def suggested(rules: str) -> list[str]:
    book = ibr.Rulebook.parse(rules)
    return suggestions(book.program, book.solver)


def test_import_is_light_and_names_are_there() -> None:
    code = (
        "import sys, time\n"
        "import typing\n"  # not ours to pay for
        "start = time.perf_counter()\n"
        "import ibr\n"
        "took = time.perf_counter() - start\n"
        "heavy = {'numpy', 'onnxruntime', 'torch', 'lark', 'fastapi', 'typer'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert took < 0.3, took\n"
        "assert set(ibr.__all__) <= set(dir(ibr))\n"
        "assert all(getattr(ibr, name) for name in ibr.__all__)\n"
        "assert 'torch' not in sys.modules\n"
        "try:\n    ibr.nothing\n"
        "except AttributeError as error:\n    assert 'nothing' in str(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
