"""Hugging Face encoders: tiny random ones with tokenizers trained here, in a folder, no network."""

from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"

import random
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_roberta import HIDDEN, POSITIONS, bert, roberta
from transformers import (
    AutoModel,
    AutoTokenizer,
)

from ibr.data.formats.example import Example
from ibr.data.making.generator import Recipe, generate
from ibr.decoding.search import QUESTION, ScoredPath, search
from ibr.inputs.arrays import Asked
from ibr.inputs.model_words import default_words
from ibr.model.batch import Batch, reader_of
from ibr.model.config import ConfigError, IBRConfig, PretrainedConfig
from ibr.model.encoders.pretrained import (
    InputTooLong,
    PretrainedEncoder,
    PretrainedInput,
    PretrainedReader,
    save_description,
    without_stop_words,
)
from ibr.model.ibr import IBR
from ibr.model.trained import IBRScorer
from ibr.proof import END, NAF, Step
from ibr.proof import Path as GrownPath
from ibr.theory import Kind, Question, Theory
from ibr.training.labels import with_gold

WORDS = default_words()


@pytest.fixture(scope="module", params=["roberta", "bert"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    make = {"roberta": roberta, "bert": bert}[request.param]
    return make(tmp_path_factory.mktemp(request.param))


torch.set_num_threads(1)  # tensors here are tiny

THEORY = Theory.of(
    ["Anne is kind.", "The cat is big.", "If someone is big then they are an a-lister.", "Hmm?"],
    [Kind.FACT, Kind.FACT, Kind.RULE, Kind.REMARK],
)


def read(folder: Path, *questions: str, drop: bool = True, theory: Theory = THEORY) -> Batch:
    reader = PretrainedReader(PretrainedConfig(str(folder), drop))
    return reader([Asked(theory, [Question(text) for text in questions])])


def paper(folder: Path, **other: Any) -> IBRConfig:
    """The paper's model, as far as the encoder's size allows."""
    settings: dict[str, Any] = {
        "compact": None,
        "pretrained": PretrainedConfig(str(folder)),
        "hidden": HIDDEN,
        "focus_lstm_hidden": 256,
        "focus_heads": 8,
        "dropout": 0.1,
        "path_positions": 29,
        "hint_weight": 0.0,
    }
    return IBRConfig(**settings | other)


def input_of(batch: Batch) -> PretrainedInput:
    assert isinstance(batch.input, PretrainedInput)
    return batch.input


# --- what is read ---


@pytest.mark.parametrize("drop", [True, False])
def test_the_row_is_the_tokenizers_own_pair(folder: Path, drop: bool) -> None:
    """Sentence by sentence or in one go: the same tokens, special tokens and types."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    question = "The cat is not big."
    batch = input_of(read(folder, question, drop=drop))
    context = "Anne kind. cat big. If someone big then they a-lister. Hmm?" if drop else THEORY.text
    whole = tokenizer("cat not big." if drop else question, context, return_token_type_ids=True)
    assert batch.ids[0].tolist() == whole["input_ids"]
    assert batch.types[0].tolist() == whole["token_type_ids"]
    assert batch.is_token.all()


def test_spans_are_the_sentences(folder: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    batch = input_of(read(folder, "Anne is kind.", "The dog does not chase the cat.", drop=False))
    for row, asked in enumerate(["Anne is kind.", "The dog does not chase the cat."]):
        ids = batch.ids[row]
        spans = [[p for p in span.tolist() if p >= 0] for span in batch.spans[row]]
        for span, sentence in zip(spans, THEORY, strict=True):
            alone = tokenizer(f" {sentence.text}", add_special_tokens=False)["input_ids"]
            first = tokenizer(sentence.text, add_special_tokens=False)["input_ids"]
            assert ids[span].tolist() in (alone, first)
        places = [p for p in batch.question[row].tolist() if p >= 0]
        assert ids[places].tolist() == tokenizer(asked, add_special_tokens=False)["input_ids"]
        inside = [place for span in spans for place in span]
        special = set(range(int(batch.is_token[row].sum()))) - {*places, *inside}
        assert {int(ids[p]) for p in special} == {tokenizer.cls_token_id, tokenizer.sep_token_id}
        assert len(inside) == len(set(inside))


def test_roberta_has_two_separators(tmp_path: Path) -> None:
    """`[CLS] Q [SEP] [SEP] C [SEP]`."""
    batch = input_of(read(roberta(tmp_path), "Anne is kind."))
    question, spans = batch.question[0].tolist(), batch.spans[0].flatten().tolist()
    inside = {*question, *spans} - {-1}
    specials = [(p, int(t)) for p, t in enumerate(batch.ids[0]) if p not in inside]
    end = max(question)
    assert specials == [(0, 0), (end + 1, 2), (end + 2, 2), (max(spans) + 1, 2)]


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("The cat is not big.", "cat not big."),
        ("Fiona is nice.", "Fiona nice."),  # plain replacement would leave "Fionnice"
        ("Theodora does the dance.", "Theodora dance."),
        ("An a-lister isn't a T-shirt.", "a-lister isn't T-shirt."),
        ("Is the?", "Is the?"),
        ("If they are blue then they like THE isle.", "If they blue then they like isle."),
    ],
)
def test_stop_words(text: str, shorter: str) -> None:
    assert without_stop_words(text) == shorter


# --- limits and errors ---


def test_too_long_an_input_says_how_much_fits(folder: Path) -> None:
    reader = PretrainedReader(PretrainedConfig(str(folder)))
    assert reader.limit == POSITIONS
    question = Question("Anne is kind.")

    def theory(size: int) -> Theory:
        return Theory.of([f"Anne is {'kind ' * 5}number {k}." for k in range(size)])

    fits = 0
    while True:
        asked = Asked(theory(fits + 1), [question])
        try:
            batch = input_of(reader([asked]))
        except InputTooLong as error:
            message = str(error)
            break
        fits += 1
    assert batch.ids.shape[1] <= POSITIONS
    assert f"{fits + 1} sentences are " in message
    assert f"reads {POSITIONS} at most: the first {fits} sentences fit" in message
    with pytest.raises(InputTooLong, match=f"the first {fits} sentences fit"):
        reader([Asked(theory(fits + 5), [question])])


def test_a_full_row_is_encoded(folder: Path) -> None:
    """The limit is the model's own: a row of just that length goes through, one more does not."""
    model = AutoModel.from_pretrained(folder).eval()
    ids = torch.full((1, POSITIONS + 1), 5)
    model(input_ids=ids[:, :POSITIONS])
    with pytest.raises((IndexError, RuntimeError)):
        model(input_ids=ids)


def test_hidden_must_be_the_encoders(folder: Path) -> None:
    with pytest.raises(ConfigError, match=f"hidden is 64, but .* have {HIDDEN}: set hidden to"):
        IBR(paper(folder, hidden=64))


def test_an_encoder_that_is_not_there(tmp_path: Path) -> None:
    config = PretrainedConfig(str(tmp_path / "nothing"))
    with pytest.raises(ConfigError, match=r"no encoder at .*nothing"):
        PretrainedReader(config)
    with pytest.raises(ConfigError, match=r"no encoder at .*nothing"):
        PretrainedEncoder(config, HIDDEN)


def test_a_config_of_the_papers_size() -> None:
    config = paper(Path("roberta-large"), hidden=1024)
    assert IBRConfig.from_json(config.to_json()) == config
    assert IBRConfig.from_json(config.to_json()).pretrained == PretrainedConfig("roberta-large")


# --- what comes of it ---


def examples(count: int = 2) -> list[list[Example]]:
    recipes = [Recipe(depth=2, facts=4, rules=3), Recipe(depth=1, facts=2, rules=2)][:count]
    return [next(generate(recipe, seed=5, count=1))[:6] for recipe in recipes]


def asked_of(groups: list[list[Example]]) -> list[Asked]:
    return [Asked(g[0].theory, [e.problem.question for e in g]) for g in groups]


def test_encoding_is_the_models_states(folder: Path) -> None:
    """Row by row, without padding, straight from the Hugging Face model."""
    encoder = PretrainedEncoder(PretrainedConfig(str(folder)), HIDDEN).eval()
    model = AutoModel.from_pretrained(folder).eval()
    batch = reader_of(paper(folder), WORDS)(asked_of(examples()))
    rows = input_of(batch)
    with torch.no_grad():
        out = encoder(rows)
    assert out.owner.tolist() == list(range(len(batch)))
    for b in range(len(batch)):
        size = int(rows.is_token[b].sum())
        with torch.no_grad():
            states = model(
                input_ids=rows.ids[b : b + 1, :size], token_type_ids=rows.types[b : b + 1, :size]
            ).last_hidden_state[0]
        torch.testing.assert_close(out.cls[b], states[0], atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(out.tokens[b, :size], states, atol=1e-5, rtol=1e-5)
        places = rows.question[b][rows.question[b] >= 0]
        torch.testing.assert_close(
            out.question[b][out.is_token[b]], states[places], atol=1e-5, rtol=1e-5
        )


def test_gold_columns_are_sentences(folder: Path) -> None:
    groups = examples()
    batch = with_gold(reader_of(paper(folder), WORDS)(asked_of(groups)), groups, random.Random(0))
    gold = batch.gold
    assert gold is not None
    assert batch.hints is None
    width = batch.is_rule.shape[1]
    for b, example in enumerate(e for group in groups for e in group):
        assert example.proofs
        assert batch.is_rule[b, : len(example.theory)].tolist() == [
            s.kind is Kind.RULE for s in example.theory
        ]
        special = {width: NAF, width + 1: END}
        steps = [
            Step(p, special.get(c, c))
            for p, c, real in zip(
                gold.parent[b].tolist(), gold.child[b].tolist(), gold.is_step[b], strict=True
            )
            if real
        ]
        path = GrownPath(example.proofs[0].strategy, tuple(steps))
        assert path.to_proof().graph == example.proofs[0].graph
        assert gold.columns[b, 0] == QUESTION


def test_the_papers_model_learns_and_proves(folder: Path) -> None:
    """A few steps on a handful of questions: the loss falls in every term; decoding works."""
    torch.manual_seed(0)
    config = paper(folder, dropout=0.0)
    model, groups = IBR(config), examples(1)
    model.encoder.eval()  # no dropout: the loss must fall
    batch = with_gold(reader_of(config, WORDS)(asked_of(groups)), groups, random.Random(0))
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    first = model.loss(batch)
    for _ in range(30):
        optimiser.zero_grad()
        loss = model.loss(batch)
        loss.total.backward()
        optimiser.step()
    unused = [name for name, p in model.named_parameters() if p.grad is None]
    assert not unused
    assert loss.total < first.total / 2
    found = search(IBRScorer.of(model.eval(), batch), beams=2)
    assert all(proofs for proofs in found)
    assert all(0 <= n < len(groups[0][0].theory) or n == NAF
               for proofs in found for n in proofs[0].graph.nodes)  # fmt: skip


def probability(found: ScoredPath) -> float:
    """Of the path itself, step by step; the child's is among the readings, NAF and END."""
    chosen = 1.0
    for step, trace in zip(found.path.steps, found.trace, strict=True):
        width = len(trace.children) - 2  # one reading a sentence here
        column = {NAF: width, END: width + 1}.get(step.child, step.child)
        chosen *= float(trace.parents[step.parent] * trace.children[column])
    return chosen


def test_batched_is_single(folder: Path) -> None:
    """Answers, strategies and the best proofs do not depend on what else is in the batch."""
    torch.manual_seed(1)
    model = IBR(paper(folder)).eval()
    reader, asked = reader_of(paper(folder), WORDS), asked_of(examples())
    together = IBRScorer.of(model, reader(asked))
    found = search(together, beams=3, max_steps=6)
    b = 0
    for item in asked:
        for question in item.questions:
            alone = IBRScorer.of(model, reader([Asked(item.theory, [question])]))
            assert alone.answers[0] == pytest.approx(together.answers[b], abs=1e-5)
            assert alone.strategies[0] == together.strategies[b]
            (single,) = search(alone, beams=3, max_steps=6)
            ours, theirs = single[0], found[b][0]
            assert ours.path == theirs.path
            # Not its score: that sums the orders of growth that the beam kept, and an untrained
            # model's are all but equal, so that the last bit may decide what is kept.
            assert probability(ours) == pytest.approx(probability(theirs), rel=1e-3)
            b += 1


def test_a_description_is_enough_to_load_a_checkpoint(folder: Path, tmp_path: Path) -> None:
    """A run folder holds the tokenizer and the shape of its encoder; weights come with the run."""
    model = IBR(paper(folder)).eval()
    assert model.config.pretrained is not None
    save_description(model.config.pretrained, tmp_path)
    assert not list(tmp_path.glob("*.safetensors"))
    config = paper(tmp_path)
    again = IBR(config, weights=False).eval()
    again.load_state_dict(model.state_dict())
    asked = asked_of(examples(1))
    ours, theirs = (
        IBRScorer.of(again, reader_of(config, WORDS)(asked)),
        IBRScorer.of(model, reader_of(config, WORDS)(asked)),
    )
    assert ours.answers.tolist() == theirs.answers.tolist()


def test_an_empty_theory(folder: Path) -> None:
    batch = read(folder, "Anne is kind.", theory=Theory(()))
    model = IBR(paper(folder)).eval()
    (found,) = search(IBRScorer.of(model, batch))
    assert found[0].graph.nodes == frozenset()
