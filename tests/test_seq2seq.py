"""The text generator: its cached decoding is its parallel one, and every copy is undone."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import torch
from test_baselines import config_of, groups, made

from ibr.baselines.proofwriter import ProofWriterAll, cited, read_answer, written
from ibr.baselines.slots import OutputWords, TextReader
from ibr.baselines.system import Meter
from ibr.inputs.arrays import Asked
from ibr.logic.solving.solver import Solver
from ibr.model.batch import pad
from ibr.theory import Question, Theory

ASKED = [
    Asked(Theory.of(["Tom is old.", "Old people are wise."]), [Question("Tom is wise.")]),
    Asked(
        Theory.of(["The cat likes Anne.", "Anne is big.", "Bob is big."]),
        [Question("Anne is big."), Question("Bob is not small.")],
    ),
]


@pytest.fixture(scope="module")
def model() -> ProofWriterAll:
    found = made(config_of("proofwriter", max_output=12))
    assert isinstance(found, ProofWriterAll)
    return found.eval()


def test_greedy_decoding_with_a_cache_is_that_without(model: ProofWriterAll) -> None:
    copied = model.reader.copied(ASKED, [cited(len(item.theory)) for item in ASKED])
    batch = model.reader.read(ASKED, copied)
    meter = Meter()
    texts = model.network.write(batch, meter)
    target = pad([[*text, 0][:12] for text in texts], 12, 0)
    with torch.no_grad():
        out = model.network.encoder(batch.read.input)
        logits = model.network(out, replace(batch, target=target))
    is_real = model.network._is_real(batch)
    again = logits.masked_fill(~is_real.unsqueeze(1), float("-inf")).argmax(-1).tolist()
    for text, row in zip(texts, again, strict=True):
        assert text == row[: len(text)]
    assert meter.encoder_calls == len(ASKED)
    assert meter.decoder_steps == sum(min(len(text) + 1, 12) for text in texts)


def test_what_is_encoded_is_decoded(model: ProofWriterAll) -> None:
    reader = TextReader(model.config, model.words)
    out = OutputWords(model.words, ["#"])
    copied = reader.copied(ASKED, [cited(len(item.theory)) for item in ASKED])
    assert list(copied[0].slots) == ["tom", "old", "wise"]
    assert list(copied[2].slots) == ["cat", "like", "anne", "big", "bob", "small"]
    for tokens, given in ((["not", "sent2", "wise"], copied[0]), (["#", "bob"], copied[2])):
        ids = out.encode(tokens, given, sentences=3)
        assert out.decode(ids[:-1], given, sentences=3) == tokens
    with pytest.raises(ValueError, match="'zebra' is not in the input"):
        out.encode(["zebra"], copied[0], sentences=3)


def test_targets_are_read_back_as_the_answers_and_proofs_they_say(model: ProofWriterAll) -> None:
    for example in (example for group in groups() for example in group):
        assert example.program is not None
        solver = Solver(example.program)
        tokens = written(example, solver, model.words.known)
        found = read_answer(tokens, len(example.theory))
        assert found.answer is example.answer
        assert found.strategy is example.strategy
        assert found.graph is not None
        assert example.literal is not None
        assert not found.graph.nodes or solver.accepts(example.literal, found.graph)


def test_slots_are_where_their_words_are(model: ProofWriterAll) -> None:
    batch = model.reader.read(ASKED, model.reader.copied(ASKED, [{}, {}]), random.Random(0))
    assert batch.question_slot.tolist()[0][:3] == [0, 1, 3]  # [CLS] tom wise
    assert batch.theory_slot.shape[0] == len(ASKED)
