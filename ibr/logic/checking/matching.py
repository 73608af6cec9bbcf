"""Which bindings make the conditions of a rule true of given ground literals.

The verifier's own small engine: it shares the nouns of `clause` with the solver and nothing else,
so that one cannot repeat the other's mistake. It decides nothing about proofs (`derivation`) or
about what a theory proves (`wellfounded`).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from ibr.logic.budget import keep, spend
from ibr.logic.clause import Clause, Literal, Program, groundings, is_variable

Binding = Mapping[str, str]
Underivable = Callable[[Literal], bool]  # may this positive atom be taken as false?
_Key = tuple[str | None, str, str | None]  # subject, relation, object; None: anything


class SplitRule(NamedTuple):
    """One clause of a sentence, its conditions sorted by kind. A fact has no conditions."""

    clause: Clause
    positives: tuple[Literal, ...]  # those that have to be shown
    absent: tuple[Literal, ...]  # the atoms of its `~` conditions
    free: tuple[str, ...]  # variables that no positive condition binds


@lru_cache(maxsize=64)
def rules_of(program: Program) -> tuple[tuple[SplitRule, ...], ...]:
    """The rules of each sentence, by its index."""

    def rule(clause: Clause) -> SplitRule:
        positives = tuple(c for c in clause.body if not c.is_naf)
        absent = tuple(c.atom for c in clause.body if c.is_naf)
        bound = frozenset[str]().union(*(c.variables for c in positives))
        return SplitRule(clause, positives, absent, tuple(sorted(clause.variables - bound)))

    return tuple(tuple(map(rule, clauses)) for clauses in program.clauses)


def open_key(literal: Literal) -> tuple[str, str | None]:
    """Relation and object of a pattern; None for a variable object."""
    return literal.relation, None if is_variable(literal.object) else literal.object


@lru_cache(maxsize=64)
def by_head(program: Program) -> Mapping[tuple[str, str | None], list[tuple[int, Clause]]]:
    found = defaultdict[tuple[str, str | None], list[tuple[int, Clause]]](list)
    for index, clause in program:
        found[open_key(clause.head)].append((index, clause))
    return found


def concluding(
    program: Program, goal: Literal, domain: Collection[str]
) -> Iterator[tuple[int, Clause]]:
    """(sentence, clause) for each clause that could conclude the goal, bound so that it does.

    The lowest sentence number first. Variables that the conclusion does not mention are left open.
    """
    keys = (goal.relation, goal.object), (goal.relation, None)
    found = [entry for key in keys for entry in by_head(program).get(key, ())]
    for index, clause in sorted(found, key=lambda entry: program.numbers[entry[0]]):
        binding = match(clause.head, goal, {}, domain)
        if binding is not None:
            yield index, clause.bind(binding) if binding else clause


class Facts:
    """A growing set of ground literals, indexed by every part that a pattern may fix."""

    def __init__(self, literals: Iterable[Literal] = ()) -> None:
        self._members: set[Literal] = set()
        self._found: defaultdict[_Key, list[Literal]] = defaultdict(list)
        for literal in literals:
            self.add(literal)

    def __contains__(self, literal: Literal) -> bool:
        return literal in self._members

    def add(self, literal: Literal) -> None:
        if literal not in self._members:
            keep()
            self._members.add(literal)
            subject, relation, object_, _ = literal
            self._found[None, relation, None].append(literal)
            self._found[subject, relation, None].append(literal)
            self._found[None, relation, object_].append(literal)

    def like(self, pattern: Literal) -> Iterable[Literal]:
        """The members whose constants fit; variables and signs are left to `match`."""
        subject, relation, object_, _ = pattern
        if is_variable(subject):
            return self._found.get((None, relation, None if is_variable(object_) else object_), ())
        if is_variable(object_):
            return self._found.get((subject, relation, None), ())
        return (pattern,) if pattern in self._members else ()


def match(
    pattern: Literal, literal: Literal, binding: Binding, domain: Collection[str]
) -> Binding | None:
    """The binding, extended so that the pattern is the literal; variables stay in the domain."""
    if pattern.relation != literal.relation or pattern.sign != literal.sign:
        return None
    for term, value in ((pattern.subject, literal.subject), (pattern.object, literal.object)):
        if not is_variable(term):
            if term != value:
                return None
        elif term in binding:
            if binding[term] != value:
                return None
        elif value in domain:
            binding = {**binding, term: value}
        else:
            return None
    return binding


def join(
    patterns: tuple[Literal, ...], facts: Facts, binding: Binding, domain: Collection[str]
) -> Iterator[Binding]:
    """Every extension of the binding under which all patterns are facts."""
    if not patterns:
        yield binding
        return
    for literal in facts.like(patterns[0].bind(binding)):
        spend()
        extended = match(patterns[0], literal, binding, domain)
        if extended is not None:
            yield from join(patterns[1:], facts, extended, domain)


def extensions(
    binding: Binding, variables: Collection[str], domain: Collection[str]
) -> Iterator[Binding]:
    """The binding with each further variable bound to each entity in turn."""
    if not variables:
        yield binding
        return
    for more in groundings(variables, sorted(domain)):
        spend()
        yield {**binding, **more}


def firings(
    rule: SplitRule,
    facts: Facts,
    new: Literal | None,
    domain: Collection[str],
    underivable: Underivable,
) -> Iterator[Binding]:
    """The bindings under which the rule fires; only those with `new` as a premise, if given."""
    starts: list[tuple[Binding | None, tuple[Literal, ...]]] = [({}, rule.positives)]
    if new is not None:  # a binding to start from, and the conditions that are left to join
        starts = [
            (match(pattern, new, {}, domain), rule.positives[:k] + rule.positives[k + 1 :])
            for k, pattern in enumerate(rule.positives)
        ]
    for start, rest in starts:
        for joined in join(rest, facts, start, domain) if start is not None else ():
            for binding in extensions(joined, rule.free, domain):
                if all(underivable(atom.bind(binding)) for atom in rule.absent):
                    yield binding
