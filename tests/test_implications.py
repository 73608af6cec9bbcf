"""ProofWriter, iterative, with a perfect step: all answers, and a proof of all that has one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from tiny import examples

from ibr.baselines.algorithms.implications import Enumeration, Teacher
from ibr.data.formats.example import by_theory
from ibr.data.formats.sources import Reader
from ibr.inputs.model_words import default_words
from ibr.logic.language import program_of, read_question
from ibr.logic.solving.solver import Solver
from ibr.proof import Graph, Proof
from ibr.theory import Theory

KNOWN = default_words().known
TOM = Theory.of(
    [
        "Tom is old.",
        "If someone is old then they are wise.",
        "If someone is wise and not loud then they are calm.",
    ]
)


def enumerated(theory: Theory, rng: random.Random | None = None) -> Enumeration:
    teacher = Teacher(Solver(program_of(theory)), KNOWN, rng)

    def step(sentences: Sequence[str]) -> list[str]:
        assert sentences[len(theory) :] == teacher.appended(len(sentences) - len(theory))
        return teacher.target(len(sentences) - len(theory))

    return Enumeration(theory, step, KNOWN)


def test_the_worked_example() -> None:
    teacher = Teacher(Solver(program_of(TOM)), KNOWN)
    assert [" ".join(teacher.target(k)) for k in range(3)] == [
        "tom wise ; # sent2 @int1 sent1",
        "tom calm ; # sent3 @int1 & sent4 naf1",
        "none",
    ]
    found = enumerated(TOM)
    assert found.steps == 3
    answer, tree = found.look_up("Tom is not calm.")
    assert not answer
    assert tree is not None
    assert Solver(program_of(TOM)).proof(read_question("Tom is calm.")) == Proof.of(tree)
    assert found.look_up("Tom is tall.") == (False, None)
    assert found.look_up("Tom is not tall.") == (True, None)


def check(theories: list) -> None:
    for k, group in enumerate(theories):
        found = enumerated(group[0].theory, random.Random(k))
        assert not found.malformed
        assert not found.repeated
        solver = Solver(program_of(group[0].theory))
        for example in group:
            question = read_question(example.question)
            answer, tree = found.look_up(example.question)
            assert answer is example.answer, example.id
            assert (tree is not None) is (solver.judge(question).proved is not None)
            graph = Proof.of(tree).graph if tree else Graph()
            assert tree is None or solver.accepts(question, graph), example.id


def test_a_perfect_step_proves_all_that_is_provable() -> None:
    check(list(by_theory(examples(depth=3, theories=12))))


def test_a_perfect_step_on_real_questions(real_data: Path) -> None:
    path = real_data / "depth-5-dev-slice"
    if not path.exists():
        pytest.skip(f"{path} not found: real questions of depth 5")
    check(list(by_theory(Reader().examples(path))))


@pytest.mark.parametrize(
    ("text", "malformed", "repeated"),
    [
        ("", True, False),
        ("tom wise", True, False),
        ("; # sent2 @int1 sent1", True, False),
        ("tom wise ; sent9", True, False),
        ("tom wise ; # sent2 @int1 # sent2 @int2 sent1", True, False),
        ("tom old ; # sent2 @int1 sent1", False, True),
        ("none", False, False),
    ],
)
def test_other_text_ends_the_enumeration(text: str, malformed: bool, repeated: bool) -> None:
    found = Enumeration(TOM, lambda sentences: text.split(), KNOWN)
    assert (found.malformed, found.repeated, found.steps) == (malformed, repeated, 1)
