"""The example rulebooks as the page offers them. The texts are the files of `examples/`.

The comment at the top of each file is its title, what it is about, and questions to ask; what
follows it is the rulebook.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

ORDER: Final = ("access", "leave", "refunds", "courses", "birds", "circuit")
_TITLE = re.compile(r"# *([^.]+)\.")
_QUESTION = re.compile(r'^# +ibr \w+ \S+ "([^"]+)"', re.MULTILINE)
_HEADER = re.compile(r"(?:#.*\n)+\n*")


@dataclass(frozen=True, slots=True)
class Rulebook:
    """`questions` are those that the file itself suggests, the one that is proved first."""

    name: str
    title: str
    rules: str
    questions: tuple[str, ...]

    @classmethod
    def parse(cls, name: str, text: str) -> Rulebook:
        """Raises ValueError where the comment at the top names neither title nor question."""
        header, title = _HEADER.match(text), _TITLE.match(text)
        questions = tuple(_QUESTION.findall(header[0])) if header else ()
        if header is None or title is None or not questions:
            raise ValueError(f"{name}: the comment at the top has a title and questions")
        return cls(name, title[1], text[header.end() :], questions)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@cache
def examples() -> tuple[Rulebook, ...]:
    """All of them, in the order in which the page shows them."""
    folder = _folder()
    return tuple(
        Rulebook.parse(name, (folder / f"{name}.txt").read_text(encoding="utf-8")) for name in ORDER
    )


def _folder() -> Path:
    """A wheel has them inside the package; a checkout, which is the one copy, beside it."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "examples"
    return inside if inside.is_dir() else package.parent / "examples"
