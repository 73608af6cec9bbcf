"""The command line as people and scripts meet it: what is printed where, and the exit codes."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from shell import Run, write_lines

import ibr
from ibr.asking.rulebook import Rulebook
from ibr.cli.entry import VERBS
from ibr.errors import ExitCode

RULES = """\
# A comment.
Arthur is a bird.
Bill is a bird. Bill is wounded.

If someone is a bird and not wounded then they are flying.
If someone is flying then they are happy.
Wounded people are not happy.
Colourless green ideas!
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.txt"
    path.write_text(RULES)
    return path


def test_version_and_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ibr", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"ibr {ibr.__version__} ")


@pytest.mark.parametrize(
    "arguments", [["fly"], ["solve"], ["predict", "--reasoner", "solver"], ["--no-such-option"]]
)
def test_usage_errors(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.code == ExitCode.USAGE
    assert not done.out


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (ZeroDivisionError("oops"), ExitCode.INTERNAL, "internal error: ZeroDivisionError: oops"),
        (ValueError("a bug"), ExitCode.INTERNAL, "internal error"),
        (MemoryError(), ExitCode.LIMIT, "MemoryError"),
        (TimeoutError("too slow"), ExitCode.LIMIT, "too slow"),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, ""),
    ],
)
def test_failures_become_exit_codes(
    run: Run,
    rules: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: ExitCode,
    said: str,
) -> None:
    def fail(text: str) -> Rulebook:
        raise error

    monkeypatch.setattr(Rulebook, "parse", fail)
    done = run("read", rules)
    assert done.code == code
    assert said in done.err
    assert "Traceback" not in done.err
    assert not done.out


def test_a_traceback_only_on_request(run: Run, rules: Path) -> None:
    plain, debug = run("solve", rules, " "), run("solve", rules, " ", "--debug")
    assert plain.code == debug.code == ExitCode.DATA
    assert "Traceback" not in plain.err
    assert "Traceback" in debug.err
    assert "a question must have text" in plain.err


def test_missing_and_binary_files(run: Run, tmp_path: Path) -> None:
    done = run("read", tmp_path / "none.txt")
    assert (done.code, "none.txt: No such file" in done.err) == (ExitCode.DATA, True)
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    done = run("read", tmp_path / "binary.txt")
    assert (done.code, "save the file as UTF-8" in done.err) == (ExitCode.DATA, True)


def test_read_says_how_each_sentence_is_understood(run: Run, rules: Path) -> None:
    entries = run("read", rules, "--json").json
    names = "index line text kind reading others choices reason unmet".split()
    assert all(list(entry) == names for entry in entries)
    assert [entry["line"] for entry in entries] == [2, 3, 3, 5, 6, 7, 8]
    assert entries[5] == {
        "index": 5,
        "line": 7,
        "text": "Wounded people are not happy.",
        "kind": "rule",
        "reading": "If X is wounded then X is not happy.",
        "others": [],
        "choices": [],
        "reason": None,
        "unmet": [],
    }
    unread = entries[6]
    assert (unread["kind"], unread["reading"]) == ("unknown", None)
    assert unread["reason"]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("Bob is kind. If someone is suspendd then they are not kind.", ["anything is suspendd"]),
        ("Bob is kind. If Bob likes cats and Bob is kind then Bob is happy.", ["Bob likes a cat"]),
        ("Bob is not big. If someone is big then they are kind.", ["anything is big"]),
        ("Bob is big. If Anne is big then Anne is kind.", []),  # said of somebody
        ("Bob is kind. If someone is kind and not suspended then they are trusted.", []),
        ("Bob is kind. Kind people are trusted unless they are suspended.", []),
        ("Bob is kind. The suspension of Bob blorped so. Suspended people are sad.", []),
        ("If someone is big then they are kind. Kind people are big.", []),
    ],
)
def test_read_notes_conditions_that_no_sentence_can_make_true(
    run: Run, rules: str, said: list[str]
) -> None:
    entries = run("read", "-", "--json", stdin=rules).json
    assert [each for entry in entries for each in entry["unmet"]] == said
    shown = run("read", "-", stdin=rules).out
    assert [f"      No sentence says that {each}." in shown for each in said] == [True] * len(said)
    assert shown.count("No sentence says") == len(said)


def test_in_an_open_world_an_absence_has_to_be_said_too() -> None:
    text = "Bob is kind. If someone is kind and not suspended then they are trusted."
    assert Rulebook.parse(text, "open").unmet[1] == ["anything is not suspended"]
    assert not any(Rulebook.parse(f"{text} Bob is not suspended.", "open").unmet)


def test_read_from_stdin_for_people(run: Run) -> None:
    done = run("read", "-", stdin="\ufeffBob is kind.\nBlah blah blah!\n")
    assert done.code == ExitCode.OK
    assert "[1] line 1, fact: Bob is kind." in done.out
    assert "I read this as: Bob is kind." in done.out
    assert "Why not:" in done.out
    assert "2 sentences: 1 fact, 1 unknown" in done.out


def test_solve_prints_one_json_line_per_question(run: Run, rules: Path) -> None:
    done = run("solve", rules, "Arthur is happy.", "Bill is happy.", "Arthur is wounded.", "--json")
    first, second, third = done.lines
    assert (first["answer"], first["strategy"], first["depth"]) == (True, "proof", 2)
    assert (first["nodes"], first["edges"]) == ([0, 3, 4, "NAF"], [[0, 3], ["NAF", 3], [3, 4]])
    assert (second["answer"], second["fine_strategy"], second["nodes"]) == (
        False,
        "inv-proof",
        [2, 5],
    )
    assert (third["answer"], third["strategy"], third["nodes"]) == (False, "fail-proof", [])
    assert first["unreadable"] == [6]
    assert "line 8: cannot read" in done.err


def test_a_proof_that_rests_on_what_cannot_be_read_is_not_called_valid(
    run: Run, rules: Path
) -> None:
    """An unread sentence might have said that Arthur is wounded."""
    assert "checked: valid)" in run("solve", rules, "Arthur is happy.").out  # of other things
    rules.write_text(f"{RULES}Wounding, perhaps, of whenever.\n")
    done = run("solve", rules, "Arthur is happy.", "Bill is wounded.")
    assert "\n  Cannot say: [8], line 9, cannot be read and may matter: " in done.out
    assert "Bill is wounded.\n  Yes (" in done.out


def test_solve_shows_the_proof_in_the_authors_words(run: Run, rules: Path) -> None:
    done = run("solve", rules, "Arthur is happy.", "--explain")
    assert "    [4] If someone is a bird and not wounded then they are flying." in done.out
    assert "Arthur is flying [by 4], so Arthur is happy [5]." in done.out


def test_all_proofs_are_counted_and_some_shown(run: Run) -> None:
    text = "Bob is big.\nBob is red.\nBig people are kind.\nRed people are kind.\n"
    (line,) = run("solve", "-", "Bob is kind.", "--all-proofs", 1, "--json", stdin=text).lines
    assert line["proof_count"] == 2
    assert line["proofs"] == [{"nodes": [0, 2], "edges": [[0, 2]]}]
    told = run("solve", "-", "Bob is kind.", "--all-proofs", 5, stdin=text).out
    assert "Proofs: 2" in told
    assert "proof 2:" in told


@pytest.mark.parametrize(
    ("questions", "code"),
    [
        (["Arthur is a bird."], ExitCode.OK),
        (["Bill is happy."], ExitCode.UNPROVED),  # refuted
        (["Bill is not happy."], ExitCode.OK),  # proved
        (["Arthur is not wounded."], ExitCode.UNPROVED),  # true, but only as nothing denies it
        (["Arthur is a bird.", "Arthur is wounded."], ExitCode.UNPROVED),
    ],
)
def test_fail_if_unproved(run: Run, rules: Path, questions: list[str], code: ExitCode) -> None:
    assert run("solve", rules, *questions, "--fail-if-unproved").code == code
    assert run("solve", rules, *questions).code == ExitCode.OK


def test_explain_says_why_and_why_not(run: Run, rules: Path) -> None:
    why = run("explain", rules, "Bill is not happy.").out
    assert "Bill is wounded [3], so Bill is not happy [6]." in why
    done = run("explain", rules, "Colin is flying.", "--json").json
    assert done["answer"] is False
    assert any("nothing shows" in line.lower() for line in done["explanation"])
    assert {"fact": "Colin is a bird.", "contradicts": []} in done["repairs"]
    assert "Any one of these facts" in run("explain", rules, "Colin is flying.").out


def test_a_contradiction_is_reported(run: Run) -> None:
    text = "Bob is big.\nBig people are not big.\n"
    for question in ("Bob is big.", "Bob is not big."):
        done = run("solve", "-", question, "--fail-if-unproved", stdin=text)
        assert done.code == ExitCode.UNPROVED
        assert "\n  The rules contradict each other (both proofs are valid)\n" in done.out
        assert "\nProof that Bob is big:\n" in done.out
        assert "\nProof that Bob is not big:\n" in done.out


def test_negation_in_a_circle_is_named(run: Run) -> None:
    text = "If Bob is not red then Bob is big.\nIf Bob is not big then Bob is red.\n"
    done = run("solve", "-", "Bob is big.", stdin=text)
    assert done.code == ExitCode.OK
    assert "\n  Cannot say: negation in a circle: " in done.out
    assert '"Bob is red"' in done.out


@pytest.fixture
def sound(rules: Path) -> Path:
    """The same rules without the sentence that cannot be read."""
    rules.write_text(RULES.replace("Colourless green ideas!\n", ""))
    return rules


def test_what_solve_writes_check_accepts(run: Run, sound: Path) -> None:
    for question in ("Arthur is happy.", "Bill is happy.", "Arthur is wounded.", "Bill is flying."):
        proof = run("solve", sound, question, "--json").out
        done = run("check", sound, question, "--json", stdin=proof)
        assert (done.code, done.json["status"]) == (ExitCode.OK, "valid"), question


def test_check_says_what_is_wrong_and_where(run: Run, sound: Path, tmp_path: Path) -> None:
    proof = write_lines(tmp_path / "p.json", [{"nodes": [1, 2, 3], "edges": [[1, 3]]}])
    done = run("check", sound, "Bill is flying.", proof, "--json")
    assert done.code == ExitCode.OK
    assert done.json["status"] == "invalid"
    assert done.json["why"]
    assert run("check", sound, "Bill is flying.", proof, "--fail-if-unproved").code == 10
    assert run("check", sound, "Bill is flying.", proof).out.startswith("invalid")
    more = '{"nodes": [0, 1, 3, "NAF"], "edges": [[0, 3], ["NAF", 3]]}'
    done = run("check", sound, "Arthur is flying.", stdin=more)
    assert done.out == "valid (not needed: [2])\n"


@pytest.mark.parametrize(
    ("proof", "said"),
    [
        ("{", "not JSON"),
        ("[]", "object"),
        ("{}", "nodes: is missing"),
        ('{"nodes": 3}', "nodes"),
        ('{"nodes": [0, "NOT"]}', "nodes[1]"),
        ('{"nodes": [0], "edges": [[0]]}', "edges[0]"),
        ('{"nodes": [0], "edges": [[0, 1]]}', "edge 0 -> 1"),
        ('{"nodes": [0], "strategy": "luck"}', "strategy"),
    ],
)
def test_check_refuses_what_is_no_graph(run: Run, sound: Path, proof: str, said: str) -> None:
    done = run("check", sound, "Arthur is a bird.", stdin=proof)
    assert done.code == ExitCode.DATA
    assert said in done.err


def test_the_table_of_options_has_those_of_the_commands_and_no_others() -> None:
    table = tomllib.loads((Path(ibr.__file__).parent / "cli" / "options.toml").read_text())
    parameters = {}
    for verb, module in VERBS.items():
        function = getattr(import_module(f"ibr.cli.{module}"), verb)
        parameters[verb] = set(inspect.signature(function).parameters)
    assert table.keys() - {"every"} <= parameters.keys()
    for verb, names in parameters.items():
        assert table.get(verb, {}).keys() <= names, verb
    shared = [sum(name in names for names in parameters.values()) for name in table["every"]]
    assert min(shared) > 1
