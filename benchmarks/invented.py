"""`python -m benchmarks invented`: RuleTaker theories with every content word replaced.

Names, nouns, adjectives and verbs become invented ones with the endings that readers of English
trip over. Third persons follow the rules of spelling, written here and nowhere in the package.
Every question is asked before and after the change; the verdicts should be the same.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

import ibr
from ibr.data.making.generator import Recipe, generate
from ibr.data.making.vocabulary import WORDS, read_words
from ibr.logic.english.lexis.lists import LISTS
from ibr.prediction import Verdict

ONSETS: Final = "bl br cl dr f fl g gr h j k m n p pl qu r sk sl t tr v w z".split()
VOWELS: Final = "a e i o u".split()
MIDDLES: Final = "b bb ck d g l ll m mp nd nk p rb rg rl st t v x zz".split()
ENDINGS: Final = {
    "nouns": ("us", "is", "er", "ing", "o", "y", "", "ix"),
    "adjectives": ("ish", "y", "ed", "ing", "", "er"),
    "names": ("us", "is", "o", "y", "a", "en"),
    "verbs": ("", "er", "y", "o", "ish", "e"),
}
_WORD: Final = re.compile(r"[A-Za-z]+")
_GRAMMAR: Final = LISTS["closed"] | LISTS["modals"]  # "will" is no invention


def invented(role: str, rng: random.Random) -> str:
    """A word of one or two syllables and an ending that is common in its class."""
    word = rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(MIDDLES)
    if rng.random() < 0.3:
        word += rng.choice(VOWELS) + rng.choice(MIDDLES)
    word += rng.choice(ENDINGS[role])
    return word.capitalize() if role == "names" else word


def third_person(verb: str) -> str:
    if re.search(r"(s|x|z|ch|sh|o)$", verb):
        return f"{verb}es"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


class Replacement:
    """One invented word for each word of RuleTaker's lists, in all its forms."""

    def __init__(self, rng: random.Random) -> None:
        self.words: dict[str, str] = {}
        used: set[str] = set()
        for role, file in (
            ("nouns", "nouns"),
            ("verbs", "verbs"),
            ("names", "names"),
            ("adjectives", "adjectives"),
            ("adjectives", "relational_adjectives"),
        ):
            for _, old in read_words(WORDS / "ruletaker" / f"{file}.txt"):
                for part in old.split():  # bald eagle
                    if part in self.words:
                        continue
                    new = invented(role, rng)
                    while {new.lower(), third_person(new.lower())} & (used | _GRAMMAR):
                        new = invented(role, rng)
                    used |= {new.lower(), third_person(new.lower())}
                    self.words[part] = new
                    if role == "verbs":
                        self.words[third_person(part)] = third_person(new)

    def __call__(self, text: str) -> str:
        return _WORD.sub(self._word, text)

    def _word(self, found: re.Match[str]) -> str:
        old = found[0]
        if old in self.words:
            return self.words[old]
        new = self.words.get(old.lower())
        return new.capitalize() if new and old[0].isupper() else new or old


class Asked(NamedTuple):
    """A theory and its questions, before the change or after it."""

    rules: str
    questions: list[str]


def pairs(theories: int, seed: int) -> Iterator[tuple[Asked, Asked]]:
    for k, examples in enumerate(generate(Recipe(depth=3), seed, theories)):
        before = Asked(examples[0].theory.text, [e.problem.question.text for e in examples])
        replace = Replacement(random.Random(f"{seed} {k}"))
        yield before, Asked(replace(before.rules), [*map(replace, before.questions)])


def measure(theories: int, seed: int, reasoner: str, show: int = 0) -> Counter[str]:
    """How many questions are the same, undecided or certified wrong."""
    prover, counts = ibr.load(reasoner), Counter[str]()
    for before, after in pairs(theories, seed):
        old, new = prover.prove(*before), prover.prove(*after)
        for question, was, now in zip(after.questions, old, new, strict=True):
            undecided = now.verdict is Verdict.CANNOT_SAY
            kind = "same" if was.verdict is now.verdict else "undecided" if undecided else "wrong"
            counts[kind] += 1
            if kind != "same" and sum(counts[k] for k in ("undecided", "wrong")) <= show:
                print(f"{after.rules}\n    {question} {was.verdict} -> {now.verdict}: {now.reason}")
    return counts


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks invented", description=__doc__)
    parser.add_argument("--theories", type=int, default=500)
    parser.add_argument("--show", type=int, default=5, help="differences to print")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reasoner", default="solver", help="solver or verified")
    given = parser.parse_args(argv)
    counts = measure(given.theories, given.seed, given.reasoner, given.show)
    total = sum(counts.values())
    for kind, number in sorted(counts.items()):
        print(f"{kind}: {number} of {total} ({100 * number / total:.2f} %)")
