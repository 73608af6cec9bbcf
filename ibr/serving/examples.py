"""The example rulebooks of the page, from the files of `examples/`.

The comment at the top of a file has its title and questions to ask; the rest is the rulebook.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ORDER: Final = ("access", "leave", "refunds", "courses", "birds", "circuit")
_TITLE = re.compile(r"# *([^.]+)\.")
_QUESTION = re.compile(r'^# +ibr \w+ \S+ "([^"]+)"', re.MULTILINE)
_HEADER = re.compile(r"(?:#.*\n)+\n*")


@dataclass(frozen=True, slots=True)
class ExampleRulebook:
    name: str
    title: str
    rules: str
    questions: tuple[str, ...]

    @classmethod
    def parse(cls, name: str, text: str) -> ExampleRulebook:
        """ValueError if the comment at the top has no title or no question."""
        header, title = _HEADER.match(text), _TITLE.match(text)
        questions = tuple(_QUESTION.findall(header[0])) if header else ()
        if header is None or title is None or not questions:
            raise ValueError(f"{name}: the comment at the top needs a title and a question")
        return cls(name, title[1], text[header.end() :], questions)


@cache
def examples() -> tuple[ExampleRulebook, ...]:
    """In the order of the page."""
    texts = ((_folder() / f"{name}.txt").read_text(encoding="utf-8") for name in ORDER)
    return tuple(map(ExampleRulebook.parse, ORDER, texts))


def _folder() -> Path:
    """Inside the package in a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "examples"
    return inside if inside.is_dir() else package.parent / "examples"
