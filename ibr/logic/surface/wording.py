"""Words for literals: agreement, negation and articles. Reads nothing; no grammar of sentences.

`predicate(Literal("cat", "likes", "dog", "-"))` is "does not like the dog". The relation of a verb
is stored in the third person, so both directions of that inflection are here.
"""

from functools import lru_cache

from ibr.logic.clause import Literal, Name, Sign
from ibr.logic.surface.words import LISTS, MODALS

_NEGATED_AUXILIARY = {"can": "cannot"}
_PLURAL_BE = {"is": "are", "was": "were", "has": "have", "does": "do"}

# Third persons whose base their spelling does not show.
_BASE = {
    "has": "have",
    "quizzes": "quiz",
    "whizzes": "whiz",
    **{f"{base}s": base for base in LISTS["base-plus-s"]},
    **{f"{base}es": base for base in LISTS["base-plus-es"]},
}
_THIRD = {base: third for third, base in _BASE.items()}
_SIBILANT = ("sses", "xes", "zzes", "tzes", "ches", "shes", "oes")


def third_person(base: str) -> str:
    """carry → carries. Inverse of `base_form`; only the first word of a phrase is inflected."""
    verb, space, rest = base.partition(" ")
    return _third(verb) + space + rest


def base_form(third: str) -> str:
    """runs through → run through."""
    verb, space, rest = third.partition(" ")
    return _base(verb) + space + rest


def _third(verb: str) -> str:
    if verb in _THIRD:
        return _THIRD[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    if verb.endswith("o") and verb[-2:-1] not in "aeiou":
        return verb + "es"
    return verb + "s"


def _base(verb: str) -> str:
    if verb in _BASE:
        return _BASE[verb]
    if len(verb) < 2:
        return verb  # "s" has no base
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(_SIBILANT):
        return verb[:-2]
    return verb[:-1]


def noun_phrase(term: str) -> str:
    """A constant inside a sentence: "Anne", "the bald eagle", "a badge"."""
    return term.surface if isinstance(term, Name) else Name(term).surface


def attribute(term: str) -> str:
    """What follows "is": "kind", "a bird"."""
    return term.surface if isinstance(term, Name) else term


def predicate(literal: Literal, plural: bool = False) -> str:
    """Everything after the subject; `plural` for "they"."""
    negative = literal.sign is not Sign.POSITIVE
    verb = verb_phrase(literal.relation, negative, plural)
    if not literal.object:
        return verb
    say = attribute if literal.relation.rpartition(" ")[2] in ("is", "be") else noun_phrase
    return f"{verb} {say(literal.object)}"


@lru_cache(maxsize=4096)
def verb_phrase(relation: str, negative: bool, plural: bool) -> str:
    """("runs through", negative) → "does not run through"; ("can fly", negative) → "cannot fly"."""
    first, _, rest = relation.partition(" ")
    if first in MODALS or first in ("is", "was"):
        verb = _PLURAL_BE.get(first, first) if plural else first
        if negative:
            verb = _NEGATED_AUXILIARY.get(verb, f"{verb} not")
        return f"{verb} {rest}" if rest else verb
    if negative:
        return f"{'do' if plural else 'does'} not {base_form(relation)}"
    return base_form(relation) if plural else relation


def sentence(text: str) -> str:
    """Capital and full stop."""
    return f"{text[0].upper()}{text[1:]}."
