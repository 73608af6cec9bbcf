"""Plain words: no page, docstring, comment, message or text of the page has a word of this list.

Rulebook text is left alone: what stands in quotes or code, examples of English, word lists.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
UNWANTED = re.compile(
    r"\b(?:told|said|whoever|wish(?:es|ed)?|whisper\w*|hears?|heard|seats?|sits?|sitting"
    r"|resaid|furniture|\.\./shared)\b",
    re.IGNORECASE,
)
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "ibr").rglob("*.md")),
]
MODULES = [
    path
    for folder in ("ibr", "benchmarks", "scripts")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
SCRIPTS = sorted((ROOT / "ibr" / "serving" / "page").glob("*.*"))
READERS = {ROOT / "ibr" / "logic" / "english", ROOT / "ibr" / "logic" / "surface"}
WRITERS = {ROOT / "ibr" / "data" / "making"}  # their strings are English of rulebooks, too
QUOTED = re.compile(r'"[^"\n]*"|“[^”\n]*”|`[^`\n]*`|\*[^*\n]+\*')
ITEM = re.compile(r"^\* [\w-]+ \(.*?\): .*$", re.MULTILINE)  # a rulebook and its question


def prose(markdown: str) -> str:
    """Without blocks of code, tables of examples, items of rulebooks and quotations."""
    text = re.sub(r"^```.*?^```$|^ {4}[^\n]*$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return QUOTED.sub("", ITEM.sub("", text))


def described(source: str, strings: bool) -> Iterator[str]:
    """Docstrings and comments; with `strings`, the other strings as well."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield QUOTED.sub("", ast.get_docstring(node) or "")
        elif strings and isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield QUOTED.sub("", node.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield QUOTED.sub("", token.string)


def unwanted(texts: Iterator[str] | list[str]) -> list[str]:
    return [match[0] for text in texts for match in UNWANTED.finditer(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages(page: Path) -> None:
    assert unwanted([prose(page.read_text(encoding="utf-8"))]) == []


def test_docstrings_comments_and_messages() -> None:
    found = {}
    for module in MODULES:
        strings = not {*module.parents} & (READERS | WRITERS)
        words = unwanted(described(module.read_text(encoding="utf-8"), strings))
        if words:
            found[str(module.relative_to(ROOT))] = words
    assert found == {}


@pytest.mark.parametrize("part", SCRIPTS, ids=lambda part: part.name)
def test_the_page(part: Path) -> None:
    assert unwanted([part.read_text(encoding="utf-8")]) == []


def test_a_word_is_found_and_a_quotation_is_not() -> None:
    assert unwanted([prose("It is told.\n\n| Whoever |\n")]) == ["told", "Whoever"]
    assert unwanted([prose('He wrote "Tom said so", `told` and:\n\n    he sits\n')]) == []
    source = '"""Hears."""\nx = "wish"  # told\n'
    assert unwanted(described(source, strings=False)) == ["Hears", "told"]
    assert unwanted(described(source, strings=True)) == ["Hears", "Hears", "wish", "told"]
