"""The paper's modules against its equations, written out in numpy for one example at a time.

The references share no code with the package: they take a module's weights and loop.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from ibr.data.making.generator import Recipe, generate
from ibr.decoding.scoring import PathsByTheory, paths_by_theory
from ibr.decoding.search import QUESTION, Paths
from ibr.inputs.arrays import Asked
from ibr.inputs.model_words import default_words
from ibr.model.batch import Batch, reader_of
from ibr.model.child_node import Candidates, ChildNode, FocusLayer, Steps
from ibr.model.config import CompactConfig, ConfigError, IBRConfig
from ibr.model.encoders.encoding import Encoding
from ibr.model.ibr import IBR
from ibr.model.nodes import NodeEncoder, PathState
from ibr.model.parent_node import ParentNode
from ibr.model.qa_strategy import QAStrategy
from ibr.model.step_bias import StepBias
from ibr.model.trained import IBRScorer
from ibr.theory import Strategy
from ibr.training.labels import with_gold

torch.set_num_threads(1)  # tensors here are tiny

Vector = np.ndarray
D = 24  # hidden, in these tests
CLOSE = 1e-5


@pytest.fixture(autouse=True)
def _same_weights() -> None:
    torch.manual_seed(0)


# --- the equations, one example at a time ---


def array(x: Tensor) -> Vector:
    return x.detach().double().numpy()


def linear(layer: nn.Linear, x: Vector) -> Vector:
    return array(layer.weight) @ x + array(layer.bias)


def sigmoid(x: Vector) -> Vector:
    return 1 / (1 + np.exp(-x))


def softmax(x: Sequence[float] | Vector) -> Vector:
    e = np.exp(np.asarray(x) - np.max(x))
    return e / e.sum()


def layer_norm(layer: nn.LayerNorm, x: Vector) -> Vector:
    scaled = (x - x.mean()) / math.sqrt(((x - x.mean()) ** 2).mean() + layer.eps)
    return scaled * array(layer.weight) + array(layer.bias)


def selu(x: Vector) -> Vector:
    scale, alpha = 1.0507009873554805, 1.6732632423543772
    return scale * np.where(x > 0, x, alpha * (np.exp(x) - 1))


def lstm(layer: nn.LSTM, xs: Sequence[Vector]) -> Vector:
    """The hidden state after the last x."""
    h = np.zeros(layer.hidden_size)
    c = np.zeros(layer.hidden_size)
    for x in xs:
        gates = array(layer.weight_ih_l0) @ x + array(layer.bias_ih_l0)
        gates = gates + array(layer.weight_hh_l0) @ h + array(layer.bias_hh_l0)
        i, f, g, o = np.split(gates, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
    return h


def node_vector(encoder: NodeEncoder, words: Sequence[Vector]) -> Vector:
    return lstm(encoder.lstm, words) if encoder.lstm is not None else sum(words) / len(words)


def attention(
    f_q: nn.Linear, f_k: nn.Linear, h: Vector, keys: Sequence[Vector], more: Sequence[float] = ()
) -> Vector:
    """Eq. 1: σ(f_Q(h) f_K(H)ᵀ / √d), with what else is added before σ."""
    query = linear(f_q, h)
    scores = [query @ linear(f_k, key) / math.sqrt(len(h)) for key in keys]
    return softmax([s + m for s, m in zip(scores, more or [0.0] * len(keys), strict=True)])


def counted(up: Sequence[int], position: int) -> int:
    """How many children the position has; more than four count as four."""
    return min(4, sum(p == position for p in up[1:]))


def parent_weights(
    module: ParentNode, bias: StepBias | None, path: Sequence[Vector], up: Sequence[int]
) -> Vector:
    """`up` is the parent's position of each position but the first."""
    more = [0.0] * len(path)
    if bias is not None and bias.child_count_bias is not None:
        for position, vector in enumerate(path):
            case = counted(up, position) + (5 if position == len(path) - 1 else 0)
            more[position] = float(linear(bias.child_count_bias, vector)[case])
    return attention(module.query, module.key, lstm(module.path_lstm, path), path, more)


def transformer_layer(layer: FocusLayer, query: Vector, path: Sequence[Vector]) -> Vector:
    size = len(query) // layer.heads
    q = linear(layer.query, layer_norm(layer.norm, query))
    pairs = [np.split(linear(layer.key_value, p), 2) for p in path]
    mixed = np.zeros_like(query)
    for head in range(layer.heads):
        part = slice(head * size, (head + 1) * size)
        weights = softmax([q[part] @ key[part] / math.sqrt(size) for key, _ in pairs])
        mixed[part] = sum(w * value[part] for w, (_, value) in zip(weights, pairs, strict=True))
    x = query + linear(layer.out, mixed)
    norm, up, _, down = layer.feed
    return x + linear(down, selu(linear(up, layer_norm(norm, x))))


def focus(module: ChildNode, path: Sequence[Vector], parent: int, fails: bool) -> Vector:
    """Eq. 2: h_F = f_U([Trans(h_gp, H_p, H_p); LSTM(H_p)]); a fail-proof has h_gp for Trans."""
    state = path[parent]
    for layer in () if fails else module.trans:
        state = transformer_layer(layer, state, path)
    if module.focus_lstm is not None:
        state = np.concatenate([state, lstm(module.focus_lstm, path)])
    return linear(module.fuse, state)


class Plain:
    """One question of a batch, from its encoding on."""

    def __init__(self, model: IBR, batch: Batch, out: Encoding, b: int) -> None:
        group = int(out.owner[b])
        tokens = array(out.tokens[group])
        spans = [[t for t in span.tolist() if t >= 0] for span in out.spans[group]]
        real = out.is_reading[group].tolist()
        self.model, self.cls = model, array(out.cls[b])
        self.parent_modules = model.parent_node, model.step_bias
        self.naf, self.end = linear(model.naf, self.cls), array(model.end)
        asked = [array(t) for t in out.question[b][out.is_token[b]]]
        self.question = node_vector(model.parent_encoder, asked)
        words = [[tokens[t] for t in span] if real[r] else None for r, span in enumerate(spans)]
        self.parents = [w and node_vector(model.parent_encoder, w) for w in words]
        self.children = [w and node_vector(model.child_encoder, w) for w in words]
        self.linked = out.linked and {
            "below": array(out.linked.below[group]),
            "beside": array(out.linked.beside[group]),
            "asked": array(out.linked.asked[b]),
        }
        kinds = batch.is_rule[group].tolist()
        self.is_rule = [kinds[s] for s in out.sentence[group].tolist()]

    def path(self, columns: Sequence[int]) -> list[Vector]:
        vectors = [
            self.question
            if c == QUESTION
            else self.naf
            if c == len(self.parents)
            else self.parents[c]
            for c in columns
        ]
        if self.model.positions is not None:
            places = array(self.model.positions.weight)
            vectors = [v + places[min(i, len(places) - 1)] for i, v in enumerate(vectors)]
        return vectors

    def links(self, columns: Sequence[int], up: Sequence[int], parent: int, child: int) -> float:
        """The link score of a reading below a parent that may have children already."""
        readings = len(self.children)
        if not self.linked or child >= readings:
            return 0.0
        above = columns[parent]
        if above == QUESTION:
            score = float(self.linked["asked"][child])
        else:
            score = float(self.linked["below"][above, child]) if above < readings else 0.0
        for position in range(1, len(columns)):
            if up[position] == parent and columns[position] < readings:
                score += float(self.linked["beside"][columns[position], child])
        return score

    def child_weights(
        self, columns: Sequence[int], up: Sequence[int], parent: int, fails: bool
    ) -> Vector:
        """Over readings, NAF and END; 0 for padding, and for facts in fail-proofs."""
        module = self.model.child_node
        readings = len(self.children)
        allowed = [
            c
            for c in range(readings)
            if self.children[c] is not None and (not fails or self.is_rule[c])
        ] + [readings, readings + 1]
        candidates = [*self.children, self.naf, self.end]
        h_f = focus(module, self.path(columns), parent, fails)
        bias = self.model.step_bias
        if bias is not None and bias.sibling_count is not None:
            h_f = h_f + array(bias.sibling_count.weight)[counted(up, parent)]
        weights = np.zeros(readings + 2)
        links = [self.links(columns, up, parent, c) for c in allowed]
        weights[allowed] = attention(
            module.query, module.key, h_f, [candidates[c] for c in allowed], links
        )
        return weights

    def losses(self, gold: dict[str, list[int]], fails: bool) -> tuple[float, float]:
        """Parent and child loss: means over the steps of −log of the gold weight."""
        parent_terms, child_terms = [], []
        for step, (parent, child) in enumerate(zip(gold["parent"], gold["child"], strict=True)):
            columns, up = gold["columns"][: step + 1], [-1, *gold["parent"][:step]]
            weights = parent_weights(*self.parent_modules, self.path(columns), up)
            if step and not fails:
                parent_terms.append(-math.log(weights[parent]))
            child_terms.append(-math.log(self.child_weights(columns, up, parent, fails)[child]))
        return sum(parent_terms) / max(len(parent_terms), 1), sum(child_terms) / len(child_terms)


# --- module by module ---


def same(ours: Tensor, plain: Vector) -> None:
    np.testing.assert_allclose(array(ours), plain, atol=CLOSE, rtol=CLOSE)


def test_answer_and_strategy() -> None:
    module, cls = QAStrategy(D), torch.randn(5, D)
    answer, strategy = module(cls)
    for b in range(5):
        same(answer[b].softmax(-1), softmax(linear(module.answer, array(cls[b]))))
        same(strategy[b].softmax(-1), softmax(linear(module.strategy, array(cls[b]))))


@pytest.mark.parametrize("use_lstm", [True, False])
def test_node_encoder(use_lstm: bool) -> None:
    module, tokens = NodeEncoder(D, use_lstm), torch.randn(2, 9, D)
    spans = [[[0, 1, 2], [8], [3, 5, 4, 7]], [[6, 2], [0, 1, 2, 3, 4], [5]]]
    padded = torch.tensor([[span + [-1] * (5 - len(span)) for span in row] for row in spans])
    out = module(tokens, padded)
    for b, row in enumerate(spans):
        for n, span in enumerate(row):
            same(out[b, n], node_vector(module, [array(tokens[b, t]) for t in span]))


UP = [[-1, 0, 0, 1, 1, 3], [-1, 0, 1, 2, 3, 4], [-1, 0, 0, 0, 0, 0], [-1, 0, 1, 1, 1, 4]]


def grown(path: Tensor, last: Tensor) -> PathState:
    nodes = torch.zeros(path.shape[:2], dtype=torch.long)
    return PathState(nodes, path, torch.tensor(UP[: len(last)]), last)


@pytest.mark.parametrize("counts", [True, False])
def test_parent_node(counts: bool) -> None:
    """Eq. 1 alone, and with the bias by child count."""
    module, path = ParentNode(D), torch.randn(3, 6, D)
    bias = StepBias(D, counts=True) if counts else None
    last = torch.tensor([[0, 3, 5], [5, 1, 1], [2, 4, 5]])
    state = grown(path, last)
    logits = module(state) if bias is None else module(state) + bias.parent(state)
    for r in range(3):
        for s in range(3):
            seen = int(last[r, s]) + 1
            plain = parent_weights(module, bias, [array(p) for p in path[r, :seen]], UP[r][:seen])
            same(logits.softmax(-1)[r, s], np.pad(plain, (0, 6 - seen)))


@pytest.mark.parametrize("lstm_hidden", [10, None])
def test_child_node(lstm_hidden: int | None) -> None:
    """Eq. 2, and Att(h_F, H_c): facts get no weight in a fail-proof."""
    module = ChildNode(D, layers=2, heads=4, lstm_hidden=lstm_hidden, dropout=0.0)
    path, children = torch.randn(4, 6, D), torch.randn(4, 7, D)
    last = torch.tensor([[0, 3], [5, 1], [2, 4], [0, 5]])
    parent = torch.tensor([[0, 2], [5, 0], [1, 4], [0, 3]])
    fails = torch.tensor([False, False, True, True])
    is_rule = torch.tensor([True, False, True, False, True]).expand(4, 5)
    keys, each = module.key(children), torch.arange(4)
    h_f = module.focus(grown(path, last), parent, fails)
    candidates = Candidates(keys[:, :5], keys[:, 5:], torch.ones(4, 5, dtype=torch.bool), is_rule)
    steps = Steps(parent, each, fails, PathsByTheory(each, each.unsqueeze(1), each))
    weights = module(h_f, candidates, steps).softmax(-1)
    for r in range(4):
        allowed = [c for c in range(7) if c > 4 or not fails[r] or is_rule[r, c]]
        for s in range(2):
            length = int(last[r, s]) + 1
            seen = [array(p) for p in path[r, :length]]
            plain = focus(module, seen, int(parent[r, s]), bool(fails[r]))
            same(h_f[r, s], plain)
            expected = np.zeros(7)
            chosen = [array(children[r, c]) for c in allowed]
            expected[allowed] = attention(module.query, module.key, plain, chosen)
            same(weights[r, s], expected)


def test_bias_of_h_f_by_child_count() -> None:
    bias = StepBias(D, counts=True)
    path = grown(torch.randn(3, 6, D), torch.tensor([[5, 2], [5, 2], [5, 2]]))
    added = bias.focus(path, torch.tensor([[1, 0], [0, 1], [0, 0]]))
    for r, parents in enumerate([[1, 0], [0, 1], [0, 0]]):
        for s, (parent, seen) in enumerate(zip(parents, (6, 3), strict=True)):
            same(added[r, s], array(bias.sibling_count.weight)[counted(UP[r][:seen], parent)])


# --- the whole model on generated theories ---

SMALL = CompactConfig(width=D, local_layers=1, theory_turns=2, question_turns=1, channels=3)
VARIANTS = {
    "plain": IBRConfig(compact=SMALL, hidden=D, focus_lstm_hidden=10),
    "no node LSTM": IBRConfig(compact=SMALL, hidden=D, focus_lstm_hidden=10, node_lstm=False),
    "no focus LSTM": IBRConfig(compact=SMALL, hidden=D, focus_lstm=False, alpha=0.7),
    "no QA, positions": IBRConfig(
        compact=SMALL, hidden=D, focus_lstm_hidden=10, answer_loss=False, path_positions=3
    ),
    "no links, no counts": IBRConfig(
        compact=replace(SMALL, link_roles=0), hidden=D, focus_lstm_hidden=10, count_children=False
    ),
    "word roles": IBRConfig(
        compact=replace(SMALL, word_roles=True), hidden=D, focus_lstm_hidden=10
    ),
}


def gold_batch(config: IBRConfig) -> Batch:
    recipes = [Recipe(depth=2, facts=5, rules=4), Recipe(depth=1, facts=3, rules=2, entities=1)]
    groups = [next(generate(recipe, seed=3, count=1))[:9] for recipe in recipes]
    asked = [Asked(g[0].theory, [e.problem.question for e in g]) for g in groups]
    batch = with_gold(reader_of(config, default_words())(asked), groups, random.Random(0))
    assert batch.gold is not None
    assert set(batch.gold.strategy.tolist()) == {0, 1}
    assert len({len(item.theory) for item in asked}) == 2  # some readings are padding
    return batch


def model_of(config: IBRConfig) -> IBR:
    """Weights large enough that every part of the model is seen in its output."""
    model = IBR(config)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return model


@pytest.mark.parametrize("variant", VARIANTS)
def test_losses(variant: str) -> None:
    """L = L_QA + L_Parent + L_Child + α L_Strategy, with no fail-proof in L_Parent."""
    config = VARIANTS[variant]
    model, batch = model_of(config), gold_batch(config)
    gold = batch.gold
    assert gold is not None
    with torch.no_grad():
        ours, out = model.loss(batch), model.encoder(batch.input)
    terms = []
    for b in range(len(batch)):
        one = Plain(model, batch, out, b)
        steps = int(gold.is_step[b].sum())
        path = {
            name: getattr(gold, name)[b, :steps].tolist() for name in ("columns", "parent", "child")
        }
        answer = softmax(linear(model.qa_strategy.answer, one.cls))[int(gold.answer[b])]
        strategy = softmax(linear(model.qa_strategy.strategy, one.cls))[int(gold.strategy[b])]
        parent, child = one.losses(path, fails=not gold.strategy[b])
        terms.append([-math.log(answer), -math.log(strategy), parent, child])
    answer, strategy, parent, child = np.mean(terms, axis=0)
    for name, plain in zip(
        ("answer", "strategy", "parent", "child"), (answer, strategy, parent, child), strict=True
    ):
        assert float(getattr(ours, name)) == pytest.approx(plain, abs=CLOSE, rel=CLOSE), name
    total = parent + child + config.alpha * strategy + (answer if config.answer_loss else 0)
    hints = config.hint_weight * float(ours.hints + ours.roles)
    assert float(ours.total) == pytest.approx(total + hints, abs=CLOSE, rel=CLOSE)


def test_hint_loss() -> None:
    """After turn t, binary cross-entropy of "holds by depth t - 1", over what is asked; and of
    "leads a failure chain of 1, 2, … rules", summed over the lengths."""
    config = VARIANTS["plain"]
    model, batch = model_of(config), gold_batch(config)
    assert batch.hints is not None
    with torch.no_grad():
        ours, out = model.loss(batch), model.encoder(batch.input)
    turns = []
    chain, length = array(out.hinted.chain), batch.hints.chain.numpy()
    for depth, logits in enumerate(out.hinted.fires):
        terms = []
        for place in zip(*np.nonzero(batch.hints.is_asked.numpy()), strict=True):
            p = sigmoid(array(logits)[place])
            fired = batch.hints.fires.numpy()[place] <= depth
            terms.append(-math.log(p if fired else 1 - p))
        turns.append(sum(terms) / len(terms))
    chains = []
    for place in zip(*np.nonzero(batch.hints.is_asked.numpy()), strict=True):
        p = sigmoid(chain[place])
        chains.append(-sum(math.log(q if length[place] > k else 1 - q) for k, q in enumerate(p)))
    plain = np.mean(turns) + np.mean(chains)
    assert float(ours.hints) == pytest.approx(plain, abs=CLOSE, rel=CLOSE)


def test_role_loss() -> None:
    """Cross-entropy of the role of each word that has a label; the prediction is added to its
    state."""
    config = VARIANTS["word roles"]
    model, batch = model_of(config), gold_batch(config)
    assert batch.hints is not None
    with torch.no_grad():
        ours, out = model.loss(batch), model.encoder(batch.input)
    labels = batch.hints.roles.numpy()
    terms = [
        -math.log(softmax(array(out.hinted.roles)[place])[labels[place]])
        for place in zip(*np.nonzero(labels >= 0), strict=True)
    ]
    assert len(set(labels.flatten().tolist())) > 3
    assert float(ours.roles) == pytest.approx(np.mean(terms), abs=CLOSE, rel=CLOSE)
    roles = model.encoder.roles
    x = torch.randn(5, D)
    with torch.no_grad():
        after, logits = roles(x)
    for row in range(5):
        shares = softmax(linear(roles.predict, array(x)[row]))
        assert array(logits)[row] == pytest.approx(linear(roles.predict, array(x)[row]), abs=CLOSE)
        added = array(roles.add.weight) @ shares
        assert array(after)[row] == pytest.approx(array(x)[row] + added, abs=CLOSE)


@pytest.mark.parametrize("variant", ["plain", "no QA, positions", "no links, no counts"])
def test_the_scorer_sees_paths_in_level_order(variant: str) -> None:
    """Paths that grew in any order are scored as their level traversal; results are by position."""
    config = VARIANTS[variant]
    model, batch = model_of(config), gold_batch(config)
    scorer = IBRScorer.of(model, batch)
    with torch.no_grad():
        out = model.encoder(batch.input)
    rng = np.random.default_rng(0)
    paths, parent = _random_paths(scorer.is_reading, rng, beams=3, length=5)
    parents, children = np.exp(scorer.parents(paths)), np.exp(scorer.children(paths, parent))
    for row, b in enumerate(paths.question):
        one = Plain(model, batch, out, int(b))
        fails = scorer.strategies[b] is Strategy.FAIL_PROOF
        order = sorted(range(5), key=lambda i: (paths.levels[row, i], i))
        columns = [int(paths.columns[row, i]) for i in order]
        up = [-1, *(order.index(int(paths.parents[row, i])) for i in order[1:])]
        weights = parent_weights(*one.parent_modules, one.path(columns), up)
        same(torch.from_numpy(parents[row, order]), weights)
        chosen = order.index(int(parent[row]))
        same(torch.from_numpy(children[row]), one.child_weights(columns, up, chosen, fails))


def test_every_path_has_a_slot_beside_its_theory() -> None:
    rng = np.random.default_rng(0)
    for count in (1, 2, 9, 40):
        owner = rng.integers(0, 5, count)
        layout = paths_by_theory(owner)
        assert layout.theory.tolist() == sorted(set(owner.tolist()))
        assert layout.path.flatten()[layout.slot].tolist() == list(range(count))
        assert (np.repeat(layout.theory, layout.path.shape[1])[layout.slot] == owner).all()


def _random_paths(
    is_reading: np.ndarray, rng: np.random.Generator, beams: int, length: int
) -> tuple[Paths, np.ndarray]:
    count, width = is_reading.shape
    question = np.repeat(np.arange(count), beams)
    root = np.zeros((count * beams, 1), dtype=np.int64)
    paths = Paths(question, root + QUESTION, root, root)
    for size in range(1, length):
        parent = rng.integers(0, size, len(question))
        columns = [[*np.flatnonzero(is_reading[q]), width] for q in question]  # NAF is width
        paths = paths.grow(parent, np.array([rng.choice(some) for some in columns]))
    return paths, rng.integers(0, length, len(question))


def test_hidden_must_be_shared_out_among_heads() -> None:
    with pytest.raises(ConfigError, match="hidden 24 is not a multiple of focus_heads 5"):
        IBRConfig(hidden=24, focus_heads=5)
