"""The verifier against a naive twin, the solver's proofs, their mutations, and the real files."""

from __future__ import annotations

from itertools import islice, product
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import programs, statements

from ibr.data.formats.rule_reasoning import read as read_examples
from ibr.logic.checking.verifier import Check, check
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.language import program_of, read_question
from ibr.logic.solving.solver import Solver
from ibr.prediction import Status
from ibr.proof import NAF, Graph, Proof
from ibr.theory import Strategy


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
