"""Speed of the symbolic part: solving, generating, large theories, growth with size.

Runs in one process; times are CPU seconds.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from ibr.data.formats import rule_reasoning
from ibr.data.formats.example import Example, by_theory
from ibr.data.making.generator import Recipe, generate
from ibr.data.making.vocabulary import vocabulary
from ibr.logic.language import program_of, read, read_question, readings_of, say
from ibr.logic.solving.solver import Solver
from ibr.theory import Kind, Theory

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("IBR_DATA", ROOT.parent / "shared" / "data"))  # the published files


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """The result and its CPU seconds, which do not depend on other processes."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def large_theory(facts: int, rules: int, seed: int = 0) -> tuple[Theory, str]:
    """Many entities, attributes in chains of nine rules, and a question at the end of a chain.

    Every third rule has a second condition, by negation as failure.
    """
    rng, words = random.Random(seed), vocabulary("open")
    entities, traits = words.nouns[: max(4, facts // 10)], words.adjectives[: 10 * rules // 9]
    texts = [f"The {entities[0]} is {traits[0]}."]
    while len(texts) < facts:
        texts.append(f"The {rng.choice(entities)} is {rng.choice(traits)}.")
    for k in range(len(traits) - 1):
        extra = f" and not {words.adjectives[-1]}" if k % 3 == 0 else ""
        if k % 10 < 9:  # else a new chain starts
            texts.append(f"If something is {traits[k]}{extra} then it is {traits[k + 1]}.")
    texts = list(dict.fromkeys(texts))
    kinds = [Kind.RULE if text.startswith("If") else Kind.FACT for text in texts]
    order = rng.sample(range(len(texts)), len(texts))
    theory = Theory.of([texts[i] for i in order], [kinds[i] for i in order])
    solver = Solver(program_of(theory))
    deepest = max(solver.model, key=lambda literal: (solver.model[literal], literal))
    return theory, say(deepest)


def answer(theory: Theory, question: str) -> tuple[float, float, int]:
    """Seconds to read the text, seconds to answer with a proof, literals derived."""
    read.cache_clear()  # else only the first theory is read
    readings_of.cache_clear()
    program_of.cache_clear()
    program, reading = timed(lambda: program_of(theory))
    literal = read_question(question)

    def solve() -> Solver:
        solver = Solver(program)
        assert solver.judge(literal).answer
        solver.proof(literal)
        return solver

    solver, solving = timed(solve)
    return reading, solving, len(solver.model)


def slice_rate() -> Iterator[str]:
    source = DATA / "depth-5-dev-slice"
    if source.is_dir():
        examples, name = list(rule_reasoning.read(source)), "DU5 dev slice"
    else:
        groups = generate(Recipe(depth=5), seed=1, count=100)
        examples, name = (
            [e for group in groups for e in group],
            "generated DU5 (no real files here)",
        )

    def work() -> None:
        for group in by_theory(examples):
            _solve_all(list(group))

    _, seconds = timed(work)
    yield f"{name}: {len(examples)} questions read, answered and proved in {seconds:.2f} s"
    yield f"  {len(examples) / seconds:,.0f} questions/s"


def _solve_all(group: list[Example]) -> None:
    solver = Solver(program_of(group[0].theory))
    for example in group:
        literal = read_question(example.problem.question.text)
        proved = solver.judge(literal).proved
        if proved is not None:
            solver.proof(proved)
        else:
            solver.failure(literal.atom)


def generation(theories: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:

        def work() -> int:
            count = 0

            def counted() -> Iterator[Example]:
                nonlocal count
                for group in generate(Recipe(depth=5), seed=0, count=theories):
                    count += len(group)
                    yield from group

            rule_reasoning.write(Path(folder), "train", counted())
            return count

        questions, seconds = timed(work)
    yield f"generated and wrote {theories:,} DU5 theories, {questions:,} questions with proofs"
    yield f"  {seconds:.1f} s on one core (bound for 5,000: 300 s)"


def large() -> Iterator[str]:
    for facts, rules, bound in [(800, 200, 1.0), (10_000, 1_000, 10.0)]:
        reading, solving, derived = answer(*large_theory(facts, rules))
        yield (
            f"{facts:,} facts + {rules:,} rules: read {reading:.2f} s, answered with proof "
            f"{solving:.2f} s (bound {bound:.0f} s), {derived:,} literals derived"
        )


def growth() -> Iterator[str]:
    yield "growth with size (facts : rules as 10 : 1)"
    yield f"  {'sentences':>9} {'derived':>9} {'solve s':>9} {'µs / derived':>12}"
    for rules in (50, 100, 200, 400, 800):
        _, solving, derived = answer(*large_theory(10 * rules, rules))
        yield f"  {11 * rules:>9,} {derived:>9,} {solving:>9.3f} {1e6 * solving / derived:>12.1f}"


def report(theories: int = 5_000) -> Iterator[str]:
    for part in (slice_rate(), large(), growth(), generation(theories)):
        yield from part
