"""Grows a theory that proves something at every depth up to the one asked for, and no deeper.

First the facts, then a backbone: each rule rests on what was proved last and takes the theory one
step deeper. Then the rules beside it, live ones and dead ends, each tried on a `Sketch` and kept
only if the depth stays, nothing contradicts itself and negation stays settled. Nothing is drawn
whole and thrown away, save the rare draft that got stuck.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ibr.data.making.errors import Stuck
from ibr.data.making.rules import Known, RuleMaker, Slot, draw_slot, simplest
from ibr.data.making.shape import Shape
from ibr.data.making.sketch import Outcome, Sketch
from ibr.data.making.world import World
from ibr.logic.clause import Clause, Literal, Sign

_TRIES = 60  # proposals for one slot before another slot is drawn
_SLOTS = 8  # slots for one rule before the draft is given up


@dataclass
class Draft:
    """A theory in the making."""

    world: World
    shape: Shape
    rng: random.Random
    facts: list[Clause] = field(default_factory=list)
    rules: list[Clause] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sketch = Sketch(self.world.entities)
        self.maker = RuleMaker(self.world, self.shape, self.rng)
        self.known = Known(())

    def add(self, clause: Clause, outcome: Outcome) -> None:
        (self.facts if clause.is_fact else self.rules).append(clause)
        self.sketch.accept(clause, outcome)
        self.known = Known(map(self.sketch.literals, outcome.levels))

    def lose(self, fact: Clause) -> None:
        self.facts.remove(fact)
        self.sketch.forget(fact)
        self.known = Known(map(self.sketch.literals, self.sketch.outcome.levels))

    def tips(self, slot: Slot) -> list[Literal]:
        """The deepest literals from which a rule for the slot can lead on."""
        depth = max(self.known.all.values(), default=0)
        found = [literal for literal, at in self.known.all.items() if at == depth]
        if slot.needs_relation:
            found = [lit for lit in found if lit.relation in self.world.verbs]
        if not self.world.verbs:  # the chain stays with one entity, who must have enough to learn
            steps = self.shape.depth - depth + bool(slot.absent)
            found = [lit for lit in found if self._left_to_learn(lit.subject) >= steps]
        return found

    def unproved(self) -> list[Literal]:
        """What a dead end can wait for: in a crowded theory, for what other rules conclude."""
        atoms = [atom for atom in self.world.atoms if atom not in self.known.all]
        if self.rng.random() < self.shape.crowded:
            concluded = {rule.head[1:3] for rule in self.rules}
            atoms = [atom for atom in atoms if atom[1:3] in concluded] or atoms
        return atoms

    def _left_to_learn(self, subject: str) -> int:
        """How many attributes can still be proved of it: none that is denied or must be absent."""
        denied = self.sketch.literals(self.sketch.outcome.known)
        closed = {lit[1:3] for lit in denied if lit.subject == subject}
        closed |= {lit[1:3] for rule in self.rules for lit in rule.body if lit.sign is Sign.NAF}
        return sum(attribute not in closed for attribute in self.world.attributes)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a theory is to have. A draft that got stuck does not change it: else what is hard to
    place would become rare."""

    entities: int
    facts: int
    slots: tuple[Slot, ...]

    @classmethod
    def draw(cls, shape: Shape, rng: random.Random) -> Plan:
        rules = max(shape.depth, shape.rules.draw(rng))
        slots = tuple(draw_slot(shape, rng) for _ in range(rules))
        entities, facts = shape.entities.draw(rng), shape.facts.draw(rng)
        if shape.facts.low < shape.facts.high:  # else so many were asked for
            facts = max(shape.entities.low, min(facts, shape.room(entities)))
        return cls(min(entities, facts), facts, slots)  # every entity is spoken of


def grow(plan: Plan, world: World, shape: Shape, rng: random.Random) -> Draft:
    """A theory of the plan, facts first. Raises Stuck."""
    draft = Draft(world, shape, rng)
    state_facts(draft, plan.facts)
    slots = list(plan.slots)
    # "… is not red" can hardly be concluded once much is proved: first, and nothing builds on it.
    denials = [slot for slot in slots if slot.negative_head][: len(slots) - shape.depth]
    for slot in denials:
        add_beside(draft, slot, 0, min(1, shape.depth))
        slots.remove(slot)
    # Of the rest, what negates is the hardest to place.
    for slot in sorted(grow_backbone(draft, slots), key=lambda slot: -slot.absent):
        add_beside(draft, slot, shape.depth, shape.depth)
    return draft


def lose_facts(draft: Draft, count: int) -> None:
    """Leaves out so many facts, likeliest those on which most rests: it then fails, rule after

    rule. What would make the rest contradict itself, as with negation it may, stays.
    """
    for _ in range(min(count, len(draft.facts) - 1)):
        without = {fact: draft.sketch.without(fact) for fact in draft.facts}
        bearing = {
            fact: len(draft.known.all) - outcome.known.bit_count()
            for fact, outcome in without.items()
            if outcome is not None
        }
        if not bearing:
            return
        (lost,) = draft.rng.choices(list(bearing), [max(1, load) ** 2 for load in bearing.values()])
        draft.lose(lost)


def state_facts(draft: Draft, count: int) -> None:
    """`count` facts, at least one about every entity where there are enough of them."""
    shape, rng, world = draft.shape, draft.rng, draft.world
    room = _rooms(draft, count)
    likelier = count / max(1, count - len(world.entities))
    told: Counter[str] = Counter()
    while len(draft.facts) < count:
        open_to = [e for e in world.entities if told[e] < room[e]]
        if not open_to:
            raise Stuck(f"no room for {count} facts")
        silent = [e for e in open_to if not told[e]]
        subject = rng.choice(silent or open_to)
        told[subject] += 1
        relational = rng.random() < shape.relational_facts
        ways = (world.relational, world.plain) if relational else (world.plain, world.relational)
        stated = {fact.head.atom for fact in draft.facts}
        atoms = [[atom for atom in way(subject) if atom not in stated] for way in ways]
        if not any(atoms):
            continue
        atom = rng.choice(atoms[0] or atoms[1])
        # A chain starts from something positive that is known of its entity.
        negative = told[subject] > 1 and rng.random() < shape.negative_facts * likelier
        fact = Clause(atom.negation if negative else atom)
        outcome = draft.sketch.trial(fact)
        if outcome is not None:
            draft.add(fact, outcome)


def _rooms(draft: Draft, count: int) -> dict[str, int]:
    """How many facts each entity may have: uneven, and one with enough left to be proved."""
    rng, world = draft.rng, draft.world
    weights = [rng.expovariate(1) + 0.15 for _ in world.entities]
    room: dict[str, int] = {
        e: 1 + round(1.3 * count * w / sum(weights))
        for e, w in zip(world.entities, weights, strict=True)
    }
    if not world.verbs:  # a chain of attributes runs on one entity: it must not know them yet
        poorest = min(room, key=room.__getitem__)
        spare = draft.shape.absent > 0 or draft.shape.negative_heads > 0
        most = max(1, len(world.attributes) - draft.shape.depth - spare)
        room[poorest] = min(room[poorest], most)
    short = count - sum(room.values())
    if short > 0:
        for entity in rng.sample(world.entities, len(world.entities)):
            room[entity] += short
    return room


def grow_backbone(draft: Draft, slots: list[Slot]) -> list[Slot]:
    """Rules that take the theory to its depth, one step each; returns the slots left over."""
    left = list(slots)
    for depth in range(1, draft.shape.depth + 1):
        carrying = [slot for slot in left if slot.can_carry]
        if not carrying:  # too much negation was drawn for so deep a theory
            left[0] = simplest(left[0])
            carrying = [left[0]]
        if depth == 1:  # little is known yet that could hold together
            carrying.sort(key=lambda slot: slot.conditions)
        if sum(not slot.needs_relation for slot in carrying) < draft.shape.depth - depth + 1:
            # Some that need a relation to rest on must come: now, while there is one.
            carrying.sort(key=lambda slot: not slot.needs_relation)
        for slot in carrying:
            if _add(draft, slot, _ahead, depth, draft.shape.depth):
                break
        else:
            if not _add(draft, simplest(slot), _ahead, depth, draft.shape.depth):
                raise Stuck(f"no rule leads to depth {depth}")
        left.remove(slot)
    return left


Proposal = Callable[[Draft, Slot], Clause | None]


def add_beside(draft: Draft, slot: Slot, reach: int, depth: int) -> None:
    """A rule for the slot, or for another one that negates as much."""
    for _ in range(_SLOTS):
        if _add(draft, slot, _beside, reach, depth):
            return
        other = draw_slot(draft.shape, draft.rng)
        absent = min(slot.absent, other.conditions)
        slot = replace(other, absent=absent, negative_head=slot.negative_head)
    raise Stuck("no rule fits beside the others")


def _add(draft: Draft, slot: Slot, propose: Proposal, reach: int, depth: int) -> bool:
    """Add the first proposal after which the positive literals reach this far, and none is
    deeper than `depth`."""
    for _ in range(_TRIES):
        clause = propose(draft, slot)
        if clause is None or clause in draft.rules:
            continue
        outcome = draft.sketch.trial(clause)
        if outcome and outcome.depth <= depth and draft.sketch.reach(outcome) == reach:
            draft.add(clause, outcome)
            return True
    return False


def _ahead(draft: Draft, slot: Slot) -> Clause | None:
    """A rule that rests on the deepest literals and concludes something new."""
    anchors = draft.tips(slot)
    if not anchors:
        return None
    anchor = draft.rng.choice(anchors)
    return draft.maker.propose(slot, anchor, draft.known, lambda a: a not in draft.known.all)


def _beside(draft: Draft, slot: Slot) -> Clause | None:
    """A rule beside the backbone: live, with conditions that hold together, or a dead end."""
    known, rng = draft.known, draft.rng
    live = rng.random() < draft.shape.alive and known.all
    anchor = None
    if slot.absent < slot.conditions:
        pool = sorted(known.all) if live else draft.unproved()
        if not pool:
            return None
        anchor = rng.choice(pool)
    fresh = slot.negative_head or rng.random() < draft.shape.fresh
    crowded = rng.random() < draft.shape.crowded
    concluded = {rule.head[1:3] for rule in draft.rules}

    def may_conclude(atom: Literal) -> bool:
        return not (fresh and atom in known.all) and (not crowded or atom[1:3] in concluded)

    return draft.maker.propose(slot, anchor, known, may_conclude)
