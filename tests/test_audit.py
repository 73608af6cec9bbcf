"""The audit: clingo accepts what is marked valid, and it would say so if it did not."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import pytest
from strategies import ANY, random_program

from benchmarks import audit as door
from benchmarks.asp import derived, objection
from benchmarks.audit import Audit, audit, generated
from ibr.asking.reasoners import get_reasoner
from ibr.choices import LogicFrom
from ibr.data.formats.sources import FileLogic, Reader
from ibr.logic.checking.verifier import check
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.solver_reasoner import Logic, SolverReasoner, read_text
from ibr.logic.solving.solver import Solver
from ibr.prediction import Prediction, Source, Status
from ibr.proof import NAF, Graph
from ibr.theory import Problem, Question, Strategy, Theory

BIRDS = Theory.of(
    [
        "Arthur is a bird.",  # 0
        "Bill is a bird.",
        "Bill is wounded.",  # 2
        "If someone is a bird and not wounded then they are flying.",  # 3
        "If someone is flying then they are free.",  # 4
        "If someone is tired then they are resting.",  # 5
        "If someone is resting then they are not free.",
        "If someone is resting then they are quiet.",  # 7
    ]
)


def asked(question: str) -> Problem:
    return Problem(question, BIRDS, Question(question))


def claim(
    answer: bool, nodes: Sequence[int], edges: Sequence[tuple[int, int]], fails: bool = False
) -> Prediction:
    strategy = Strategy.FAIL_PROOF if fails else Strategy.PROOF
    return Prediction("q", answer, "hand", strategy, Graph.of(nodes, edges), checked=Status.VALID)


FLIES = [(0, 3), (NAF, 3)]
FREE = [*FLIES, (3, 4)]


@pytest.mark.parametrize(
    ("question", "claimed"),
    [
        ("Arthur is a bird.", claim(True, [0], [])),
        ("Arthur is not a bird.", claim(False, [0], [])),
        ("Arthur is flying.", claim(True, [0, 3, NAF], FLIES)),
        ("Arthur is free.", claim(True, [0, 3, 4, NAF], FREE)),
        ("Arthur is not free.", claim(False, [0, 3, 4, NAF], FREE)),
        ("Bill is flying.", claim(False, [3], [], fails=True)),
        ("Bill is quiet.", claim(False, [7, 5], [(5, 7)], fails=True)),
        ("Zoe is not quiet.", claim(True, [7, 5], [(5, 7)], fails=True)),
        ("Zoe is big.", claim(False, [], [], fails=True)),
    ],
)
def test_what_is_right_is_accepted(question: str, claimed: Prediction) -> None:
    assert objection(read_text(asked(question)), claimed) is None


@pytest.mark.parametrize(
    ("question", "claimed", "why"),
    [
        ("Bill is flying.", claim(True, [1, 3, NAF], [(1, 3), (NAF, 3)]), "do not derive"),
        ("Arthur is flying.", claim(True, [0, 3], [(0, 3)]), "do not derive"),  # without NAF
        ("Arthur is flying.", claim(True, [1, 3, NAF], [(1, 3), (NAF, 3)]), "do not derive"),
        ("Arthur is flying.", claim(False, [0, 3, NAF], FLIES), "do not derive"),
        ("Arthur is free.", claim(True, [0, 3, 4, NAF], FLIES), "do not derive"),  # an edge short
        ("Arthur is free.", claim(True, [0, 4], [(0, 4)]), "do not derive"),  # a step left out
        ("Zoe is big.", claim(True, [], []), "do not derive"),
        ("Arthur is flying.", claim(False, [3], [], fails=True), "the theory derives"),
        ("Arthur is not flying.", claim(True, [3], [], fails=True), "the theory derives"),
        ("Bill is flying.", claim(True, [3], [], fails=True), "its answer is False"),
        ("Bill is flying.", claim(False, [], [], fails=True), "sentence 3 could conclude"),
        ("Zoe is not quiet.", claim(True, [], [], fails=True), "sentence 7 could conclude"),
        ("Bill is flying.", claim(False, [5], [], fails=True), "sentence 5"),
        ("Bill is free.", claim(False, [4, 5], [(5, 4)], fails=True), "sentence 5"),
        ("Bill is quiet.", claim(False, [7, 6], [(6, 7)], fails=True), "sentence 6"),
    ],
)
def test_what_is_wrong_is_rejected(question: str, claimed: Prediction, why: str) -> None:
    assert why in (objection(read_text(asked(question)), claimed) or "accepted")


def test_a_cycle_of_negations_is_nothing_to_build_on() -> None:
    odd = Theory.of(["If Bob is not odd then Bob is odd.", "Bob is big."])
    logic = read_text(Problem("q", odd, Question("Bob is big.")))
    assert objection(logic, claim(True, [1], [])) == "the theory has no stable model"


class Checked(SolverReasoner):
    """The solver with the verifier's word for it, and once in a while a proof of its own making."""

    name = "checked"

    def __init__(self, wrong: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self._wrong = wrong

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        claimed = zip(problems, super().prove(problems), strict=True)
        return [self._marked(problem, prediction) for problem, prediction in claimed]

    def _marked(self, problem: Problem, claimed: Prediction) -> Prediction:
        assert claimed.graph is not None
        if problem.id in self._wrong:
            return replace(claimed, answer=not claimed.answer, checked=Status.VALID)
        found = check(*read_text(problem), claimed.graph, claimed.strategy, claimed.answer)
        return replace(claimed, checked=found.status)


def test_300_generated_questions() -> None:
    found = audit(Checked(), islice(generated(seed=11), 300), read_text)
    assert (found.questions, found.valid, found.rejected) == (300, 300, [])
    assert found.origins == {(Source.SOLVER, Status.VALID): 300}


def test_the_one_wrong_proof_of_many_is_found() -> None:
    examples = list(islice(generated(seed=12), 80))
    wrong = examples[41].id
    found = audit(Checked(frozenset({wrong})), examples, read_text)
    assert (found.agrees, found.rejects) == (79, 1)
    assert [id for id, _ in found.rejected] == [wrong]
    assert f"    {wrong}: " in "\n".join(found.lines())
    assert found.to_json()["rejected"][0]["id"] == wrong


def cut(graph: Graph, rng: random.Random) -> Graph:
    """Without one of its nodes, or one of its edges."""
    edge, node = (rng.choice(sorted(part)) if part else None for part in (graph.edges, graph.nodes))
    if edge is not None and rng.random() < 0.5:
        return Graph(graph.nodes, graph.edges - {edge})
    kept = graph.nodes - {node}
    return Graph(kept, frozenset(e for e in graph.edges if kept.issuperset(e)))


def test_random_theories_what_the_verifier_accepts_and_nothing_less() -> None:
    """A proof without anything redundant is accepted; with anything left out it is rejected."""
    cuts = 0
    for seed in range(250):
        rng = random.Random(seed)
        program = random_program(rng, ANY)
        solver = Solver(program)
        for literal in sorted(solver.model)[:4]:
            graph = solver.proof(literal).graph
            found = check(program, literal, graph, Strategy.PROOF, True)
            assert found.valid
            lean = Graph(graph.nodes - found.redundant, graph.edges - found.redundant_edges)
            claimed = claim(True, sorted(lean.nodes), sorted(lean.edges))
            assert objection(Logic(program, literal), claimed) is None, seed
            if lean.nodes:
                cuts += 1
                less = replace(claimed, graph=cut(lean, rng))
                assert objection(Logic(program, literal), less), seed
    assert cuts > 500


def test_random_failures_are_accepted_where_the_verifier_accepts_them() -> None:
    """Chains of the solver, chains longer by one rule, and none: some right, some wrong."""
    right = wrong = 0
    for seed in range(250):
        rng = random.Random(seed)
        program = random_program(rng, ANY)
        logic = Logic(program, Literal("Bob", "is", rng.choice(("kind", "red", "odd"))))
        if {logic.question, logic.question.negation} & set(Solver(program).model):
            continue
        deepest = Solver(program).failure(logic.question).graph
        for graph in (deepest, _longer(program, logic, rng), Graph()):
            claimed = claim(False, sorted(graph.nodes), sorted(graph.edges), fails=True)
            valid = check(*logic, graph, Strategy.FAIL_PROOF, False).valid
            assert (objection(logic, claimed) is None) == valid, seed
            right, wrong = right + valid, wrong + (not valid)
    assert min(right, wrong) > 50


def _longer(program: Program, logic: Logic, rng: random.Random) -> Graph:
    chain = [tree.node for tree in Solver(program).failure(logic.question)]
    rules = [
        i
        for i, claimed in enumerate(program.clauses)
        if i not in chain and any(c.body for c in claimed)
    ]
    chain += rng.sample(rules, min(1, len(rules)))
    return Graph.of(chain, [(below, above) for above, below in pairwise(chain)])


def test_words_may_have_quotes_in_them() -> None:
    odd = Literal('5" nail', "is", "back\\slash")
    program = Program(((Clause(odd),),))
    assert derived(Logic(program, odd), Graph.of([0]), frozenset()) == {odd}


def test_the_command_tells_and_its_exit_code_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    door.main(["--generated", "40", "--seed", "3", "--json"])
    line = json.loads(capsys.readouterr().out)
    assert (line["reasoner"], line["questions"], line["rejects"]) == ("verified", 40, 0)
    assert line["valid"] == line["agrees"] == 40
    monkeypatch.setattr(door, "objection", lambda logic, claimed: "no")
    with pytest.raises(SystemExit) as end:
        door.main(["--generated", "3"])
    assert end.value.code == 10
    assert "clingo agrees with 0 and rejects 3" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        door.main([])


@pytest.mark.parametrize(
    "name",
    ["depth-5-dev-slice", "birds-electricity", "pararules/turk-questions-train-mappings.tsv"],
)
def test_real_questions_of_the_verified_reasoner(real_data: Path, name: str) -> None:
    source = FileLogic(LogicFrom.TEXT)
    examples = islice(source.watch(Reader().examples(real_data / name)), 100)
    found = audit(get_reasoner("verified"), examples, source.read)
    assert (found.questions, found.rejected) == (100, [])
    assert found.valid == 100 or name.endswith(".tsv")


def test_only_so_many_rejects_are_listed() -> None:
    found = Audit()
    for k in range(door.LISTED + 5):
        found.add(str(k), "why")
    assert (found.rejects, len(found.rejected)) == (door.LISTED + 5, door.LISTED)
