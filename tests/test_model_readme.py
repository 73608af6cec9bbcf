"""model/README.md: every link to a line goes to the line that its text is on.

`python tests/test_model_readme.py` writes the line numbers anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ibr

README = Path(ibr.__file__).parent / "model" / "README.md"
ANCHOR = re.compile(r"\[`([^`]+)`\]\(([\w./]+)#L(\d+)\)")
LINK = re.compile(r"\]\(([\w./]+?)(?:#L\d+)?\)")
FORMULAS = (
    r"[CLS]\ Q\ [SEP]\ [SEP]\ C\ [SEP]", r"P_{QA} =", r"P_{Strategy} =", r"{\rm Att}(h_g",
    r"h_{gi}", r"[h_Q, h_{g1}, h_{g3}, h_{g2}]", r"h_{ni}", r"h_{NAF} = f_{NAF}", r"h_{END}",
    r"h_F = f_U(", r"{\rm Att}(h_F, \mathbf{H}_c)", r"\mathbf{H}_c = [", r"L = L_{QA}",
    r"$L_{Parent}$", r"$L_{Child}$", r"$L_{Strategy}$",
)  # fmt: skip


def line_of(snippet: str, name: str) -> int:
    lines = (README.parent / name).read_text(encoding="utf-8").splitlines()
    found = [number for number, line in enumerate(lines, 1) if snippet in line]
    assert len(found) == 1, f"`{snippet}` is on {len(found)} lines of {name}: {found}"
    return found[0]


def anchored(text: str) -> str:
    """The text with the line numbers that are true now."""
    return ANCHOR.sub(lambda m: f"[`{m[1]}`]({m[2]}#L{line_of(m[1], m[2])})", text)


@pytest.mark.parametrize("anchor", ANCHOR.findall(README.read_text(encoding="utf-8")))
def test_a_link_goes_to_its_line(anchor: tuple[str, str, str]) -> None:
    snippet, name, line = anchor
    assert int(line) == line_of(snippet, name), f"run python {Path(__file__).name}"


def test_every_formula_of_section_3_has_a_row_with_a_line() -> None:
    rows = [line for line in README.read_text(encoding="utf-8").splitlines() if ANCHOR.search(line)]
    for formula in FORMULAS:
        assert any(formula in row for row in rows), formula


def test_every_link_leads_somewhere() -> None:
    for target in LINK.findall(README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target


if __name__ == "__main__":
    README.write_text(anchored(README.read_text(encoding="utf-8")), encoding="utf-8")
