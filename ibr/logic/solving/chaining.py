"""Forward chaining: every ground literal that a program proves, and every instance that proves it.

Semi-naive, one literal at a time: a literal meets only the conditions that it can satisfy, and the
others are joined through hash indexes, so the cost grows with the instances found. `sizes` then
finds how deep and how long the proofs of each literal are at least. The order of layers is decided
in `strata`; proofs are made in `proof_forest`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from ibr.logic.budget import keep, spend
from ibr.logic.clause import Clause, Literal, Sign, groundings

Key = tuple[str | None, str, str | None, Sign]  # as a literal; None is any of the domain
Binding = dict[str, str]
_NAF = Sign.NAF


class Rule(NamedTuple):
    """A clause and its sentence."""

    sentence: int
    clause: Clause


class Instance(NamedTuple):
    """A ground clause that proves its head: its sentence, and its body as it holds."""

    sentence: int
    body: tuple[Literal, ...] = ()

    @property
    def premises(self) -> list[Literal]:
        """The conditions that need a proof of their own: all but `~`."""
        return [literal for literal in self.body if literal.sign is not _NAF]


Instances = Mapping[Literal, Collection[Instance]]


class _Plan(NamedTuple):
    """A rule, and what must hold for it to fire, sorted by how it is evaluated."""

    rule: Rule
    joined: tuple[Literal, ...]  # proved; they bind variables
    free: tuple[str, ...]  # variables of none of these: anything in the domain
    absent: tuple[Literal, ...]  # atoms that must not be proved

    @classmethod
    def of(cls, rule: Rule, settled: Callable[[Literal], bool]) -> _Plan:
        body = rule.clause.body
        joined = tuple(lit for lit in body if lit.sign is not _NAF)
        bound = frozenset[str]().union(*(lit.variables for lit in joined))
        absent = tuple(lit.atom for lit in body if lit.sign is _NAF and settled(lit.atom))
        return cls(rule, joined, tuple(sorted(rule.clause.variables - bound)), absent)


def key_of(literal: Literal, binding: Binding) -> Key:
    """The index key of a pattern under a binding; unbound variables are None."""
    subject, relation, object_, sign = literal
    return (
        binding.get(subject) if subject[:1] == "?" else subject,
        relation,
        binding.get(object_) if object_[:1] == "?" else object_,
        sign,
    )


def match(pattern: Literal, fact: Literal, binding: Binding) -> Binding | None:
    """The binding that makes the pattern the fact, or None; their constants agree already."""
    subject, _, object_, _ = pattern
    extended = {**binding, subject: fact.subject} if subject[:1] == "?" else binding
    if object_[:1] != "?":
        return extended
    if extended.get(object_, fact.object) != fact.object:
        return None
    return {**extended, object_: fact.object}


class Closure:
    """What is proved so far. `instances` maps each proved literal to all the ways to prove it."""

    def __init__(self, domain: Iterable[str]) -> None:
        self.domain = tuple(sorted(domain))
        self.instances: dict[Literal, dict[Instance, None]] = {}  # the inner one as an ordered set
        self.entities = frozenset(self.domain)
        self._index: defaultdict[Key, list[Literal]] = defaultdict(list)
        # conditions that a new literal may satisfy, with the others of the rule
        self._triggers: defaultdict[Key, list[tuple[_Plan, Literal, tuple[Literal, ...]]]]
        self._triggers = defaultdict(list)
        self._agenda: deque[Literal] = deque()

    def _keys(self, literal: Literal) -> list[Key]:
        """Every key of a pattern that the literal may match."""
        subject, relation, object_, sign = literal
        keys: list[Key] = [(subject, relation, object_, sign), (None, relation, object_, sign)]
        if object_ in self.entities:  # a variable is never "kind" nor the missing object ""
            keys += (subject, relation, None, sign), (None, relation, None, sign)
        return keys

    def run(
        self, rules: Sequence[Rule], settled: Callable[[Literal], bool] = lambda atom: True
    ) -> None:
        """Close the model under these rules too; ~ conditions on unsettled atoms stop none."""
        for rule in rules:
            plan = _Plan.of(rule, settled)
            self._fire(plan, self.solutions(plan.joined, {}))
            for place, condition in enumerate(plan.joined):
                others = plan.joined[:place] + plan.joined[place + 1 :]
                self._triggers[key_of(condition, {})].append((plan, condition, others))
        while self._agenda:  # match each new literal with the conditions that it satisfies
            fact = self._agenda.popleft()
            keys = self._keys(fact)
            for key in keys:
                self._index[key].append(fact)
            for key in keys:
                for plan, condition, others in self._triggers.get(key, ()):
                    binding = match(condition, fact, {})
                    if binding is not None:
                        self._fire(plan, self.solutions(others, binding))

    def solutions(self, conditions: Sequence[Literal], binding: Binding) -> Iterator[Binding]:
        """Every way to bind the variables of these conditions so that all are proved."""
        spend()
        if not conditions:
            yield binding
            return
        found = [self._index.get(key_of(literal, binding), ()) for literal in conditions]
        place = min(range(len(found)), key=lambda p: len(found[p])) if len(found) > 1 else 0
        rest = (*conditions[:place], *conditions[place + 1 :])
        for fact in found[place]:
            extended = match(conditions[place], fact, binding)
            if extended is not None:
                yield from self.solutions(rest, extended)

    def complete(self, bindings: Iterable[Binding], free: Sequence[str]) -> Iterable[Binding]:
        """Bind the free variables, too, to everything in the domain."""
        if not free:
            return bindings
        return (
            {**binding, **more} for binding in bindings for more in groundings(free, self.domain)
        )

    def _fire(self, plan: _Plan, bindings: Iterable[Binding]) -> None:
        for binding in self.complete(bindings, plan.free):
            spend()
            if not any(atom.bind(binding) in self.instances for atom in plan.absent):
                head, body = plan.rule.clause.bind(binding)
                keep()
                if head not in self.instances:
                    self.instances[head] = {}
                    self._agenda.append(head)
                # A fact that serves two conditions of a rule finds its instance twice.
                self.instances[head][Instance(plan.rule.sentence, body)] = None


class Size(NamedTuple):
    """Proof trees of at most `depth` have at least `size` nodes (facts + NAFs + rules)."""

    depth: int
    size: int


def sizes(instances: Instances) -> dict[Literal, list[Size]]:
    """For each literal, each depth at which its proofs can get smaller, from its own depth on.

    The first entry is the literal's depth and RuleTaker's QLen; the last, its smallest proof. In
    rounds of growing depth, whatever order the instances were found in: after round d the size of a
    literal is that of its smallest proof tree of depth at most d.
    """
    table: dict[Literal, list[Size]] = {}
    current: dict[Literal, int] = {}
    smaller: dict[Literal, int] = {}
    uses: defaultdict[Literal, list[tuple[Literal, Instance]]] = defaultdict(list)
    due: dict[tuple[Literal, Instance], None] = {}
    for head, ways in instances.items():
        for instance in ways:
            premises = instance.premises
            for premise in premises:
                uses[premise].append((head, instance))
            if not instance.body:  # a fact, or a rule without conditions: of all there is
                smaller[head] = 1
            elif not premises:
                due[head, instance] = None
    for depth in count():
        current |= smaller
        for head, size in smaller.items():
            table.setdefault(head, []).append(Size(depth, size))
            due.update(dict.fromkeys(uses[head]))
        spend(len(due))
        smaller = {}
        for head, instance in due:
            least = size_by(instance, current.get)
            if least is not None and least < smaller.get(head, current.get(head, least + 1)):
                smaller[head] = least
        if not smaller:
            return table
        due = {}
    raise AssertionError("unreachable")


def size_by(instance: Instance, least: Callable[[Literal], int | None]) -> int | None:
    """Of the smallest tree by this instance, if the smallest trees of its premises are known."""
    size = 1 + len(instance.body)
    for premise in instance.premises:
        known = least(premise)
        if known is None:
            return None
        size += known - 1
    return size
