"""Options and arguments that several commands share, written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ibr.choices import LogicFrom

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
    Path | None, typer.Option(help="ParaRules' tsv, for the sentence boundaries of NatLang files.")
]
Beams = Annotated[
    int | None, typer.Option(min=1, help="Paths that a model searches at once; default 8.")
]
LogicChoice = Annotated[
    LogicFrom,
    typer.Option(
        help="Meaning of a data file's sentences: their text, the file's own logic, or the "
        "file's where the text is free English."
    ),
]
