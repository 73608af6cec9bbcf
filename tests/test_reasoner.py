"""Every Reasoner keeps the same promises; the solver's predictions are right and checkable."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibr.asking.reasoners import get_reasoner
from ibr.choices import LogicFrom
from ibr.data.formats.example import Example
from ibr.data.formats.sources import FileLogic
from ibr.data.making.generator import Recipe, generate
from ibr.errors import ExitCode, ReasonerNotFound
from ibr.evaluation.gold import accepted, listed
from ibr.logic.checking.verifier import check
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.language import program_of, read_question
from ibr.logic.solver_reasoner import Logic, SolverReasoner, Solvers
from ibr.logic.solving.covering import Target
from ibr.logic.solving.solver import Solver
from ibr.prediction import Prediction
from ibr.proof import NAF, Graph, Proof, Tree
from ibr.reasoner import Reasoner, Recorded, Unanswerable, prove_all
from ibr.theory import FineStrategy, Problem, Question, Strategy, Theory

NAMES = ["solver"]


@cache
def examples(k: int) -> list[Example]:
    """The questions of a small generated theory with negation now and then."""
    (group,) = generate(Recipe(depth=2), seed=7, count=1, first=k)
    return group


def problem(sentences: Sequence[str], question: str, id: str = "q") -> Problem:
    return Problem(id, Theory.of(sentences), Question(question))


BIRD = ["Arthur is a bird.", "If someone is a bird and not wounded then they are flying."]


@pytest.mark.parametrize("name", NAMES)
class TestEveryReasoner:
    def test_answers_in_order_and_in_its_name(self, name: str) -> None:
        reasoner = get_reasoner(name)
        problems = [example.problem for k in range(3) for example in examples(k)]
        predictions = reasoner.prove(problems)
        assert [p.id for p in predictions] == [p.id for p in problems]
        assert {p.reasoner for p in predictions} == {reasoner.name} == {name}

    def test_a_batch_is_its_problems_one_by_one(self, name: str) -> None:
        problems = [example.problem for k in range(3) for example in examples(k)]
        random.Random(3).shuffle(problems)
        alone = [get_reasoner(name).prove([problem])[0] for problem in problems]
        assert get_reasoner(name).prove(problems) == alone

    def test_nothing_asked_nothing_answered(self, name: str) -> None:
        assert get_reasoner(name).prove([]) == []


def test_an_unknown_reasoner_lists_the_known_ones() -> None:
    with pytest.raises(ReasonerNotFound, match=r"oracle.*known: solver") as caught:
        get_reasoner("oracle")
    assert caught.value.exit_code is ExitCode.NOT_FOUND


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 60))
def test_the_solver_is_right_and_its_proofs_pass_the_verifier(k: int) -> None:
    for example in examples(k):
        (found,) = SolverReasoner().prove([example.problem])
        assert (found.answer, found.depth, found.length) == (
            example.answer,
            example.depth,
            example.length,
        )
        assert found.fine_strategy is example.fine_strategy
        assert found.graph is not None
        program, question = program_of(example.theory), read_question(example.question)
        assert check(program, question, found.graph, found.strategy, found.answer).valid


def test_negation_as_failure_is_a_node() -> None:
    (found,) = SolverReasoner().prove([problem(BIRD, "Arthur is not flying.")])
    assert (found.answer, found.strategy) == (False, Strategy.PROOF)
    assert found.graph == Graph.of([0, 1, NAF], [(0, 1), (NAF, 1)])
    assert found.to_json() == {
        "id": "q",
        "answer": False,
        "strategy": "proof",
        "nodes": [0, 1, "NAF"],
        "edges": [[0, 1], ["NAF", 1]],
        "depth": 1,
        "unreadable": [],
        "reasoner": "solver",
        "source": "solver",
        "checked": None,
        "confidence": None,
    }


def test_a_question_may_name_someone_new() -> None:
    """Rules hold for everyone, so for those whom only the question names, too."""
    rules = ["If someone is not cold then they are warm.", "Anne is cold."]
    found = SolverReasoner().prove(
        [
            problem(rules, "Anne is warm."),
            problem(rules, "Zoe is warm."),
            problem(rules, "Bo is cold."),
        ]
    )
    assert [p.answer for p in found] == [False, True, False]
    assert found[1].graph == Graph.of([0, NAF], [(NAF, 0)])


def test_what_cannot_be_read_is_listed() -> None:
    found = SolverReasoner().prove(
        [problem([*BIRD, "Colourless green ideas!"], "Arthur is flying.")]
    )
    assert found[0].unreadable == (2,)
    assert found[0].answer is True


@pytest.mark.parametrize(
    ("sentences", "question", "field"),
    [
        (BIRD, "Why oh why?", "question"),
        (BIRD, "If Arthur is big then Arthur is red.", "question"),
        (["If Bob is not red then Bob is big.", "If Bob is not big then Bob is red."],
         "Bob is big.", "sentences"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_says_which_part(
    sentences: list[str], question: str, field: str
) -> None:
    with pytest.raises(Unanswerable, match="question q:") as caught:
        SolverReasoner().prove([problem(sentences, question)])
    assert caught.value.field == field
    assert caught.value.exit_code is ExitCode.DATA


def test_solvers_are_kept_and_let_go() -> None:
    made: list[Problem] = []

    def read(asked: Problem) -> Logic:
        made.append(asked)
        return Logic(program_of(asked.theory), read_question(asked.question.text))

    solvers = Solvers(read, size=1)
    first, other = problem(BIRD, "Arthur is flying."), problem(BIRD[:1], "Arthur is a bird.")
    solver = solvers.of(first)[1]
    assert solvers.of(problem(BIRD, "Arthur is a bird."))[1] is solver
    solvers.of(other)
    assert solvers.of(first)[1] is not solver
    assert len(made) == 4


class Picky:
    """Answers True, but refuses ids that start with "bad"; notes the batches that it gets."""

    name = "picky"

    def __init__(self) -> None:
        self.batches: list[int] = []

    def prove(self, problems: Sequence[Problem]) -> list[Prediction]:
        self.batches.append(len(problems))
        for asked in problems:
            if asked.id.startswith("bad"):
                raise Unanswerable(asked, "question", "not today")
        return [Prediction(asked.id, True, self.name) for asked in problems]


def identity(item: Problem) -> Problem:
    return item


def test_streams_go_in_batches() -> None:
    asked = [problem(BIRD, "Arthur is flying.", f"q{i}") for i in range(7)]
    picky = Picky()
    answered = list(prove_all(picky, iter(asked), identity, batch=3))
    assert [(item.id, each.id) for item, each in answered] == [(f"q{i}",) * 2 for i in range(7)]
    assert picky.batches == [3, 3, 1]


def test_a_batch_holds_one_theory() -> None:
    theories = [BIRD, BIRD, BIRD[:1], BIRD[:2], BIRD[:2], BIRD[:2]]
    asked = [problem(lines, "Arthur is flying.", f"q{i}") for i, lines in enumerate(theories)]
    picky = Picky()
    answered = [each.id for _, each in prove_all(picky, asked, identity, batch=2)]
    assert answered == [f"q{i}" for i in range(6)]
    assert picky.batches == [2, 1, 2, 1]


def test_one_refusal_does_not_cost_the_batch() -> None:
    asked = [problem(BIRD, "Arthur is flying.", id) for id in ("a", "bad1", "b", "c", "bad2")]
    refused: list[str] = []
    answered = prove_all(
        Picky(), asked, identity, lambda item, error: refused.append(f"{item.id}: {error.why}")
    )
    assert [each.id for _, each in answered] == ["a", "b", "c"]
    assert refused == ["bad1: not today", "bad2: not today"]
    with pytest.raises(Unanswerable, match="bad1"):
        list(prove_all(Picky(), asked, identity))


def test_recorded_predictions_are_a_reasoner() -> None:
    reasoner: Reasoner = Recorded([Prediction("a", True, "someone")], "run.jsonl")
    assert reasoner.prove([problem(BIRD, "x", "a")])[0].answer is True
    with pytest.raises(Unanswerable, match=r"run\.jsonl has no prediction"):
        reasoner.prove([problem(BIRD, "x", "b")])


def natural(id: str = "AttNonegNatLang-1-1", text: str = "Big Dave, what a kind soul!") -> Example:
    """A paraphrase that no grammar reads, with the logic that its file gives."""
    logic = Program(
        ((Clause(Literal("Dave", "is", "kind")), Clause(Literal("Dave", "is", "big"))),)
    )
    asked = Problem(id, Theory.of([text]), Question("Dave is kind."))
    return Example(asked, True, fine_strategy=FineStrategy.PROOF, program=logic)


@pytest.mark.parametrize(
    ("choice", "example", "from_file"),
    [
        (LogicFrom.AUTO, natural(), True),
        (LogicFrom.AUTO, natural("x-1"), True),  # not readable
        (LogicFrom.AUTO, natural("x-1", "Dave is kind."), False),  # readable
        (LogicFrom.AUTO, natural(text="Dave is red."), True),  # readable, but a paraphrase
        (LogicFrom.AUTO, replace(natural(), program=None), False),
        (LogicFrom.FILE, natural("x-1", "Dave is kind."), True),
        (LogicFrom.TEXT, natural(), False),
    ],
)
def test_where_the_meaning_comes_from(choice: LogicFrom, example: Example, from_file: bool) -> None:
    source = FileLogic(choice)
    assert list(source.watch([example])) == [example]
    assert source.from_file == from_file
    logic = source.read(example.problem)
    assert (logic.program == example.program) == from_file
    assert logic.question == Literal("Dave", "is", "kind")


def test_a_file_without_logic_cannot_be_asked_for_it() -> None:
    source = FileLogic(LogicFrom.FILE)
    with pytest.raises(Unanswerable, match="--logic text"):
        SolverReasoner(Solvers(source.read)).prove([problem(BIRD, "Arthur is flying.")])


def mutations(graph: Graph, nodes: int) -> list[Graph]:
    """Graphs around a proof: one node or edge more or less."""
    found = [graph, Graph()]
    for node in range(-1, nodes):
        kept = graph.nodes ^ {node}
        found.append(Graph(kept, frozenset(e for e in graph.edges if set(e) <= kept)))
    for edge in [(p, r) for p in graph.nodes for r in graph.nodes if r != NAF]:
        found.append(Graph(graph.nodes, graph.edges ^ {edge}))
    return found


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 40))
def test_gold_from_the_solver_is_gold_from_a_complete_list(k: int) -> None:
    for example in examples(k):
        program, question = program_of(example.theory), read_question(example.question)
        solver = Solver(program)
        proved = solver.judge(question).proved
        chain = [] if proved else [solver.failure(question.atom)]
        proofs: list[Proof] = [*solver.proofs(proved)] if proved else chain
        written, asked = listed(proofs), replace(example, proofs=None)
        solved = accepted(asked, Solvers())
        assert solved is not None
        for graph in {g for p in proofs[:3] for g in mutations(p.graph, len(example.theory))}:
            for part in (graph, Target(nodes=graph.nodes), Target(edges=graph.edges)):
                assert written.accepts(part) == solved.accepts(part)
            assert written.accepts_minimal(graph) == solved.accepts_minimal(graph)


def test_the_files_own_proofs_come_first() -> None:
    example = examples(0)[0]
    solvers = Solvers()
    wrong = Proof.of(Tree(0, (Tree(0), Tree(1))))
    written = accepted(replace(example, proofs=(wrong,)), solvers)
    solved = accepted(replace(example, proofs=None), solvers)
    assert written is not None
    assert solved is not None
    assert written.accepts(wrong.graph)
    assert not solved.accepts(wrong.graph)
    unreadable = replace(
        example,
        proofs=None,
        problem=Problem("u", example.theory, Question("Why oh why?")),
    )
    assert accepted(unreadable, solvers) is None
