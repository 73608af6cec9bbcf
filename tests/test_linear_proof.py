"""Proofs as text: what is written is read back the same; what is no proof is refused by place."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import programs

from ibr.baselines.algorithms.linear_proof import (
    Malformed,
    derive,
    read_proof,
    write_derived,
    write_proof,
)
from ibr.logic.clause import Literal, Program
from ibr.logic.language import program_of, read_question, say
from ibr.logic.solving.solver import Solver
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Theory

TOM = Theory.of(
    [
        "Tom is old.",
        "If someone is old then they are wise.",
        "If someone is wise and not loud then they are calm.",
    ]
)
SIZE = 3


def spelled(literal: Literal) -> list[str]:
    return say(literal).rstrip(".").split()


def test_the_worked_example() -> None:
    solver = Solver(program_of(TOM))
    goal = read_question("Tom is calm.")
    proof = solver.proof(goal)
    assert proof.root is not None
    tokens = write_derived(derive(solver.instances, goal, proof.root), spelled)
    assert " ".join(tokens) == (
        "# sent3 @int1 & # sent2 @int2 sent1 naf1 ; "
        "with @int1 : Tom is calm ; @int2 : Tom is wise ; naf1 : Tom is not loud"
    )
    assert read_proof(tokens, SIZE) == proof


@given(programs())
def test_proofs_of_the_solver_survive(program: Program) -> None:
    solver = Solver(program)
    size = len(program.clauses)
    for literal in sorted(solver.model)[:12]:
        proof = solver.proof(literal)
        assert proof.root is not None
        assert read_proof(write_proof(proof), size) == proof
        derived = derive(solver.instances, literal, proof.root)
        assert read_proof(write_derived(derived, spelled), size) == proof
    for atom in solver.failing[:6]:
        chain = solver.failure(atom)
        assert read_proof(write_proof(chain), size) == chain


def test_three_premises_and_facts() -> None:
    proof = Proof.of(Tree(2, (Tree(0), Tree(NAF), Tree(1, (Tree(0),)))))
    tokens = "# sent3 @int1 & sent1 & naf1 # sent2 @int2 sent1".split()
    assert write_proof(proof) == tokens
    assert read_proof(tokens, SIZE) == proof
    assert write_proof(Proof.of(Tree(0))) == ["sent1"]
    assert write_proof(Proof.failure()) == ["none"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "too early"),
        ("# sent3 @int1", "too early"),
        ("# sent3 sent1", "conclusion"),
        ("sent9", "'sent9' is no sentence"),
        ("# & @int1 sent1", "'&' is no sentence"),
        ("sent1 sent2", "after the proof"),
        ("none sent9", "is no sentence"),
    ],
)
def test_malformed_text_names_the_token(text: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        read_proof(text.split(), SIZE)
