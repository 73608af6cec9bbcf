"""Is everything that the documentation points at there? `python scripts/check_docs.py`

Of README.md, docs/**/*.md and ibr/model/README.md: every relative link and its anchor, every
picture, every file that is named in `code` or in a code block, and no path of one machine. Web
addresses are not visited. One line for each fault, and exit code 1 if there is any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("benchmarks", "docs", "examples", "ibr", "scripts", "tests")
MADE = {"model_card.md"}  # files that commands write: their names are not ours to look for

_HERE = re.compile(rf"(?<![\w./-])(?:{'|'.join(FOLDERS)})/(?:[\w.-]+/)*(?:[\w.-]*\w\w)?(?![\w*])")
_NAME = re.compile(r"(?:[a-z_-]+/)*[\w-]+\.(?:py|js|md|lark)|(?:[a-z_-]+/)+")
_MACHINE = re.compile(r"(?<![\w.:/])/(?:home|root|tmp|opt|work|mnt|Users|var)/\S*|[A-Z]:\\\w+")
_WEB = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def parser() -> MarkdownIt:
    """As GitHub reads it, as far as we use it."""
    return MarkdownIt("commonmark").enable("table")


def pages(root: Path = ROOT) -> list[Path]:
    return [
        root / "README.md",
        *sorted((root / "docs").rglob("*.md")),
        *root.glob("ibr/model/*.md"),
    ]


def problems(root: Path = ROOT) -> Iterator[str]:
    """`docs/cli.md:12: no such file: http.md`"""
    names = {*FOLDERS, *(path.relative_to(root).as_posix() for path in _files(root))}
    for page in pages(root):
        for line, trouble in _faults(page, root, names):
            yield f"{page.relative_to(root).as_posix()}:{line}: {trouble}"


def _files(root: Path) -> Iterator[Path]:
    yield from (path for path in root.glob("*") if path.is_file())
    for folder in FOLDERS:
        yield from (path for path in (root / folder).rglob("*") if "__pycache__" not in path.parts)


def _faults(page: Path, root: Path, names: set[str]) -> Iterator[tuple[int, str]]:
    text = page.read_text(encoding="utf-8")
    for number, row in enumerate(text.splitlines(), 1):
        for found in _MACHINE.findall(row):
            yield number, f"a path of one machine: {found}"
    for line, token in flat(parser().parse(text)):
        target = token.attrGet("href") or token.attrGet("src")
        if token.type in ("link_open", "image") and not _WEB.match(str(target)):
            trouble = _broken(page, str(target), root)
            if trouble:
                yield line, trouble
        elif token.type in ("code_inline", "fence", "code_block"):
            for name in _named(token):
                if not _exists(name, names):
                    yield line, f"no such file: {name}"


def _broken(page: Path, target: str, root: Path) -> str:
    """What is wrong with a link, or nothing."""
    name, _, anchor = unquote(target).partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.is_relative_to(root.resolve()):
        return f"leads out of the repository: {target}"
    if not path.exists():
        return f"no such file: {target}"
    if line := re.fullmatch(r"L(\d+)", anchor):
        lines = path.read_text(encoding="utf-8").count("\n")
        return "" if int(line[1]) <= lines else f"no such line: {target}"
    if anchor and (path.suffix != ".md" or anchor not in anchors(path)):
        return f"no such heading: {target}"
    return ""


def _named(token: Token) -> Iterator[str]:
    """The files that a piece of code names. With capitals it stands for yours: `RULES.txt`."""
    yield from _HERE.findall(token.content)
    if token.type == "code_inline" and _NAME.fullmatch(token.content):
        yield token.content


def _exists(name: str, names: set[str]) -> bool:
    bare = name.rstrip("/")
    return bare in MADE | names or any(known.endswith(f"/{bare}") for known in names)


def flat(tokens: list[Token], line: int = 1) -> Iterator[tuple[int, Token]]:
    """Every token with the line where its block starts."""
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        yield line, token
        yield from flat(token.children or [], line)


def anchors(page: Path) -> list[str]:
    return [slug for slug, _ in headings(parser().parse(page.read_text(encoding="utf-8")))]


def headings(tokens: list[Token]) -> Iterator[tuple[str, Token]]:
    """Each heading with its anchor, as GitHub makes it: "Data: `stats`" → `data-stats`."""
    seen: dict[str, int] = {}
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            shown = "".join(child.content for child in inside.children or [])
            slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
            seen[slug] = seen.get(slug, -1) + 1
            yield f"{slug}-{seen[slug]}" if seen[slug] else slug, token


def main() -> int:
    found = list(problems())
    print(*found, sep="\n" if found else "")
    print(f"{len(pages())} pages, {len(found)} faults", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
