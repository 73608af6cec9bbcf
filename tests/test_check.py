"""What the verifier finds of given graphs: the fault named, what is redundant, what is unread."""

from __future__ import annotations

import pytest

from ibr.logic.checking.verifier import Check, check
from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.language import program_of, read_question
from ibr.prediction import Status
from ibr.proof import NAF, Graph
from ibr.theory import Strategy, Theory

TEXTS = [
    "Charlie is kind.",
    "Charlie is young.",
    "If someone is young and not cold then they are quiet.",
    "If someone is kind and quiet then they are big.",
    "Bob is young.",
    "Bob is cold.",
    "All big people are nice.",
    "Charlie is not blue.",
    "If someone is big and rough then they are odd.",
]
BIG = Graph.of([0, 1, 2, 3, NAF], [(1, 2), (NAF, 2), (0, 3), (2, 3)])


def checked(question: str, graph: Graph, strategy: Strategy | None = None) -> Check:
    return check(program_of(Theory.of(TEXTS)), read_question(question), graph, strategy)


@pytest.mark.parametrize(
    ("question", "graph", "where", "why"),
    [
        ("Charlie is big.", Graph.of([0, 44]), 44, "only 9 sentences"),
        ("Charlie is big.", Graph.of([0, 1], [(0, 1)]), (0, 1), "only a rule has premises"),
        ("Charlie is big.", Graph.of([0, 3], [(0, 3)]), 3, "premise shows that Charlie is quiet"),
        ("Charlie is quiet.", Graph.of([1, 2], [(1, 2)]), 2, "NAF must be cited"),
        ("Bob is quiet.", Graph.of([4, 2, NAF], [(4, 2), (NAF, 2)]), 2, "false that Bob is cold"),
        ("Charlie is nice.", BIG, 3, "shows that Charlie is big, not whether Charlie is nice"),
        (
            "Charlie is big.",
            Graph(BIG.nodes, BIG.edges | {(1, 3)}),
            (1, 3),
            "that Charlie is young serves no condition",
        ),
        (
            "Charlie is big.",
            Graph(BIG.nodes, BIG.edges | {(NAF, 3)}),
            (NAF, 3),
            "no use of this rule rests on a negated condition",
        ),
        (  # the step at fault is the one below, not the ones that rest on it
            "Charlie is nice.",
            Graph.of([0, 1, 2, 3, 6], [(1, 2), (0, 3), (2, 3), (3, 6)]),
            2,
            "NAF must be cited",
        ),
    ],
)
def test_the_wrong_step_is_named(
    question: str, graph: Graph, where: int | tuple[int, int], why: str
) -> None:
    found = checked(question, graph, Strategy.PROOF)
    assert (found.status, found.where) == (Status.INVALID, where)
    assert why in found.why


@pytest.mark.parametrize(
    ("question", "graph", "where", "why"),
    [
        ("Charlie is big.", Graph(), None, "it can be proved that Charlie is big"),
        ("Charlie is not big.", Graph(), None, "it can be proved that Charlie is big"),
        ("Charlie is blue.", Graph(), None, "it can be proved that Charlie is not blue"),
        ("Bob is nice.", Graph.of([6, NAF]), NAF, "NAF has no place"),
        ("Bob is nice.", Graph.of([6, 3]), None, "one chain"),
        ("Bob is nice.", Graph.of([2, 3], [(2, 3)]), 3, "could not conclude that Bob is nice"),
        ("Bob is nice.", Graph(), 6, "could conclude that Bob is nice: say why it fails"),
        ("Charlie is not odd.", Graph(), 8, "could conclude that Charlie is odd"),
        ("Bob is nice.", Graph.of([6, 2], [(2, 6)]), 2, "could not conclude what fails"),
        ("Charlie is odd.", Graph.of([8, 3], [(3, 8)]), 3, "could not conclude what fails"),
        ("Bob is nice.", Graph.of([6, 3, 2], [(3, 6), (2, 6)]), 6, "branches"),
        ("Bob is nice.", Graph.of([6, 3], [(3, 6), (6, 3)]), None, "one chain"),
        ("Bob is nice.", Graph.of([6, 2, 3], [(2, 3), (3, 2)]), None, "without a circle"),
    ],
)
def test_the_fault_of_a_failure_is_named(
    question: str, graph: Graph, where: int | None, why: str
) -> None:
    found = checked(question, graph, Strategy.FAIL_PROOF)
    assert (found.status, found.where) == (Status.INVALID, where)
    assert why in found.why


def test_an_unused_node_is_valid_but_redundant() -> None:
    found = checked("Charlie is big.", Graph(BIG.nodes | {5, 6}, BIG.edges))
    assert (found.status, found.redundant) == (Status.VALID, {5, 6})


def test_a_true_edge_that_nothing_needs_is_redundant() -> None:
    texts = [
        "Anne is kind.",
        "Bob is kind.",
        "Kind people are big.",
        "If Anne is big then Bob is nice.",
    ]
    program = program_of(Theory.of(texts))
    graph = Graph.of([0, 1, 2, 3], [(0, 2), (1, 2), (2, 3)])
    found = check(program, read_question("Bob is nice."), graph)
    assert (found.redundant, found.redundant_edges) == ({1}, {(1, 2)})


def test_of_two_ways_to_the_same_thing_one_is_redundant() -> None:
    program = program_of(Theory.of(["Bob is kind.", "Bob is kind.", "Kind people are big."]))
    graph = Graph.of([0, 1, 2], [(0, 2), (1, 2)])
    found = check(program, read_question("Bob is big."), graph)
    assert (found.redundant, found.redundant_edges) == ({1}, {(1, 2)})
    # Big twice over, the second time from what the first gave: a circle that nothing needs.
    texts = ["Bob is kind.", "Kind people are big.", "Big people are kind.", "Big people are nice."]
    graph = Graph.of([0, 1, 2, 3], [(0, 1), (1, 2), (2, 1), (1, 3)])
    found = check(program_of(Theory.of(texts)), read_question("Bob is nice."), graph)
    assert (found.redundant, found.redundant_edges) == ({2}, {(1, 2), (2, 1)})


def test_a_sentence_that_only_looks_needed() -> None:
    """The first derivation found uses both sentences, though the second says it all."""
    kind, quiet, big = (Literal("Bob", "is", word) for word in ("kind", "quiet", "big"))
    rule = Clause(big, (kind, quiet))
    program = Program(((Clause(kind),), (Clause(kind), Clause(quiet)), (rule,)))
    found = check(program, big, Graph.of([0, 1, 2], [(0, 2), (1, 2)]))
    assert (found.redundant, found.redundant_edges) == ({0}, {(0, 2)})


def test_the_answer_must_be_what_the_proof_shows() -> None:
    program, question = program_of(Theory.of(TEXTS)), read_question("Charlie is not big.")
    assert check(program, question, BIG, answer=False).valid
    found = check(program, question, BIG, answer=True)
    assert found.status is Status.INVALID
    assert found.why == "the proof shows that Charlie is big: the answer is False"


def test_what_cannot_be_read_is_named_where_it_matters() -> None:
    program = Program((*program_of(Theory.of(TEXTS)).clauses, ()), unreadable=(9,))
    kind, big, nice = map(read_question, ("Bob is young.", "Charlie is big.", "Bob is nice."))
    assert check(program, kind, Graph.of([4])).valid  # rests on nothing that is unknown
    for question, graph in (
        (big, BIG),  # NAF asks the whole theory
        (nice, Graph.of([6])),  # and so does failure
        (kind, Graph.of([4, 9])),  # cited
    ):
        found = check(program, question, graph)
        assert (found.status, found.where) == (Status.UNREADABLE, 9)
    wrong = Graph(BIG.nodes, BIG.edges | {(1, 3)})
    assert check(program, big, wrong).status is Status.INVALID  # whatever the sentence says


def test_nothing_rests_on_a_paradox() -> None:
    """ "Odd if not odd" leaves it open whether Bob is odd: it may be denied by no proof."""
    odd, big = Literal("Bob", "is", "odd"), Literal("Bob", "is", "big")
    not_odd = odd._replace(sign=Sign.NAF)
    program = Program(((Clause(odd, (not_odd,)),), (Clause(big, (not_odd,)),)))
    found = check(program, big, Graph.of([1, NAF], [(NAF, 1)]))
    assert (found.status, found.where) == (Status.INVALID, 1)
    assert found.why == "it cannot be taken as false that Bob is odd"
    found = check(program, odd, Graph(), Strategy.FAIL_PROOF)
    assert found.why == "a cycle of negations leaves open whether Bob is odd"


def test_a_question_must_be_a_statement() -> None:
    with pytest.raises(ValueError, match="ground literal"):
        check(program_of(Theory.of(TEXTS)), Literal("?x", "is", "big"), BIG)
