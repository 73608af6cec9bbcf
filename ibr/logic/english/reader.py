"""One ordinary English sentence → Reading. The door of this package.

Tries every tree, keeps the cheapest meanings (compose.COSTS), and reads the sentence only if they
come to the same clauses. What is refused comes back with the reason and, where one can be read,
the nearest other wording.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ibr.logic.clause import Clause, Literal
from ibr.logic.english.clauses.interpret import clauses_of
from ibr.logic.english.clauses.scope import Refusal
from ibr.logic.english.grammar.compose import COSTS, act
from ibr.logic.english.grammar.forest import Stuck, meanings
from ibr.logic.english.grammar.meaning import Rule
from ibr.logic.english.lexis.tokens import Word, tokenize
from ibr.logic.english.refuse import why_not
from ibr.logic.english.remark import is_remark, is_title, looks_like_heading
from ibr.logic.english.rewrite import proposals
from ibr.logic.reading import Reading
from ibr.logic.words import words
from ibr.theory import Kind

LONGEST = 80  # words; a longer "sentence" is a paragraph whose stops were lost

_OPENERS = re.compile(
    r"""^(?:(?:however|moreover|furthermore|additionally|in\ addition|finally|similarly|likewise
    |accordingly|consequently|therefore|thus|hence|also|as\ a\ result|of\ course|in\ fact|besides)
    ,\s+|(?:please\ )?(?:note|remember|be\ aware)\ that\s+|note:\s+)""",
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE_WORDS = words(
    """IF UNLESS ONLY_IF IFF A THE EVERY ALL NO THIS THESE POSS SOMEONE EVERYONE NOBODY PRO_S PRO_P
    OPRO WHO WHOSE WHOEVER VAR NOT NEVER ONLY EITHER NEITHER"""
)
_VERBS = words("BE_S BE_P BE WAS WERE HAS HAVE HAD DOES DO DID MODAL CANNOT NEED_NOT V VS VD VN VG")
_FINITE = words("BE_S HAS DOES MODAL CANNOT WAS DID HAD VS")
_ORDER = "it tells someone to do something: say who must"
_ASKS = re.compile(r"(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)


def read(text: str) -> Reading:
    """Clauses, a remark, or UNKNOWN with the reason and a wording that can be read."""
    if is_remark(text) or is_title(text):
        return Reading(text, Kind.REMARK)
    try:
        clauses = _clauses(text)
    except Refusal as refusal:
        if looks_like_heading(text) or _is_verbless(text):
            return Reading(text, Kind.REMARK)
        reason = str(refusal)
        return Reading(text, Kind.UNKNOWN, reason=reason, rewrite=_rewrite(text, reason))
    if looks_like_heading(text) and not _is_certain(tokenize(text)):
        return _heading(text)
    kind = Kind.FACT if all(clause.is_fact for clause in clauses) else Kind.RULE
    return Reading(text, kind, clauses)


def read_question(text: str) -> Literal:
    """Is Tom eligible? → Tom is eligible. Raises Refusal."""
    if _ASKS.match(text.strip()):
        raise Refusal("it asks for more than yes or no")
    words = _words(text)
    try:
        found = meanings(words, "question", act, COSTS)
    except Stuck:
        raise Refusal("not a question form that is known here") from None
    asked = _agreed([Rule(formula) for formula in _cheapest(found)])  # type: ignore[arg-type]
    if len(asked) != 1 or not asked[0].is_fact:
        raise Refusal("a question asks about exactly one fact")
    return asked[0].head


def _clauses(text: str) -> tuple[Clause, ...]:
    if text.rstrip().endswith("?"):
        raise Refusal("it is a question")
    words = _words(_OPENERS.sub("", text.strip()))
    try:
        found = meanings(words, "start", act, COSTS)
    except Stuck as stuck:
        raise Refusal(_diagnosis(words, stuck)) from None
    return _agreed(_cheapest(found))  # type: ignore[arg-type]


def _words(text: str) -> list[Word]:
    words = tokenize(text)
    if len(words) > LONGEST:
        raise Refusal(f"it is longer than {LONGEST} words")
    reason = why_not([word.text.lower() for word in words])
    if reason:
        raise Refusal(reason)
    return words


def _cheapest(found: dict[object, int]) -> list[object]:
    if not found:
        raise Refusal("not a sentence form that is known here")
    least = min(found.values())
    return [meaning for meaning, cost in found.items() if cost == least]


def _agreed(rules: Sequence[Rule]) -> tuple[Clause, ...]:
    readings = {frozenset(clauses): clauses for clauses in map(clauses_of, rules)}
    if len(readings) > 1:
        raise Refusal("it can be read in two ways")
    return readings.popitem()[1]


def _diagnosis(words: Sequence[Word], stuck: Stuck) -> str:
    first = words[0]
    if "PROPERTY_NAME" in first.types:
        return f'"{first.text}": is it all a name? Else say the property in a sentence of its own'
    verb_next = len(words) > 1 and bool(words[1].types & _FINITE)
    if first.types >= {"N", "MOD"} and verb_next and not first.types & {"ADJ", "MASS", "NAME"}:
        return f'"{first.text}" without "a" or "the": a name, or a kind?'
    if "V" in first.types and not first.types & {"NS", "NAME", "MASS", "ADJ"}:
        return _ORDER
    if first.text in ("please", "never", "make", "keep", "do"):
        return _ORDER
    if stuck.at is None:
        return "it seems to end too early"
    return f'not a sentence form that is known here (from "{words[stuck.at].text}" on)'


def _is_verbless(text: str) -> bool:
    """ "Opening hours." says nothing; "Dave, big and kind!" says something without a verb."""
    return not re.search("[,!]", text) and not any(w.types & _VERBS for w in tokenize(text))


def _is_certain(words: Sequence[Word]) -> bool:
    """A sentence even without its full stop: it has a name or a little word that titles lack."""
    name = words[0].types <= {"NAME", "MOD", "N"} and "NAME" in words[0].types
    return name or any(word.types & _SENTENCE_WORDS for word in words)


def _heading(text: str) -> Reading:
    """House rules; but "Birds fly" may be a sentence: its author must say."""
    if any(word.cost("VS") and "VS" in word.types for word in tokenize(text)):
        return Reading(text, Kind.REMARK)
    reason = "it may be a heading, or a sentence without its full stop"
    return Reading(text, Kind.UNKNOWN, reason=reason, rewrite=f"{text.rstrip()}.")


def _rewrite(text: str, reason: str) -> str | None:
    found = proposals(text, order=reason == _ORDER)
    return next((proposal for proposal in found if _reads(proposal)), None)


def _reads(proposal: str) -> bool:
    try:
        return all(_clauses(part) for part in re.split(r"(?<=\.)\s+(?=[A-Z])", proposal))
    except Refusal:
        return False
