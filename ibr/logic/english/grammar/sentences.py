"""A sentence in the grammar: its trees, and why it must not be read though it might."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ibr.logic.english.grammar.chart import Chart
from ibr.logic.english.grammar.notation import Found, read
from ibr.logic.english.lexis.lists import LISTS
from ibr.logic.english.lexis.rulebook_lexicon import Lexicon
from ibr.logic.english.lexis.splitting import Raw
from ibr.logic.surface.words import words

_AUXILIARIES = LISTS["modals"] | words("is are was were has have had do does did")
_OPENERS = LISTS["if"] | LISTS["when"] | LISTS["unless"] | LISTS["as-long"] | LISTS["only-if"]
_SUBJECTS = LISTS["pronouns"] | LISTS["possessive"] | words("a an the all every no nobody everyone")
_NOUNS = {"N", "NS", "MASS", "AMOD", "NMOD", "VNMOD", "NAME"}
_EQUAL = re.compile(
    r"(?<!not )\bas (?!well|long|soon|far|if|part)\w+ as\b"
    r"|\bthe same\b.*\bas\b|\bready to (?:eat|cook)$"
    r"|\bthe last\b.*\bwould\b|\bwould be the last\b|\bmay well\b"
)
WIDE = "may say more than its words"
_RULES = read(Path(__file__).with_name("english.txt"))


class Grammar(Chart):
    """The whole grammar: `statement` and `question` are its starts."""

    def __init__(self, tokens: Sequence[Raw], lexicon: Lexicon) -> None:
        super().__init__(_RULES, tokens, lexicon)

    def statement(self) -> list[Found]:
        return [f for f in self.find("start", 0) if f[0] == self.n]

    def question(self) -> list[Found]:
        """Is Tom late?"""
        return [f for f in self.find("question", 0) if f[0] == self.n]

    def refused(self) -> str:
        """Why a sentence must not be read, though it might: it hedges, or it measures."""
        is_adjective = self.n and self.uses[0].get("ADJ", ("", 1))[1] == 0
        if self.words and self.words[0].endswith("ly") and self.word(1) == "," and not is_adjective:
            return f'"{self.words[0]}" comments on the sentence: leave it out'
        text = " ".join(self.words)
        if text.startswith("the only ") or "not the only " in text:
            return '"the only" excludes the others: say that in a sentence of its own'
        if self._has_gap():
            return "it leaves out a verb"
        if self._goes_on():
            return "what follows the condition may belong to it, or be stated"
        idiom = next((one for one in LISTS["idioms"] if one in text), "")
        if idiom or _EQUAL.search(text):
            return f'"{idiom or "as … as"}" {WIDE}'
        for i, word in enumerate(self.words):
            before = self.words[i - 1] if i else ""
            if word in LISTS["hedges"] and (before, word) != ("the", "most"):
                return f'"{word}" leaves open when it holds'
            if word == "would" and self.word(i + 1) in ("have", "not"):
                return f'"{word}" tells of what did not happen'
            alone = word == "former" and before == "the" and not self._before_noun(i)
            if alone or word in LISTS["pointing"]:
                return f'"{word}" points to another sentence or to the reader'
        return ""

    def _before_noun(self, i: int) -> bool:
        """The former president; but: the former lives in Rome"""
        uses = self.uses_at(i + 1).keys()
        return bool(_NOUNS & uses) and not {"VZ", "VD"} & uses

    def _has_gap(self) -> bool:
        """Tess phoned Udo, and Vic Wim."""
        if self.words.count(",") != 1 or self.word(self.words.index(",") + 1) not in ("and", "but"):
            return False
        after = self.words.index(",") + 2
        verbs = (
            _AUXILIARIES & {word} or {"VZ", "VD", "V"} & self.uses_at(after + k).keys()
            for k, word in enumerate(self.words[after:])
            if self.words[after + k - 1] not in LISTS["prepositions"]
        )
        return after + 1 < self.n and self.tokens[after].name and not any(verbs)

    def _goes_on(self) -> bool:
        """The shop opens if it is Monday, and it is Monday."""
        at = next((i for i, word in enumerate(self.words) if i and word in _OPENERS), self.n)
        ends = (i for i in range(at, self.n) if self.words[i] == ",")
        end = next((i for i in ends if self.word(i + 1) in ("and", "but")), self.n - 2)
        subject = (
            self.tokens[end + 2].name or self.words[end + 2] in _SUBJECTS if end + 2 < self.n else 0
        )
        verbs = (
            _AUXILIARIES & {self.words[i]} or {"VZ", "VD"} & self.uses_at(i).keys()
            for i in range(end + 3, self.n)
        )
        return bool(subject) and _OPENERS.isdisjoint(self.words[end:]) and any(verbs)

    def is_order(self) -> bool:
        """Submit the form. Please wait. Do not run."""
        uses = self.uses[0] if self.uses else {}
        plain = "V" in uses and not uses.keys() & {"NS", "NAME", "MASS", "ADJ"}
        return plain or self.word(0) in ("please", "do", "never")

    def why_not(self) -> str:
        """Why there is no tree."""
        if self.is_order():
            return "it tells someone to do something: say who must"
        word = self.tokens[self.furthest].text if self.furthest < self.n else ""
        return f'not a sentence form that is known here (from "{word}" on)'
