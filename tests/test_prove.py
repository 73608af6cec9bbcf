"""`ibr prove`: what the model's answers look like, and that "proved" is said only of what is."""

from __future__ import annotations

import inspect
import json
import re
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from provers import needs_model
from shell import Result, Run

from ibr.cli.entry import VERBS
from ibr.decoding import manifest
from ibr.errors import ExitCode
from ibr.logic.explaining import repair

ROOT = Path(__file__).resolve().parent.parent
RULES = """\
# A comment.
Arthur is a bird.
Bill is a bird. Bill is wounded.

If someone is a bird and not wounded then they are flying.
If someone is flying then they are happy.
Wounded people are not happy.
"""
ODD = RULES + "Colourless green ideas!\nWounding, perhaps, of whenever.\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    (tmp_path / "rules.txt").write_text(RULES)
    return tmp_path / "rules.txt"


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    (tmp_path / "odd.txt").write_text(ODD)
    return tmp_path / "odd.txt"


def test_too_many_rules_for_repairs_is_no_failure(
    run: Run, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repair, "MOST_INSTANCES", 0)
    asked = "prove", rules, "Zoe is happy.", "--reasoner", "solver"
    assert run(*asked, "--json").json["repairs"] is None
    assert "Which fact would prove it is not known: more than 0 instances" in run(*asked).out


def blocks(done: Result) -> list[str]:
    assert done.code == ExitCode.OK, done.err
    return done.out.split("\n\n")


@needs_model
def test_proved_refuted_and_not_provable(run: Run, rules: Path) -> None:
    done = run("prove", rules, "Is Arthur happy?", "Bill is happy.", "Zoe is happy.")
    proved, refuted, not_provable = blocks(done)
    assert not done.err
    assert re.search(r"\n  Yes \(the .* proof.*; checked: valid\)\n", proved)
    assert "\nProof:\n  [5] If someone is flying then they are happy.\n    [4] If" in proved
    assert "so Arthur is flying [4].\n  Arthur is flying [by 4], so Arthur is happy [5]." in proved
    assert "\n  No, the rules forbid it (" in refuted
    assert "\nWhy:\n  Bill is wounded [3], so Bill is not happy [6]." in refuted
    assert "\n  Not shown (" in not_provable
    assert "\nWhere it fails:\n" in not_provable
    assert "\nWhy not:\n  Nothing shows that Zoe is happy.\n" in not_provable
    assert "\nAny one of these facts would prove that Zoe is happy:\n" in not_provable
    for block in (proved, refuted, not_provable):
        assert re.search(r"  The model alone predicts (True|False) \(.* % sure\)\.", block)


VERDICTS = {
    "Arthur is happy.": ("yes", "Yes"),
    "Bill is happy.": ("no", "No, the rules forbid it"),
    "Zoe is happy.": ("not shown", "Not shown"),
    "Zoe is not happy.": ("not shown", "Not shown"),
    "Kim is late.": ("contradictory", "The rules contradict each other"),
    "Kim is not late.": ("contradictory", "The rules contradict each other"),
    "Arthur, happy he perhaps?": ("cannot say", "Cannot say"),
}
BOTH = "Kim is late. Kim is not late.\n"


@needs_model
@pytest.mark.parametrize("verb", ["prove", "solve"])
def test_the_five_verdicts(run: Run, rules: Path, verb: str) -> None:
    """The same with and without a sentence that cannot be read and does not matter."""
    for more in ("", "Colourless green ideas!\n"):
        rules.write_text(RULES + BOTH + more)
        done = run(verb, rules, *VERDICTS, "--json")
        assert [line["verdict"] for line in done.lines] == [name for name, _ in VERDICTS.values()]
        for question, (name, heading) in VERDICTS.items():
            shown = run(verb, rules, question, "--fail-if-unproved")
            assert shown.code == (ExitCode.OK if name == "yes" else ExitCode.UNPROVED)
            assert re.search(rf"\n  {heading}( \(|: |$)", shown.out)
    rules.write_text(RULES + BOTH + "Wounding, perhaps, of whenever.\n")
    matters, stated = run(verb, rules, "Arthur is happy.", "Kim is late.", "--json").lines
    assert (matters["verdict"], matters["obstacle"]["line"]) == ("cannot say", 9)
    assert stated["verdict"] == "contradictory"  # neither proof assumes anything


@needs_model
def test_json_can_be_checked_by_check(run: Run, rules: Path) -> None:
    done = run("prove", rules, "Arthur is happy.", "Zoe is not happy.", "--json")
    for line in done.lines:
        assert (line["answer"], line["checked"], line["check_reason"]) == (True, "valid", None)
        assert (line["reasoner"], line["reading"]) == ("verified", line["question"])
        assert line["source"] in ("model+checked", "solver")
        assert 0 <= line["confidence"] <= 1
        assert line["explanation"]
        checked = run("check", rules, line["question"], "--json", stdin=json.dumps(line))
        assert checked.json["status"] == "valid"
    happy, zoe = done.lines
    assert (happy["strategy"], happy["nodes"]) == ("proof", [0, 3, 4, "NAF"])
    assert happy["edges"] == [[0, 3], ["NAF", 3], [3, 4]]
    assert (zoe["strategy"], happy["repairs"]) == ("fail-proof", [])
    assert {"fact": "Zoe is flying.", "contradicts": []} in zoe["repairs"]
    assert "proofs" not in happy


@needs_model
def test_trace_shows_what_each_step_weighed(run: Run, rules: Path) -> None:
    done = run("prove", rules, "Arthur is a bird.", "--trace")
    assert re.search(r"\n  Step 1, under the question: \[\d\] .*\n    parents:  the qu", done.out)
    assert re.search(
        r"\n  Step \d: the proof is complete\n    parents: .*\n    children: ", done.out
    )
    line = run("prove", rules, "Arthur is a bird.", "--trace", "--json").json
    assert {"parent", "child", "parents", "children"} == line["proofs"][0]["steps"][0].keys()
    assert 0 <= line["probability"] <= 1


@needs_model
def test_beams_bound_the_proofs_found(run: Run, rules: Path) -> None:
    asked = "prove", rules, "Arthur is happy.", "--trace", "--json", "--beams"
    assert len(run(*asked, 1).json["proofs"]) == 1
    assert len(run(*asked, 3).json["proofs"]) <= 3
    assert run(*asked, 0).code == ExitCode.USAGE


@needs_model
def test_another_reasoner_may_be_chosen(run: Run, rules: Path) -> None:
    asked = "prove", rules, "Arthur is a bird.", "--json", "--reasoner"
    alone, folder = run(*asked, "ibr").json, run(*asked, manifest.EMBEDDED).json
    assert (alone["reasoner"], alone["source"]) == ("ibr", "model")
    assert alone["checked"] in ("valid", "invalid")
    assert (folder["reasoner"], folder["nodes"]) == ("small", alone["nodes"])
    assert run(*asked, f"verified:{manifest.EMBEDDED}").json == run(*asked, "verified").json
    assert run(*asked, "solver").json["source"] == "solver"
    assert run(*asked, "nobody").code == ExitCode.NOT_FOUND
    for option in (["--trace"], ["--beams", "2"]):
        assert run(*asked, "solver", *option).code == ExitCode.USAGE


@needs_model
def test_an_unreadable_sentence_is_noted_and_matters_where_it_may(run: Run, odd: Path) -> None:
    done = run("prove", odd, "Arthur is a bird.", "Arthur is happy.", "--json")
    stated, assumed = done.lines
    assert 'line 8: cannot read "Colourless green ideas!"' in done.err
    assert done.err.endswith("; the proofs cannot use it\n")
    assert (stated["verdict"], stated["checked"]) == ("yes", "valid")
    assert stated["unreadable"] == [6, 7]
    assert (assumed["verdict"], assumed["checked"]) == ("cannot say", "unreadable")
    assert (assumed["partial"], assumed["obstacle"]["sentence"]) == (True, 7)
    assert '[8], line 9, cannot be read and may matter: "Wounding' in assumed["check_reason"]
    shown = run("prove", odd, "Arthur is happy.").out
    assert "\n  Cannot say: [8], line 9, cannot be read" in shown
    assert "\n  A guess, not proved: the model predicts " in shown
    assert "\nWhy, by what was read:\n" in shown
    assert "Yes" not in shown


@needs_model
def test_a_question_that_only_the_model_can_read(run: Run, rules: Path) -> None:
    asked = "prove", rules, "Arthur, happy he perhaps?"
    done = run(*asked)
    assert done.code == ExitCode.OK
    assert "\n  Cannot say: the question cannot be read (" in done.out
    assert "\n  A guess, not proved: the model predicts " in done.out
    line = run(*asked, "--json").json
    assert (line["reading"], line["checked"], line["source"]) == (None, "unreadable", "model")
    solved = run(*asked, "--reasoner", "solver", "--json").json
    assert (solved["verdict"], solved["answer"], solved["guess"]) == ("cannot say", None, None)


@needs_model
@pytest.mark.parametrize(
    ("questions", "code"),
    [
        (["Arthur is happy.", "Bill is wounded."], ExitCode.OK),
        (["Arthur is happy.", "Bill is happy."], ExitCode.UNPROVED),  # refuted
        (["Zoe is not happy."], ExitCode.UNPROVED),  # true, as nothing shows it
        (["Arthur, happy he perhaps?"], ExitCode.UNPROVED),
    ],
)
def test_fail_if_unproved(run: Run, rules: Path, questions: list[str], code: ExitCode) -> None:
    assert run("prove", rules, *questions, "--fail-if-unproved").code == code
    assert run("prove", rules, *questions).code == ExitCode.OK


@needs_model
def test_pictures(run: Run, rules: Path, odd: Path, tmp_path: Path) -> None:
    asked, file = ("prove", rules, "Arthur is happy."), tmp_path / "proof.svg"
    done = run(*asked, "--svg", file)
    assert "Proof:" in done.out
    assert file.read_text() == run(*asked, "--svg", "-").out
    assert re.findall(r'data-node="(\w+)"', file.read_text()) == ["question", "0", "3", "4", "NAF"]
    assert ">Yes</text>" in file.read_text()
    assert run(*asked, "--dot").out.startswith("digraph")
    assert run(*asked, "--mermaid").out.startswith("flowchart")
    unchecked = run("prove", odd, "Arthur is happy.", "--mermaid").out
    assert "Cannot say (not checked)" in unchecked
    for wrong in (["--dot", "--json"], ["--mermaid", "--trace"], ["Bill is happy.", "--svg", "-"]):
        assert run(*asked, *wrong).code == ExitCode.USAGE


@needs_model
def test_input_that_cannot_be_used(run: Run, rules: Path, tmp_path: Path) -> None:
    missing = run("prove", tmp_path / "none.txt", "Bob is kind.")
    assert (missing.code, missing.out) == (ExitCode.DATA, "")
    assert "none.txt" in missing.err
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe")
    assert run("prove", tmp_path / "bytes.txt", "Bob is kind.").code == ExitCode.DATA
    assert run("prove", rules, " ").code == ExitCode.DATA
    assert run("prove", rules).code == ExitCode.USAGE
    empty = run("prove", "-", "Bob is kind.", stdin="")
    assert empty.code == ExitCode.OK
    assert "Not shown (" in empty.out
    assert empty.err == "ibr: -: there is no sentence in it\n"


@needs_model
@pytest.mark.parametrize("name", [*manifest.NEEDED, manifest.MANIFEST])
def test_a_damaged_model_is_named(run: Run, rules: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(manifest.EMBEDDED, folder)
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 0xFF
    (folder / name).write_bytes(data)
    done = run("prove", rules, "Arthur is happy.", "--reasoner", f"verified:{folder}")
    assert (done.code, done.out) == (ExitCode.NOT_FOUND, "")
    assert str(folder / name) in done.err


@needs_model
def test_an_incomplete_model_is_named(run: Run, rules: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(manifest.EMBEDDED, folder)
    (folder / manifest.ENCODE).unlink()
    done = run("prove", rules, "Arthur is happy.", "--reasoner", f"verified:{folder}")
    assert (done.code, done.out) == (ExitCode.NOT_FOUND, "")
    assert str(folder / manifest.ENCODE) in done.err


def loaded(*arguments: str) -> set[str]:
    """The modules of a fresh process that ran the command."""
    code = (
        "import sys\n"
        f"sys.argv = ['ibr', *{arguments!r}]\n"
        "from ibr.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        "print('MODULES', *sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("MODULES ")[2].split())


@needs_model
def test_proving_needs_no_torch(rules: Path) -> None:
    modules = loaded("prove", str(rules), "Arthur is happy.", "--trace")
    assert not {"torch", "transformers", "onnx", "lemminflect"} & modules
    assert {"numpy", "onnxruntime"} <= modules


@needs_model
def test_templates_need_no_grammar_and_no_picture(tmp_path: Path) -> None:
    """What a first answer waits for: only what this very question needs."""
    rules = tmp_path / "rules.txt"
    rules.write_text("Anne is kind.\nKind people are nice.\n")
    modules = loaded("prove", str(rules), "Anne is nice.")
    unwanted = {"lark", "rich", "ibr.logic.english.reader", "ibr.drawing.svg", "ibr.serving"}
    assert not unwanted & modules
    verbs = {module for module in VERBS.values() if f"ibr.cli.{module}" in modules}
    assert verbs == {VERBS["prove"]}


@pytest.mark.parametrize("arguments", [["--help"], ["prove", "--help"]])
def test_help_loads_no_runtime(arguments: list[str]) -> None:
    unwanted = {"numpy", "onnxruntime", "torch", "lark", "ibr.logic", "ibr.data"}
    assert not unwanted & loaded(*arguments)


def test_help_lists_every_command(run: Run) -> None:
    shown = run("--help").out
    verbs = set()
    for name in set(VERBS.values()):
        module = import_module(f"ibr.cli.{name}")
        own = [value for value in vars(module).values() if inspect.isfunction(value)]
        verbs |= {f.__name__ for f in own if f.__module__ == module.__name__}
    verbs = {name for name in verbs if not name.startswith("_")}
    assert verbs == set(VERBS)
    assert all(re.search(rf"^\W*{verb} +[A-Z]", shown, re.MULTILINE) for verb in VERBS)


@needs_model
def test_the_demo_shows_all_three_outcomes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    recipe = (ROOT / "Makefile").read_text().partition("\ndemo: ")[2].partition("\n\n")[0]
    commands = recipe.replace("\\\n", "").splitlines()[1:]
    done = [run(*shlex.split(command)[1:]) for command in commands]
    assert {result.code for result in done} == {ExitCode.OK}
    shown = "".join(result.out for result in done)
    for outcome in ("Yes (", "No, the rules forbid it (", "Not shown ("):
        assert outcome in shown
    assert "\nWhy not:\n" in shown


@needs_model
def test_predict_has_the_verdicts_of_prove(run: Run, tmp_path: Path) -> None:
    """Bob has been suspended: whether he is, is open. A valid proof is not enough."""
    rule = "Employees are trusted unless they are suspended."
    facts = ("Bob has been suspended.", "Bob is suspended.", "Bob is late.")
    problems = [
        {
            "id": str(k),
            "sentences": ["Bob is an employee.", fact, rule],
            "question": "Bob is trusted.",
        }
        for k, fact in enumerate(facts)
    ]
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps(problem) + "\n" for problem in problems))
    run("predict", "--reasoner", "verified", "--in", path, "--out", out)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["verdict"] for line in lines] == ["cannot say", "no", "yes"]
    run("predict", "--reasoner", "ibr", "--in", path, "--out", out)
    assert all("verdict" not in json.loads(line) for line in out.read_text().splitlines())
