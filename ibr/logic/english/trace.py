"""Every stage of the reading of one sentence, in lines: for `ibr read --trace`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ibr.logic.english.book import Book
from ibr.logic.english.lexis import splitting
from ibr.logic.english.meaning.literals import clause_of
from ibr.logic.english.say import say_clause

_TREES = 3  # the cheapest


def stages(book: Book, i: int) -> Iterator[str]:
    """Words with their classes, trees with their costs, rules, rules in the words of others."""
    sentence, lexicon = book.sentences[i], book.lexicon
    for k, token in enumerate(splitting.tokenize(splitting.split(sentence.text), book.names)):
        found = ((cost, name, lemma) for name, (lemma, cost) in lexicon.uses(token, k == 0).items())
        uses = ", ".join(f"{name} {lemma} ({cost})" for cost, name, lemma in sorted(found))
        yield f"word: {token.text}{': ' if uses else ''}{uses}"
    if sentence.template:
        yield "template: read word for word"
    for tree, cost in sentence.trees[:_TREES]:
        yield f"tree, cost {cost}: {_tree(tree)}"
    for rule in sentence.rules:
        yield f"rule: {say_clause(clause_of(rule))}"
    for rules in sentence.others:
        yield f"or: {' '.join(say_clause(clause_of(rule)) for rule in rules)}"
    for rule in book.closed(None)[i]:
        if rule not in sentence.rules:
            yield f"in other words: {say_clause(clause_of(rule))}"


def _tree(tree: Any) -> str:
    """A tree without what is empty in it."""
    if not isinstance(tree, tuple):
        return str(tree)
    if not hasattr(tree, "_fields"):
        return f"[{', '.join(map(_tree, tree))}]"
    pairs = ((name, value) for name, value in zip(tree._fields, tree, strict=True) if name != "at")
    inside = ", ".join(
        f"{name}={_tree(value)}" for name, value in pairs if value not in ("", (), None)
    )
    return f"{type(tree).__name__}({inside})"
