"""Builds a theory that proves something at every depth up to the one asked for, and no deeper.

First the facts, then a backbone: each rule rests on what was proved last and takes the theory one
step deeper. Then the rules beside it, which fire or not. Each is tried on a `Sketch` and kept only
if the depth stays, nothing is contradicted and the theory is stratified.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from ibr.data.making.draft import Draft, Slot, draw_slot
from ibr.data.making.shape import Shape
from ibr.data.making.vocabulary import World
from ibr.logic.clause import Clause, Literal

_TRIES = 60  # proposals for one slot before another slot is drawn
_SLOTS = 8  # slots for one rule before the draft is given up


class StuckDraft(Exception):
    """A draft of a theory that cannot be finished: another one is started."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The sizes of a theory and the forms of its rules. A stuck draft does not change the plan:
    otherwise forms that are hard to place would become rare."""

    entities: int
    facts: int
    slots: tuple[Slot, ...]

    @classmethod
    def draw(cls, shape: Shape, rng: random.Random) -> Plan:
        rules = max(shape.depth, shape.rules.draw(rng))
        slots = tuple(draw_slot(shape, rng) for _ in range(rules))
        entities, facts = shape.entities.draw(rng), shape.facts.draw(rng)
        if shape.facts.low < shape.facts.high:  # else the number was asked for
            facts = max(shape.entities.low, min(facts, shape.max_facts(entities)))
        return cls(min(entities, facts), facts, slots)  # every entity has a fact


def grow(plan: Plan, world: World, shape: Shape, rng: random.Random) -> Draft:
    """A theory of the plan, facts first. Raises StuckDraft."""
    draft = Draft(world, shape, rng)
    state_facts(draft, plan.facts)
    slots = list(plan.slots)
    # Negative conclusions come first: they seldom fit once much is proved, and nothing uses them.
    denials = [slot for slot in slots if slot.negative_head][: len(slots) - shape.depth]
    for slot in denials:
        add_beside(draft, slot, 0, min(1, shape.depth))
        slots.remove(slot)
    # Of the rest, rules with negation are the hardest to place.
    for slot in sorted(grow_backbone(draft, slots), key=lambda slot: -slot.absent):
        add_beside(draft, slot, shape.depth, shape.depth)
    return draft


def lose_facts(draft: Draft, count: int) -> None:
    """Remove so many facts, most likely those that prove most, so that chains of rules fail.

    A fact is kept if the theory without it is contradictory or not stratified.
    """
    for _ in range(min(count, len(draft.facts) - 1)):
        without = {fact: draft.sketch.without(fact) for fact in draft.facts}
        possible = {fact: outcome for fact, outcome in without.items() if outcome is not None}
        if not possible:
            return
        known = len(draft.known)
        weights = [max(1, known - o.known.bit_count()) ** 2 for o in possible.values()]
        (lost,) = draft.rng.choices(list(possible), weights)
        draft.facts.remove(lost)
        draft.accept(possible[lost])


def state_facts(draft: Draft, count: int) -> None:
    """Add `count` facts, at least one about every entity if there are enough."""
    shape, rng, world = draft.shape, draft.rng, draft.world
    limits = _fact_limits(draft, count)
    likelier = count / max(1, count - len(world.entities))
    stated: Counter[str] = Counter()  # facts or attempts by subject
    while len(draft.facts) < count:
        left = [e for e in world.entities if stated[e] < limits[e]]
        if not left:
            raise StuckDraft(f"too few statements for {count} facts")
        subject = rng.choice([e for e in left if not stated[e]] or left)
        stated[subject] += 1
        relational = rng.random() < shape.relational_facts
        ways = (world.relational, world.plain) if relational else (world.plain, world.relational)
        known = {fact.head.atom for fact in draft.facts}
        atoms = [[atom for atom in way(subject) if atom not in known] for way in ways]
        if not any(atoms):
            continue
        atom = rng.choice(atoms[0] or atoms[1])
        # The first fact of an entity is positive: a chain can start from it.
        negative = stated[subject] > 1 and rng.random() < shape.negative_facts * likelier
        fact = Clause(atom.negation if negative else atom)
        outcome = draft.sketch.trial(fact)
        if outcome is not None:
            draft.facts.append(fact)
            draft.accept(outcome)


def _fact_limits(draft: Draft, count: int) -> dict[str, int]:
    """How many facts each entity may have: uneven, and one with enough left to be proved."""
    rng, world = draft.rng, draft.world
    weights = [rng.expovariate(1) + 0.15 for _ in world.entities]
    limits: dict[str, int] = {
        e: 1 + round(1.3 * count * w / sum(weights))
        for e, w in zip(world.entities, weights, strict=True)
    }
    if not world.verbs:  # a chain of attributes stays with one entity, which must not have them
        poorest = min(limits, key=limits.__getitem__)
        spare = draft.shape.absent > 0 or draft.shape.negative_heads > 0
        most = max(1, len(world.attributes) - draft.shape.depth - spare)
        limits[poorest] = min(limits[poorest], most)
    short = count - sum(limits.values())
    if short > 0:
        for entity in rng.sample(world.entities, len(world.entities)):
            limits[entity] += short
    return limits


def grow_backbone(draft: Draft, slots: list[Slot]) -> list[Slot]:
    """Add rules that take the theory to its depth, one step each; return the unused slots."""
    left = list(slots)
    for depth in range(1, draft.shape.depth + 1):
        carrying = [slot for slot in left if slot.can_carry]
        if not carrying:  # too many slots with negation for this depth
            left[0] = left[0].simplest
            carrying = [left[0]]
        if depth == 1:  # few literals are proved that several conditions could use
            carrying.sort(key=lambda slot: slot.conditions)
        if sum(not slot.needs_relation for slot in carrying) < draft.shape.depth - depth + 1:
            # Some slots that need a relation must be used: now, while there is one.
            carrying.sort(key=lambda slot: not slot.needs_relation)
        for slot in carrying:
            if _add(draft, slot, _ahead, depth, draft.shape.depth):
                break
        else:
            if not _add(draft, slot.simplest, _ahead, depth, draft.shape.depth):
                raise StuckDraft(f"no rule leads to depth {depth}")
        left.remove(slot)
    return left


Proposal = Callable[[Draft, Slot], Clause | None]


def add_beside(draft: Draft, slot: Slot, reach: int, depth: int) -> None:
    """Add a rule for the slot, or for another one with as much negation."""
    for _ in range(_SLOTS):
        if _add(draft, slot, _beside, reach, depth):
            return
        other = draw_slot(draft.shape, draft.rng)
        absent = min(slot.absent, other.conditions)
        slot = replace(other, absent=absent, negative_head=slot.negative_head)
    raise StuckDraft("no rule fits beside the others")


def _add(draft: Draft, slot: Slot, propose: Proposal, reach: int, depth: int) -> bool:
    """Add the first proposal with which positive literals are `reach` deep, and all at most
    `depth`."""
    for _ in range(_TRIES):
        clause = propose(draft, slot)
        if clause is None or clause in draft.rules:
            continue
        outcome = draft.sketch.trial(clause)
        if outcome and outcome.depth <= depth and draft.sketch.reach(outcome) == reach:
            draft.rules.append(clause)
            draft.accept(outcome)
            return True
    return False


def _ahead(draft: Draft, slot: Slot) -> Clause | None:
    """A rule with one of the deepest literals as condition and a new conclusion."""
    anchors = draft.deepest(slot)
    if not anchors:
        return None
    return draft.propose(slot, draft.rng.choice(anchors), lambda atom: atom not in draft.known)


def _beside(draft: Draft, slot: Slot) -> Clause | None:
    """A rule beside the backbone: its conditions hold together, or it does not fire."""
    known, rng = draft.known, draft.rng
    live = rng.random() < draft.shape.alive and known
    anchor = None
    if slot.absent < slot.conditions:
        pool = draft.sorted_known if live else draft.unproved()
        if not pool:
            return None
        anchor = rng.choice(pool)
    fresh = slot.negative_head or rng.random() < draft.shape.fresh
    crowded = rng.random() < draft.shape.crowded
    concluded = draft.concluded

    def may_conclude(atom: Literal) -> bool:
        return not (fresh and atom in known) and (not crowded or atom[1:3] in concluded)

    return draft.propose(slot, anchor, may_conclude)
