"""The documentation as a folder of plain HTML: `make docs`, or `python scripts/make_docs.py [DIR]`.

README.md and docs/**/*.md become pages beside each other, in the order in which docs/index.md names
them; links between them are turned, and whatever else they link to is copied. It makes nothing if
`check_docs` finds a fault.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from html import escape
from pathlib import Path
from urllib.parse import unquote

from check_docs import ROOT, flat, headings, pages, parser, problems
from markdown_it.token import Token

STYLE = """
:root { color-scheme: light dark; --line: light-dark(#ddd, #444);
  --soft: light-dark(#f5f5f2, #222) }
body { font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 1rem;
  display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 2.5rem }
nav ul { list-style: none; padding: 0; position: sticky; top: 1rem }
nav [aria-current] { font-weight: bold; color: inherit; text-decoration: none }
main { max-width: 54rem }
h1, h2, h3 { line-height: 1.25 }
a { color: light-dark(#1d4f91, #8ab4f8) }
img { max-width: 100%; border: 1px solid var(--line) }
pre, code { background: var(--soft); border-radius: 4px; font-size: .92em }
pre { padding: .8rem 1rem; overflow-x: auto }
code { padding: .1em .25em }
pre code { padding: 0 }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .8rem .35rem 0; text-align: left;
  vertical-align: top }
@media (max-width: 50rem) { body { display: block } nav ul { position: static } }
"""
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{style}">
</head>
<body>
<nav aria-label="Pages"><ul>
{menu}
</ul></nav>
<main>
{body}</main>
</body>
</html>
"""


class Site:
    """Which file becomes which page, and what else is needed."""

    def __init__(self, root: Path, out: Path) -> None:
        self.root, self.out = root.resolve(), out
        self.places = {page.resolve(): self._place(page.resolve()) for page in pages(root)}
        self.copied: dict[Path, Path] = {}

    def _place(self, page: Path) -> Path:
        """`docs/results/quick.md` → `results/quick.html`; the README lies beside the index."""
        inside = self.root / "docs"
        name = page.relative_to(inside if page.is_relative_to(inside) else self.root)
        return self.out / name.with_suffix(".html")

    def order(self) -> list[Path]:
        """As the index links them; then what it forgot."""
        index = self.root / "docs" / "index.md"
        text = index.read_text(encoding="utf-8") if index.exists() else ""
        links = [str(token.attrGet("href")) for _, token in flat(parser().parse(text))]
        linked = [(index.parent / unquote(link.partition("#")[0])).resolve() for link in links]
        return [page for page in dict.fromkeys([index, *linked, *self.places]) if page in self]

    def __contains__(self, page: Path) -> bool:
        return page in self.places

    def turned(self, page: Path, target: str) -> str:
        """A link of a page, as it must be in the HTML."""
        name, sharp, anchor = target.partition("#")
        if not name or re.match(r"[a-z]+:", name):
            return target
        path = (page.parent / unquote(name)).resolve()
        place = self.places.get(path)
        if place is None:
            self.copied[path] = place = self.out / "files" / path.relative_to(self.root)
        return f"{os.path.relpath(place, self.places[page].parent)}{sharp}{anchor}"

    def html(self, page: Path, titles: dict[Path, str]) -> str:
        tokens = parser().parse(page.read_text(encoding="utf-8"))
        for slug, heading in headings(tokens):
            heading.attrSet("id", slug)
        for _, token in flat(tokens):
            for name in ("href", "src"):
                if target := token.attrGet(name):
                    token.attrSet(name, self.turned(page, str(target)))
        here = self.places[page].parent
        mark = {page: ' aria-current="page"'}
        menu = "\n".join(
            f'<li><a href="{os.path.relpath(self.places[other], here)}"{mark.get(other, "")}>'
            f"{escape(title)}</a></li>"
            for other, title in titles.items()
        )
        made = parser()
        body = made.renderer.render(tokens, made.options, {})
        style = os.path.relpath(self.out / "style.css", here)
        return PAGE.format(title=escape(titles[page]), style=style, menu=menu, body=body)

    def write(self) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        (self.out / "style.css").write_text(STYLE, encoding="utf-8")
        titles = {page: _title(page) for page in self.order()}
        for page in titles:
            self.places[page].parent.mkdir(parents=True, exist_ok=True)
            self.places[page].write_text(self.html(page, titles), encoding="utf-8")
        for source, place in self.copied.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, place, dirs_exist_ok=True)
            else:
                shutil.copyfile(source, place)


def _title(page: Path) -> str:
    tokens: list[Token] = parser().parse(page.read_text(encoding="utf-8"))
    first = next(headings(tokens))[1]
    return tokens[tokens.index(first) + 1].content


def main() -> int:
    if found := list(problems()):
        print(*found, sep="\n", file=sys.stderr)
        return 1
    out = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "docs"
    Site(ROOT, out).write()
    print(f"{out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
