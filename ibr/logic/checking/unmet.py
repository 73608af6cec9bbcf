"""Conditions that no sentence can make true: a word is misspelt, or a fact was forgotten."""

from ibr.logic.checking.relevance import content_words
from ibr.logic.clause import Literal, Program, is_variable

_STEM = 4  # letters that two words of one family have in common at least: suspend, suspension


def unmet(program: Program, stated: Program) -> list[list[Literal]]:
    """For each sentence, the conditions that no fact and no conclusion of the program has, of
    anybody. `stated` is what each sentence states by itself, before other wordings are added.

    Not if a sentence may mean it in other words: an unread one has a word of its family, or those
    that were read have all its words. Not what must be absent ("unless they are suspended"): that
    nobody is suspended makes it hold, and an exception may well apply to nobody yet. In an open
    world "not" has to be shown, as any other condition.
    """
    heads = {clause.head for _, clause in program}
    kinds = {_kind(head) for head in heads}
    words = {stem for head in heads if head.positive for stem in _stems(head)}
    unread = {word[:_STEM] for found in program.unread_words for word in found}

    def is_unmet(condition: Literal) -> bool:
        if condition.is_naf or {_kind(condition), (*condition[3:], condition[1], "")} & kinds:
            return False
        own = _stems(condition)
        return not (own & unread or own <= words)

    conditions = ([lit for clause in clauses for lit in clause.body] for clauses in stated.clauses)
    return [list(filter(is_unmet, dict.fromkeys(each))) for each in conditions]


def _kind(literal: Literal) -> tuple[str, str, str]:
    """What is stated, of anybody."""
    what = literal.object if literal.relation == "is" else ""
    return literal.sign, literal.relation, "" if is_variable(what) else what


def _stems(literal: Literal) -> set[str]:
    text = " ".join(term for term in literal[1:3] if not is_variable(term))
    return {word[:_STEM] for word in content_words(text)}
