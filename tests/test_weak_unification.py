"""NLProlog's search: with exact names it is the solver, with similar ones it pays for the match."""

from __future__ import annotations

import zlib

import pytest
from tiny import examples

from ibr.baselines.algorithms.weak_unification import DEPTH, Atom, Search, clauses_of
from ibr.data.formats.example import Example, by_theory
from ibr.logic.clause import Literal
from ibr.logic.language import program_of, read_question
from ibr.logic.solving.solver import Solver
from ibr.proof import NAF, Proof, Tree
from ibr.theory import Theory


def search(theory: Theory, **options: object) -> Search:
    program = program_of(theory)
    return Search(clauses_of(program), tuple(sorted(program.entities)), **options)  # type: ignore


def test_exact_similarity_answers_as_the_solver_does() -> None:
    found: list[Example] = examples(depth=5, theories=12)
    for group in by_theory(found):
        searching, solver = search(group[0].theory), Solver(program_of(group[0].theory))
        questions = [read_question(example.question) for example in group]
        for literal in (asked for q in questions for asked in (q, q.negation)):
            proof = searching.proved(Atom.of(literal))
            provable = solver.proves(literal) and solver.model[literal] <= DEPTH
            assert (proof is not None) is provable, (group[0].id, literal)
            if proof is not None:
                assert proof.score == 1.0
                assert solver.accepts(literal, Proof.of(proof.tree).graph)
        assert searching.nodes < searching.max_nodes


def test_the_depth_limit_is_a_limit() -> None:
    rules = [f"If someone is a{k} then they are a{k + 1}." for k in range(DEPTH + 1)]
    searching = search(Theory.of(["Tom is a0.", *rules]))
    assert searching.proved(Atom.of(read_question(f"Tom is a{DEPTH}."))) is not None
    assert searching.proved(Atom.of(read_question(f"Tom is a{DEPTH + 1}."))) is None


def test_similar_names_unify_at_a_price() -> None:
    theory = Theory.of(["Tom is old.", "If someone is aged and not loud then they are calm."])
    score = {("is old", "is aged"): 0.8, ("is calm", "is serene"): 0.9}

    def similar(one: str, other: str) -> float:
        return 1.0 if one == other else score.get(tuple(sorted((one, other))), 0.1)

    score = {tuple(sorted(pair)): value for pair, value in score.items()}
    goal = Atom.of(Literal("Tom", "is", "serene"))
    found = search(theory, similarity=similar).proved(goal)
    assert found is not None
    assert found.score == pytest.approx(0.72)
    assert found.tree == Tree(1, (Tree(0), Tree(NAF)))
    assert ("is aged", "is old") in found.unified
    assert search(theory, similarity=similar, accept=0.8).proved(goal) is None
    assert search(theory).proved(goal) is None


def test_branch_and_bound_finds_what_a_search_of_everything_finds() -> None:
    rules = [
        "If someone is big then they are bold.",
        "If someone is bold and kind then they are wise.",
    ]
    theory = Theory.of(["Tom is large.", "Ann is bigg.", "Tom is kindly.", "Ann is kind.", *rules])

    def similar(one: str, other: str) -> float:
        return max(0.0, 1 - abs(zlib.crc32(one.encode()) - zlib.crc32(other.encode())) / 2**33)

    clauses = clauses_of(program_of(theory))

    def best(atom: Atom, depth: int) -> float:
        found = [0.0]
        for clause in clauses if depth >= 0 else ():
            free = clause.head.subject.startswith("?")
            score = similar(atom.predicate, clause.head.predicate)
            score *= 1.0 if free else similar(atom.subject, clause.head.subject)
            for condition in clause.body:
                subject = atom.subject if free else condition.atom.subject
                score *= best(condition.atom._replace(subject=subject), depth - 1)
            found.append(score if depth or not clause.body else 0.0)
        return max(found)

    for text in ("Tom is wise.", "Ann is wise.", "Tom is bold.", "Bob is kind.", "Tom is green."):
        atom = Atom.of(read_question(text))
        proof = search(theory, similarity=similar, threshold=0.01).best(atom, 3)
        assert (proof.score if proof else 0.0) == pytest.approx(best(atom, 3))
