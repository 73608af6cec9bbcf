"""The verified reasoner: what the checker accepts is given, and who proved it is said."""

from __future__ import annotations

from collections.abc import Sequence

from provers import BIRD, FLIES, FORGETS, NOTHING, Fixed, path

from ibr.asking.judge import VerifiedReasoner
from ibr.decoding.proving import Traced, cooled
from ibr.prediction import Prediction, Source, Status
from ibr.proof import NAF, Graph, Path
from ibr.theory import Problem, Question, Strategy, Theory


def ask(
    sentences: Sequence[str], question: str, probability: float, *paths: Path, trace: bool = False
) -> Prediction:
    problem = Problem("q", Theory.of(sentences), Question(question))
    (said,) = VerifiedReasoner(Fixed(probability, *paths), trace).prove([problem])
    return said


def test_the_best_valid_proof_is_given_and_decides_the_answer() -> None:
    said = ask(BIRD, "Arthur is flying.", 0.2, FORGETS, FLIES)
    assert (said.answer, said.source, said.checked) == (True, Source.CHECKED, Status.VALID)
    assert said.graph == Graph.of([0, 1, NAF], [(0, 1), (NAF, 1)])
    assert (said.reasoner, said.confidence) == ("verified", 1 - 0.8)
    assert type(said) is Prediction


def test_a_proof_of_the_opposite_refutes() -> None:
    said = ask(BIRD, "Arthur is not flying.", 0.9, FLIES)
    assert (said.answer, said.source, said.checked) == (False, Source.CHECKED, Status.VALID)


def test_what_the_proof_does_not_need_is_left_out() -> None:
    twice = ("Arthur is a bird.", "If someone is a bird then they fly.", "Arthur is a bird.")
    said = ask(twice, "Arthur flies.", 0.9, path((0, 1), (1, 0), (1, 2)))
    assert said.source is Source.CHECKED
    assert said.graph in (Graph.of([0, 1], [(0, 1)]), Graph.of([2, 1], [(2, 1)]))


def test_the_solver_helps_out_and_it_is_said() -> None:
    said = ask(BIRD, "Arthur is flying.", 0.7, FORGETS, NOTHING, trace=True)
    assert isinstance(said, Traced)
    assert (said.answer, said.source, said.checked) == (True, Source.SOLVER, Status.VALID)
    assert (said.graph, said.chosen) == (FLIES.to_proof().graph, None)


def test_a_failure_that_is_right_is_checked() -> None:
    said = ask(BIRD, "Zoe is not a bird.", 0.1, NOTHING)
    assert (said.answer, said.source, said.checked) == (True, Source.CHECKED, Status.VALID)


def test_a_failure_is_the_deepest() -> None:
    """A shorter chain is genuine too, but says less of why nothing follows."""
    rules = ("If someone is red then they are big.", "If someone is big then they are cold.")
    short = path((0, 1), strategy=Strategy.FAIL_PROOF)
    deep = path((0, 1), (1, 0), strategy=Strategy.FAIL_PROOF)
    said = ask(rules, "Bob is cold.", 0.1, short, deep, trace=True)
    assert isinstance(said, Traced)
    assert (said.source, said.checked, said.chosen) == (Source.CHECKED, Status.VALID, 1)
    alone = ask(rules, "Bob is cold.", 0.1, short)
    assert (alone.source, alone.checked) == (Source.SOLVER, Status.VALID)
    assert alone.graph == deep.to_proof().graph


def test_an_unreadable_sentence_that_matters_is_named() -> None:
    odd = (*BIRD, "Wounded perhaps whenever the of.")
    said = ask(odd, "Arthur is flying.", 0.7, FLIES)
    assert (said.answer, said.source) == (True, Source.MODEL)
    assert (said.checked, said.unreadable) == (Status.UNREADABLE, (2,))


def test_what_cannot_be_checked_never_takes_the_place_of_the_best() -> None:
    odd = (*BIRD, "Wounded perhaps whenever the of.")
    said = ask(odd, "Arthur is flying.", 0.7, path((0, 1)), FLIES, trace=True)
    assert isinstance(said, Traced)
    assert (said.checked, said.source, said.chosen) == (Status.UNREADABLE, Source.MODEL, 0)
    assert said.graph == path((0, 1)).to_proof().graph


def test_an_unreadable_sentence_that_does_not_matter_is_no_obstacle() -> None:
    odd = ("Wounded perhaps whenever the of.", "Arthur is a bird.")
    said = ask(odd, "Arthur is a bird.", 0.3, path((0, 0)), path((0, 1)), trace=True)
    assert isinstance(said, Traced)
    assert (said.answer, said.source, said.checked) == (True, Source.CHECKED, Status.VALID)
    assert (said.unreadable, said.chosen) == ((0,), 1)


def test_a_question_that_cannot_be_read_is_not_checked() -> None:
    said = ask(BIRD, "Wounded perhaps whenever the of.", 0.7, FLIES)
    assert (said.answer, said.source, said.checked) == (True, Source.MODEL, Status.UNREADABLE)


def test_cooling_keeps_the_side_and_softens() -> None:
    assert abs(cooled(0.9, 1.0) - 0.9) < 1e-12
    assert 0.5 < cooled(0.9, 2.0) < 0.9 < cooled(0.9, 0.5) < 1
    assert abs(cooled(0.9, 3.0) + cooled(0.1, 3.0) - 1) < 1e-12
    assert (cooled(0.0, 2.0), cooled(1.0, 2.0)) == (0.0, 1.0)
    assert cooled(1e-40, 0.1) < 1e-300  # nothing overflows
