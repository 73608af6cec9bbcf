"""The verifier against a naive twin, the solver's proofs, their mutations, and the real files."""

from __future__ import annotations

from itertools import islice, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import programs, statements

from ibr.data.formats.rule_reasoning import read as read_examples
from ibr.logic.checking.verifier import Check, check
from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.language import program_of, read_question
from ibr.logic.solving.solver import Solver
from ibr.prediction import Status
from ibr.proof import NAF, Graph, Proof
from ibr.theory import Strategy, Theory


class Twin:
    """The same judgements without any cleverness: every rule ground, rounds until nothing moves."""

    def __init__(self, program: Program, question: Literal) -> None:
        self.question = question
        self.proved = set(Solver(program, question.entities).model)
        domain = sorted(program.entities | question.entities)
        self.instances = [
            [instance for clause in clauses for instance in _ground(clause, domain)]
            for clauses in program.clauses
        ]

    def derives(self, graph: Graph) -> tuple[set[tuple[int, Literal]], set[tuple[int, int]]]:
        """(node, conclusion) pairs, and the edges that serve a firing."""
        derived: set[tuple[int, Literal]] = set()
        while True:
            fired = [
                (node, instance)
                for node in graph.nodes - {NAF}
                for instance in self.instances[node]
                if all(self._sources(graph, derived, node, c) for c in instance.body)
            ]
            found = {(node, instance.head) for node, instance in fired}
            if found == derived:
                break
            derived = found
        used = {
            (source, node)
            for node, instance in fired
            for condition in instance.body
            for source in self._sources(graph, derived, node, condition)
        }
        return derived, used

    def _sources(
        self, graph: Graph, derived: set[tuple[int, Literal]], node: int, condition: Literal
    ) -> list[int]:
        if condition.positive:
            return [p for p in graph.premises(node) if (p, condition) in derived]
        return [NAF] * (NAF in graph.premises(node) and condition.atom not in self.proved)

    def accepts(self, graph: Graph) -> bool:
        derived, used = self.derives(graph)
        shown = {literal for _, literal in derived} & {self.question, self.question.negation}
        return bool(shown) and graph.edges <= used

    def accepts_chain(self, chain: tuple[int, ...]) -> bool:
        """Do the rules fail one for another, starting from the question's atom?"""
        goal = self.question.atom
        if self.proved & {self.question, self.question.negation}:
            return False
        return self._fails(goal, chain) if chain else not self._concluded(goal)

    def _concluded(self, goal: Literal) -> bool:
        return any(i.head == goal for instances in self.instances for i in instances)

    def _fails(self, goal: Literal, chain: tuple[int, ...]) -> bool:
        if not chain:
            return True
        heads = [i for i in self.instances[chain[0]] if i.head == goal]
        return bool(heads) and (
            len(chain) == 1
            or any(
                condition.positive
                and condition not in self.proved
                and self._fails(condition, chain[1:])
                for instance in heads
                for condition in instance.body
            )
        )


def _ground(clause: Clause, domain: list[str]) -> list[Clause]:
    names = sorted(clause.variables)
    return [
        clause.bind(dict(zip(names, values, strict=True)))
        for values in product(domain, repeat=len(names))
    ]


@st.composite
def proved(draw: st.DrawFn) -> tuple[Program, Literal, Proof]:
    """A program, something it proves, and one of the first proofs of it."""
    program = draw(programs())
    solver = Solver(program)
    literal = draw(st.sampled_from(sorted(solver.model, key=str)))
    proof = draw(st.sampled_from(list(islice(solver.proofs(literal), 6))))
    return program, literal, proof


@st.composite
def mutated(draw: st.DrawFn, graph: Graph, size: int) -> Graph:
    """Drop or swap a node, drop, turn, add or redirect an edge; once or a few times."""
    for _ in range(draw(st.integers(1, 3))):
        nodes, edges = sorted(graph.nodes), sorted(graph.edges)
        anything = st.integers(NAF, size - 1)
        drawn = draw(st.sampled_from(nodes)) if nodes else draw(anything)
        other = draw(anything)
        match draw(st.sampled_from(["drop", "swap", "add", "edge", "no edge", "turn"])):
            case "drop":
                graph = _renamed(graph, {drawn: None})
            case "swap":
                graph = _renamed(graph, {drawn: other, other: drawn})
            case "add":
                graph = Graph(graph.nodes | {other}, graph.edges)
            case "edge":
                ends = (other, drawn) if drawn != NAF else (drawn, max(other, 0))
                graph = Graph(graph.nodes | {*ends}, graph.edges | {ends})
            case "no edge" if edges:
                graph = Graph(graph.nodes, graph.edges - {draw(st.sampled_from(edges))})
            case "turn" if edges:
                premise, rule = draw(st.sampled_from(edges))
                if premise != NAF:
                    turned = graph.edges - {(premise, rule)} | {(rule, premise)}
                    graph = Graph(graph.nodes, turned)
    return graph


def _renamed(graph: Graph, names: dict[int, int | None]) -> Graph:
    """Each node under its new name; one without a name goes, and so do edges into NAF."""
    name = {node: names.get(node, node) for node in graph.nodes}
    edges = {(name[premise], name[rule]) for premise, rule in graph.edges}
    return Graph(
        frozenset(node for node in name.values() if node is not None),
        frozenset((p, r) for p, r in edges if p is not None and r is not None and r != NAF),
    )


@given(proved())
def test_every_proof_of_the_solver_is_valid(case: tuple[Program, Literal, Proof]) -> None:
    program, literal, proof = case
    found = check(program, literal, proof.graph, Strategy.PROOF, True)
    assert (found.status, found.shows) == (Status.VALID, literal)
    assert check(program, literal.negation, proof.graph, Strategy.PROOF, False).shows == literal
    assert check(program, literal, proof.graph).valid
    assert not check(program, literal, proof.graph, Strategy.FAIL_PROOF).valid


@given(st.data())
@settings(max_examples=400)
def test_a_mutation_is_invalid_or_another_proof(data: st.DataObject) -> None:
    program, literal, proof = data.draw(proved())
    graph = data.draw(mutated(proof.graph, len(program.clauses)))
    found = check(program, literal, graph, Strategy.PROOF)
    assert found.valid == Twin(program, literal).accepts(graph)
    assert found.status is not Status.UNREADABLE
    assert bool(found.why) != found.valid


@given(st.data())
@settings(max_examples=200)
def test_what_is_redundant_can_go_and_nothing_else(data: st.DataObject) -> None:
    program, literal, proof = data.draw(proved())
    graph = data.draw(mutated(proof.graph, len(program.clauses)))
    found = check(program, literal, graph, Strategy.PROOF)
    if not found.valid:
        graph, found = proof.graph, check(program, literal, proof.graph, Strategy.PROOF)
    kept = Graph(graph.nodes - found.redundant, graph.edges - found.redundant_edges)
    assert check(program, literal, kept) == Check(Status.VALID, shows=found.shows)
    derives = Twin(program, literal).derives
    for node in kept.nodes:
        smaller = _renamed(kept, {node: None})
        assert found.shows not in {conclusion for _, conclusion in derives(smaller)[0]}
    for edge in kept.edges:
        smaller = Graph(kept.nodes, kept.edges - {edge})
        assert found.shows not in {conclusion for _, conclusion in derives(smaller)[0]}


@given(proved(), st.data())
def test_an_extra_node_is_flagged(
    case: tuple[Program, Literal, Proof], data: st.DataObject
) -> None:
    program, literal, proof = case
    extra = data.draw(st.integers(NAF, len(program.clauses) - 1))
    found = check(program, literal, Graph(proof.graph.nodes | {extra}, proof.graph.edges))
    assert found.valid
    assert found.redundant or extra in proof.graph.nodes


@given(programs(), statements(), st.data())
@settings(max_examples=200)
def test_failure_chains_against_the_twin(
    program: Program, question: Literal, data: st.DataObject
) -> None:
    solver = Solver(program, question.entities)
    if solver.judge(question).proved:
        assert not check(program, question, Graph(), Strategy.FAIL_PROOF).valid
        return
    deepest = solver.failure(question.atom).graph
    answer = not question.positive
    assert check(program, question, deepest, Strategy.FAIL_PROOF, answer).valid
    assert not check(program, question, deepest, Strategy.FAIL_PROOF, not answer).valid
    empty = check(program, question, Graph(), Strategy.FAIL_PROOF)
    assert empty.valid == Twin(program, question).accepts_chain(()) == (not deepest.nodes)
    rules = st.lists(st.integers(0, len(program.clauses) - 1), max_size=3, unique=True)
    chain = tuple(data.draw(rules))
    found = check(program, question, Proof.failure(chain).graph, Strategy.FAIL_PROOF)
    assert found.valid == Twin(program, question).accepts_chain(chain)


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


def test_all_birds_and_electricity_proofs_are_valid(real_data: Path) -> None:
    count = 0
    for example in read_examples(real_data / "birds-electricity"):
        program, question = program_of(example.theory), read_question(example.question)
        assert example.proofs
        for proof in example.proofs:
            found = check(program, question, proof.graph, proof.strategy, example.answer)
            assert (found.valid, found.redundant) == (True, frozenset()), (example.id, found)
            count += 1
    assert count == 5270


def test_the_solvers_proofs_of_real_questions_are_valid(real_data: Path) -> None:
    solver: Solver | None = None
    for example in read_examples(real_data / "depth-5-dev-slice"):
        program, question = program_of(example.theory), read_question(example.question)
        if solver is None or solver.program is not program:
            solver = Solver(program)
        verdict = solver.judge(question)
        proof = solver.proof(verdict.proved) if verdict.proved else solver.failure(question.atom)
        found = check(program, question, proof.graph, verdict.strategy, example.answer)
        assert found.valid, (example.id, found)
