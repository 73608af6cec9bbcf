"""An unfinished theory, the form of a rule (`Slot`), and proposals for its next rule.

A rule is connected, as RuleTaker's are: it starts from one entity, and each further condition is
about an entity that was mentioned before. `growth` decides whether the rule is added.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from ibr.data.making.shape import Shape
from ibr.data.making.sketch import Outcome, Sketch
from ibr.data.making.vocabulary import World
from ibr.logic.clause import Clause, Literal, Sign
from ibr.logic.surface.templates import VARIABLE


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

    @property
    def simplest(self) -> "Slot":
        """The form with one positive condition and conclusion, which is the easiest to find."""
        return replace(self, conditions=1, absent=0, ground_head=False, negative_head=False)


def draw_slot(shape: Shape, rng: random.Random) -> Slot:
    conditions = rng.choices(range(1, len(shape.conditions) + 1), shape.conditions)[0]
    absent = 0
    if rng.random() < shape.absent:
        absent = 1 + sum(rng.random() < 0.15 for _ in range(conditions - 1))
    ground = rng.random() < shape.ground
    # A Shape has shares of all rules; this one is drawn among rules with a variable.
    ground_head = not ground and rng.random() < shape.ground_heads / (1 - shape.ground)
    heads = (rng.random() < p for p in (shape.relational_heads, shape.negative_heads))
    return Slot(conditions, absent, ground, ground_head, *heads)


@dataclass
class Draft:
    """`known` is what the theory proves so far, positive literals only, with their depths."""

    world: World
    shape: Shape
    rng: random.Random
    facts: list[Clause] = field(default_factory=list)
    rules: list[Clause] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sketch = Sketch(self.world.entities)
        self.accept(self.sketch.outcome)

    def accept(self, outcome: Outcome) -> None:
        """What facts and rules prove now that one was added or removed."""
        self.sketch.outcome = outcome
        levels = enumerate(map(self.sketch.literals, outcome.levels))
        self.known = {lit: depth for depth, level in levels for lit in level if lit.positive}
        self.sorted_known = sorted(self.known)

    @property
    def concluded(self) -> set[tuple[str, str]]:
        """(relation, object) of every conclusion."""
        return {(rule.head.relation, rule.head.object) for rule in self.rules}

    def deepest(self, slot: Slot) -> list[Literal]:
        """The deepest literals that can be a condition of a rule for the slot."""
        depth = max(self.known.values(), default=0)
        found = [literal for literal, at in self.known.items() if at == depth]
        if slot.needs_relation:
            found = [lit for lit in found if lit.relation in self.world.verbs]
        if not self.world.verbs:  # the chain stays with one entity: enough must be left to prove
            steps = self.shape.depth - depth + bool(slot.absent)
            found = [lit for lit in found if self._provable(lit.subject) >= steps]
        return found

    def _provable(self, subject: str) -> int:
        """How many attributes can still be proved of it: none that is known or must be absent."""
        known = self.sketch.literals(self.sketch.outcome.known)
        closed = {lit[1:3] for lit in known if lit.subject == subject}
        closed |= {lit[1:3] for rule in self.rules for lit in rule.body if lit.sign is Sign.NAF}
        return sum(attribute not in closed for attribute in self.world.attributes)

    def unproved(self) -> list[Literal]:
        """Conditions of a rule that does not fire: in a crowded theory, conclusions of others."""
        atoms = [atom for atom in self.world.atoms if atom not in self.known]
        if self.rng.random() < self.shape.crowded:
            concluded = self.concluded
            atoms = [atom for atom in atoms if atom[1:3] in concluded] or atoms
        return atoms

    def propose(
        self, slot: Slot, anchor: Literal | None, may_conclude: Callable[[Literal], bool]
    ) -> Clause | None:
        """A rule of this form with the condition `anchor`, if given; None if a draw fails."""
        body = self._opening(slot, anchor)
        start = body[0].subject if body else self.rng.choice(self.world.entities)
        mentioned = _mentioned(start, body)
        while len(body) < slot.conditions:
            subject = self._subject(slot, mentioned)
            negated = len(body) >= slot.conditions - slot.absent
            literal = self._absent(subject) if negated else self._present(subject)
            if literal is None or any(literal.atom == other.atom for other in body):
                return None
            body.append(literal)
            mentioned = _mentioned(start, body)
        head = self._head(slot, mentioned, may_conclude)
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

    def _opening(self, slot: Slot, anchor: Literal | None) -> list[Literal]:
        """The anchor, sometimes after a literal that has its subject as object."""
        if anchor is None:
            return []
        if slot.conditions - slot.absent > 1 and self.rng.random() < self.shape.linked / 2:
            to = anchor.subject
            if leading := [lit for lit in self.sorted_known if lit.object == to != lit.subject]:
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

    def _present(self, subject: str) -> Literal | None:
        found = [lit for lit in self.sorted_known if lit.subject == subject]
        if self.rng.random() < self.shape.bushy:
            found = [lit for lit in found if self.known[lit]] or found
        return self._one_of(found)

    def _absent(self, subject: str) -> Literal | None:
        atoms = (*self.world.plain(subject), *self.world.relational(subject))
        atom = self._one_of([a for a in atoms if a not in self.known])
        return atom and atom._replace(sign=Sign.NAF)

    def _one_of(self, atoms: Sequence[Literal]) -> Literal | None:
        """One of them, with the shape's probability a relational one if there is one."""
        relational = [a for a in atoms if a.relation in self.world.verbs]
        plain = [a for a in atoms if a.relation not in self.world.verbs]
        first = self.rng.random() < self.shape.relational_conditions
        pool = (relational or plain) if first else (plain or relational)
        return self.rng.choice(pool) if pool else None

    def _head(
        self, slot: Slot, mentioned: Sequence[str], may_conclude: Callable[[Literal], bool]
    ) -> Literal | None:
        subjects = mentioned if slot.ground else mentioned[:1]
        if slot.ground_head:
            subjects = mentioned[1:]
        if not subjects:
            return None
        subject = self.rng.choice(self.world.entities if self._is_loose(slot) else subjects)
        statements = self.world.relational if slot.relational_head else self.world.plain
        atoms = [atom for atom in statements(subject) if may_conclude(atom)]
        if not atoms:
            return None
        atom = self.rng.choice(atoms)
        return atom.negation if slot.negative_head else atom


def _mentioned(start: str, body: Iterable[Literal]) -> list[str]:
    """The start, then the objects of verbs, then other subjects, each once."""
    objects = [lit.object for lit in body if lit.relation != "is" and lit.object]
    return list(dict.fromkeys([start, *objects, *(lit.subject for lit in body)]))
