"""One rule at a time: its form (`Slot`), and a proposal with words and entities.

A rule is connected, as RuleTaker's are: it starts from one entity, and each further condition is
about an entity that was mentioned before. `growth` decides whether the rule is added.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ibr.data.making.shape import Shape
from ibr.data.making.vocabulary import World
from ibr.logic.clause import Clause, Literal, Sign
from ibr.logic.surface.templates import VARIABLE

Heads = Callable[[Literal], bool]  # may a rule conclude this atom?


@dataclass(frozen=True, slots=True)
class Slot:
    """The form that a rule must have."""

    conditions: int
    absent: int  # how many of the conditions are negated
    ground: bool  # no variable
    ground_head: bool  # a variable in the body only
    relational_head: bool
    negative_head: bool

    @property
    def needs_relation(self) -> bool:
        """Whether its one positive condition must mention the entity of the conclusion."""
        return self.ground_head and self.conditions - self.absent == 1

    @property
    def can_carry(self) -> bool:
        """Whether a longer proof can use it: it has a positive condition and conclusion."""
        return self.absent < self.conditions and not self.negative_head


def draw_slot(shape: Shape, rng: random.Random) -> Slot:
    conditions = rng.choices(range(1, len(shape.conditions) + 1), shape.conditions)[0]
    absent = 0
    if rng.random() < shape.absent:
        absent = 1 + sum(rng.random() < 0.15 for _ in range(conditions - 1))
    ground = rng.random() < shape.ground
    # A Shape has shares of all rules; this one is drawn among rules with a variable.
    ground_head = not ground and rng.random() < shape.ground_heads / (1 - shape.ground)
    relational, negative = (
        rng.random() < p for p in (shape.relational_heads, shape.negative_heads)
    )
    return Slot(conditions, absent, ground, ground_head, relational, negative)


def simplest(slot: Slot) -> Slot:
    """The form with one positive condition and conclusion, which is the easiest to find."""
    return replace(slot, conditions=1, absent=0, ground_head=False, negative_head=False)


class ProvedLiterals:
    """The positive literals that a theory proves so far, with their depths, by subject."""

    def __init__(self, levels: Iterable[Iterable[Literal]]) -> None:
        self.all = {lit: d for d, level in enumerate(levels) for lit in level if lit.positive}
        self._about: defaultdict[str, list[Literal]] = defaultdict(list)
        for literal in sorted(self.all):
            self._about[literal.subject].append(literal)

    def about(self, subject: str) -> Sequence[Literal]:
        return self._about.get(subject, ())

    def towards(self, entity: str) -> Sequence[Literal]:
        """Literals that have it as their object."""
        return [lit for lit in sorted(self.all) if lit.object == entity != lit.subject]


@dataclass(frozen=True)
class RuleMaker:
    world: World
    shape: Shape
    rng: random.Random

    def propose(
        self, slot: Slot, anchor: Literal | None, known: ProvedLiterals, heads: Heads
    ) -> Clause | None:
        """A rule of this form with the condition `anchor`, if given; None if a draw fails."""
        body = self._opening(slot, anchor, known)
        start = body[0].subject if body else self.rng.choice(self.world.entities)
        mentioned = _mentioned(start, body)
        while len(body) < slot.conditions:
            negated = len(body) >= slot.conditions - slot.absent
            subject = self._subject(slot, mentioned)
            literal = self._absent(subject, known) if negated else self._present(subject, known)
            if literal is None or any(literal.atom == other.atom for other in body):
                return None
            body.append(literal)
            mentioned = _mentioned(start, body)
        head = self._head(slot, mentioned, heads)
        if head is None or any(head.atom == other.atom for other in body):
            return None
        self.rng.shuffle(body)
        body.sort(key=lambda literal: literal.subject != start)
        if not slot.ground:
            head, *body = (
                literal._replace(subject=VARIABLE) if literal.subject == start else literal
                for literal in (head, *body)
            )
        return None if slot.ground_head and head.variables else Clause(head, tuple(body))

    def _opening(self, slot: Slot, anchor: Literal | None, known: ProvedLiterals) -> list[Literal]:
        """The anchor, sometimes after a literal that has its subject as object."""
        if anchor is None:
            return []
        if slot.conditions - slot.absent > 1 and self.rng.random() < self.shape.linked / 2:
            leading = known.towards(anchor.subject)
            if leading:
                return [self.rng.choice(leading), anchor]
        return [anchor]

    def _subject(self, slot: Slot, mentioned: Sequence[str]) -> str:
        if self._is_loose(slot):
            return self.rng.choice(self.world.entities)
        if len(mentioned) > 1 and self.rng.random() < self.shape.linked:
            return self.rng.choice(mentioned[1:])
        return mentioned[0]

    def _is_loose(self, slot: Slot) -> bool:
        return slot.ground and self.shape.loose > 0 and self.rng.random() < self.shape.loose

    def _present(self, subject: str, known: ProvedLiterals) -> Literal | None:
        found = known.about(subject)
        if self.rng.random() < self.shape.bushy:
            found = [lit for lit in found if known.all[lit]] or found
        return self._one_of(found)

    def _absent(self, subject: str, known: ProvedLiterals) -> Literal | None:
        atoms = (*self.world.plain(subject), *self.world.relational(subject))
        atom = self._one_of([a for a in atoms if a not in known.all])
        return atom and atom._replace(sign=Sign.NAF)

    def _one_of(self, atoms: Sequence[Literal]) -> Literal | None:
        """One of them, with the shape's probability a relational one if there is one."""
        relational = [a for a in atoms if a.relation in self.world.verbs]
        plain = [a for a in atoms if a.relation not in self.world.verbs]
        first = self.rng.random() < self.shape.relational_conditions
        pool = (relational or plain) if first else (plain or relational)
        return self.rng.choice(pool) if pool else None

    def _head(self, slot: Slot, mentioned: Sequence[str], heads: Heads) -> Literal | None:
        subjects = (
            mentioned[1:] if slot.ground_head else mentioned if slot.ground else mentioned[:1]
        )
        if not subjects:
            return None
        subject = self.rng.choice(self.world.entities if self._is_loose(slot) else subjects)
        statements = self.world.relational if slot.relational_head else self.world.plain
        atoms = [atom for atom in statements(subject) if heads(atom)]
        if not atoms:
            return None
        atom = self.rng.choice(atoms)
        return atom.negation if slot.negative_head else atom


def _mentioned(start: str, body: Iterable[Literal]) -> list[str]:
    """The start, then the objects of verbs, then other subjects, each once."""
    objects = [lit.object for lit in body if lit.relation != "is" and lit.object]
    return list(dict.fromkeys([start, *objects, *(lit.subject for lit in body)]))
