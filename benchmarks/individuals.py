"""`python -m benchmarks individuals`: verdicts on theories about individuals, against clingo.

Each sentence is drawn with its logic beside it, written by hand with explicit witnesses: "Tom has a
badge" is has(tom,w1), badge(w1); "Every guard has a key" is has(X,k(X)), key(k(X)). clingo solves
that logic, the package reads the English.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import clingo

import ibr

NAMES: Final = ("Tom", "Ann", "Priya", "Omar", "Lena")
ROLES: Final = ("guard", "nurse", "farmer", "visitor")
THINGS: Final = ("badge", "key", "lamp", "drum")
ANIMALS: Final = ("dog", "horse")
STATES: Final = ("calm", "trusted", "happy", "brave", "tired")
LOOKS: Final = ("red", "small", "old")
VERBS: Final = {"like": ("likes", "liked"), "help": ("helps", "helped"), "own": ("owns", "owned")}


class Said(NamedTuple):
    """A sentence and the rules that it stands for."""

    text: str
    rules: str


class Drawn(NamedTuple):
    sentences: tuple[Said, ...]
    questions: tuple[Said, ...]  # `rules` is the atom


class Author:
    """Draws sentences; every witness has a number of its own."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.witnesses = rng, 0
        self.placed = rng.sample([(look, thing) for look in LOOKS for thing in THINGS], 2)

    def pick(self, words: Sequence[str]) -> str:
        return self.rng.choice(words)

    def witness(self) -> str:
        self.witnesses += 1
        return f"w{self.witnesses}"

    def role_of(self) -> Said:
        name, role = self.pick(NAMES), self.pick(ROLES)
        return Said(f"{name} is a {role}.", f"{role}({name.lower()}).")

    def state_of(self) -> Said:
        name, state = self.pick(NAMES), self.pick(STATES)
        return Said(f"{name} is {state}.", f"{state}({name.lower()}).")

    def has(self) -> Said:
        name, thing, w = self.pick(NAMES), self.pick(THINGS), self.witness()
        return Said(f"{name} has a {thing}.", f"have({name.lower()},{w}). {thing}({w}).")

    def has_described(self) -> Said:
        name, look, thing, w = self.pick(NAMES), self.pick(LOOKS), self.pick(THINGS), self.witness()
        article = "an" if look[0] in "aeiou" else "a"
        rules = f"have({name.lower()},{w}). {thing}({w}). {look}({w})."
        return Said(f"{name} has {article} {look} {thing}.", rules)

    def acts(self) -> Said:
        verb, one, other = self.pick([*VERBS][:2]), *self.rng.sample(NAMES, 2)
        atom = f"{verb}({one.lower()},{other.lower()})."
        if self.rng.random() < 0.5:
            return Said(f"{other} is {VERBS[verb][1]} by {one}.", atom)
        return Said(f"{one} {VERBS[verb][0]} {other}.", atom)

    def acts_on_some(self) -> Said:
        verb, name, kind, w = (
            self.pick([*VERBS]),
            self.pick(NAMES),
            self.pick(ANIMALS),
            self.witness(),
        )
        return Said(
            f"{name} {VERBS[verb][0]} a {kind}.", f"{verb}({name.lower()},{w}). {kind}({w})."
        )

    def definite(self) -> Said:
        look, thing = self.rng.choice(self.placed)
        state, key = self.pick(("broken", "heavy")), f"{look}_{thing}"
        return Said(
            f"The {look} {thing} is {state}.", f"{look}({key}). {thing}({key}). {state}({key})."
        )

    def owns_definite(self) -> Said:
        look, thing = self.rng.choice(self.placed)
        name, key = self.pick(NAMES), f"{look}_{thing}"
        rules = f"have({name.lower()},{key}). {look}({key}). {thing}({key})."
        return Said(f"{name} has the {look} {thing}.", rules)

    def role_rule(self) -> Said:
        role, state = self.pick(ROLES), self.pick(STATES)
        form = self.pick(("Every {0} is {1}.", "All {0}s are {1}.", "{0}s are {1}."))
        return Said(_cap(form.format(role, state)), f"{state}(X) :- {role}(X).")

    def relative_rule(self) -> Said:
        state, thing = self.pick(STATES), self.pick(THINGS)
        start, extra = self._subject()
        body = f"have(X,Y), {thing}(Y){extra}"
        return Said(f"{start} who has a {thing} is {state}.", f"{state}(X) :- {body}.")

    def described_rule(self) -> Said:
        state, thing, look = self.pick(STATES), self.pick(THINGS), self.pick(LOOKS)
        start, extra = self._subject()
        article = "an" if look[0] in "aeiou" else "a"
        body = f"have(X,Y), {thing}(Y), {look}(Y){extra}"
        text = f"{start} who has {article} {look} {thing} is {state}."
        return Said(text, f"{state}(X) :- {body}.")

    def passive_rule(self) -> Said:
        verb, role, state = self.pick([*VERBS][:2]), self.pick(ROLES), self.pick(STATES)
        start, extra = self._subject()
        text = f"{start} who is {VERBS[verb][1]} by a {role} is {state}."
        return Said(text, f"{state}(X) :- {verb}(Y,X), {role}(Y){extra}.")

    def active_rule(self) -> Said:
        verb, kind, state = self.pick([*VERBS]), self.pick(ANIMALS), self.pick(STATES)
        text = f"If someone {VERBS[verb][0]} a {kind} then they are {state}."
        return Said(text, f"{state}(X) :- {verb}(X,Y), {kind}(Y).")

    def adjective_rule(self) -> Said:
        state, role, other = self.pick(STATES), self.pick(ROLES), self.pick(STATES)
        text = _cap(f"{state} {role}s are {other}.")
        return Said(text, f"{other}(X) :- {state}(X), {role}(X).")

    def existential_rule(self) -> Said:
        role, thing = self.pick(ROLES), self.pick(THINGS)
        term = f"f_{role}_{thing}(X)"
        rules = f"have(X,{term}) :- {role}(X). {thing}({term}) :- {role}(X)."
        return Said(f"Every {role} has a {thing}.", rules)

    def exception_rule(self) -> Said:
        role, thing = self.pick(ROLES), self.pick(THINGS)
        rules = (
            f"careful(X) :- {role}(X), not owning_{thing}(X). "
            f"owning_{thing}(X) :- have(X,Y), {thing}(Y). "
            f"excepted(X) :- {role}(X), owning_{thing}(X)."
        )
        return Said(f"{_cap(role)}s are careful unless they have a {thing}.", rules)

    def _subject(self) -> tuple[str, str]:
        if self.rng.random() < 0.5:
            return self.pick(("Everyone", "Anyone")), ""
        role = self.pick(ROLES)
        return f"Every {role}", f", {role}(X)"

    def question(self) -> Said:
        name = self.pick(NAMES)
        kind = self.rng.randrange(5)
        if kind == 0:
            state = self.pick((*STATES, "careful"))
            return Said(f"Is {name} {state}?", f"{state}({name.lower()})")
        if kind == 1:
            thing = self.pick(THINGS)
            return Said(f"Does {name} have a {thing}?", f"have({name.lower()},Y), {thing}(Y)")
        if kind == 2:
            role = self.pick(ROLES)
            return Said(f"Is {name} a {role}?", f"{role}({name.lower()})")
        if kind == 3:
            verb, animal = self.pick([*VERBS]), self.pick(ANIMALS)
            return Said(f"Does {name} {verb} a {animal}?", f"{verb}({name.lower()},Y), {animal}(Y)")
        verb, other = self.pick([*VERBS][:2]), self.pick([n for n in NAMES if n != name])
        return Said(
            f"Is {name} {VERBS[verb][1]} by {other}?", f"{verb}({other.lower()},{name.lower()})"
        )


FACTS: Final[tuple[Callable[[Author], Said], ...]] = (
    Author.role_of, Author.state_of, Author.has, Author.has_described, Author.acts,
    Author.acts_on_some, Author.definite, Author.owns_definite,
)  # fmt: skip
RULES: Final[tuple[Callable[[Author], Said], ...]] = (
    Author.role_rule, Author.relative_rule, Author.described_rule, Author.passive_rule,
    Author.active_rule, Author.adjective_rule, Author.existential_rule,
)  # fmt: skip


def draw(rng: random.Random) -> Drawn:
    author = Author(rng)
    sentences = [rng.choice(FACTS)(author) for _ in range(rng.randint(3, 7))]
    sentences += [rng.choice(RULES)(author) for _ in range(rng.randint(2, 4))]
    if rng.random() < 0.5:  # last in the strata: nothing follows from "careful"
        sentences.append(author.exception_rule())
    rng.shuffle(sentences)
    return Drawn(tuple(sentences), tuple(author.question() for _ in range(4)))


def gold(drawn: Drawn) -> list[str]:
    """yes, not shown, or no where only an exception stands in the way."""
    rules = [said.rules for said in drawn.sentences]
    asked = [f"asked({i}) :- {q.rules}." for i, q in enumerate(drawn.questions)]
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join([*rules, *asked, "excepted(none)."]))
    control.ground([("base", [])])
    shown: set[str] = set()
    control.solve(on_model=lambda model: shown.update(map(str, model.symbols(atoms=True))))
    return [_verdict(i, question, shown) for i, question in enumerate(drawn.questions)]


def _verdict(i: int, question: Said, shown: set[str]) -> str:
    if f"asked({i})" in shown:
        return "yes"
    if question.rules.startswith("careful("):
        return "no" if question.rules.replace("careful", "excepted") in shown else "not shown"
    return "not shown"


def compare(theories: int, seed: int) -> Iterator[tuple[Drawn, Said, str, str]]:
    """(theory, question, clingo's verdict, ours) of every question."""
    prover = ibr.load("solver")
    for k in range(theories):
        drawn = draw(random.Random(f"{seed} {k}"))
        text = " ".join(said.text for said in drawn.sentences)
        results = prover.prove(text, [q.text for q in drawn.questions])
        for question, right, result in zip(drawn.questions, gold(drawn), results, strict=True):
            yield drawn, question, right, str(result.verdict)


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks individuals", description=__doc__)
    parser.add_argument("--theories", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=5, help="differences to print")
    given = parser.parse_args(argv)
    counts, shown = Counter[str](), 0
    for drawn, question, right, ours in compare(given.theories, given.seed):
        kind = "same" if right == ours else "undecided" if ours == "cannot say" else "different"
        counts[kind] += 1
        if kind != "same" and shown < given.show:
            shown += 1
            print(*(said.text for said in drawn.sentences))
            print(f"    {question.text} clingo: {right}, here: {ours}")
    total = sum(counts.values())
    print(f"{given.theories} theories, {total} questions:", end=" ")
    print(", ".join(f"{kind} {number}" for kind, number in sorted(counts.items())))


def _cap(text: str) -> str:
    return text[0].upper() + text[1:]
