"""A small text generator over any encoder, for EVR and ProofWriter: greedy, with a key-value cache.

The encoder is IBR's; the decoder has two layers. The vector of an output token (`slots`) is learned
for a word of the closed list, and for a sentence or a slot the mean of the encoder's states where
that sentence or word stands. Where the encoder has links (`encoders.links`), which IBR's steps see,
they bias the choice of a sentence: by the question, and by the sentence that was cited last. The
authors of both systems fine-tune T5.

Legend: B questions, S places of the encoder's memory, V words, N sentences, Z slots, L tokens,
H hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.baselines.graph_heads import has_links
from ibr.baselines.slots import END, TextBatch
from ibr.baselines.system import Meter, SystemConfig
from ibr.inputs.tokens import QUESTION_KIND
from ibr.model.encoders.compact import CompactEncoder
from ibr.model.encoders.encoding import CompactInput, Encoding, Input
from ibr.model.ibr import encoder_of
from ibr.model.nodes import NodeEncoder

_LINKS = 3  # of a sentence: to the question, below the last one cited, beside it


class Attend(nn.Module):
    """Pre-norm attention whose keys and values may be cached."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.heads, self.norm = heads, nn.LayerNorm(hidden)
        self.query = nn.Linear(hidden, hidden)
        self.key_value = nn.Linear(hidden, 2 * hidden)
        self.out = nn.Linear(hidden, hidden)

    def memory(self, x: Tensor) -> Tensor:
        """(B, S, H) → keys and values (2, B, heads, S, H / heads)."""
        return torch.stack([self._split(part) for part in self.key_value(x).chunk(2, dim=-1)])

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None, causal: bool) -> Tensor:
        query = self._split(self.query(self.norm(x)))
        mixed = F.scaled_dot_product_attention(
            query, memory[0], memory[1], attn_mask=mask, is_causal=causal
        )
        return self.out(mixed.transpose(1, 2).flatten(2))

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class DecoderLayer(nn.Module):
    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.own, self.cross = Attend(hidden, heads), Attend(hidden, heads)
        self.feed = nn.Sequential(
            nn.LayerNorm(hidden), nn.Linear(hidden, 2 * hidden), nn.GELU(),
            nn.Linear(2 * hidden, hidden),
        )  # fmt: skip

    def forward(self, x: Tensor, own: Tensor, cross: Tensor, mask: Tensor, causal: bool) -> Tensor:
        x = x + self.own(x, own, None, causal)
        x = x + self.cross(x, cross, mask, False)
        return x + self.feed(x)


@dataclass(frozen=True)
class Memory:
    states: Tensor  # (B, S, H)
    mask: Tensor  # (B, 1, 1, S)
    table: Tensor  # (B, V + N + Z, H) of every token that may be written
    start: Tensor  # (B, 1, H)
    links: Tensor | None  # (B, N + 1, N, 3): `_links`


class Seq2Seq(nn.Module):
    """Encoder, decoder, and a table of output vectors: words are learned, slots are pooled."""

    def __init__(self, config: SystemConfig, vocabulary: int, weights: bool = True) -> None:
        super().__init__()
        hidden = config.hidden
        self.max_output = config.max_output
        self.encoder = encoder_of(config, weights)
        self.word = nn.Parameter(torch.randn(vocabulary, hidden) * hidden**-0.5)
        self.slot = nn.Linear(hidden, hidden)
        self.sentence = nn.Linear(hidden, hidden)
        self.mean = NodeEncoder(hidden, lstm=False)
        compact = config.compact
        self.asked = None if compact is None else nn.Linear(compact.width, hidden)
        self.start = nn.Parameter(torch.randn(hidden) * hidden**-0.5)
        self.position = nn.Embedding(config.max_output + 1, hidden)
        self.layers = nn.ModuleList(
            DecoderLayer(hidden, config.attention_heads) for _ in range(config.decoder_layers)
        )
        self.norm = nn.LayerNorm(hidden)
        self.begin = nn.Linear(hidden, hidden)
        self.gate = nn.Linear(hidden, _LINKS) if has_links(config) else None

    def remember(self, out: Encoding, batch: TextBatch) -> Memory:
        states = torch.cat([out.question, out.tokens[out.owner]], dim=1)
        mask = torch.cat([out.is_token, _is_token(out)[out.owner]], dim=1)
        slot = torch.cat([batch.question_slot, batch.theory_slot[out.owner]], dim=1)
        if self.asked is not None:
            words, is_word = self._all_words(batch.read.input)
            states, mask = torch.cat([states, words], dim=1), torch.cat([mask, is_word], dim=1)
            slot = torch.cat([slot, torch.zeros_like(is_word, dtype=slot.dtype)], dim=1)
        numbers = torch.arange(1, int(batch.sizes[:, 1].max()) + 1, device=slot.device)
        here = ((slot.unsqueeze(1) == numbers[:, None]) & mask.unsqueeze(1)).to(states.dtype)
        pooled = here @ states / here.sum(-1, keepdim=True).clamp(min=1)  # (B, Z, H)
        words = self.word.expand(len(states), -1, -1)
        table = torch.cat([words, self._sentences(out, batch), self.slot(pooled)], dim=1)
        start = (self.start + self.begin(out.cls)).unsqueeze(1)
        return Memory(states, mask[:, None, None], table, start, _links(out, batch))

    def _sentences(self, out: Encoding, batch: TextBatch) -> Tensor:
        """(B, N, H): the mean of each sentence's readings."""
        groups, n = batch.read.is_rule.shape
        real = out.is_reading.view(groups, n, -1, 1).to(out.tokens.dtype)
        readings = self.mean(out.tokens, out.spans).view(groups, n, real.shape[2], -1)
        pooled = (readings * real).sum(2) / real.sum(2).clamp(min=1)
        return self.sentence(pooled)[out.owner]

    def _all_words(self, read: Input) -> tuple[Tensor, Tensor]:
        """The compact encoder keeps states of symbols alone; operators are read from these."""
        assert isinstance(read, CompactInput)
        assert isinstance(self.encoder, CompactEncoder)
        assert self.asked is not None
        question = read.question
        kinds = torch.full_like(question.theory, QUESTION_KIND)
        states = self.encoder.local(question.words, question.codes, kinds)
        return self.asked(states), question.words > 0

    def forward(self, out: Encoding, batch: TextBatch) -> Tensor:
        """Logits (B, L, V + N + Z) of every token of the target, those before it given."""
        assert batch.target is not None
        memory = self.remember(out, batch)
        target = batch.target.clamp(min=0)
        x = self._embedded(memory, target)
        for layer in self.layers:
            assert isinstance(layer, DecoderLayer)
            own = layer.own.memory(layer.own.norm(x))
            x = layer(x, own, layer.cross.memory(memory.states), memory.mask, causal=True)
        return self._logits(x, memory, self._cited(memory, target[:, :-1]))

    def loss(self, batch: TextBatch) -> tuple[Tensor, Encoding]:
        """Cross-entropy of all tokens, and the encoding for hints."""
        assert batch.target is not None
        out: Encoding = self.encoder(batch.read.input)
        logits = self(out, batch)
        return F.cross_entropy(logits.flatten(0, 1), batch.target.flatten()), out

    def _embedded(self, memory: Memory, target: Tensor) -> Tensor:
        """The start and all tokens but the last, with their places."""
        before = target[:, :-1].unsqueeze(-1).expand(-1, -1, memory.table.shape[-1])
        x = torch.cat([memory.start, memory.table.gather(1, before)], dim=1)
        places = torch.arange(x.shape[1], device=x.device).clamp(max=self.max_output)
        return x + self.position(places)

    def _cited(self, memory: Memory, before: Tensor) -> Tensor:
        """(B, L): 1 + the sentence cited last before each token; 0 for none."""
        sentence = before - len(self.word)
        size = 0 if memory.links is None else memory.links.shape[2]
        is_cited = (sentence >= 0) & (sentence < size)
        places = torch.arange(1, before.shape[1] + 1, device=before.device)
        last = torch.where(is_cited, places, 0).cummax(-1).values  # (B, L - 1)
        cited = F.pad(torch.where(is_cited, sentence + 1, 0), (1, 0))
        return cited.gather(1, F.pad(last, (1, 0)))

    def _logits(self, x: Tensor, memory: Memory, cited: Tensor) -> Tensor:
        x = self.norm(x)
        logits = x @ memory.table.transpose(1, 2)
        if self.gate is None or memory.links is None:
            return logits
        rows = torch.arange(len(x), device=x.device).unsqueeze(1)
        bias = (memory.links[rows, cited] * self.gate(x).unsqueeze(2)).sum(-1)  # (B, L, N)
        rest = logits.shape[-1] - len(self.word) - bias.shape[-1]
        return logits + F.pad(bias, (len(self.word), rest))

    @torch.inference_mode()
    def write(
        self, batch: TextBatch, meter: Meter, forced: Sequence[Sequence[int]] | None = None
    ) -> list[list[int]]:
        """Greedy texts of ids; `forced` ones, END included, are written whatever is likeliest."""
        out: Encoding = self.encoder(batch.read.input)
        meter.count(out)
        memory = self.remember(out, batch)
        is_real = self._is_real(batch)
        layers = [layer for layer in self.layers if isinstance(layer, DecoderLayer)]
        cross = [layer.cross.memory(memory.states) for layer in layers]
        own: list[Tensor | None] = [None] * len(layers)
        x, cited = (
            memory.start,
            torch.zeros(len(batch), 1, dtype=torch.long).to(memory.start.device),
        )
        texts: list[list[int]] = [[] for _ in range(len(batch))]
        live = set(range(len(batch)))
        for step in range(self.max_output):
            x = x + self.position.weight[step]
            for k, layer in enumerate(layers):
                new = layer.own.memory(layer.own.norm(x))
                before = own[k]
                kept = new if before is None else torch.cat([before, new], dim=3)
                own[k] = kept
                x = layer(x, kept, cross[k], memory.mask, causal=False)
            logits = self._logits(x, memory, cited)[:, 0].masked_fill(~is_real, float("-inf"))
            chosen = logits.argmax(-1)
            if forced is not None:
                chosen = chosen.new_tensor([text[min(step, len(text) - 1)] for text in forced])
            meter.decoder_steps += len(live)
            for row in sorted(live):
                token = int(chosen[row])
                live.discard(row) if token == END else texts[row].append(token)
            if not live:
                break
            x = memory.table[torch.arange(len(batch)), chosen].unsqueeze(1)
            last = self._cited(memory, chosen.unsqueeze(1))[:, 1:]
            cited = torch.where(last > 0, last, cited)
        return texts

    def _is_real(self, batch: TextBatch) -> Tensor:
        """(B, V + N + Z): the tokens that each question has."""
        n, z = batch.read.is_rule.shape[1], int(batch.sizes[:, 1].max())
        parts = [torch.arange(n, device=batch.sizes.device), torch.arange(z).to(batch.sizes)]
        real = [part < size.unsqueeze(1) for part, size in zip(parts, batch.sizes.T, strict=True)]
        words = torch.ones(len(batch), len(self.word), dtype=torch.bool, device=real[0].device)
        return torch.cat([words, *real], dim=1)


def _links(out: Encoding, batch: TextBatch) -> Tensor | None:
    """(B, N + 1, N, 3), of the readings that fit best; row 0 is for no sentence cited yet."""
    if out.linked is None:
        return None
    groups, n = batch.read.is_rule.shape
    real = out.is_reading.view(groups, n, -1)
    e = real.shape[2]
    lowest = torch.finfo(out.tokens.dtype).min
    asked = out.linked.asked.view(-1, n, e).masked_fill(~real[out.owner], lowest).amax(-1)
    pairs = real[:, :, :, None, None] & real[:, None, None]  # (G, N, E, N, E)
    below, beside = (
        score.view(pairs.shape).masked_fill(~pairs, lowest).amax((2, 4))
        for score in (out.linked.below, out.linked.beside)
    )
    pairwise = F.pad(torch.stack([below, beside], dim=-1), (0, 0, 0, 0, 1, 0))[out.owner]
    links = torch.cat([asked[:, None, :, None].expand(-1, n + 1, -1, -1), pairwise], dim=-1)
    return torch.where(links > lowest, links, 0.0)


def _is_token(out: Encoding) -> Tensor:
    """(G, T): the tokens that some reading has."""
    groups, size = out.tokens.shape[:2]
    places = torch.where(out.is_reading.unsqueeze(-1), out.spans, -1).flatten(1)
    found = torch.zeros(groups, size + 1, dtype=torch.bool, device=places.device)
    return found.scatter(1, torch.where(places < 0, size, places), True)[:, :size]
