"""The solver against its plain twin, and against small theories whose answers are known."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from naive import Naive, lit, theory
from strategies import WILD, programs, statements

from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.solving.covering import Target
from ibr.logic.solving.solver import Judgement, NotStratified, Solver
from ibr.proof import NAF, Graph, Proof, Tree
from ibr.theory import FineStrategy, Strategy

FEW = 400  # proofs that are worth writing out


# ---------------------------------------------------------------- model, verdicts


@given(programs())
def test_depths_are_the_rounds_of_naive_chaining(program: Program) -> None:
    assert dict(Solver(program).model) == Naive(program).depths()


@given(programs(WILD))
def test_refused_exactly_if_the_well_founded_model_leaves_something_open(program: Program) -> None:
    naive = Naive(program)
    if naive.true == naive.possible:
        assert set(Solver(program).model) == naive.true
        return
    with pytest.raises(NotStratified) as refusal:
        Solver(program)
    cycle = refusal.value.cycle
    assert cycle[0].condition.sign == Sign.NAF
    for link, after in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
        assert link.condition.atom == after.conclusion
        assert link.conclusion in naive.possible - naive.true
        instance = (link.sentence, link.conclusion, link.condition)
        assert any(
            instance == (s, head, condition)
            for s, (head, body) in naive.ground
            for condition in body
        )


@given(programs(), statements())
def test_judge_follows_section_4(program: Program, question: Literal) -> None:
    naive = Naive(program, question.entities)
    verdict = Solver(program).judge(question)
    if question in naive.true or question.negation in naive.true:
        proved = question if question in naive.true else question.negation
        assert verdict.proved == proved
        assert verdict.answer == (proved == question)
        assert verdict.depth == naive.depths()[proved]
        assert verdict.fine_strategy == ("proof" if proved == question else "inv-proof")
    else:
        rules = [clause for _, clause in naive.ground if clause.body]
        fine = "rconc" if any(rule.head == question.atom for rule in rules) else "random"
        assert verdict.fine_strategy == ("" if question.positive else "inv-") + fine
        assert verdict.answer == (not question.positive)
        assert verdict.depth == len(naive.failure(question.atom))
        assert verdict.proved is verdict.length is None


@given(programs(), statements())
def test_failure_is_the_chain_of_the_three_rules(program: Program, question: Literal) -> None:
    naive, atom = Naive(program, question.entities), question.atom
    assume(atom not in naive.true)
    chain = [tree.node for tree in Solver(program).failure(atom)]
    gold = naive.failure(atom)
    assert len(chain) == len(gold)
    if not any(clause.variables - clause.head.variables for _, clause in program):
        assert tuple(chain) == gold  # else instances of one rule may tie, in no given order


# ---------------------------------------------------------------- proofs


@given(programs())
def test_proofs_are_all_that_can_be_written_out_smallest_first(program: Program) -> None:
    solver, naive = Solver(program), Naive(program)
    for literal in solver.model:
        assume(solver.count_proofs(literal) <= FEW)
        proofs, gold = list(solver.proofs(literal)), naive.proofs_of(literal)
        assert sorted(map(repr, proofs)) == sorted(map(repr, gold))
        assert [p.size for p in proofs] == sorted(p.size for p in gold)
        assert solver.count_proofs(literal) == len(gold)


@given(programs())
def test_minimal_proofs_have_least_depth_then_least_size(program: Program) -> None:
    solver, naive = Solver(program), Naive(program)
    for literal, depth in solver.model.items():
        assume(solver.count_proofs(literal) <= FEW)
        minimal = _minimal(naive.proofs_of(literal))
        least = next((p.root.depth, p.size) for p in minimal if p.root)
        assert solver.proof(literal) in minimal
        verdict = solver.judge(literal)
        assert (verdict.depth, verdict.length) == least
        assert depth == least[0]


@settings(max_examples=60)
@given(programs(), statements())
def test_accepts_exactly_the_graphs_of_proofs(program: Program, question: Literal) -> None:
    solver = Solver(program, question.entities)
    verdict = solver.judge(question)
    if verdict.proved:
        assume(solver.count_proofs(verdict.proved) <= FEW)
        gold = {proof.graph for proof in solver.proofs(verdict.proved)}
        minimal = {proof.graph for proof in _minimal(solver.proofs(verdict.proved))}
    else:
        gold = minimal = {solver.failure(question.atom).graph}
    for graph in gold | set(_others(gold)):
        assert solver.accepts(question, graph) == (graph in gold)
        assert solver.accepts_minimal(question, graph) == (graph in minimal)
        assert solver.accepts(question, Target(nodes=graph.nodes)) == any(
            graph.nodes == g.nodes for g in gold
        )
        assert solver.accepts(question, Target(edges=graph.edges)) == any(
            graph.edges == g.edges for g in gold
        )


def _minimal(proofs: Iterable[Proof]) -> set[Proof]:
    """Those of least depth and then of least size."""
    measured = [((p.root.depth, p.size), p) for p in proofs if p.root]
    least = min(measure for measure, _ in measured)
    return {proof for measure, proof in measured if measure == least}


def _others(graphs: set[Graph]) -> list[Graph]:
    """Graphs near the given ones: unions of two, one edge less, one node more or less."""
    known = sorted(graphs, key=repr)
    found = [Graph(a.nodes | b.nodes, a.edges | b.edges) for a, b in pairwise(known)]
    for graph in known[:10]:
        found += [Graph(graph.nodes, graph.edges - {edge}) for edge in graph.edges]
        found += [Graph(graph.nodes | {NAF}, graph.edges), Graph()]
        for node in graph.nodes:
            edges = frozenset(edge for edge in graph.edges if node not in edge)
            found.append(Graph(graph.nodes - {node}, edges))
    return found


# ---------------------------------------------------------------- known theories

PETS = theory(
    "Tom is cat",
    "?x is pet <- ?x is cat",
    "?x is happy <- ?x is pet, ~?x is hungry",
    "-?x is hungry <- ?x is fed",
    "Rex is fed",
)


def test_a_verdict_says_answer_depth_length_and_strategy() -> None:
    solver = Solver(PETS)
    happy = lit("Tom is happy")
    assert solver.judge(happy) == Judgement(True, 2, 4, FineStrategy.PROOF, happy)
    assert solver.judge(happy.negation) == Judgement(False, 2, 4, FineStrategy.INV_PROOF, happy)
    assert solver.judge(lit("Tom is hungry")) == Judgement(
        False, 0, None, FineStrategy.RANDOM, None
    )
    assert solver.judge(lit("-Rex is happy")) == Judgement(
        True, 2, None, FineStrategy.INV_RCONC, None
    )
    assert solver.judge(lit("-Rex is hungry")).fine_strategy is FineStrategy.PROOF
    assert solver.judge(happy).strategy is Strategy.PROOF


def test_the_proof_is_a_tree_of_sentences() -> None:
    solver = Solver(PETS)
    tree = Tree(2, (Tree(1, (Tree(0),)), Tree(NAF)))
    assert solver.proof(lit("Tom is happy")) == Proof.of(tree)
    assert solver.failure(lit("Rex is happy")) == Proof.failure([2, 1])
    assert solver.model == {
        lit("Tom is cat"): 0,
        lit("Rex is fed"): 0,
        lit("Tom is pet"): 1,
        lit("-Rex is hungry"): 1,
        lit("Tom is happy"): 2,
    }


def test_both_sides_of_a_contradiction_are_proved() -> None:
    solver = Solver(theory("Bob is kind", "-?x is kind <- ?x is rude", "Bob is rude"))
    kind = lit("Bob is kind")
    assert solver.judge(kind) == Judgement(True, 0, 1, FineStrategy.PROOF, kind, True)
    assert solver.judge(kind.negation).answer
    assert solver.proof(kind) == Proof.of(Tree(0))
    assert solver.proof(kind.negation) == Proof.of(Tree(1, (Tree(2),)))


def test_a_negation_cycle_is_named() -> None:
    program = theory("?x is big <- ?x is kind", "Bob is red", "?x is kind <- ~?x is big")
    with pytest.raises(NotStratified, match=r'\[3\] concludes "Bob is kind" if') as error:
        Solver(program)
    assert [link.sentence for link in error.value.cycle] == [2, 0]


def test_a_cycle_that_the_facts_settle_is_no_error() -> None:
    rules = ("?x is kind <- ~?x is big", "?x is big <- ~?x is kind")
    solver = Solver(theory("Bob is kind", *rules))
    assert solver.proves(lit("Bob is kind"))
    assert not solver.proves(lit("Bob is big"))


def test_win_or_lose_is_decided_move_by_move() -> None:
    solver = Solver(
        theory("a moves b", "b moves c", "c moves d", "?x is won <- ?x moves ?y, ~?y is won")
    )
    assert [e for e in "abcd" if solver.proves(lit(f"{e} is won"))] == ["a", "c"]


def test_a_question_may_name_a_stranger() -> None:
    solver = Solver(theory("Bob is kind", "?x is odd <- ~?x is kind"))
    assert solver.judge(lit("Zoe is odd")).answer
    assert "Zoe" not in {literal.subject for literal in solver.model}


def test_variables_range_over_entities_only() -> None:
    program = Program(
        (
            (Clause(Literal("Bob", "eats", "")),),
            (Clause(Literal("Ann", "is", "kind")),),
            (Clause(Literal("?x", "eats", "something"), (Literal("?x", "eats", "?y"),)),),
            (Clause(Literal("?x", "has", "?y"), (Literal("?x", "is", "?y"),)),),
        )
    )
    assert set(Solver(program).model) == {Literal("Bob", "eats", ""), lit("Ann is kind")}


def test_a_rule_without_conditions_is_a_fact_about_everyone() -> None:
    solver = Solver(theory("Bob is kind", "?x is mortal"))
    assert solver.judge(lit("Bob is mortal")).depth == 0
    assert solver.proof(lit("Zoe is mortal")) == Proof.of(Tree(1))


def test_ties_of_failures_go_to_the_lowest_number() -> None:
    rules = ("Bob is big <- Bob is red", "Bob is big <- Bob is kind")
    for numbers, first in (((1, 2), 0), ((2, 1), 1)):
        solver = Solver(theory(*rules, numbers=numbers))
        assert solver.failure(lit("Bob is big")) == Proof.failure([first])


@pytest.mark.parametrize("question", ["~Bob is kind", "?x is kind"])
def test_what_is_no_statement_is_refused(question: str) -> None:
    with pytest.raises(ValueError, match="a statement has no variable"):
        Solver(PETS).judge(lit(question))


def test_asking_for_what_does_not_exist_is_refused() -> None:
    solver = Solver(PETS)
    with pytest.raises(ValueError, match="is not provable"):
        solver.proof(lit("Rex is pet"))
    with pytest.raises(ValueError, match="unprovable positive atom"):
        solver.failure(lit("Tom is pet"))
    with pytest.raises(ValueError, match="unprovable positive atom"):
        solver.failure(lit("-Rex is pet"))
    assert list(solver.proofs(lit("Rex is pet"))) == []
    assert solver.count_proofs(lit("Rex is pet")) == 0
