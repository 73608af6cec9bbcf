"""The words that a model knows by name: data of the model, saved in its folder. No tokenisation.

`vocabulary.json` holds the words of the compact encoder, whose position is their id, and the
adjectives. `kinds.json` holds the words and weights of the fact/rule classifier. A new model starts
with the lists of this folder and of the generator; a saved model keeps its own.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Final

from ibr.errors import ModelUnusable
from ibr.files import write_file
from ibr.inputs.kinds import KindClassifier
from ibr.logic.lazy import lazy

VOCABULARY: Final = "vocabulary.json"
KINDS: Final = "kinds.json"
PAD, SYMBOL, CLS = range(3)  # ids that every vocabulary has
_HERE: Final = Path(__file__).parent


@dataclass(frozen=True, eq=False)
class KnownWords:
    """Words by what they do; grammar, common words and qualities have ids of their own."""

    silent: tuple[str, ...]  # dropped: the, is
    endings: tuple[str, ...]  # prepositions that are content words at the end of a clause
    joins: tuple[str, ...]  # words that begin the next clause
    grammar: tuple[str, ...]  # never a symbol: if, not, someone
    common: tuple[str, ...]  # a symbol with an id of its own: person, always
    qualities: tuple[str, ...]  # adjectives with an id of their own
    adjectives: tuple[str, ...]  # adjectives that share one id

    @lazy
    def words(self) -> tuple[str, ...]:
        """Every id's word."""
        special = ("[PAD]", "[SYMBOL]", "[CLS]")
        known = (*special, *self.grammar, *self.common, "[ADJECTIVE]", *self.qualities)
        return tuple(dict.fromkeys(known))

    @lazy
    def ids(self) -> Mapping[str, int]:
        return {word: i for i, word in enumerate(self.words)}

    @lazy
    def adjective(self) -> int:
        """The id of an adjective; from here on all ids are of adjectives."""
        return self.ids["[ADJECTIVE]"]

    @lazy
    def sets(self) -> Mapping[str, frozenset[str]]:
        """Each list as a set, by its name."""
        return {field.name: frozenset(getattr(self, field.name)) for field in fields(self)}

    def id_of(self, word: str) -> int:
        other = self.adjective if word in self.sets["adjectives"] else SYMBOL
        return self.ids.get(word, other)

    @property
    def description(self) -> str:
        """A section of a model card."""
        return (
            "\n## Words known by name\n\n"
            f"`{VOCABULARY}` has {len(self.words) - 4} words with an id of their own: "
            f"{len(self.grammar)} of grammar (if, not, someone …), common words (person, always …) "
            f"and the qualities {', '.join(self.qualities)}. In the package's own lists the common "
            "words and the fourteen qualities come from RuleTaker and ParaRules. "
            f"{len(self.adjectives):,} adjectives are known as adjectives only; any other word is "
            'anonymous: "the same word as there".\n'
        )

    def is_function_word(self, word: str) -> bool:
        """Known as more than an adjective: never a word of a rulebook's own."""
        return word in self.sets["silent"] or self.ids.get(word, self.adjective) < self.adjective


@dataclass(frozen=True, eq=False)
class ModelWords:
    known: KnownWords
    kinds: KindClassifier

    def write(self, folder: Path) -> None:
        lists = {f.name: " ".join(getattr(self.known, f.name)) for f in fields(KnownWords)}
        for name, data in ((VOCABULARY, lists), (KINDS, self.kinds.data)):
            write_json(folder / name, data, indent=1, ascii=False)


def read_words(folder: Path, size: int = 0) -> ModelWords:
    """The words of a model folder whose encoder has `size` ids. Raises ModelUnusable."""
    lists, kinds = (read_json(folder / name) for name in (VOCABULARY, KINDS))
    try:
        known = KnownWords(**{name: tuple(words.split()) for name, words in lists.items()})
    except (TypeError, AttributeError):
        names = ", ".join(field.name for field in fields(KnownWords))
        raise ModelUnusable(folder / VOCABULARY, f"damaged: its lists must be {names}") from None
    if len(known.words) < size:
        why = f"does not fit config.json: {len(known.words)} words, the model has {size}"
        raise ModelUnusable(folder / VOCABULARY, why)
    try:
        return ModelWords(known, KindClassifier(kinds))
    except (KeyError, TypeError, AttributeError):
        raise ModelUnusable(folder / KINDS, "damaged: not the file of a classifier") from None


@cache
def default_words() -> ModelWords:
    """The words of a new model."""
    from ibr.data.making.vocabulary import vocabulary

    lists = {name: tuple(words.split()) for name, words in read_json(_HERE / VOCABULARY).items()}
    known = KnownWords(
        **lists,
        qualities=vocabulary("ruletaker").adjectives,
        adjectives=vocabulary("open").adjectives,
    )
    return ModelWords(known, KindClassifier(read_json(_HERE / KINDS)))


def read_json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelUnusable(path, f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ModelUnusable(path, f"not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ModelUnusable(path, "not a JSON object")
    return data


def write_json(path: Path, data: Mapping[str, Any], indent: int = 2, ascii: bool = True) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=ascii)
    write_file(path, text + "\n")
