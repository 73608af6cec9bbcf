"""Makes labelled data: theories grown to a recipe, questions about them, proofs by the solver.

Theory k of a seed is always the same theory, whoever makes it and in whatever order, so that any
slice can be made by any worker. What theories are like is `presets`, how they grow `growth`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from ibr.data.example import Example, Source
from ibr.data.making.errors import GenerateError, Stuck
from ibr.data.making.growth import Draft, Plan, grow, lose_facts
from ibr.data.making.presets import PRESETS
from ibr.data.making.shape import Count, Shape
from ibr.data.making.world import World, draw_world
from ibr.data.questions import MAX_PROOFS, sample_questions
from ibr.data.vocabulary import Vocabulary, vocabulary
from ibr.logic.clause import Clause, Program
from ibr.logic.reading import Form, Phrasing, Style
from ibr.logic.templates import can_be_bare, write_clause
from ibr.logic.wording import attribute
from ibr.theory import Kind, Sentence, Theory

MAX_DEPTH: Final = 20
MAX_SENTENCES: Final = 200
_SMALL: Final = 30  # sentences
_ATTEMPTS: Final = 200
_SHAPES: Final = 5  # that are drawn before it is the recipe that asks for too much
_PER_PLAN: Final = 5  # before what was planned is taken to be impossible
# Multiples of these fill [0, 1) evenly from any start: every slice has its share of each family.
_LOST: Final = (0, 1, 1, 2, 4)  # facts that are missing, where failures are wanted
_GOLDEN: Final = 0.6180339887498949
_SILVER: Final = 0.4142135623730951


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to make. `None` leaves a number to the preset."""

    depth: int = 5  # statements are provable at every depth up to it (`wide`: at most this deep)
    preset: str = "ruletaker"  # a key of PRESETS
    vocabulary: str = "ruletaker"  # or "open", or a folder of word files
    entities: int | None = None
    facts: int | None = None
    rules: int | None = None
    sentences: int | None = None  # facts and rules together, in RuleTaker's proportion
    unproved: int | None = None  # unprovable questions per theory; default as many as proved ones
    max_proofs: int | None = None  # listed per question, shortest first; default: see `ask`
    own: Shape | None = None  # a shape of one's own, instead of the preset and the depth
    all_proofs: bool | None = None  # list every statement's proofs as well; default: see `ask`
    deep_failures: bool = False  # facts are missing, and what fails at length is asked first

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
        """Facts and rules, as far as they are fixed."""
        if self.sentences is None:
            return self.facts, self.rules
        if self.facts is not None:
            return self.facts, self.sentences - self.facts
        rules = self.rules
        if rules is None:
            rules = max(self.depth, round(self.sentences * 8.05 / 18.5))
        return self.sentences - rules, rules

    def shape(self, share: float, words: Vocabulary, rng: random.Random) -> Shape:
        """What the preset draws, with the recipe's own numbers, and room enough for them."""
        shape = self.own or PRESETS[self.preset](self.depth, share, rng)
        facts, rules = self._counts
        if facts is not None:
            shape = replace(shape, facts=Count.exactly(facts))
        if rules is not None:
            shape = replace(shape, rules=Count.exactly(rules))
        if self.entities is None:
            return _roomy(shape, words)
        if self.entities == 1:
            shape = _alone(shape)
        return replace(shape, entities=Count.exactly(self.entities))


def _alone(shape: Shape) -> Shape:
    """With one entity there is nobody to like: attributes only."""
    return replace(
        shape,
        adjectives=max(shape.adjectives, shape.depth + 2),
        verbs=0,
        relational_facts=0.0,
        relational_heads=0.0,
        ground_heads=0.0,
    )


def _roomy(shape: Shape, words: Vocabulary) -> Shape:
    """As many entities and adjectives as many facts and rules need, and the vocabulary has."""
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


@dataclass(frozen=True, slots=True)
class GeneratedTheory:
    """A theory, its logic, and the words it was made from (it may not use all of them)."""

    id: str
    theory: Theory
    program: Program
    world: World
    depth: int


def make_theory(recipe: Recipe, seed: int, k: int) -> GeneratedTheory:
    """Theory k of this seed. Raises GenerateError if the recipe asks for the impossible."""
    rng = random.Random(f"theory {seed} {k}")
    start = random.Random(f"shares {seed}").random()
    share = (start + k * _GOLDEN) % 1
    words = vocabulary(recipe.vocabulary)
    shape, draft = _drawn(recipe, share, words, rng)
    if recipe.deep_failures:
        lose_facts(draft, rng.choice(_LOST))
    style = Style.PERSON if (start + k * _SILVER) % 1 < shape.people else Style.THING
    facts = sorted(draft.facts, key=lambda fact: draft.world.entities.index(fact.head.subject))
    rules = rng.sample(draft.rules, len(draft.rules))  # the backbone came first
    said = [(fact, Sentence(write_clause(fact), Kind.FACT)) for fact in facts]
    said += [(rule, Sentence(_say(rule, shape, style, rng), Kind.RULE)) for rule in rules]
    order = rng.sample(range(len(said)), len(said))
    numbers = tuple(order)  # facts first, from 0, as the reader of RuleTaker's files numbers them
    return GeneratedTheory(
        id=f"{shape.family}-D{shape.depth}-{k}",
        theory=Theory(tuple(said[place][1] for place in order), numbers),
        program=Program(tuple((said[place][0],) for place in order), numbers),
        world=draft.world,
        depth=shape.depth,
    )


def generate(recipe: Recipe, seed: int, count: int, first: int = 0) -> Iterator[list[Example]]:
    """The questions of theories `first` to `first + count - 1`, one list per theory."""
    for k in range(first, first + count):
        made = make_theory(recipe, seed, k)
        yield ask(made, recipe, random.Random(f"questions {seed} {k}"))


def ask(made: GeneratedTheory, recipe: Recipe, rng: random.Random) -> list[Example]:
    """Questions of every depth that the theory has, and unprovable ones, with their proofs.

    Up to 30 sentences (RuleTaker has 25) all proofs are listed, MAX_PROOFS at most; in larger
    theories they can be past counting, and a question gets one shortest proof.
    """
    small = len(made.theory) <= _SMALL
    listed = small if recipe.all_proofs is None else recipe.all_proofs
    return sample_questions(
        made.id,
        made.theory,
        made.program,
        rng,
        range(made.depth + 1),
        recipe.unproved,
        signature=made.world.signature,
        max_proofs=recipe.max_proofs or (MAX_PROOFS if small else 1),
        source=None if listed else Source(made.id, made.depth),
        deep_failures=recipe.deep_failures,
    )


def _drawn(
    recipe: Recipe, share: float, words: Vocabulary, rng: random.Random
) -> tuple[Shape, Draft]:
    """A preset that draws its shapes may draw one that nothing fits: then it draws another."""
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
        except Stuck as stuck:
            reasons[str(stuck)] += 1
    raise GenerateError(
        f"no theory of shape {shape.family} came about in {_ATTEMPTS} attempts "
        f"({reasons.most_common(1)[0][0]}): ask for less depth, fewer facts and rules, or for "
        "more entities and a larger vocabulary"
    )


def _say(rule: Clause, shape: Shape, style: Style, rng: random.Random) -> str:
    form = Form.IF
    said = [literal.object for literal in (rule.head, *rule.body)]
    # "A bird" does not go with "people", neither before nor after.
    if can_be_bare(rule) and all(attribute(word) == word for word in said):
        form = rng.choice((Form.ALL, Form.BARE)) if rng.random() < shape.bare else Form.IF
    return write_clause(rule, Phrasing(form, style))


__all__ = ["GenerateError", "GeneratedTheory", "Recipe", "ask", "generate", "make_theory"]
