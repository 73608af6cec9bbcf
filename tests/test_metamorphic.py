"""Metamorphic trials: changes keep the truth, and a reasoner that minds them is found out."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from tiny import data_file, examples

from benchmarks import metamorphic
from benchmarks.metamorphic import CHANGES, ChangeTrial, Flips, mapped, renamed, shuffled, with_fact
from benchmarks.renaming import NotRenamed, Renaming, new_fact, new_rule
from ibr.data.formats.sources import Reader
from ibr.data.making.generator import Recipe, generate
from ibr.inputs.model_words import default_words
from ibr.inputs.tokens import tokenize
from ibr.logic.language import program_of
from ibr.logic.solver_reasoner import SolverReasoner
from ibr.logic.surface import templates
from ibr.prediction import Prediction
from ibr.proof import NAF, Graph
from ibr.theory import Problem, Question, Theory

KNOWN = default_words().known
PEOPLE = Theory.of(["Anne is kind.", "Bob is big.", "If someone is kind then they are nice."])
ASKED = Problem("q", PEOPLE, Question("Anne is nice."))
RNG = random.Random


def problems(count: int = 60) -> list[Problem]:
    made = (
        example.problem
        for depth, words in ((3, "ruletaker"), (2, "open"))
        for group in generate(Recipe(depth=depth, vocabulary=words), 4, 6)
        for example in group
    )
    return list(islice(made, count))


def test_no_change_moves_the_solver() -> None:
    """It knows what is true: a flip would be the fault of the change."""
    trial = ChangeTrial(SolverReasoner())
    asked = problems()
    trial.run(asked)
    for name, found in trial.flips.items():
        assert found.flips == 0, name
        assert found.questions + found.left_out == len(asked)
        assert found.questions > 0.8 * len(asked), name
    assert trial.flips["other words"].other_proofs == 0


class Nervous(SolverReasoner):
    """Says the opposite whenever the first sentence, a word or the length is not as it was."""

    def __init__(self, known: Sequence[Problem], mind: str) -> None:
        super().__init__()
        self._known = {problem.id: problem for problem in known}
        self._mind = mind

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        said = zip(problems, super().prove(problems), strict=True)
        return [replace(p, answer=p.answer != self._minds(problem)) for problem, p in said]

    def _minds(self, problem: Problem) -> bool:
        before = self._known[problem.id]
        if self._mind == "sentence order":
            old = {s: i for i, s in enumerate(before.theory)}
            places = [old[s] for s in problem.theory if s in old]
            return places != sorted(places)
        if self._mind == "other words":
            return before.question != problem.question
        added = set(problem.theory) - set(before.theory)
        kinds = {s.kind.value for s in added} if len(problem.theory) > len(before.theory) else set()
        return self._mind.removeprefix("irrelevant ") in kinds


@pytest.mark.parametrize("mind", CHANGES)
def test_a_reasoner_that_minds_a_change_is_found_out(mind: str) -> None:
    asked = problems(30)
    trial = ChangeTrial(Nervous(asked, mind))
    trial.run(asked)
    for name, found in trial.flips.items():
        assert found.flips == (found.questions if name == mind else 0), name
    assert trial.flips[mind].to_json()["flip_rate"] == 1.0


def test_new_words_say_the_same_of_something_else() -> None:
    for problem in problems():
        changed, back = renamed(problem, RNG(problem.theory.text))
        assert list(back) == list(range(len(problem.theory)))
        old, new = program_of(problem.theory), program_of(changed.theory)
        names: dict[str, str] = {}
        for before, after in zip(old.clauses, new.clauses, strict=True):
            pairs = zip(
                [*before[0].body, before[0].head], [*after[0].body, after[0].head], strict=True
            )
            for a, b in pairs:
                assert a.sign == b.sign
                for x, y in zip(a[:3], b[:3], strict=True):
                    assert names.setdefault(x, y) == y
        assert len(set(names.values())) == len(names)
        assert {x for x, y in names.items() if x == y} <= {"?x", "is", ""}
        symbols, others = (
            {t.symbol for s in theory for t in tokenize(s.text, KNOWN)} - {None}
            for theory in (problem.theory, changed.theory)
        )
        assert symbols.isdisjoint(others)  # nor does the model know the words again


def test_new_words_keep_the_forms() -> None:
    theory = Theory.of(
        [
            "The cat does not chase the bald eagle.",
            "All kind, big things are not red.",
            "If something is a bird and it likes the cat then it cannot fly.",
        ]
    )
    renaming = Renaming(theory, RNG(1))
    chase, kind, bird = (renaming.rewrite(sentence.text) for sentence in theory)
    cat = chase.split()[1]
    assert re.fullmatch(r"The \w+ does not \w+ the \w+\.", chase)
    assert re.fullmatch(r"All \w+, \w+ things are not \w+\.", kind)
    assert f"s the {cat} then it cannot " in bird
    assert renaming.rewrite("The cat is kind.").startswith(f"The {cat} is ")


def test_what_is_no_template_is_not_said_again() -> None:
    free = Theory.of(["Although Anne is kind, she seldom smiles."])
    with pytest.raises(NotRenamed):
        renamed(Problem("q", free, Question("Anne is kind.")), RNG(1))
    trial = ChangeTrial(SolverReasoner())
    trial.run([Problem("q", free, Question("Anne is kind."))])
    assert (trial.flips["other words"].left_out, trial.flips["sentence order"].left_out) == (1, 0)


def test_shuffling_keeps_numbers_and_tells_what_was_where() -> None:
    changed, back = shuffled(ASKED, RNG(3))
    assert sorted(i for i in back if i is not None) == [0, 1, 2]
    assert back != [0, 1, 2]
    for place, old in enumerate(back):
        assert old is not None
        assert changed.theory[place] == PEOPLE[old]
        assert changed.theory.numbers[place] == PEOPLE.numbers[old]


def test_added_sentences_are_about_nothing_else() -> None:
    for k in range(20):
        for make in (new_fact, new_rule):
            sentence = make(PEOPLE, RNG(k))
            reading = templates.parse(sentence.text)
            assert reading is not None
            assert reading.kind is sentence.kind
            own = {t.symbol for t in tokenize(sentence.text, KNOWN)} - {None}
            assert own.isdisjoint({t.symbol for s in PEOPLE for t in tokenize(s.text, KNOWN)})
        changed, back = with_fact(ASKED, RNG(k))
        assert [changed.theory[i] for i, old in enumerate(back) if old is not None] == [*PEOPLE]
        assert len(changed.theory) == 4


def test_a_newcomer_that_alters_the_truth_is_left_out() -> None:
    """Whoever is not tall is short, and if anyone is short then Anne is happy."""
    theory = Theory.of(
        [
            "Anne is tall.",
            "If someone is not tall then they are short.",
            "If someone is short then Anne is happy.",
        ]
    )
    trial = ChangeTrial(SolverReasoner())
    trial.run([Problem("q", theory, Question("Anne is happy."))])
    assert trial.flips["irrelevant fact"] == Flips(left_out=1)
    assert trial.flips["irrelevant rule"] == Flips(questions=1, proofs=1)


def test_what_a_reasoner_does_not_take_is_not_asked_again() -> None:
    circle = Theory.of(["If Bob is not red then Bob is big.", "If Bob is not big then Bob is red."])
    trial = ChangeTrial(SolverReasoner())
    trial.run([Problem("c", circle, Question("Bob is big.")), ASKED])
    assert {(found.questions, found.flips) for found in trial.flips.values()} == {(1, 0)}


def test_proofs_are_compared_by_what_their_sentences_were() -> None:
    graph = Graph.of([2, 0, NAF], [(2, 0), (NAF, 0)])
    assert mapped(graph, [1, None, 0]) == Graph.of([0, 1, NAF], [(0, 1), (NAF, 1)])
    assert mapped(graph, [None, 1, 0]) is None
    found = Flips()
    said = Prediction("q", True, "x", graph=graph)
    found.add(said, replace(said, graph=Graph.of([0, 1, NAF], [(0, 1), (NAF, 1)])), [2, 0])
    found.add(said, said, [2, 0, 1])
    found.add(replace(said, graph=None), replace(said, answer=False, graph=None), [])
    assert found == Flips(questions=3, flips=1, proofs=2, other_proofs=1)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = data_file(tmp_path, examples(theories=2))
    metamorphic.main(["--reasoner", "solver", "--data", str(data), "--limit", "8", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert list(told["changes"]) == list(CHANGES)
    assert all(found["questions"] + found["left_out"] == 8 for found in told["changes"].values())
    metamorphic.main(["--reasoner", "ibr", "--data", str(data), "--limit", "8"])
    shown = capsys.readouterr().out
    assert [line[:16].strip() for line in shown.splitlines()[2:]] == list(CHANGES)


def test_real_questions_can_be_changed(real_data: Path) -> None:
    for name in ("depth-5-dev-slice", "birds-electricity"):
        trial = ChangeTrial(SolverReasoner())
        trial.run(e.problem for e in islice(Reader().examples(real_data / name), 100))
        for found in trial.flips.values():
            assert (found.flips, found.questions > 70) == (0, True)
