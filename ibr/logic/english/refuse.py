"""Sentences that must not be read, though the grammar could: hedges, arithmetic, orders.

`why_not(words)` looks at the words alone and gives the reason, or None.
"""

from __future__ import annotations

from collections.abc import Sequence

from ibr.logic.english.lexis.closed import HOURS
from ibr.logic.english.lexis.dictionary import lemmas
from ibr.logic.english.lexis.lexicon import ADJECTIVE, ADVERB, classes
from ibr.logic.words import NUMBERS, words

HEDGES = words(
    """usually often normally generally typically probably perhaps maybe possibly might most many
    few several some much sometimes rarely seldom mostly almost nearly approximately roughly
    frequently occasionally commonly mainly tend tends tended largely partly ordinarily likely
    unlikely presumably hardly barely preferably ideally"""
)
_HEDGE_PHRASES = ("in general", "as a rule", "in most cases", "a lot of", "in some cases",
    "by default", "in principle", "a number of", "in many cases", "where possible",
    "if possible", "if necessary", "as needed", "as soon as possible")  # fmt: skip
_MEASURE_PHRASES = ("at least", "at most", "up to", "more than", "less than", "fewer than",
    "no more than", "no fewer than", "no later than", "not exceed", "minimum of", "maximum of",
    "as many", "as much", "as often", "or more", "or older", "or younger", "or less", "or fewer",
    "once per", "once every", "once a week", "once a day", "once a month", "once a year", "times a",
    "times per", "per day", "per week", "per month",
    "per year", "per hour", "per person", "times as", "half of", "all but")  # fmt: skip
_MEASURES = words("twice thrice percent percentage exceed exceeds exceeding")
_BEFORE_NUMBER = words(
    """within under over above below after before until between than by exceeding every exactly only
    older younger since during last next first past"""
)
_TIME_UNITS = words(
    """second seconds minute minutes hour hours day days week weeks month months year years degrees
    euro euros dollar dollars pound pounds metre metres meter meters km kg kilometres kilograms
    percent pm am o'clock business working calendar consecutive"""
)
_ELSEWHERE = {
    "otherwise": '"otherwise" points to another sentence',
    "instead": '"instead" points to another sentence',
    "respectively": '"respectively" pairs two lists',
    "e.g.": "it gives examples",
    "e.g": "it gives examples",
    "i.e.": "it explains itself twice",
    "etc.": "its list is open",
    "whether": '"whether" leaves open which holds',
    "because": "it gives a reason, which is no condition here",
    "although": '"although" sets two sentences against each other: write two',
    "though": '"though" sets two sentences against each other: write two',
    "together": '"together" speaks of a group',
    ":": "it has a colon: write its parts as sentences, or say whether all or any are needed",
    "other": '"other" points to what was said before',
    "others": '"others" points to what was said before',
    "same": '"same" points to what was said before',
    "such": '"such" points to what was said before',
    "another": '"another" points to what was said before',
    "both": '"both" counts, which needs arithmetic',
    "just": '"just" excludes the rest: say "only"',
    "merely": '"merely" excludes the rest: say "only"',
    "solely": '"solely" excludes the rest: say "only"',
    "exclusively": '"exclusively" excludes the rest: say "only"',
    "(": "it has a part in brackets",
    "[": "it has a part in brackets",
}
_ELSEWHERE_PHRASES = {
    "even if": '"even if" is no condition',
    "even when": '"even when" is no condition',
    "even though": '"even though" is no condition',
    "each other": "it speaks of a group",
    "one another": "it speaks of a group",
    "such as": "it gives examples",
    "for example": "it gives examples",
    "the former": '"the former" points to another sentence',
    "the latter": '"the latter" points to another sentence',
    "vice versa": '"vice versa" says a second sentence',
    "so that": "it gives a purpose, which is no condition here",
    "in order to": "it gives a purpose, which is no condition here",
    "not both": '"but not both" excludes one alternative by the other',
    "not always": '"not always" says only that it is so sometimes',
    "not automatically": '"not automatically" says only what need not be',
    "not necessarily": '"not necessarily" says only what need not be',
    "or else": '"or else" threatens, which is no condition here',
}
_YOU = words("you yours yourself i me mine we us ours")


def why_not(said: Sequence[str]) -> str | None:
    """The reason not to read these (lower-case) words."""
    if not said:
        return "it has no words"
    text = f" {' '.join(said)} "
    if said[0] == "there" and len(said) > 1 and said[1] in _THERE:
        return '"there is" says that one exists, but not which'
    for word in said:
        if word in _ELSEWHERE:
            return _ELSEWHERE[word]
    for phrase, reason in _ELSEWHERE_PHRASES.items():
        if f" {phrase} " in text:
            return reason
    return _hedge(said, text) or _comment(said) or _measure(said, text) or _person(said)


_THERE = words("is are was were will must may can has have should exists exist")


def _hedge(said: Sequence[str], text: str) -> str | None:
    found = next((word for word in said if word in HEDGES), None)
    found = found or next((p for p in _HEDGE_PHRASES if f" {p} " in text), None)
    if found is None and any(map(_a_little, said, said[1:], said[2:], [*said[3:], ""])):
        return '"a little" leaves open how much'
    return f'"{found}" leaves open when it holds' if found else None


def _a_little(article: str, little: str, word: str, after: str) -> bool:
    """a little pale today; but not: a little dog, a little red hen"""
    if (article, little) != ("a", "little") or ADJECTIVE not in classes(word):
        return False
    return not after.isalpha() or after in ("and", "or", "but") or ADVERB in classes(after)


def _comment(said: Sequence[str]) -> str | None:
    """Interestingly, cold people are kind; but not: Kelly, Bob and Anne are kind"""
    word, comma = said[0], said[1:2] == [","]
    if comma and word.endswith("ly") and "ADV" in lemmas(word):
        return f'"{word}" comments on the sentence: leave it out'
    return None


def _measure(said: Sequence[str], text: str) -> str | None:
    found = next((word for word in said if word in _MEASURES), None)
    found = found or next((p for p in _MEASURE_PHRASES if f" {p} " in text), None)
    for i, word in enumerate(said):
        if word.rpartition(" ")[2] in HOURS:
            continue  # 10 p.m. is a name
        number = word[:1].isdigit() or word[:1] in "$€£" or word in NUMBERS
        if number and i > 0 and said[i - 1] in _BEFORE_NUMBER:
            found = f"{said[i - 1]} {word}"
        if number and "-" not in word and i + 1 < len(said) and said[i + 1] in _TIME_UNITS:
            found = f"{word} {said[i + 1]}"
    for i, word in enumerate(said):
        if word in ("more", "less", "fewer") and not _compares(said[i + 1 :]):
            found = word
    return f'"{found}" measures, which needs arithmetic' if found else None


def _compares(rest: Sequence[str]) -> bool:
    """more experienced than Bob, but not: more rights than guests"""
    return "than" in rest and bool({ADJECTIVE, ADVERB} & classes(rest[0]))


def _person(said: Sequence[str]) -> str | None:
    found = next((word for word in said if word in _YOU), None)
    return f'"{found}": say who is meant' if found else None
