"""The Python door: what `ibr.load()` gives, what a `Proved` tells, and what is told on the way."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import torch
from test_prove import needs_model
from test_verified import FLIES, FORGETS, NOTHING, Fixed
from tiny import model_config

import ibr
from ibr.browsing import pictures
from ibr.drawing.picture import Badge
from ibr.errors import IbrError
from ibr.logic.mending import abduction
from ibr.logic.reading import ReadError
from ibr.model.ibr import IBR
from ibr.model.reasoner import ModelReasoner
from ibr.prediction import Status
from ibr.proving import Traced
from ibr.reasoner import SolverReasoner
from ibr.search import Floats, Ints, Paths, Scorer
from ibr.suggest import suggestions
from ibr.theory import Problem, Strategy

ROOT = Path(__file__).resolve().parent.parent
RULES = """\
Arthur is a bird.
Bill is a bird. Bill is wounded.
If someone is a bird and not wounded then they are flying.
If someone is flying then they are happy.
Wounded people are not happy.
"""
CIRCLE = (
    "Bob is big.\n"
    "If someone is not red then they are blue.\n"
    "If someone is not blue then they are red."
)


@cache
def untrained() -> ModelReasoner:
    torch.manual_seed(3)
    return ModelReasoner(IBR(model_config(dropout=0.0)).eval())


def solver() -> ibr.Prover:
    return ibr.Prover(SolverReasoner())


def model(verify: bool = True) -> ibr.Prover:
    return ibr.Prover(untrained(), verify)


@needs_model
def test_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"rules": (ROOT / "examples" / "access.txt").read_text("utf-8")}
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(code, names)
    said = capsys.readouterr().out
    assert said.startswith("Can Arthur fly?\n")
    assert "\n  Priya has an escort.\n" in said
    assert "\nThe model thinks " in said
    assert said.rstrip().endswith("checked: valid)")
    for name in re.findall(r"^\| `(\w+)[`(]", text.split("## What comes back")[1], re.MULTILINE):
        assert hasattr(ibr.Proved, name)


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
    assert proved.proof.strategy is Strategy.PROOF
    assert proved.explain().splitlines()[-1] == "Arthur is flying [by 4], so Arthur is happy [5]."
    assert (proved.why_not, proved.repairs, proved.trace) == (None, [], ())
    assert ElementTree.fromstring(proved.to_svg()).tag.endswith("svg")
    assert repr(proved) == (
        "<Proved 'Is Arthur happy?': True: proved (the solver's proof; checked: valid)>"
    )
    assert str(proved).startswith("Is Arthur happy?\n  I read this as: Arthur is happy.\n  True: ")
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
    monkeypatch.setattr(abduction, "MOST_INSTANCES", 0)
    assert solver().prove(RULES, "Zoe is happy.").repairs is None


def test_what_cannot_be_checked_is_not_explained() -> None:
    proved = ibr.Prover(Fixed(0.9, FLIES), verify=True).prove(
        "Arthur is a bird.\nBirds fly, most of the time, don't they, when of.", "Arthur flies."
    )
    assert proved.checked == "unreadable"
    assert proved.explain() == f"Not proved: {proved.reason}"
    assert (proved.why_not, proved.repairs, proved.proved) == (None, [], False)


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
    with pytest.raises(IbrError):
        solver().prove(CIRCLE, "Bob is red.")


def test_load_takes_every_name_that_get_reasoner_takes() -> None:
    assert ibr.load("solver").name == "solver"


@pytest.mark.parametrize("verify", [True, False])
def test_a_guess_then_the_steps_then_what_is_proved(verify: bool) -> None:
    guess, *steps, proved = model(verify).steps(RULES, "Is Arthur happy?")
    assert isinstance(guess, ibr.Guess)
    assert isinstance(proved, ibr.Proved)
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


class Counting:
    """A scorer that counts the steps of the search, and calls `before` each."""

    def __init__(self, scorer: Scorer, before: Callable[[int], None] = lambda step: None) -> None:
        self.strategies, self.sentence = scorer.strategies, scorer.sentence
        self.is_rule, self.is_reading = scorer.is_rule, scorer.is_reading
        self.parents, self._scorer, self._before = scorer.parents, scorer, before
        self.steps = 0

    def children(self, paths: Paths, parent: Ints) -> Floats:
        self._before(self.steps)
        self.steps += 1
        return self._scorer.children(paths, parent)


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
        watched = ModelReasoner(IBR(model_config(dropout=0.0)).eval())
        watched.patience = float(seed % 2)  # the longer failure is given, whichever led
        for verify in (False, True):
            prover = ibr.Prover(watched, verify)
            prover.max_steps = 6
            told: dict[tuple[int, int], list[ibr.Stepped]] = {}
            found: list[list[ibr.Proved]] = [[], []]
            for place, number, event in prover.watch(asked, beams=4):
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
    assert isinstance(proved, ibr.Proved)
    assert proved.to_json(trace=True) == model().prove(rules, "Can Arthur fly?").to_json(trace=True)


def test_a_system_without_a_model_tells_its_answer_and_no_steps() -> None:
    guess, proved = solver().steps(RULES, "Arthur is happy.")
    assert isinstance(guess, ibr.Guess)
    assert isinstance(proved, ibr.Proved)
    assert (guess.answer, guess.confidence, guess.strategy) == (True, None, Strategy.PROOF)


def test_many_rulebooks_at_once_are_answered_as_one_by_one() -> None:
    rules = [RULES, "Bob is big. Big people are kind.", RULES]
    questions = [["Arthur is happy.", "Bill is happy."], ["Bob is kind."], ["Zoe is happy."]]
    guesses: dict[tuple[int, int], ibr.Guess] = {}
    asked = [(ibr.Rulebook.parse(r), q) for r, q in zip(rules, questions, strict=True)]
    for place, number, told in model().watch(asked):
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


def found(proved: ibr.Proved) -> Sequence[object]:
    assert isinstance(proved.prediction, Traced)
    return proved.prediction.found


def test_every_proof_found_has_a_picture_with_the_verifiers_word() -> None:
    rules = "Arthur is a bird.\nIf someone is a bird and not wounded then they are flying."
    fixed = ibr.Prover(Fixed(0.9, FORGETS, FLIES, NOTHING), verify=True)
    drawn = pictures(fixed.prove(rules, "Arthur is flying."))
    assert [picture.badge for picture in drawn] == [Badge.INVALID, Badge.VALID, Badge.INVALID]
    assert [picture.verdict.split()[-1] for picture in drawn] == ["unproved", "proved", "unproved"]
    helped = pictures(
        ibr.Prover(Fixed(0.9, NOTHING), verify=True).prove(rules, "Arthur is flying.")
    )
    assert [picture.badge for picture in helped] == [Badge.INVALID, Badge.SOLVER]
    assert len(pictures(solver().prove(rules, "Arthur is flying."))) == 1


def test_no_other_picture_is_trusted_where_nothing_can_be_checked() -> None:
    fixed = ibr.Prover(Fixed(0.9, FORGETS, NOTHING), verify=True)
    for rules, question in ((CIRCLE, "Bob is big."), ("Wounded the of.", "Bob is big.")):
        for picture in pictures(fixed.prove(f"{rules}\nBob is a bird.", question)):
            assert not picture.badge.trusted


def test_suggestions_can_be_asked_and_are_of_all_kinds() -> None:
    asked = suggestions(ibr.Rulebook.parse(RULES).program)
    assert len(asked) <= 12
    answers = {solver().prove(RULES, question).summary.split(" (")[0] for question in asked}
    assert answers == {"True: proved", "False: its negation is proved", "False: not provable"}
    assert suggestions(ibr.Rulebook.parse("").program) == []
    assert suggestions(ibr.Rulebook.parse(CIRCLE).program)


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
