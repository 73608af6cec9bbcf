"""A proof in English: the words, the citations, and that every step is true."""

from __future__ import annotations

from itertools import islice, product

from hypothesis import given
from hypothesis import strategies as st
from strategies import programs

from ibr.logic.checking.verifier import check
from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.explaining.explanation import proof_lines, steps_of
from ibr.logic.language import program_of, read_question
from ibr.logic.solving.solver import Solver
from ibr.logic.surface.phrases import phrase
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


def explained(question: str, graph: Graph | None = None) -> list[str]:
    literal = read_question(question)
    solver = Solver(PROGRAM)
    proved = solver.judge(literal).proved
    assert proved is not None
    return proof_lines(steps_of(PROGRAM, proved, graph or solver.proof(proved).graph))


def lacking(question: str, *chain: int) -> list[tuple[int, str, str]]:
    """(rule, what it would show, what it lacks) of a fail-proof."""
    found = check(PROGRAM, read_question(question), Proof.failure(chain).graph)
    assert found.valid
    return [(rule, phrase(goal), phrase(lack, "anything")) for rule, goal, lack in found.lacks]


def test_intermediate_conclusions_are_stated_and_cited() -> None:
    assert explained("Charlie is big.") == [
        "Charlie is young [2] and nothing shows that Charlie is cold, so Charlie is quiet [3].",
        "Charlie is kind [1] and quiet [by 3], so Charlie is big [4].",
    ]


def test_a_fact_is_said_as_it_stands() -> None:
    assert explained("Bob is cold.") == ["Bob is cold [6]."]
    assert explained("Bob is not cold.") == ["Bob is cold [6]."]


def test_a_graph_reads_like_the_proof_it_comes_from() -> None:
    graph = Graph.of([0, 1, 2, 3, 6, NAF], [(1, 2), (NAF, 2), (0, 3), (2, 3), (3, 6)])
    assert explained("Charlie is nice.", graph) == [
        *explained("Charlie is big."),
        "Charlie is big [by 4], so Charlie is nice [7].",
    ]


def test_a_fail_proof_has_what_each_rule_lacks() -> None:
    assert lacking("Bob is nice.", 6, 3, 2) == [
        (6, "Bob is nice", "Bob is big"),
        (3, "Bob is big", "Bob is quiet"),
        (2, "Bob is quiet", "Bob is not cold"),
    ]
    assert lacking("The cat is happy.", 7) == [(7, "the cat is happy", "anything likes the cat")]
    assert lacking("Bob is not kind.") == []


def test_steps_are_structured() -> None:
    graph = Graph.of([0, 1, 2, 3, NAF], [(1, 2), (NAF, 2), (0, 3), (2, 3)])
    steps = steps_of(PROGRAM, read_question("Charlie is big."), graph)
    last = steps[-1]
    assert (last.node, last.conclusion) == (3, Literal("Charlie", "is", "big"))
    assert [(p.literal.object, p.source) for p in last.premises] == [("kind", 0), ("quiet", 2)]
    quiet = next(step for step in steps if step.node == 2)
    assert quiet.premises[1] == (Literal("Charlie", "is", "cold", Sign.NAF), NAF)


@given(programs(), st.data())
def test_every_step_is_an_instance_of_its_sentence_on_earlier_steps(
    program: Program, data: st.DataObject
) -> None:
    solver = Solver(program)
    literal = data.draw(st.sampled_from(sorted(solver.model, key=str)))
    proof = data.draw(st.sampled_from(list(islice(solver.proofs(literal), 4))))
    steps = steps_of(program, literal, proof.graph)
    assert steps[-1].conclusion == literal
    earlier: set[tuple[int, Literal]] = set()
    for step in steps:
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
    assert {step.node for step in steps} <= proof.graph.nodes
    assert all(line.endswith(".") for line in proof_lines(steps))


def _instances(program: Program, sentence: int) -> set[Clause]:
    return {
        clause.bind(dict(zip(sorted(clause.variables), values, strict=True)))
        for clause in program.clauses[sentence]
        for values in product(sorted(program.entities), repeat=len(clause.variables))
    }
