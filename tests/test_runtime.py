"""Exported graphs: onnxruntime and torch agree, whatever the sizes; damage is named."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny import COMPACT, model_config

from benchmarks.warm import agree, at_a_tie
from ibr.asking.reasoners import get_reasoner
from ibr.data.formats.example import Example
from ibr.data.making.generator import Recipe, generate
from ibr.decoding import manifest
from ibr.decoding.proving import Traced
from ibr.decoding.runtime import GraphReasoner, Graphs, GraphScorer, load_reasoner
from ibr.decoding.scoring import LevelPaths
from ibr.decoding.search import QUESTION, Paths
from ibr.errors import ExitCode, ModelUnusable
from ibr.inputs.arrays import Asked, make_arrays
from ibr.inputs.model_words import default_words
from ibr.model.batch import make_batch
from ibr.model.config import CompactConfig
from ibr.model.ibr import IBR
from ibr.model.onnx_export import export
from ibr.model.trained import IBRScorer, ModelReasoner
from ibr.prediction import Prediction
from ibr.theory import Kind, Problem, Question, Strategy, Theory
from ibr.training.checkpoint import load_model
from ibr.training.labels import with_gold

torch.set_num_threads(1)

CLOSE = 1e-4
BEAMS = 4
KNOWN = default_words().known
RECIPES = (
    Recipe(depth=2),
    Recipe(depth=1, facts=2, rules=2, entities=1),
    Recipe(depth=5, preset="wide", vocabulary="open"),
)
VARIANTS = {
    "wild": model_config(dropout=0.0),
    "trained": model_config(dropout=0.0),
    "to the letter": model_config(
        compact=CompactConfig(width=16, theory_turns=2, heads=4, channels=3, link_roles=0),
        count_children=False,
        path_positions=3,
    ),
    "without LSTMs": model_config(node_lstm=False, focus_lstm=False, focus_layers=2),
}


@cache
def groups(seed: int) -> list[list[Example]]:
    """Theories of very different sizes."""
    return [g for recipe in RECIPES for g in generate(recipe, seed, 8)]


@cache
def built(variant: str) -> IBR:
    torch.manual_seed(3)
    model = IBR(VARIANTS[variant])
    if variant != "trained":
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter, std=0.2)
        for head in (model.qa_strategy.answer, model.qa_strategy.strategy):
            torch.nn.init.normal_(head.weight, std=10.0)
        return even(model.eval())
    optimiser, rng = torch.optim.AdamW(model.parameters(), lr=3e-3), random.Random(0)
    for group in groups(9) * 2:
        optimiser.zero_grad()
        batch = make_batch(asked_of([group]), KNOWN, COMPACT.channels, COMPACT.codes, rng)
        model.loss(with_gold(batch, [group], rng)).total.backward()
        optimiser.step()
    return even(model.eval())


@torch.no_grad()
def even(model: IBR) -> IBR:
    """Such models give all questions one answer and one strategy; this one halves them."""
    config, heads = model.config.compact, model.qa_strategy
    assert config is not None
    encoded = model.encode(make_batch(asked_of(groups(1)), KNOWN, config.channels, config.codes))
    heads.answer.bias.sub_(encoded.answer.median(dim=0).values)
    heads.strategy.bias.sub_(encoded.strategy.median(dim=0).values)
    return model


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exported")


def exported(folders: Path, variant: str) -> Path:
    folder = folders / variant
    if not folder.exists():
        export(built(variant), folder)
    return folder


@pytest.fixture
def wild(folders: Path) -> Path:
    return exported(folders, "wild")


def asked_of(some: Sequence[Sequence[Example]]) -> list[Asked]:
    return [Asked(g[0].theory, [e.problem.question for e in g]) for g in some]


def odd_problems() -> list[Problem]:
    """An unknown name, nothing known, no content word, one sentence, an unreadable one."""
    one = Theory.of(["Anne is kind."])
    return [
        Problem("stranger", one, Question("Zoe is kind.")),
        Problem("strange", one, Question("Zoe chases the zebra.")),
        Problem("one", one, Question("Anne is kind.")),
        Problem("empty", Theory(()), Question("Anne is kind.")),
        Problem("silent", Theory.of(["The.", "Is it?"], [Kind.FACT] * 2), Question("Anne is it.")),
        Problem("free", Theory.of(["Colourless, why?", "Anne is big."]), Question("Is Anne big?")),
    ]


def problems(seed: int = 1) -> list[Problem]:
    made = [e.problem for group in groups(seed) for e in group]
    return random.Random(0).sample(made, len(made)) + odd_problems()


# --- the same answers, strategies and proofs ---


def differences(ours: Sequence[Prediction], theirs: Sequence[Prediction]) -> Iterator[str]:
    """The questions on which two runs differ by more than a tie, and those of ties: `tie`."""
    for one, other in zip(ours, theirs, strict=True):
        assert isinstance(one, Traced)
        assert isinstance(other, Traced)
        assert one.probability == pytest.approx(other.probability, abs=CLOSE)
        assert one.proof_probability == pytest.approx(other.proof_probability, abs=CLOSE)
        if agree(one, other):
            assert one.found[0].score == pytest.approx(other.found[0].score, abs=1e-3)
            continue
        yield "tie" if at_a_tie(one, other) else one.id


@pytest.mark.parametrize("variant", ["wild", "trained"])
def test_torch_and_onnxruntime_agree(folders: Path, variant: str) -> None:
    asked = problems()
    assert len(asked) > 200
    theirs = ModelReasoner(built(variant), "x", beams=BEAMS, trace=True).prove(asked)
    assert {p.strategy for p in theirs} == set(Strategy)
    assert {p.answer for p in theirs} == {True, False}
    assert len({p.graph for p in theirs}) > 15
    graphs = Graphs(exported(folders, variant))
    ours = GraphReasoner(graphs, "x", beams=BEAMS, trace=True).prove(asked)
    found = list(differences(theirs, ours))
    assert found.count("tie") == len(found) <= len(asked) // 50, found
    some = asked[::8] + odd_problems()
    single = GraphReasoner(graphs, "x", beams=BEAMS, trace=True)
    single.questions = 1
    alone = single.prove(some)
    by_id = {p.id: p for p in theirs}
    assert len(by_id) == len(asked)
    found = list(differences([by_id[p.id] for p in some], alone))
    assert found.count("tie") == len(found) <= len(some) // 20, found


@pytest.mark.parametrize("variant", ["to the letter", "without LSTMs"])
def test_other_configs_agree(folders: Path, variant: str) -> None:
    asked = problems(2)[-60:]
    theirs = ModelReasoner(built(variant), "x", beams=BEAMS, trace=True).prove(asked)
    ours = GraphReasoner(Graphs(exported(folders, variant)), "x", beams=BEAMS, trace=True).prove(
        asked
    )
    found = list(differences(theirs, ours))
    assert found.count("tie") == len(found) <= 2, found


# --- any size ---


def batches() -> Iterator[list[Asked]]:
    """One theory or many, one question or many, of the smallest and the largest sizes."""
    every = asked_of(groups(4))
    by_size = sorted(every, key=lambda asked: len(asked.theory.sentences))
    yield by_size
    yield [Asked(by_size[-1].theory, by_size[-1].questions[:1])]
    yield [Asked(by_size[0].theory, by_size[0].questions[:1])]
    yield [by_size[0], by_size[-1]]
    yield [Asked(p.theory, [p.question]) for p in odd_problems()]
    for problem in odd_problems():
        yield [Asked(problem.theory, [problem.question])]


def paths_of(questions: int, readings: int, beams: int, length: int) -> Paths:
    rng = np.random.default_rng(length)
    question = np.repeat(rng.permutation(questions), beams)
    root = np.zeros((len(question), 1), dtype=np.int64)
    paths = Paths(question, root + QUESTION, root, root)
    for position in range(1, length):
        column = rng.integers(0, readings + 1, len(question))  # readings and NAF
        paths = paths.grow(rng.integers(0, position, len(question)), column)
    return paths


def test_every_tensor_is_the_same_whatever_the_sizes(wild: Path) -> None:
    model, graphs = built("wild"), Graphs(wild)
    sizes = set()
    for asked in batches():
        with torch.no_grad():
            theirs = IBRScorer.of(model, make_batch(asked, KNOWN, COMPACT.channels, COMPACT.codes))
        batch = make_arrays(asked, KNOWN, COMPACT.channels, COMPACT.codes)
        sizes.add(tuple(part.shape for part in batch.named().values()))
        made, encoded = graphs.encode(batch.named()), theirs.encoded
        assert encoded.below is not None
        for name, array in made.items():
            part = name.removeprefix("encoded.")
            expected = getattr(encoded, part).numpy()
            assert array.dtype == expected.dtype
            np.testing.assert_allclose(array, expected, atol=CLOSE, rtol=CLOSE, err_msg=name)
        ours = GraphScorer(graphs, batch)
        count, readings = ours.is_rule.shape
        for questions, beams, length in ((count, 1, 1), (1, 1, 2), (count, 8, 7), (1, 3, 20)):
            paths = paths_of(questions, readings, beams, length)
            parent = np.random.default_rng(0).integers(0, length, questions * beams)
            same = {"atol": CLOSE, "rtol": CLOSE}
            np.testing.assert_allclose(ours.parents(paths), theirs.parents(paths), **same)
            np.testing.assert_allclose(
                ours.children(paths, parent), theirs.children(paths, parent), **same
            )
    assert len(sizes) > 8


def test_a_path_is_weighed_the_same_alone_and_among_others(wild: Path) -> None:
    """To the last bit: the scores of a question do not depend on the rest of the batch."""
    asked = asked_of(groups(4))
    scorer = GraphScorer(Graphs(wild), make_arrays(asked, KNOWN, COMPACT.channels, COMPACT.codes))
    count, readings = scorer.is_rule.shape
    for length in (1, 2, 9):
        paths = paths_of(count, readings, 3, length)
        parent = np.random.default_rng(0).integers(0, length, 3 * count)
        parents, children = scorer.parents(paths), scorer.children(paths, parent)
        for rows in (np.arange(1), np.arange(2), np.arange(5, 12), np.arange(0, 3 * count, 3)):
            some = paths.take(rows)
            assert (scorer.parents(some) == parents[rows]).all()
            assert (scorer.children(some, parent[rows]) == children[rows]).all()


def test_paths_in_level_order() -> None:
    paths, places = paths_of(3, 9, beams=2, length=8), np.arange(3 * 11).reshape(3, 11)
    level = LevelPaths.of(paths, places)
    for row, question in enumerate(paths.question):
        for position in range(8):
            place = level.rank[row, position]
            assert level.nodes[row, place] == places[question, paths.columns[row, position]]
            up = level.rank[row, paths.parents[row, position]] if position else -1
            assert level.up[row, place] == up
        depths = paths.levels[row, np.argsort(level.rank[row])]
        assert (np.diff(depths) >= 0).all()


# --- the folder ---


def test_a_folder_has_all_that_training_needs(wild: Path) -> None:
    assert {path.name for path in wild.iterdir()} == {*manifest.NEEDED, manifest.MANIFEST}
    model, again = built("wild"), load_model(wild)
    assert again.config == model.config
    for name, tensor in model.state_dict().items():
        assert torch.equal(again.state_dict()[name], tensor)


def test_export_leaves_the_model_as_it_was_and_overwrites_nothing(tmp_path: Path) -> None:
    model = IBR(VARIANTS["wild"]).train()
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    export(model, tmp_path / "new")
    assert model.training
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())
    with pytest.raises(ModelUnusable, match="not empty"):
        export(model, tmp_path / "new")


def copied(wild: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(wild, tmp_path / "model"))


def refused(folder: Path) -> ModelUnusable:
    with pytest.raises(ModelUnusable) as caught:
        load_reasoner(str(folder))
    assert caught.value.exit_code is ExitCode.NOT_FOUND
    return caught.value


@pytest.mark.parametrize("name", [*manifest.NEEDED, manifest.MANIFEST])
@pytest.mark.parametrize("damage", ["missing", "cut", "flipped"])
def test_damage_is_named(wild: Path, tmp_path: Path, name: str, damage: str) -> None:
    folder = copied(wild, tmp_path)
    path = folder / name
    data = bytearray(path.read_bytes())
    path.unlink()
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    if damage == "flipped":
        data[len(data) // 2] ^= 0x1
        path.write_bytes(data)
    error = refused(folder)
    if (name, damage) == (manifest.MANIFEST, "flipped"):  # a sum or a name that fits no file
        assert error.path.parent == folder
    else:
        assert error.path == path
    assert str(error.path) in str(error)


def test_an_exported_model_without_its_list_is_no_run_folder(wild: Path, tmp_path: Path) -> None:
    folder = copied(wild, tmp_path)
    (folder / manifest.MANIFEST).unlink()
    with pytest.raises(ModelUnusable, match=r"manifest\.json: cannot be read"):
        get_reasoner(str(folder))


def test_what_was_listed_wrong_is_named(wild: Path, tmp_path: Path) -> None:
    folder = copied(wild, tmp_path)
    (folder / manifest.CHILDREN).write_bytes(b"no graph")
    manifest.write_manifest(folder)
    assert refused(folder).path == folder / manifest.CHILDREN
    shutil.copyfile(folder / manifest.ENCODE, folder / manifest.CHILDREN)
    manifest.write_manifest(folder)
    error = refused(folder)
    assert error.path == folder / manifest.CHILDREN
    assert "another version" in str(error)
    (folder / manifest.CONFIG).write_text('{"hidden": 16, "colour": "red"}')
    manifest.write_manifest(folder)
    error = refused(folder)
    assert error.path == folder / manifest.CONFIG
    assert "colour" in str(error)
    (folder / manifest.PARENTS).unlink()
    manifest.write_manifest(folder)
    assert manifest.PARENTS in str(refused(folder))
    (folder / manifest.MANIFEST).write_text('{"sha256": {"../x": "00"}}')
    assert refused(folder).path == folder / manifest.MANIFEST
    assert refused(folder / "nowhere").path == folder / "nowhere"


def test_a_card_beside_the_model_is_checked_too(wild: Path, tmp_path: Path) -> None:
    folder = copied(wild, tmp_path)
    card = folder / "model_card.md"
    card.write_text("# A model\n")
    manifest.write_manifest(folder)
    assert load_reasoner(str(folder)).name == "model"
    card.write_text("# Another\n")
    assert refused(folder).path == card


# --- without torch ---


def test_nothing_heavy_is_loaded(wild: Path) -> None:
    code = (
        "import sys\n"
        "from ibr.decoding.runtime import load_reasoner\n"
        "from ibr.theory import Problem, Question, Theory\n"
        "reasoner = load_reasoner(sys.argv[1], beams=3, trace=True)\n"
        "theory = Theory.of(['Anne is kind.', 'If someone is kind then they are nice.'])\n"
        "(found,) = reasoner.prove([Problem('q', theory, Question('Anne is nice.'))])\n"
        "print(found.to_json()['proofs'][0]['steps'][-1]['child'])\n"
        "heavy = {'torch', 'transformers', 'safetensors', 'onnx'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(wild)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "END\n"
