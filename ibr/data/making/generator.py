"""Makes labelled data: theories built to a recipe, questions about them, proofs by the solver.

Theory k of a seed is always the same, so that any slice can be made by any process. What theories
are like is `shape`, how they are built `growth`.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from ibr.data.formats.example import Example
from ibr.data.making.draft import Draft
from ibr.data.making.growth import Plan, StuckDraft, grow, lose_facts
from ibr.data.making.questions import MAX_PROOFS, QuestionPlan, SolvableTheory, sample_questions
from ibr.data.making.shape import PRESETS, Count, GenerateError, Shape
from ibr.data.making.vocabulary import Vocabulary, draw_world, vocabulary
from ibr.logic.clause import Clause, Program
from ibr.logic.reading import Form, Phrasing, Style
from ibr.logic.surface.templates import can_be_bare, write_clause
from ibr.logic.surface.wording import attribute
from ibr.theory import Kind, Sentence, Theory

MAX_DEPTH: Final = 20
MAX_SENTENCES: Final = 200
_SMALL: Final = 30  # sentences
_SHAPES: Final = 5  # that may fail before a recipe is refused
_ATTEMPTS: Final = 200  # at a theory of one shape
_PER_PLAN: Final = 5  # attempts at one plan
_LOST: Final = (0, 1, 1, 2, 4)  # facts that are removed for deep failures
# Multiples of these fill [0, 1) evenly from any start: every slice has its share of each family.
_GOLDEN: Final = 0.6180339887498949
_SILVER: Final = 0.4142135623730951


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to make. None leaves a number to the preset."""

    depth: int = 5  # statements are provable at every depth up to it (`wide`: at most this deep)
    preset: str = "ruletaker"  # a key of PRESETS
    vocabulary: str = "ruletaker"  # or "open", or a folder of word files
    entities: int | None = None
    facts: int | None = None
    rules: int | None = None
    sentences: int | None = None  # facts and rules together, in RuleTaker's proportion
    unproved: int | None = None  # unprovable questions per theory; default as many as proved ones
    max_proofs: int | None = None  # listed per question, shortest first; default: see `ask`
    own: Shape | None = None  # a shape in place of the preset and the depth
    all_proofs: bool | None = None  # list every statement's proofs as well; default: see `ask`
    deep_failures: bool = False  # remove facts, and ask for the longest failures first

    def __post_init__(self) -> None:
        if self.preset not in PRESETS:
            raise GenerateError(f"no preset {self.preset!r}: use {' or '.join(PRESETS)}")
        if not 0 <= self.depth <= MAX_DEPTH:
            raise GenerateError(f"depth {self.depth}: use 0 to {MAX_DEPTH}")
        for name in ("entities", "facts", "rules", "sentences"):
            value = getattr(self, name)
            if value is not None and not 1 <= value <= MAX_SENTENCES:
                raise GenerateError(f"{name} {value}: use 1 to {MAX_SENTENCES}")
        if self.max_proofs is not None and self.max_proofs < 1:
            raise GenerateError(f"max_proofs {self.max_proofs}: at least 1 is needed")
        facts, rules = self._counts
        if rules is not None and rules < self.depth:
            raise GenerateError(f"depth {self.depth} needs as many rules, not {rules}")
        if facts is not None and facts < max(1, self.entities or 1):
            raise GenerateError(f"{facts} facts are too few: one at least, and one per entity")

    @property
    def _counts(self) -> tuple[int | None, int | None]:
        """The numbers of facts and rules, None if not fixed."""
        if self.sentences is None:
            return self.facts, self.rules
        if self.facts is not None:
            return self.facts, self.sentences - self.facts
        rules = self.rules
        if rules is None:
            rules = max(self.depth, round(self.sentences * 8.05 / 18.5))
        return self.sentences - rules, rules

    def shape(self, share: float, words: Vocabulary, rng: random.Random) -> Shape:
        """What the preset draws, with the recipe's own numbers and words enough for them."""
        shape = self.own or PRESETS[self.preset](self.depth, share, rng)
        facts, rules = self._counts
        if facts is not None:
            shape = replace(shape, facts=Count.exactly(facts))
        if rules is not None:
            shape = replace(shape, rules=Count.exactly(rules))
        if self.entities is None:
            return _enlarged(shape, words)
        if self.entities == 1:  # attributes only
            enough = max(shape.adjectives, shape.depth + 2)
            shape = replace(shape, adjectives=enough, verbs=0, relational_facts=0.0)
            shape = replace(shape, relational_heads=0.0, ground_heads=0.0)
        return replace(shape, entities=Count.exactly(self.entities))


def _enlarged(shape: Shape, words: Vocabulary) -> Shape:
    """Entities and adjectives as many as the facts and rules need and the vocabulary has."""
    if shape.rules.low > 2 * shape.adjectives:
        known = words.relational_adjectives if shape.verbs else words.adjectives
        wanted = min(len(known), shape.rules.low // 2)
        shape = replace(shape, adjectives=max(shape.adjectives, wanted))
    entities = shape.entities.high
    known_of = [words.names] * (shape.names > 0) + [words.nouns] * (shape.names < 1)
    most = min(map(len, known_of))
    while 2 * shape.facts.mean > shape.statements(entities) and entities < most:
        entities += 1
    if entities == shape.entities.high:
        return shape
    return replace(shape, entities=Count.exactly(entities))


def make_theory(recipe: Recipe, seed: int, k: int) -> SolvableTheory:
    """Theory k of this seed. Raises GenerateError if no such theory is found."""
    rng = random.Random(f"theory {seed} {k}")
    start = random.Random(f"shares {seed}").random()
    share = (start + k * _GOLDEN) % 1
    words = vocabulary(recipe.vocabulary)
    shape, draft = _draft(recipe, share, words, rng)
    if recipe.deep_failures:
        lose_facts(draft, rng.choice(_LOST))
    style = Style.PERSON if (start + k * _SILVER) % 1 < shape.people else Style.THING
    facts = sorted(draft.facts, key=lambda fact: draft.world.entities.index(fact.head.subject))
    rules = rng.sample(draft.rules, len(draft.rules))  # the backbone was first
    written = [(fact, Sentence(write_clause(fact), Kind.FACT)) for fact in facts]
    written += [(rule, Sentence(_write(rule, shape, style, rng), Kind.RULE)) for rule in rules]
    order = rng.sample(range(len(written)), len(written))
    numbers = tuple(order)  # facts first, from 0, as in RuleTaker's files
    return SolvableTheory(
        id=f"{shape.family}-D{shape.depth}-{k}",
        theory=Theory(tuple(written[place][1] for place in order), numbers),
        program=Program(tuple((written[place][0],) for place in order), numbers),
        world=draft.world,
    )


def generate(recipe: Recipe, seed: int, count: int, first: int = 0) -> Iterator[list[Example]]:
    """The questions of theories `first` to `first + count - 1`, one list per theory."""
    for k in range(first, first + count):
        made = make_theory(recipe, seed, k)
        yield ask(made, recipe, random.Random(f"questions {seed} {k}"))


def ask(made: SolvableTheory, recipe: Recipe, rng: random.Random) -> list[Example]:
    """Questions of every depth that the theory has, and unprovable ones, with their proofs.

    Up to 30 sentences (RuleTaker has 25) all proofs are listed, at most MAX_PROOFS; larger theories
    can have too many, and a question gets one shortest proof.
    """
    small = len(made.theory) <= _SMALL
    plan = QuestionPlan(
        range(MAX_DEPTH + 1),
        recipe.unproved,
        recipe.max_proofs or (MAX_PROOFS if small else 1),
        small if recipe.all_proofs is None else recipe.all_proofs,
        recipe.deep_failures,
    )
    return sample_questions(made, plan, rng)


def _draft(
    recipe: Recipe, share: float, words: Vocabulary, rng: random.Random
) -> tuple[Shape, Draft]:
    """A preset with random shapes may draw one that nothing fits: then it draws another."""
    shape = recipe.shape(share, words, rng)
    for _ in range(_SHAPES):
        try:
            return shape, _grown(shape, words, rng)
        except GenerateError:
            other = recipe.shape(share, words, rng)
            if other == shape:
                raise
            shape = other
    return shape, _grown(shape, words, rng)


def _grown(shape: Shape, words: Vocabulary, rng: random.Random) -> Draft:
    reasons: Counter[str] = Counter()
    for attempt in range(_ATTEMPTS):
        if attempt % _PER_PLAN == 0:
            plan = Plan.draw(shape, rng)
        world = draw_world(shape, plan.entities, words, rng)
        try:
            return grow(plan, world, shape, rng)
        except StuckDraft as stuck:
            reasons[str(stuck)] += 1
    raise GenerateError(
        f"no theory of shape {shape.family} was found in {_ATTEMPTS} attempts "
        f"({reasons.most_common(1)[0][0]}): ask for less depth, fewer facts and rules, or for "
        "more entities and a larger vocabulary"
    )


def _write(rule: Clause, shape: Shape, style: Style, rng: random.Random) -> str:
    form = Form.IF
    objects = [literal.object for literal in (rule.head, *rule.body)]
    # "A bird" cannot be combined with "people".
    if can_be_bare(rule) and all(attribute(word) == word for word in objects):
        form = rng.choice((Form.ALL, Form.BARE)) if rng.random() < shape.bare else Form.IF
    return write_clause(rule, Phrasing(form, style))
