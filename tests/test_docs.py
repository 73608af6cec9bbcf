"""The documentation is true: its links lead somewhere, its sentences are read as it says.

Its sessions are what the commands print, and no folder of the package is left out.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest
from markdown_it import MarkdownIt
from sessions import ROOT, blocks, run, serves

import ibr
from ibr.asking.rulebook import Rulebook
from ibr.decoding import manifest
from ibr.logic.language import read, read_question, say, say_clause
from ibr.logic.reading import ReadError
from ibr.logic.solving.solver import NotStratified, Solver
from ibr.theory import Kind

pytestmark = pytest.mark.e2e

DOCS = ROOT / "docs"
needs_model = pytest.mark.skipif(
    not (manifest.EMBEDDED / manifest.MANIFEST).is_file(),
    reason="ibr/models/small is not here: export a model to it to run this test",
)


# Links and files


@pytest.fixture
def check_docs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import check_docs

    return check_docs


def test_all_that_is_pointed_at_is_there() -> None:
    assert run(f"{sys.executable} scripts/check_docs.py", ROOT).strip() == ""


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("[x](docs/none.md)", "no such file: docs/none.md"),
        ("![x](docs/none.png)", "no such file: docs/none.png"),
        ("[x](docs/page.md#none)", "no such heading: docs/page.md#none"),
        ("[x](#none)", "no such heading: #none"),
        ("[x](../elsewhere.md)", "leads out of the repository: ../elsewhere.md"),
        ("See `ibr/none.py`.", "no such file: ibr/none.py"),
        ("See `none.py` and `folder/`.", "no such file: none.py"),
        ("```sh\nibr read examples/none.txt\n```", "no such file: examples/none.txt"),
        ("It lies in /home/tom/file.", "a path of one machine: /home/tom/file."),
    ],
)
def test_faults_are_found(check_docs: ModuleType, tmp_path: Path, text: str, trouble: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("# A page: `x`\n")
    (tmp_path / "README.md").write_text(f"# Top\n\nFirst.\n\n{text}\n")
    found = list(check_docs.problems(tmp_path))
    assert f"README.md:5: {trouble}" in found


def test_what_is_right_is_no_fault(check_docs: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("# A page: `x`\n\n# Twice\n\n# Twice\n")
    text = (
        "# Top\n\n[a](docs/page.md#a-page-x) [b](docs/page.md#twice-1) [c](#top) `docs/page.md`\n"
    )
    (tmp_path / "README.md").write_text(f"{text}\n`RULES.txt` <https://example.org/none>\n")
    assert list(check_docs.problems(tmp_path)) == []


def test_the_site_builds_without_a_broken_link(tmp_path: Path) -> None:
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    run("zensical build --clean --strict", tmp_path)
    built = {page.parent.name for page in (tmp_path / "build" / "docs").rglob("index.html")}
    assert {page.stem for page in DOCS.rglob("*.md")} - {"index"} <= built


def test_every_page_is_on_the_map(check_docs: ModuleType) -> None:
    index = DOCS / "index.md"
    parsed = check_docs.parser().parse(index.read_text(encoding="utf-8"))
    targets = {str(t.attrGet("href")).partition("#")[0] for _, t in check_docs.flat(parsed)}
    linked = {(DOCS / target).resolve() for target in targets}
    assert {page for page in check_docs.pages() if DOCS in page.parents} - {index} <= linked


def test_every_folder_is_in_the_architecture() -> None:
    plan = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w/]+)/` \| .* \| `([\w.]+)` \|$", plan, re.MULTILINE)
    package = ROOT / "ibr"
    for folder, first in rows:
        assert (package / folder.removeprefix("ibr") / first).is_file(), (folder, first)
    folders = {p.parent.relative_to(package).as_posix() for p in package.rglob("*.py")}
    inner = {f for f in folders if "english/" in f or f.startswith("cli/") or "ruletaker" in f}
    assert folders - inner - {"."} <= {folder for folder, _ in rows}
    nouns = {p.name for p in package.glob("[a-z]*.py")}
    assert nouns <= set(re.findall(r"`([\w.]+\.py)`", plan))


# docs/writing-rules.md: every sentence is read, or refused, as it says


def tables(page: Path) -> list[tuple[list[str], list[list[str]]]]:
    """Header and rows of each, as text."""
    found: list[list[list[str]]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type == "inline" and token.level > 3 and found:
            found[-1][-1].append(token.content)
    return [(rows[0], rows[1:]) for rows in found]


def rows_under(*header: str) -> list[list[str]]:
    every = tables(DOCS / "writing-rules.md")
    assert header in {tuple(found) for found, _ in every}
    return [row for found, rows in every if tuple(found) == header for row in rows]


def meaning(text: str) -> str:
    return " ".join(say_clause(clause) for clause in read(text).clauses)


def test_every_test_that_is_named_is_there() -> None:
    tests = ROOT / "tests"
    named = set(re.findall(r"`(test_\w+)`", (tests / "hostile" / "README.md").read_text()))
    defined = "\n".join(path.read_text() for path in tests.rglob("test_*.py"))
    assert named
    assert not [name for name in named if f"def {name}(" not in defined]


def test_every_table_is_one_that_is_checked() -> None:
    checked = {"You write", "Not read", "Remark", "You ask", "Not answered", "The rulebook"}
    assert {header[0] for header, _ in tables(DOCS / "writing-rules.md")} == checked


@pytest.mark.parametrize(("text", "said"), rows_under("You write", "It is read as"))
def test_what_can_be_written(text: str, said: str) -> None:
    assert meaning(text) == said


@pytest.mark.parametrize(
    ("rules", "question", "verdict"), rows_under("The rulebook", "You ask", "Verdict")
)
def test_what_follows(rules: str, question: str, verdict: str) -> None:
    result = ibr.load("solver").prove(rules, question)
    assert result.verdict == verdict
    assert bool(result.obstacle and result.obstacle.choices) == (
        verdict == "cannot say" and "usually" not in rules
    )


@pytest.mark.parametrize(("text", "why", "instead"), rows_under("Not read", "Why", "Write"))
def test_what_is_refused(text: str, why: str, instead: str) -> None:
    reading = read(text)
    assert reading.kind is Kind.UNKNOWN
    assert reading.reason == why
    assert meaning(instead)


@pytest.mark.parametrize("text", [row[0] for row in rows_under("Remark")])
def test_remarks(text: str) -> None:
    assert read(text).kind is Kind.REMARK


@pytest.mark.parametrize(("text", "said"), rows_under("You ask", "It is read as"))
def test_what_can_be_asked(text: str, said: str) -> None:
    assert say(read_question(text)) == said


@pytest.mark.parametrize(("text", "why"), rows_under("Not answered", "Why"))
def test_what_cannot_be_asked(text: str, why: str) -> None:
    with pytest.raises(ReadError) as refused:
        read_question(text)
    assert refused.value.reason == why


def test_the_layout_that_is_shown_is_read() -> None:
    (shown,) = [block for block in blocks(DOCS / "writing-rules.md") if block.kind == "text"]
    book = Rulebook.parse(shown.text)
    kinds = [entry.reading.kind for entry in book.entries]
    assert kinds == [Kind.REMARK, Kind.RULE, Kind.RULE]
    assert book.entries[-1].canonical == "If X is a member then X may borrow a tool."


def test_a_circle_is_named() -> None:
    (said,) = re.findall(r'\("(.+?)"\) has no answer', (DOCS / "writing-rules.md").read_text())
    with pytest.raises(NotStratified, match="circle"):
        Solver(Rulebook.parse(f"Tom is tall. {said}").program)


# docs/tutorial.md: from the first line to the last


def stable(lines: list[str], command: str) -> list[str]:
    """What every model prints: not its confidence, its name, how its proof grew or failed."""
    if "ibr prove" not in command:
        return lines
    text = re.sub(r"\(the [^;]+;", "(", "\n".join(lines))
    text = re.sub(r"^  The model alone .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"Where it fails:\n.*?(?=^Why not:)", "", text, flags=re.MULTILINE | re.DOTALL)
    return sorted(text.splitlines())


@needs_model
def test_the_tutorial_happens(tmp_path: Path) -> None:
    shown = blocks(DOCS / "tutorial.md")
    assert [b.line for b in shown if b.looks_like_commands and not list(b.commands())] == []
    verbs = []
    for block in shown:
        if block.kind == "text":
            (tmp_path / block.info.split()[1]).write_text(block.text)
        for command, expected in block.commands():
            verbs.append(command.split()[1])
            if command == "ibr serve":
                serves(command, tmp_path)
            else:
                printed = run(command, tmp_path).splitlines()
                assert stable(printed, command) == stable(expected or [], command), command
    assert {"read", "prove", "serve"} <= set(verbs)
    assert (tmp_path / "proof.svg").read_text().startswith("<svg")


# docs/cli.md, docs/architecture.md


@needs_model
@pytest.mark.parametrize("page", ["cli.md", "architecture.md"])
def test_the_sessions_happen(page: str) -> None:
    pairs = [pair for block in blocks(DOCS / page) for pair in block.commands()]
    sessions = [(command, shown) for command, shown in pairs if shown is not None]
    assert sessions
    for command, shown in sessions:
        assert stable(run(command, ROOT).splitlines(), command) == stable(shown, command), command


# The notebook


@pytest.mark.slow
@needs_model
def test_the_notebook_runs() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(ROOT / "examples" / "notebook.ipynb", as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    assert "valid" in outputs["prove"][0].data["text/plain"]
    assert "so Mia is approved [4]." in outputs["explain"][0].text
    assert "<svg" in outputs["picture"][0].data["text/html"]
    assert "END" in outputs["trace"][0].text
    assert "Noah is trained." in outputs["repair"][0].data["text/plain"]


def test_the_notebook_is_kept_without_output() -> None:
    text = (ROOT / "examples" / "notebook.ipynb").read_text(encoding="utf-8")
    assert len(text) < 10_000
    assert text.count('"outputs": []') == text.count('"cell_type": "code"') > 5
