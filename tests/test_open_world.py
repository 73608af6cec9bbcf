"""The open world: "not" in a condition has to be shown, in every part and at every door."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import ibr
from benchmarks import asp
from ibr.choices import Assumption
from ibr.errors import UsageError
from ibr.logic.checking.verifier import check
from ibr.logic.checking.wellfounded import well_founded
from ibr.logic.clause import Clause, Literal, Program, Sign
from ibr.logic.explaining.explanation import why_not
from ibr.logic.explaining.repair import repairs, with_fact
from ibr.logic.language import Logic
from ibr.logic.solver_reasoner import solved
from ibr.logic.solving.solver import Solver
from ibr.prediction import Side, Verdict
from ibr.proof import NAF
from tests.shell import Run
from tests.strategies import WILD, random_program

RULES = """Ada is wise. Bo is wise. Bo is shy. If someone is shy then they are not rude.
If someone is wise and not rude then they are kind."""
OPEN = ("--world", "open")


def test_opened() -> None:
    atom, rude = Literal("?x", "is", "kind"), Literal("?x", "is", "rude", Sign.NAF)
    program = Program(((Clause(atom, (rude,)),),))
    assert program.opened.clauses[0][0].body == (rude._replace(sign=Sign.NEGATIVE),)
    assert program.opened.opened == program.opened
    assert program.in_world(Assumption.CLOSED) is program


def test_solver_verifier_and_clingo_agree() -> None:
    """Over programs of every form, those with negation in a circle too: an open world has none."""
    rng, proved, failed, negative = random.Random(14), 0, 0, 0
    for _ in range(150):
        program = random_program(rng, WILD).opened
        solver = Solver(program)
        (model,) = asp.stable_models(program)
        assert set(solver.model) == model
        assert well_founded(program).proved == model
        for literal in sorted(model)[:6]:
            logic = Logic(program, literal)
            found = solved("q", logic, solver)
            assert found.graph is not None
            assert NAF not in found.graph.nodes
            judged = check(program, literal, found.graph, found.strategy, found.answer)
            assert (judged.side, asp.objection(logic, found)) == (Side.STATEMENT, None)
            proved += 1
            rules = [c for node in found.graph.nodes for c in program.clauses[node] if c.body]
            negative += any(lit.sign is Sign.NEGATIVE for c in rules for lit in c.body)
        for atom in solver.failing[:4]:
            logic = Logic(program, atom)
            found = solved("q", logic, solver)
            assert found.graph is not None
            judged = check(program, atom, found.graph, found.strategy, found.answer)
            assert (judged.side, asp.objection(logic, found)) == (Side.NEITHER, None)
            failed += 1
    assert min(proved, failed) > 200
    assert negative > 20


def test_a_proof_by_want_of_proof_is_refused() -> None:
    book = ibr.Rulebook.parse(RULES)
    kind = Literal("Ada", "is", "kind")
    graph = Solver(book.program).proof(kind).graph
    assert check(book.program, kind, graph).valid
    refused = check(book.program.opened, kind, graph)
    assert not refused.valid
    assert refused.why == "no cited premise shows that Ada is not rude"


def test_repairs_and_reasons() -> None:
    """Every repair, and nothing else that was tried, makes the question provable."""
    program, kind = ibr.Rulebook.parse(RULES, "open").program, Literal("Ada", "is", "kind")
    missing = Literal("Ada", "is", "rude", Sign.NEGATIVE)
    found = {repair.fact for repair in repairs(program, kind)}
    assert found == {missing, Literal("Ada", "is", "shy"), kind}
    assert all(Solver(with_fact(program, fact)).proves(kind) for fact in found)
    tree = why_not(program, kind)
    assert [(c.literal, c.holds) for c in tree.branches[0].conditions] == [
        (Literal("Ada", "is", "wise"), True), (missing, False)
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["solver", "verified"])
def test_python(name: str) -> None:
    asked = ["Ada is kind.", "Bo is kind.", "Bo is rude.", "Ada is rude."]
    closed, opened = (ibr.load(name, world=world).prove(RULES, asked) for world in Assumption)
    yes, no, unknown = Verdict.YES, Verdict.NO, Verdict.NOT_SHOWN
    assert [result.verdict for result in closed] == [yes, yes, no, unknown]
    assert [result.verdict for result in opened] == [unknown, yes, no, unknown]
    assert [result.answer for result in closed] == [True, True, False, False]
    assert [result.answer for result in opened] == [None, True, False, None]
    assert opened[0].repairs == ["Ada is not rude.", "Ada is shy.", "Ada is kind."]
    assert "Ada is not rude: nothing shows it" in str(opened[0])


def test_a_wrong_world_is_named() -> None:
    with pytest.raises(UsageError, match="world must be closed or open, not 'flat'"):
        ibr.load("solver", world="flat")


def test_commands(tmp_path: Path, run: Run) -> None:
    book = tmp_path / "rules.txt"
    book.write_text(RULES)
    (line,) = run("solve", book, "Ada is kind.", "--json").lines
    assert line["verdict"] == "yes"
    for command in ("solve", "prove", "explain"):
        (found,) = run(command, book, "Ada is kind.", *OPEN, "--json").lines
        assert (found["verdict"], found["answer"]) == ("not shown", None)
    proof = json.dumps(line)
    assert run("check", book, "Ada is kind.", stdin=proof).out.startswith("valid")
    shown = run("check", book, "Ada is kind.", *OPEN, stdin=proof).out
    assert shown.startswith("invalid at [5]: no cited premise shows that Ada is not rude")
    (own,) = run("solve", book, "Bo is kind.", *OPEN, "--json").lines
    assert run("check", book, "Bo is kind.", *OPEN, stdin=json.dumps(own)).out.startswith("valid")
    assert run("solve", book, "Ada is kind.", "--world", "flat").code == 2


def test_files(tmp_path: Path, run: Run) -> None:
    options = {"options": ["A) True", "B) False", "C) Unknown"], "context": RULES, "answer": "C"}
    question = "Is the following statement true, false, or unknown? Ada is kind."
    data = tmp_path / "set.json"
    data.write_text(json.dumps([{"id": "one", "question": question, **options}]))
    for name in ("solver", "verified"):
        for world, right in ((), 0.0), (OPEN, 100.0):
            (found,) = run("evaluate", "--data", data, "--reasoner", name, "--json", *world).lines
            assert found["answers"]["all"]["accuracy"] == right
    out = tmp_path / "out.jsonl"
    run("predict", "--reasoner", "solver", "--in", data, "--out", out, *OPEN)
    assert json.loads(out.read_text())["strategy"] == "fail-proof"
    checked = run("check", "--in", data, "--predictions", out, *OPEN).out
    assert checked.startswith("1 valid")
    assert run("check", "--in", data, "--predictions", out).out.startswith("one: invalid")
