"""One rule at a time: what it should be like (`Slot`), and a proposal with words and entities.

A rule is connected, as RuleTaker's are: it starts from one entity, and everything else that it
speaks of was mentioned before. Whether the theory can take the rule is `growth`'s question.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from ibr.data.making.shape import Shape
from ibr.data.making.world import World
from ibr.logic.clause import Clause, Literal, Sign
from ibr.logic.templates import VARIABLE

Heads = Callable[[Literal], bool]  # may a rule conclude this atom?


class Scope(Enum):
    """Where the variable is: in body and head, in the body only, nowhere."""

    GENERAL = "general"
    GROUND_HEAD = "ground head"
    GROUND = "ground"


@dataclass(frozen=True, slots=True)
class Slot:
    """What a rule is to be like."""

    conditions: int
    absent: int  # how many of the conditions are negated
    scope: Scope
    relational_head: bool
    negative_head: bool

    @property
    def needs_relation(self) -> bool:
        """Whether its one positive condition must mention another entity, to conclude about it."""
        return self.scope is Scope.GROUND_HEAD and self.conditions - self.absent == 1

    @property
    def can_carry(self) -> bool:
        """Whether a proof can go on through it: it rests on something and others can rest on it."""
        return self.absent < self.conditions and not self.negative_head


def draw_slot(shape: Shape, rng: random.Random) -> Slot:
    conditions = rng.choices(range(1, len(shape.conditions) + 1), shape.conditions)[0]
    absent = 0
    if rng.random() < shape.absent:
        absent = 1 + sum(rng.random() < 0.15 for _ in range(conditions - 1))
    ground = rng.random() < shape.ground
    # Chances in a Shape are shares of all rules; this one is drawn among those with a variable.
    among = shape.ground_heads / (1 - shape.ground) if shape.ground < 1 else 0.0
    scope = Scope.GROUND if ground else Scope.GENERAL
    if not ground and rng.random() < among:
        scope = Scope.GROUND_HEAD
    relational = rng.random() < shape.relational_heads
    return Slot(conditions, absent, scope, relational, rng.random() < shape.negative_heads)


def simplest(slot: Slot) -> Slot:
    """A slot like it that is as easy to fill as can be."""
    scope = Scope.GROUND if slot.scope is Scope.GROUND else Scope.GENERAL
    return replace(slot, conditions=1, absent=0, scope=scope, negative_head=False)


class Known:
    """The positive literals that a theory proves so far, with their depths, by subject."""

    def __init__(self, levels: Iterable[Iterable[Literal]]) -> None:
        self.all = {lit: d for d, level in enumerate(levels) for lit in level if lit.positive}
        self._about: defaultdict[str, list[Literal]] = defaultdict(list)
        self._towards: defaultdict[str, list[Literal]] = defaultdict(list)
        for literal in sorted(self.all):
            self._about[literal.subject].append(literal)
            self._towards[literal.object].append(literal)

    def about(self, subject: str) -> Sequence[Literal]:
        return self._about.get(subject, ())

    def towards(self, entity: str) -> Sequence[Literal]:
        """What others do to it."""
        return [lit for lit in self._towards.get(entity, ()) if lit.subject != entity]


@dataclass(frozen=True)
class RuleMaker:
    world: World
    shape: Shape
    rng: random.Random

    def propose(
        self, slot: Slot, anchor: Literal | None, known: Known, heads: Heads
    ) -> Clause | None:
        """A rule for the slot that rests on `anchor`, if given; None if this draw led nowhere."""
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
        clause = Clause(head, tuple(body))
        return clause if slot.scope is Scope.GROUND else _generalised(clause, start, slot.scope)

    def _opening(self, slot: Slot, anchor: Literal | None, known: Known) -> list[Literal]:
        """The anchor, maybe reached from someone who does something to its subject."""
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
        loose = self.shape.loose if slot.scope is Scope.GROUND else 0.0
        return loose > 0 and self.rng.random() < loose

    def _present(self, subject: str, known: Known) -> Literal | None:
        found = known.about(subject)
        if self.rng.random() < self.shape.bushy:
            found = [lit for lit in found if known.all[lit]] or found
        return self._one_of(found)

    def _absent(self, subject: str, known: Known) -> Literal | None:
        atoms = (*self.world.plain(subject), *self.world.relational(subject))
        atom = self._one_of([a for a in atoms if a not in known.all])
        return atom and atom._replace(sign=Sign.NAF)

    def _one_of(self, atoms: Sequence[Literal]) -> Literal | None:
        """One of them, relational as often as the shape says where there is a choice."""
        relational = [a for a in atoms if a.relation in self.world.verbs]
        plain = [a for a in atoms if a.relation not in self.world.verbs]
        first = self.rng.random() < self.shape.relational_conditions
        pool = (relational or plain) if first else (plain or relational)
        return self.rng.choice(pool) if pool else None

    def _head(self, slot: Slot, mentioned: Sequence[str], heads: Heads) -> Literal | None:
        places = mentioned[:1] if slot.scope is Scope.GENERAL else mentioned
        if slot.scope is Scope.GROUND_HEAD:
            places = mentioned[1:]
        if not places:
            return None
        subject = self.rng.choice(self.world.entities if self._is_loose(slot) else places)
        world = self.world
        atoms = world.relational(subject) if slot.relational_head else world.plain(subject)
        atoms = [atom for atom in atoms if heads(atom)]
        if not atoms:
            return None
        atom = self.rng.choice(atoms)
        return atom.negation if slot.negative_head else atom


def _mentioned(start: str, body: Iterable[Literal]) -> list[str]:
    """The start, then the objects of verbs, then other subjects, each once."""
    objects = [lit.object for lit in body if lit.relation != "is" and lit.object]
    return list(dict.fromkeys([start, *objects, *(lit.subject for lit in body)]))


def _generalised(clause: Clause, start: str, scope: Scope) -> Clause | None:
    """The variable for the entity that the rule starts from, wherever that is a subject."""
    head, *body = (
        literal._replace(subject=VARIABLE) if literal.subject == start else literal
        for literal in (clause.head, *clause.body)
    )
    if head.variables and scope is Scope.GROUND_HEAD:
        return None
    return Clause(head, tuple(body))
