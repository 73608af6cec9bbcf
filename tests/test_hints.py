"""What the hints say: of sentences against the solver, of words by hand."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
import torch
from paraphrases import ROWS
from tiny import COMPACT, model_config

from benchmarks.roles import counts, sentences
from ibr.data.formats.pararules import Paraphrased
from ibr.data.making.generator import Recipe, generate
from ibr.inputs.arrays import Asked
from ibr.inputs.model_words import default_words
from ibr.inputs.tokens import stem, tokenize_theory
from ibr.logic.clause import Clause, Literal, Program
from ibr.logic.language import program_of
from ibr.logic.solving.solver import Solver
from ibr.model.batch import make_batch
from ibr.model.encoders.layers import WordRole
from ibr.model.ibr import IBR
from ibr.theory import Kind, Theory
from ibr.training.labels import NEVER, chains, roles, with_hints

KNOWN = default_words().known


@pytest.mark.parametrize(("preset", "words"), [("ruletaker", "ruletaker"), ("wide", "open")])
def test_hints_are_what_the_solver_says(preset: str, words: str) -> None:
    """A sentence holds for an entity if, and as deep as, something it concludes of it does."""
    for first, *_ in generate(Recipe(depth=3, preset=preset, vocabulary=words), seed=5, count=6):
        assert first.program is not None
        solver = Solver(first.program)
        batch = make_batch([Asked(first.theory, [first.problem.question])], KNOWN, 10, 64)
        (tokens,), hints = batch.tokens, with_hints(batch, [[first]]).hints
        assert hints is not None
        names = {number: word for word, number in tokens.numbers.items()}
        entity = {c: names[int(s)] for c, s in enumerate(tokens.channels) if c}
        assert hints.is_asked[0, 1:].all()
        assert not hints.is_asked[0, 0].any()
        for c, s in itertools.product(entity, range(len(first.theory))):
            clauses = first.program.clauses[s]
            about = [
                depth
                for literal, depth in solver.model.items()
                if entity[c] in map(stem, literal.subject.lower().replace("-", " ").split())
                for clause in clauses
                if not clause.body and clause.head == literal
            ]
            if all(not clause.body for clause in clauses):
                assert int(hints.fires[0, c, s]) == min(about, default=NEVER)
            elif int(hints.fires[0, c, s]) != NEVER:
                heads = {(lit.relation, lit.sign) for lit in solver.model}
                assert any((cl.head.relation, cl.head.sign) in heads for cl in clauses)
                assert int(hints.fires[0, c, s]) >= 1


def test_failing_atoms_have_chains() -> None:
    for first, *_ in generate(Recipe(depth=3), seed=7, count=6):
        assert first.program is not None
        solver = Solver(first.program)
        for atom in solver.failing:
            assert isinstance(atom, Literal)
            assert not solver.proves(atom)
            assert not solver.proves(atom.negation)
            assert solver.failure(atom).size >= 1


def test_every_rule_says_how_long_a_failure_it_leads() -> None:
    """The longest for an atom is its failure, led by the first rule that leads one so long."""
    several = 0
    for first, *_ in generate(Recipe(depth=5, deep_failures=True), seed=8, count=25):
        assert first.program is not None
        solver = Solver(first.program)
        for atom in solver.failing:
            lengths = dict(solver.failures(atom, 20))
            proof = solver.failure(atom)
            assert proof.root is not None
            longest = max(lengths.values())
            assert longest == proof.size
            assert lengths[proof.root.node] == longest
            cut = dict(solver.failures(atom, 2))
            assert cut == {sentence: min(length, 2) for sentence, length in lengths.items()}
            several += len(set(lengths.values())) > 1
        told = list(chains(solver))
        assert {sentence for sentence, _, _ in told} <= set(range(len(first.theory)))
    assert several >= 5


ROLES = {
    "Anne is big.": {"big": WordRole.ASSERTED},
    "Anne is not big.": {"big": WordRole.NEGATED},
    "The cat likes the dog.": {"like": WordRole.ASSERTED, "dog": WordRole.ASSERTED},
    "If someone is big and not cold then they are red.": {
        "big": WordRole.CONDITION, "cold": WordRole.NEGATED_CONDITION, "red": WordRole.ASSERTED,
    },
    "If someone likes the cat then the cat likes the dog.": {"dog": WordRole.ASSERTED},
    "All kind people are not red.": {"kind": WordRole.CONDITION, "red": WordRole.NEGATED},
}  # fmt: skip


@pytest.mark.parametrize("text", ROLES)
def test_roles_of_words(text: str) -> None:
    """Names of whom it is about, and words that do two things, are not asked for."""
    theory = Theory.of([text])
    tokens = tokenize_theory(theory, KNOWN, 4)
    names = {number: word for word, number in tokens.numbers.items()}
    spots = [names[int(tokens.symbols[spot])] for spot in tokens.spots]
    told = roles(program_of(theory), tokens)
    assert {word: role for word, role in zip(spots, told, strict=True) if role >= 0} == ROLES[text]


def test_words_that_mean_nothing_have_no_role() -> None:
    row = Clause(Literal("Anne", "is", "big"))
    tokens = tokenize_theory(Theory.of(["Anne has a big appetite for life."]), KNOWN, 4)
    names = {number: word for word, number in tokens.numbers.items()}
    told = roles(Program(((row,),)), tokens)
    found = {
        names[int(tokens.symbols[s])]: role for s, role in zip(tokens.spots, told, strict=True)
    }
    assert found == {"anne": -1, "have": 0, "big": WordRole.ASSERTED, "appetite": 0, "life": 0}


def test_how_well_words_are_read_is_counted() -> None:
    """Every word that is asked for, once; a model that finds no roles is refused."""
    theory = Paraphrased("A1-theory", ROWS)
    torch.manual_seed(0)
    marks = sentences(IBR(model_config()), theory)
    told = roles(theory.program, tokenize_theory(theory.theory, KNOWN, 4))
    assert sum(map(len, marks)) == sum(role >= 0 for role in told)
    assert all(marks)  # no sentence without a word that is asked for
    counted = counts(IBR(model_config()), [theory, theory])
    assert counted[Kind.RULE, True] + counted[Kind.RULE, False] == 4
    without = IBR(model_config(compact=replace(COMPACT, word_roles=False)))
    with pytest.raises(SystemExit, match="word_roles"):
        sentences(without, theory)
