"""The options that draw a proof, for every command that has one to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ibr.errors import UsageError

if TYPE_CHECKING:
    from ibr.drawing.picture import Picture

STDOUT = "-"

Dot = Annotated[bool, typer.Option("--dot", help="Print the proof as Graphviz source instead.")]
Mermaid = Annotated[
    bool, typer.Option("--mermaid", help="Print the proof as Mermaid source instead.")
]
Svg = Annotated[
    str | None, typer.Option("--svg", metavar="FILE", help="Draw the proof; - is stdout.")
]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Which pictures are wanted; `svg` is a file."""

    dot: bool
    mermaid: bool
    svg: str | None

    def __bool__(self) -> bool:
        return self.dot or self.mermaid or self.svg is not None

    @property
    def printed(self) -> list[str]:
        """The options that take stdout for themselves."""
        all_ = {"--dot": self.dot, "--mermaid": self.mermaid, "--svg -": self.svg == STDOUT}
        return [name for name, wanted in all_.items() if wanted]

    def check(self, questions: int, beside: Mapping[str, bool]) -> None:
        """`beside` are options that print something else, and whether they are on."""
        if self and questions != 1:
            raise UsageError(f"a picture shows one question, not {questions}: ask them in turn")
        others = [*self.printed[1:], *(name for name, is_on in beside.items() if is_on)]
        if self.printed and others:
            raise UsageError(f"{self.printed[0]} prints a picture and nothing else: no {others[0]}")

    def write(self, picture: Picture) -> None:
        from ibr.drawing.dot import dot
        from ibr.drawing.mermaid import mermaid
        from ibr.drawing.svg import svg
        from ibr.files import writing

        if self.dot:
            print(dot(picture), end="")
        if self.mermaid:
            print(mermaid(picture), end="")
        if self.svg is not None:
            with writing(self.svg) as stream:
                stream.write(svg(picture))
