"""A proof told in English: the words, the citations, and that every step is true."""

from __future__ import annotations

from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import programs

from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.explain import ExplainError, explain, tell
from ibr.logic.language import program_of, read_question
from ibr.logic.solver import Solver
from ibr.proof import NAF, Graph, Proof
from ibr.theory import Theory

TEXTS = [
    "Charlie is kind.",
    "Charlie is young.",
    "If someone is young and not cold then they are quiet.",
    "If someone is kind and quiet then they are big.",
    "Bob is young.",
    "Bob is cold.",
    "All big people are nice.",
    "If someone likes the cat then the cat is happy.",
    "If the bald eagle is big and the bald eagle likes the cat then the cat is not happy.",
]
PROGRAM = program_of(Theory.of(TEXTS))


def told(question: str, proof: Proof | Graph | None = None) -> list[str]:
    literal = read_question(question)
    if proof is None:
        solver = Solver(PROGRAM)
        proved = solver.judge(literal).proved
        proof = solver.proof(proved) if proved else solver.failure(literal.atom)
    return tell(explain(PROGRAM, literal, proof)).splitlines()


def test_intermediate_conclusions_are_told_and_cited() -> None:
    assert told("Charlie is big.") == [
        "Charlie is young [2] and nothing shows that Charlie is cold, so Charlie is quiet [3].",
        "Charlie is kind [1] and quiet [by 3], so Charlie is big [4].",
    ]


def test_a_fact_is_said_as_it_stands() -> None:
    assert told("Bob is cold.") == ["Bob is cold [6]."]
    assert told("Bob is not cold.") == ["Bob is cold [6]."]


def test_a_graph_is_told_like_the_proof_it_comes_from() -> None:
    graph = Graph.of([0, 1, 2, 3, 6, NAF], [(1, 2), (NAF, 2), (0, 3), (2, 3), (3, 6)])
    assert told("Charlie is nice.", graph) == [
        *told("Charlie is big."),
        "Charlie is big [by 4], so Charlie is nice [7].",
    ]


def test_numbers_are_the_readers_own() -> None:
    literal = read_question("Bob is cold.")
    explanation = explain(PROGRAM, literal, Graph.of([5]))
    assert tell(explanation, number=lambda index: f"§{index}") == "Bob is cold [§5]."


def test_a_fail_proof_says_what_each_rule_lacks() -> None:
    assert told("Bob is nice.", Proof.failure([6, 3, 2])) == [
        "Nothing shows that Bob is nice.",
        "[7] would show that Bob is nice, but nothing shows that Bob is big.",
        "[4] would show that Bob is big, but nothing shows that Bob is quiet.",
        "[3] would show that Bob is quiet, but it can be shown that Bob is cold.",
        "What nothing shows is taken as false, so Bob is not nice.",
    ]


def test_what_fails_for_everything_is_said_of_anything() -> None:
    assert told("The cat is happy.", Proof.failure([7])) == [
        "Nothing shows that the cat is happy.",
        "[8] would show that the cat is happy, but nothing shows that anything likes the cat.",
        "What nothing shows is taken as false, so the cat is not happy.",
    ]


def test_an_empty_failure_is_told_too() -> None:
    explanation = explain(PROGRAM, read_question("Bob is not kind."), Proof.failure())
    assert explanation.answer is True
    assert tell(explanation).splitlines() == [
        "Nothing shows that Bob is kind.",
        "What nothing shows is taken as false, so Bob is not kind.",
    ]


def test_steps_are_structured() -> None:
    explanation = explain(
        PROGRAM,
        read_question("Charlie is not big."),
        Graph.of([0, 1, 2, 3, NAF], [(1, 2), (NAF, 2), (0, 3), (2, 3)]),
    )
    assert explanation.answer is False
    assert explanation.shows == Literal("Charlie", "is", "big")
    last = explanation.steps[-1]
    assert (last.node, last.conclusion) == (3, explanation.shows)
    assert [(p.literal.object, p.source) for p in last.premises] == [("kind", 0), ("quiet", 2)]
    quiet = next(step for step in explanation.steps if step.node == 2)
    assert quiet.premises[1] == (Literal("Charlie", "is", "cold", Sign.NAF), NAF)


@pytest.mark.parametrize(
    ("question", "graph", "why"),
    [
        ("Bob is quiet.", Graph.of([4, 2, NAF], [(4, 2), (NAF, 2)]), "false that Bob is cold"),
        ("Charlie is big.", Graph.of([1]), "not whether Charlie is big"),
        ("Charlie is big.", Graph(), "can be proved that Charlie is big"),
        ("Bob is nice.", Graph.of([6, 2], [(2, 6)]), "could not conclude"),
    ],
)
def test_what_is_no_proof_is_not_explained(question: str, graph: Graph, why: str) -> None:
    with pytest.raises(ExplainError, match=why):
        explain(PROGRAM, read_question(question), graph)


@given(programs(), st.data())
def test_every_step_is_an_instance_of_its_sentence_on_earlier_steps(
    program: Program, data: st.DataObject
) -> None:
    solver = Solver(program)
    literal = data.draw(st.sampled_from(sorted(solver.model, key=str)))
    proof = data.draw(st.sampled_from(list(islice(solver.proofs(literal), 4))))
    explanation = explain(program, literal, proof)
    assert explanation.shows == literal == explanation.steps[-1].conclusion
    earlier: set[tuple[int, Literal]] = set()
    for step in explanation.steps:
        body = tuple(premise.literal for premise in step.premises)
        assert Clause(step.conclusion, body) in _instances(program, step.node)
        for premise in step.premises:
            if premise.source == NAF:
                assert premise.literal.sign == Sign.NAF
                assert premise.literal.atom not in solver.model
            else:
                assert (premise.source, premise.literal) in earlier
                assert (premise.source, step.node) in proof.graph.edges
        earlier.add((step.node, step.conclusion))
    assert {step.node for step in explanation.steps} <= proof.graph.nodes
    assert tell(explanation).count(".") >= 1


def _instances(program: Program, sentence: int) -> set[Clause]:
    return {
        clause.bind(dict(zip(sorted(clause.variables), values, strict=True)))
        for clause in program.said[sentence]
        for values in product(sorted(program.entities), repeat=len(clause.variables))
    }
