"""Options and arguments that several commands share, written once."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ibr.choices import Assumption, EngineName, LogicFrom
from ibr.files import path_of

Rules = Annotated[str, typer.Argument(metavar="RULES.txt", help="Facts and rules; - is stdin.")]
Questions = Annotated[
    list[str], typer.Argument(metavar="QUESTION...", help='Statements, e.g. "Dana is a guest."')
]
Json = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out what cannot be used, and count it.")
]
FailIfUnproved = Annotated[
    bool, typer.Option("--fail-if-unproved", help="Exit code 10 unless all is proved.")
]
Mappings = Annotated[
    Path | None,
    typer.Option(
        parser=path_of,
        metavar="PATH",
        help="ParaRules' tsv, for the sentence boundaries of NatLang files.",
    ),
]
EngineChoice = Annotated[
    EngineName, typer.Option("--engine", help="ray: on many workers, the same bytes.")
]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Of --engine ray; default: one for each processor.")
]
Address = Annotated[
    str | None,
    typer.Option(help="Of a Ray cluster; default: $RAY_ADDRESS, or Ray is started here."),
]
Beams = Annotated[
    int | None, typer.Option(min=1, help="Paths that a model searches at once; default 8.")
]
Device = Annotated[
    str | None, typer.Option(help="Where torch computes: cpu, cuda, cuda:1, mps; needs ibr[train].")
]
Dot = Annotated[bool, typer.Option("--dot", help="Print the proof as Graphviz source instead.")]
Mermaid = Annotated[
    bool, typer.Option("--mermaid", help="Print the proof as Mermaid source instead.")
]
Svg = Annotated[
    str | None, typer.Option("--svg", metavar="FILE", help="Draw the proof; - is stdout.")
]
Split = Annotated[str | None, typer.Option(help="train, dev or test; else all.")]
World = Annotated[
    Assumption,
    typer.Option(
        help='closed: "not" in a condition holds if nothing shows the opposite. open: it has to be '
        "shown, and nothing is false for want of a proof."
    ),
]
LogicChoice = Annotated[
    LogicFrom,
    typer.Option(
        help="Meaning of a data file's sentences: their text, the file's own logic, or the "
        "file's where the text is free English."
    ),
]


def given(**options: Any) -> dict[str, Any]:
    """The options without those that are None."""
    return {name: value for name, value in options.items() if value is not None}
