"""What EVR's modules are asked and should answer: its twelve patterns, as text (Liang et al. 2021).

A call is a short text and the numbered sentences of one buffer. `Oracle` answers every call by a
symbolic match; training takes its pairs from the same class that plays the modules in tests, so
both see one wording. Ours is shorter than the authors'; the structure is theirs:

    control   facts 3 rules 2 : prove tom calm               → subgoals                       1
              facts 3 rules 2 : prove tom calm ; subgoals    → facts prove … or rules prove …  2
              … facts prove tom calm / … ; subgoals          → facts 1 prove … or facts 2 …    3, 4
              … facts 2 prove tom calm                       → fetch facts 2                   5
    facts     … facts 2 prove tom calm ; apply   (+ buffer)  → true cite 7 | false             6
    rules     … rules 1 prove tom calm ; apply   (+ buffer)  → cite 2 requires tom wise and …  10
    control   … cite 2 requires … / … ; subgoals            → prove tom wise and prove …     11, 12

Negative statements have `allow` (do not contradict) for `prove` and `and` for `or`; rules that
could contradict one are joined by `also`. Patterns 7 to 9 are 3 to 5 for rules. A match is: same
relation and object, subject equal or a variable; the statement's subject replaces the variable, and
a variable that is left over stays `something`, which matches any subject. Negative statements match
positive facts and conclusions only, and one about `something` matches nothing. These are the
authors' choices; what is stated of `something` is unsound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ibr.baselines.algorithms.spelling import spell
from ibr.inputs.model_words import KnownWords
from ibr.logic.clause import Clause, Literal, Program, is_variable
from ibr.theory import Kind, Theory

CONTROL, FACTS, RULES = "control", "facts", "rules"
PROVE, ALLOW, CITE, REQUIRES = "prove", "allow", "cite", "requires"
SUBGOALS, FETCH, APPLY = "subgoals", "fetch", "apply"
OR, AND, ALSO, TRUE, FALSE = "or", "and", "also", "true", "false"
OPERATORS: Final = (
    CONTROL, FACTS, RULES, PROVE, ALLOW, CITE, REQUIRES, SUBGOALS, FETCH, APPLY, OR, AND, ALSO,
    TRUE, FALSE,
)  # fmt: skip


class Item(NamedTuple):
    """A sentence of a buffer: the number that it is cited by, and its place in the theory."""

    number: int
    sentence: int
    text: str


class Call(NamedTuple):
    module: str  # CONTROL, FACTS or RULES
    text: str
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Buffers:
    """Facts and rules in the author's order, each kind numbered from 1 and cut into buffers."""

    facts: tuple[tuple[Item, ...], ...]
    rules: tuple[tuple[Item, ...], ...]

    @classmethod
    def of(cls, theory: Theory, facts: int = 5, rules: int = 3) -> Buffers:
        return cls(_cut(theory, Kind.FACT, facts), _cut(theory, Kind.RULE, rules))

    @property
    def header(self) -> str:
        return f"{FACTS} {len(self.facts)} {RULES} {len(self.rules)} : "

    def of_kind(self, kind: str) -> tuple[tuple[Item, ...], ...]:
        return self.facts if kind == FACTS else self.rules


def _cut(theory: Theory, kind: Kind, size: int) -> tuple[tuple[Item, ...], ...]:
    places = sorted(
        (i for i, sentence in enumerate(theory) if sentence.kind is kind),
        key=theory.numbers.__getitem__,
    )
    items = [Item(k, i, theory[i].text) for k, i in enumerate(places, start=1)]
    cut = tuple(tuple(items[at : at + size]) for at in range(0, len(items), size))
    return cut or ((),)


class Oracle:
    """Perfect modules for one theory. A statement is known once it was spelled: see `statement`."""

    def __init__(self, program: Program, known: KnownWords) -> None:
        self._program, self._known = program, known
        self._literals: dict[str, Literal] = {}

    def statement(self, literal: Literal) -> str:
        text = spell(literal, self._known)
        self._literals[text] = literal
        return text

    def answer(self, call: Call) -> str:
        if call.module == CONTROL:
            return _control(call.text)
        goal = call.text.partition(" : ")[2].removesuffix(f" ; {APPLY}").split()
        literal = self._literals[" ".join(goal[3:])]
        if call.module == FACTS:
            return self._fact(literal, call.items)
        return self._rule(literal, call.items)

    def _fact(self, goal: Literal, items: Iterable[Item]) -> str:
        """Pattern 6."""
        for item in items:
            if any(_binding(goal, clause) is not None for clause in self._said(item)):
                return f"{_truth(goal.positive)} {CITE} {item.number}"
        return _truth(not goal.positive)

    def _rule(self, goal: Literal, items: Iterable[Item]) -> str:
        """Pattern 10."""
        ways = []
        for item in items:
            for clause in self._said(item):
                binding = _binding(goal, clause)
                if binding is not None:
                    needs = (self.statement(literal.bind(binding)) for literal in clause.body)
                    ways.append(f"{CITE} {item.number} {REQUIRES} {f' {AND} '.join(needs)}")
        if not ways:
            return _truth(not goal.positive)
        return f" {OR if goal.positive else ALSO} ".join(ways)

    def _said(self, item: Item) -> Sequence[Clause]:
        return self._program.clauses[item.sentence]


def _truth(value: bool) -> str:
    return TRUE if value else FALSE


def _binding(goal: Literal, clause: Clause) -> dict[str, str] | None:
    """What the clause's variables stand for if it concludes the atom of the goal."""
    head = clause.head
    if not head.positive or head.relation != goal.relation:
        return None
    if goal.variables and not goal.positive:
        return None
    binding: dict[str, str] = {}
    for asked, told in ((goal.subject, head.subject), (goal.object, head.object)):
        if is_variable(told):
            binding[told] = asked
        elif asked != told and not is_variable(asked):
            return None
    return binding


def _control(text: str) -> str:
    """Patterns 1 to 5, 7 to 9, 11 and 12."""
    header, _, rest = text.partition(" : ")
    goal, _, operator = rest.partition(" ; ")
    words = goal.split()
    is_buffer = words[0] in (FACTS, RULES) and words[1].isdigit()
    if is_buffer:
        return f"{FETCH} {words[0]} {words[1]}"
    if not operator:
        return SUBGOALS
    if words[0] == PROVE:
        form, join = (ALLOW, AND) if "not" in words else (PROVE, OR)
        wanted = " ".join([form, *words[1:]])
        return f"{FACTS} {wanted} {join} {RULES} {wanted}"
    if words[0] == CITE:
        return " ".join(_wanted(words))
    kind, form, *statement = words
    counts = header.split()
    count = int(counts[counts.index(kind) + 1])
    parts = (f"{kind} {k} {form} {' '.join(statement)}" for k in range(1, count + 1))
    return f" {OR if form == PROVE else AND} ".join(parts)


def _wanted(words: Sequence[str]) -> Iterator[str]:
    """cite 2 requires A and B → prove A and prove B."""
    at = 0
    while at < len(words):
        if words[at] == CITE:
            at += 3
            yield PROVE
        else:
            yield words[at]
            if words[at] == AND:
                yield PROVE
            at += 1
