"""A model as a reasoner: any batching gives the same, traces add up, oracles make one decision."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from shell import Run, write_lines
from tiny import data_file, examples, model_config

from ibr.asking.reasoners import get_reasoner
from ibr.choices import GoldDecision
from ibr.data.formats.example import Example
from ibr.decoding.proving import Traced
from ibr.evaluation.gold import accepted
from ibr.evaluation.metrics import Metric, evaluate
from ibr.evaluation.oracle import GoldChild, GoldParent, grow, oracle
from ibr.inputs.model_words import default_words
from ibr.inputs.normalise import with_kinds
from ibr.logic.solver_reasoner import Solvers
from ibr.model.ibr import IBR
from ibr.model.trained import ModelReasoner
from ibr.proof import END, NAF, Proof, Tree
from ibr.theory import Kind, Problem, Question, Strategy, Theory
from ibr.training import checkpoint

torch.set_num_threads(1)
KINDS = default_words().kinds


@pytest.fixture(scope="module")
def model() -> IBR:
    torch.manual_seed(1)
    return IBR(model_config(dropout=0.0))


@pytest.fixture(scope="module")
def folder(model: IBR, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "mine"
    checkpoint.publish(model, path)
    return path


def asked(theories: int = 6, depth: int = 2) -> list[Problem]:
    return [e.problem for e in examples(depth=depth, theories=theories)]


# --- predictions ---


def test_batches_single_and_shuffled_agree(model: IBR) -> None:
    problems = asked(5, depth=1)
    whole = ModelReasoner(model, beams=3).prove(problems)
    assert [p.id for p in whole] == [p.id for p in problems]
    for questions in (1, 7):
        reasoner = ModelReasoner(model, beams=3)
        reasoner.questions = questions
        assert reasoner.prove(problems) == whole
    order = random.Random(0).sample(range(len(problems)), len(problems))
    shuffled = ModelReasoner(model, beams=3).prove([problems[i] for i in order])
    assert shuffled == [whole[i] for i in order]


def test_predictions_are_whole(model: IBR) -> None:
    for prediction in ModelReasoner(model, "me", beams=2).prove(asked(2)):
        assert prediction.reasoner == "me"
        assert prediction.strategy is not None
        assert prediction.graph is not None
        assert (prediction.strategy is Strategy.FAIL_PROOF) or prediction.graph.nodes


def test_nothing_is_asked_nothing_is_said(model: IBR) -> None:
    assert ModelReasoner(model).prove([]) == []


def test_a_theory_without_sentences(model: IBR) -> None:
    problem = Problem("q", Theory(()), Question("Anne is kind."))
    (prediction,) = ModelReasoner(model).prove([problem])
    assert prediction.strategy is Strategy.FAIL_PROOF
    assert prediction.graph is not None
    assert not prediction.graph.nodes


def test_kinds_are_read_where_nobody_said_them() -> None:
    theory = Theory.of(["Anne is kind.", "If someone is kind then they are nice."])
    assert [s.kind for s in with_kinds(theory, KINDS)] == [Kind.FACT, Kind.RULE]
    given = Theory.of(["Anne is kind."], [Kind.RULE])
    assert with_kinds(given, KINDS) is given


def test_traces_add_up(model: IBR) -> None:
    for plain, traced in zip(
        ModelReasoner(model, beams=3).prove(asked(2)),
        ModelReasoner(model, beams=3, trace=True).prove(asked(2)),
        strict=True,
    ):
        assert isinstance(traced, Traced)
        line = json.loads(json.dumps(traced.to_json()))
        assert {k: line[k] for k in plain.to_json()} == json.loads(json.dumps(plain.to_json()))
        assert line["nodes"] == line["proofs"][0]["nodes"]
        scores = [proof["score"] for proof in line["proofs"]]
        assert scores == sorted(scores, reverse=True)
        assert len(scores) <= 3
        assert (traced.probability > 0.5) == traced.answer
        for proof in line["proofs"]:
            assert proof["steps"][-1]["child"] == "END"
            for step in proof["steps"]:
                assert sum(p for _, p in step["children"]) <= 1.001
                assert sum(p for _, p in step["parents"]) <= 1.001


def test_the_probability_of_a_path_is_the_product_of_its_steps(model: IBR) -> None:
    """With one beam nothing is merged: what the trace shows is what was scored."""
    for prediction in ModelReasoner(model, beams=1, trace=True).prove(asked(2)):
        assert isinstance(prediction, Traced)
        (found,) = prediction.found
        nodes = np.array([*prediction.sentence, NAF, END])
        total = 0.0
        for step, trace in zip(found.path.steps, found.trace, strict=True):
            best = trace.children[nodes == step.child].max()
            total += np.log(trace.parents[step.parent]) + np.log(best)
        assert total == pytest.approx(found.score, abs=1e-6)


# --- by name ---


def test_a_run_folder_is_a_reasoner(folder: Path, model: IBR) -> None:
    reasoner = get_reasoner(str(folder), beams=2)
    assert reasoner.name == "mine"
    expected = ModelReasoner(model, "mine", beams=2).prove(asked(2))
    assert reasoner.prove(asked(2)) == expected


@pytest.mark.parametrize("damage", ["missing", "empty", "corrupt"])
def test_no_usable_model_is_exit_4(run: Run, folder: Path, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "run"
    if damage != "missing":
        path.mkdir()
    if damage == "corrupt":
        (path / "config.json").write_bytes((folder / "config.json").read_bytes())
        (path / "model.safetensors").write_bytes(b"no tensors")
    data = data_file(tmp_path, examples(theories=1))
    done = run("evaluate", "--reasoner", path, "--data", data)
    assert done.code == 4
    assert str(path) in done.err
    assert "Traceback" not in done.err


def test_options_of_models_are_not_the_solvers(run: Run, tmp_path: Path) -> None:
    data = data_file(tmp_path, examples(theories=1))
    for option in (["--beams", "3"], ["--trace"]):
        done = run("predict", "--reasoner", "solver", "--in", data, "--out", "-", *option)
        assert (done.code, done.out) == (2, "")
    done = run("evaluate", "--reasoner", "solver", "--data", data, "--oracle", "child")
    assert done.code == 2


def test_predict_plain_lines(run: Run, folder: Path, tmp_path: Path) -> None:
    """Sentences of unknown kind, one of them unreadable."""
    sentences = ["Anne is kind.", "If someone is kind then they are nice.", "Colourless, why?"]
    problem = {"id": "q", "sentences": sentences, "question": "Anne is nice."}
    lines = write_lines(tmp_path / "in.jsonl", [problem])
    arguments = ("predict", "--reasoner", folder, "--in", lines, "--out", "-")
    (plain,) = run(*arguments).lines
    assert plain["reasoner"] == "mine"
    assert "proofs" not in plain
    (traced,) = run(*arguments, "--trace", "--beams", 2).lines
    assert 1 <= len(traced["proofs"]) <= 2
    assert 0 <= traced["probability"] <= 1


# --- oracles ---

TREE = Tree(4, (Tree(NAF), Tree(0), Tree(5, (Tree(1),))))


def test_growth_follows_the_gold_order() -> None:
    proof = Proof.of(TREE)
    start = grow(proof, [], [])
    assert start is not None
    assert (start.parent, start.children(0)) == (0, {4})
    begun = grow(proof, [4], [0])
    assert begun is not None
    assert (begun.parent, begun.children(1)) == (1, {NAF})
    later = grow(proof, [4, NAF, 0, 5], [0, 1, 1, 1])
    assert later is not None
    assert (later.parent, later.children(4)) == (4, {1})
    done = grow(proof, [4, NAF, 0, 5, 1], [0, 1, 1, 1, 4])
    assert done is not None
    assert (done.parent, done.children(5)) == (5, {END})
    assert grow(proof, [4, 2], [0, 1]) is None
    assert grow(proof, [4, NAF, 0, 1], [0, 1, 1, 1]) is None


def test_a_failure_at_depth_0_ends_at_once() -> None:
    growth = grow(Proof.failure(), [], [])
    assert growth is not None
    assert (growth.parent, growth.children(0)) == (0, {END})


def scores(model: IBR, found: list[Example], choice: GoldDecision | None) -> dict[Metric, float]:
    golds = {e.problem: e.proofs or () for e in found}
    wrap = oracle(choice, golds.__getitem__) if choice else None
    predictions = ModelReasoner(model, beams=4, wrap=wrap).prove([e.problem for e in found])
    solvers = Solvers()
    report = evaluate(
        zip(found, predictions, strict=True), lambda example: accepted(example, solvers)
    )
    return {metric: report.every.all[metric].percent or 0.0 for metric in Metric}


def test_both_decisions_known_are_a_gold_proof(model: IBR) -> None:
    """An untrained model with both oracles proves everything whose strategy it guesses."""
    found = examples(depth=2, theories=4)
    golds = {e.problem: e.proofs or () for e in found}

    def wrap(problems, scorer):  # type: ignore[no-untyped-def]
        own = [golds[p] for p in problems]
        return GoldParent(GoldChild(scorer, own), own)

    reasoner = ModelReasoner(model, beams=1, wrap=wrap)
    solvers, judged = Solvers(), 0
    for example, prediction in zip(found, reasoner.prove([e.problem for e in found]), strict=True):
        if prediction.strategy is example.strategy:
            judged += 1
            gold = accepted(example, solvers)
            assert gold is not None
            assert prediction.graph is not None
            assert gold.accepts(prediction.graph), example.id
    assert judged > 10


def test_an_oracle_helps(model: IBR) -> None:
    found = examples(depth=2, theories=4)
    plain = scores(model, found, None)
    for choice in GoldDecision:
        helped = scores(model, found, choice)
        assert helped[Metric.PA] >= plain[Metric.PA]
        assert helped[Metric.QA] == plain[Metric.QA]
    assert scores(model, found, GoldDecision.CHILD)[Metric.NODE] > plain[Metric.NODE]


def test_evaluate_with_an_oracle(run: Run, folder: Path, tmp_path: Path) -> None:
    data = data_file(tmp_path, examples(theories=2))
    arguments = ("evaluate", "--reasoner", folder, "--data", data, "--json", "--beams", 2)
    plain = run(*arguments).json
    helped = run(*arguments, "--oracle", "child").json
    assert helped["all"]["node"] > plain["all"]["node"]
    bare = data_file(tmp_path, [replace(e, proofs=None) for e in examples(theories=2)])
    solved = run(*arguments[:4], bare, *arguments[5:], "--oracle", "child").json
    assert solved["all"]["node"] == helped["all"]["node"]  # the solver's, where a file lists none
    assert run("evaluate", "--predictions", "-", "--data", data, "--oracle", "child").code == 2
