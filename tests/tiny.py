"""Models and runs so small that a test can train them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import torch

from ibr.data.formats.example import Example, RecordSource, by_theory, write_jsonl
from ibr.data.making.generator import Recipe, generate
from ibr.inputs.arrays import Asked
from ibr.logic.clause import Clause, Literal, Name, Program, Sign
from ibr.model.batch import Batch, make_batch
from ibr.model.config import CompactConfig, IBRConfig
from ibr.model.ibr import IBR
from ibr.proof import NAF, Proof, Tree
from ibr.theory import FineStrategy, Kind, Problem, Question, Sentence, Strategy, Theory
from ibr.training.labels import with_gold
from ibr.training.settings import DataPart, TrainConfig

COMPACT = CompactConfig(
    word_roles=True,
    ranks=3,
    entity_mention=True,
    width=16,
    local_layers=1,
    theory_turns=2,
    question_turns=1,
    heads=2,
    codes=32,
    channels=4,
)

# The same for `ibr train --set`.
SMALL = (
    "width=16", "hidden=16", "theory_turns=2", "heads=2", "focus_heads=2", "channels=4",
    "dev_questions=8", "questions=4",
)  # fmt: skip


def model_config(**other: Any) -> IBRConfig:
    settings: dict[str, Any] = {
        "compact": COMPACT, "hidden": 16, "focus_lstm_hidden": 8, "focus_layers": 1,
        "focus_heads": 2, "dropout": 0.1,
    }  # fmt: skip
    return IBRConfig(**settings | other)


def run_config(**other: Any) -> TrainConfig:
    settings: dict[str, Any] = {
        "model": model_config(), "data": (DataPart(depth=1),), "theories": 2, "questions": 4,
        "steps": 8, "warmup": 2, "threads": 1, "workers": 0, "dev": DataPart(depth=1),
        "dev_questions": 8, "dev_beams": 2, "eval_every": 100, "save_every": 2,
    }  # fmt: skip
    return TrainConfig(**settings | other)


def examples(depth: int = 1, theories: int = 3, seed: int = 5) -> list[Example]:
    return [e for group in generate(Recipe(depth=depth), seed, theories) for e in group]


def team_part(rank: int, size: int) -> tuple[IBR, Batch]:
    """The same model for all, and every size-th of three theories with 1, 3 and 4 questions."""
    torch.manual_seed(0)
    model = IBR(model_config(dropout=0.0))
    groups = [g[:count] for g, count in zip(by_theory(examples(2)), (1, 3, 4), strict=True)]
    own = groups[rank::size]
    asked = [Asked(group[0].theory, [e.problem.question for e in group]) for group in own]
    return model, with_gold(
        make_batch(asked, model.words.known, COMPACT.channels, COMPACT.codes), own, Still()
    )


class Still(random.Random):
    """Shuffles nothing, so that a share of a batch has the paths of the whole."""

    def shuffle(self, x: Any) -> None:
        pass


def data_file(folder: Path, found: list[Example]) -> Path:
    path = folder / "data.jsonl"
    write_jsonl(path, found)
    return path


PEOPLE = ("Anne", "Bob", "cat", "light bulb")
TRAITS = ("kind", "big", Name("bird", "a bird"))


def random_literal(rng: random.Random, variable: bool, signs: tuple[Sign, ...]) -> Literal:
    subject = "?x" if variable else rng.choice(PEOPLE)
    said = rng.choice([("is", rng.choice(TRAITS)), ("likes", rng.choice(PEOPLE))])
    return Literal(subject, *said, rng.choice(signs))


def random_clause(rng: random.Random, kind: Kind) -> Clause:
    heads = (Sign.POSITIVE, Sign.NEGATIVE)
    if kind is Kind.FACT:
        return Clause(random_literal(rng, False, heads))
    variable = rng.random() < 0.7
    conditions = (Sign.POSITIVE, Sign.NAF)
    body = [random_literal(rng, variable, conditions) for _ in range(rng.randint(1, 3))]
    return Clause(random_literal(rng, variable, heads), tuple(body))


def random_tree(rng: random.Random, facts: list[int], rules: list[int], depth: int) -> Tree:
    if depth == 0 or not rules or rng.random() < 0.3:
        return Tree(rng.choice([*facts, NAF]))
    size = rng.randint(1, 3)
    premises = tuple(random_tree(rng, facts, rules, depth - 1) for _ in range(size))
    return Tree(rng.choice(rules), premises)


def random_examples(rng: random.Random, name: str = "AttNeg-D2-7") -> list[Example]:
    """A theory as a RuleTaker file may hold it, with labels that need not be true."""
    from ibr.logic.surface.templates import write_clause, write_literal

    kinds = [Kind.FACT] * rng.randint(1, 4) + [Kind.RULE] * rng.randint(1, 4)
    clauses = [random_clause(rng, kind) for kind in kinds]
    order = rng.sample(range(len(kinds)), len(kinds))
    sentences = tuple(Sentence(write_clause(clauses[i]), kinds[i]) for i in order)
    theory = Theory(sentences, tuple(order))
    program = Program(tuple((clauses[i],) for i in order), theory.numbers)
    facts = [i for i, s in enumerate(theory) if s.kind is Kind.FACT]
    rules = [i for i, s in enumerate(theory) if s.kind is Kind.RULE]
    source = RecordSource(name, max_depth=rng.randint(0, 5))
    examples = []
    for k in range(1, rng.randint(2, 6)):
        literal = random_literal(rng, False, (Sign.POSITIVE, Sign.NEGATIVE))
        fine = rng.choice(list(FineStrategy))
        if fine.strategy is Strategy.PROOF:
            size = rng.randint(1, 3)
            proofs = tuple(Proof.of(random_tree(rng, facts, rules, 3)) for _ in range(size))
        else:
            proofs = (Proof.failure(rng.sample(rules, rng.randint(0, len(rules)))),)
        examples.append(
            Example(
                Problem(f"{name}-{k}", theory, Question(write_literal(literal))),
                answer=rng.random() < 0.5,
                depth=rng.choice([0, 3, 7, 99]),
                length=rng.choice([None, 1, 12]),
                fine_strategy=fine,
                proofs=proofs,
                program=program,
                literal=literal,
                source=source,
            )
        )
    return examples
