"""The compact relational encoder: reads anonymous words, learns to chain rules, fits a CPU.

*Local* layers read each sentence by itself and leave one state per symbol (a spot). *Theory turns*
run one tied block over the theory's spots, once for each channel: in the channel of an entity the
rules are read as speaking of it, so a turn is a round of chaining for every entity at once. The
question is read last and looks into the theory, not the other way round: a theory is encoded once,
however many questions share it. Identity of words leaves no trace, and of the order of sentences
only what ties between rules go by.

A sentence has one *reading* per channel; readings are the nodes that the modules choose from.

Legend: M theories, B questions, N sentences, L words, T spots, E channels, D width, H hidden.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.model.compact_input import CompactInput, QuestionInput, TheoryInput
from ibr.model.config import CompactConfig
from ibr.model.encoding import Encoding
from ibr.model.layers import LocalLayer, Turn, small, whispering
from ibr.model.links import Linked, Links, Places
from ibr.model.relations import Spots, by_sentence, per_channel, relations
from ibr.model.roles import Roles
from ibr.tokens import QUESTION_KIND, SYMBOL

_WHOM = 3  # none of the entities, others, this one


class LocalReader(nn.Module):
    """Reads sentences one by one: words, places, kind, and the codes of symbols."""

    def __init__(self, config: CompactConfig) -> None:
        super().__init__()
        self.positions = config.positions
        self.known = config.words
        self.word = nn.Embedding(config.words, config.width)
        self.code = nn.Embedding(config.codes + 1, config.width)
        self.position = nn.Embedding(config.positions, config.width)
        self.kind = nn.Embedding(QUESTION_KIND + 1, config.width)
        self.layers = nn.ModuleList(
            LocalLayer(config.width, config.heads) for _ in range(config.local_layers)
        )

    def forward(self, words: Tensor, codes: Tensor, kinds: Tensor) -> Tensor:
        """words and codes (R, L), kinds (R,) → (R, L, D)."""
        place = (torch.ones_like(words).cumsum(-1) - 1).clamp(max=self.positions - 1)
        word = torch.where(words < self.known, words, SYMBOL)
        x = self.word(word) + self.position(place) + self.kind(kinds).unsqueeze(1)
        x = x + self.symbol(codes)
        real = words > 0
        seen = (real | ~real.any(-1, keepdim=True))[:, None, None].expand(-1, 1, words.shape[1], -1)
        for layer in self.layers:
            x = layer(x, seen)
        return x

    def symbol(self, codes: Tensor) -> Tensor:
        return self.code(codes) * (codes > 0).unsqueeze(-1)


class CompactEncoder(nn.Module):
    """Theory and question → h_CLS, question tokens, and the token states of every reading."""

    def __init__(self, config: CompactConfig, hidden: int) -> None:
        super().__init__()
        self.config = config
        width = config.width
        self.local = LocalReader(config)
        self.roles = Roles(width) if config.word_roles else None
        self.is_entity = nn.Embedding(2, width)  # does the spot name this channel's entity
        self.whom = whispering(nn.Embedding(_WHOM * QUESTION_KIND, width)) if config.whom else None
        self.channel = nn.Linear(width, width)  # of the code of the channel's entity
        self.theory_turn = Turn(width, config.heads)
        self.question_turn = Turn(width, config.heads)
        self.fires = nn.Linear(width, 1)
        self.chain = nn.Linear(width, config.longest)
        self.gate = nn.Linear(width, 1)
        self.links = Links(width, config.link_roles, config.ranks) if config.link_roles else None
        self.answer = nn.Sequential(  # h_CLS from [CLS] and what the question's links point at
            nn.Linear(hidden + width, 2 * hidden), nn.GELU(), small(nn.Linear(2 * hidden, hidden))
        )
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, hidden)

    def forward(self, read: CompactInput) -> Encoding:
        theory, question = read.theory, read.question
        local, roles = self.read_sentences(theory)
        states, fires = self.read_theories(local, theory)
        asked = self.ask(states, theory, question)
        states, asked = self.norm(states), self.norm(asked)
        tokens = self._gathered(asked, theory.channels[question.theory] >= 0)
        m, e, t, _ = states.shape
        n = theory.kinds.shape[1]
        first = torch.arange(e, device=states.device)[None, None, :, None] * t
        spans = theory.spans.unsqueeze(2).expand(-1, -1, e, -1)
        spans = torch.where(spans >= 0, spans + first, -1)  # (M, N, E, longest) places in E·T
        sentences = torch.arange(n, device=states.device)[None, :, None].expand(m, n, e)
        linked = self._linked(states, theory, asked, question)
        cls = tokens[:, 0]
        if linked is not None:
            pointed = self._pointed(states, theory, linked, question)
            cls = cls + self.answer(torch.cat([cls, pointed], dim=-1))
        return Encoding(
            cls=cls,
            question=tokens,
            is_token=question.is_spot,
            tokens=self.out(states).flatten(1, 2),
            spans=spans.flatten(1, 2),
            sentence=sentences.flatten(1),
            is_reading=((theory.channels >= 0)[:, None] & (theory.spans >= 0).any(-1, keepdim=True))
            .expand(m, n, e)
            .flatten(1),
            owner=question.theory,
            fires=fires,
            chain=self._chain(states, theory),
            roles=roles,
            linked=linked,
        )

    def read_sentences(self, theory: TheoryInput) -> tuple[Tensor, Tensor | None]:
        """Spot states (M, T, D), each sentence by itself, and logits of their roles."""
        m, n, length = theory.words.shape
        words, codes = theory.words.flatten(0, 1), theory.codes.flatten(0, 1)
        local = self.local(words, codes, theory.kinds.flatten()).view(m, n * length, -1)
        x = _at(local, theory.spots)
        return (x, None) if self.roles is None else self.roles(x)

    def read_theories(self, x: Tensor, theory: TheoryInput) -> tuple[Tensor, list[Tensor]]:
        """Spot states (M, E, T, D), and what fires after each turn, logits (M, E, N)."""
        n = theory.kinds.shape[1]
        names = named(theory)
        x = self._in_channels(x, names, theory.channel_codes)
        if self.whom is not None:
            x = x + self.whom(spoken_of(names, theory))
        here = Spots.of(theory.sentence, theory)
        own, same = relations(here, here, self.config.heads)
        own, same = (per_channel(mask, x.shape[1]) for mask in (own, same))
        fires = []
        for _ in range(self._turns()):
            x = self.theory_turn(x, own, same, theory.channels >= 0)
            fires.append(by_sentence(self.fires(x)[..., 0], theory.sentence, n))
        return x, fires

    def _turns(self) -> int:
        """Drawn in training, so that a state that has settled learns to stay as it is."""
        turns, extra = self.config.theory_turns, self.config.extra_turns
        return turns + int(torch.randint(extra + 1, ())) if self.training and extra else turns

    def _chain(self, states: Tensor, theory: TheoryInput) -> Tensor:
        """Logits (M, E, N, longest): does the rule lead a failure chain of length 1, 2, …"""
        told = self.chain(states).transpose(2, 3).flatten(1, 2)  # (M, E·longest, T)
        told = by_sentence(told, theory.sentence, theory.kinds.shape[1])
        return told.unflatten(1, (-1, self.config.longest)).transpose(2, 3)

    def ask(self, states: Tensor, theory: TheoryInput, question: QuestionInput) -> Tensor:
        """Question states (B, E, T', D), [CLS] first, after looking into the theory."""
        asked = question.theory
        channels = theory.channels[asked]
        local = self.local(question.words, question.codes, torch.full_like(asked, QUESTION_KIND))
        names = (question.symbol[:, None] == channels[:, :, None]) & (question.symbol > 0)[:, None]
        names = torch.cat([names[:, :1] | question.is_stranger[:, None], names[:, 1:]], dim=1)
        y = self._in_channels(_at(local, question.spots), names, theory.channel_codes[asked])
        place = torch.where(question.is_spot, theory.kinds.shape[1], -1)
        here = Spots.of(place, question)
        there = Spots(*(part[asked] for part in Spots.of(theory.sentence, theory)))
        own, _ = relations(here, here, self.config.heads)
        _, same = relations(here, there, self.config.heads)
        own, same = (per_channel(mask, y.shape[1]) for mask in (own, same))
        memory = self.question_turn.same.memory(states.flatten(0, 1))
        memory = memory.view(2, *states.shape[:2], *memory.shape[2:]).index_select(1, asked)
        memory = memory.flatten(1, 2)
        for _ in range(self.config.question_turns):
            y = self.question_turn(y, own, same, channels >= 0, memory)
        return y

    def _pointed(
        self, states: Tensor, theory: TheoryInput, linked: Linked, question: QuestionInput
    ) -> Tensor:
        """The mean of what the question's links point at (B, D); at nothing, if none is strong."""
        n, d = theory.kinds.shape[1], states.shape[-1]
        means = by_sentence(states.transpose(2, 3).flatten(1, 2), theory.sentence, n)
        means = means.unflatten(1, (-1, d)).permute(0, 3, 1, 2).flatten(1, 2)  # (M, R, D)
        real = (theory.channels >= 0)[:, None] & (theory.spans >= 0).any(-1, keepdim=True)
        score = linked.asked.masked_fill(~real.flatten(1)[question.theory], float("-inf"))
        weight = F.pad(score, (1, 0)).softmax(-1)[:, 1:]  # (B, R)
        return torch.matmul(weight.unsqueeze(1), means.index_select(0, question.theory))[:, 0]

    def _gathered(self, y: Tensor, is_channel: Tensor) -> Tensor:
        """Question states of all channels (B, E, T', D) → tokens (B, T', H)."""
        weight = self.gate(y).masked_fill(~is_channel[:, :, None, None], float("-inf"))
        return self.out((weight.softmax(dim=1) * y).sum(dim=1))

    def _linked(
        self, states: Tensor, theory: TheoryInput, asked: Tensor, question: QuestionInput
    ) -> Linked | None:
        if self.links is None:
            return None
        first = theory.alphabet.shape[0]
        stranger = first - 1
        channels = torch.where(theory.channels == 0, stranger, theory.channels)
        symbols = torch.where(question.is_stranger, stranger, question.symbol)
        pairs, asked_pairs = (
            torch.where(p > 0, p + first, 0) for p in (theory.pair, question.pair)
        )
        in_all = first + theory.pairs.shape[0]
        return self.links(
            states,
            Places(
                theory.sentence,
                theory.symbol,
                pairs,
                theory.rank,
                channels,
                theory.kinds.shape[1],
                in_all,
            ),
            asked,
            Places(
                torch.where(question.is_spot, 0, -1),
                symbols,
                asked_pairs,
                torch.zeros_like(symbols),
                channels[question.theory],
                1,
                in_all,
            ),
            question.theory,
        )

    def _in_channels(self, x: Tensor, names: Tensor, codes: Tensor) -> Tensor:
        """Spot states (R, T, D), once for each channel → (R, E, T, D)."""
        channel = self.channel(self.local.symbol(codes)).unsqueeze(2)
        return x.unsqueeze(1) + self.is_entity(names.long()) + channel


def named(theory: TheoryInput) -> Tensor:
    """Which of the spots (M, E, T) name their channel's entity."""
    same = theory.symbol[:, None] == theory.channels[:, :, None]
    return same & (theory.symbol > 0)[:, None]


def spoken_of(names: Tensor, theory: TheoryInput) -> Tensor:
    """Which of the spots (M, E, T) name their channel's entity → what their sentence does, by kind:

    it names none of the entities, others, or this one.
    """
    sentence = theory.sentence.clamp(min=0)
    n = theory.kinds.shape[1]
    here = by_sentence(names.float(), theory.sentence, n) > 0  # (M, E, N)
    said = here.long() + (here.long().sum(1, keepdim=True) > 0)
    told = said * QUESTION_KIND + theory.kinds.unsqueeze(1)
    return told.gather(2, sentence.unsqueeze(1).expand(-1, told.shape[1], -1))


def _at(states: Tensor, spots: Tensor) -> Tensor:
    """Word states (R, L, D) at the spots (R, T) → (R, T, D)."""
    return states.gather(1, spots.unsqueeze(-1).expand(-1, -1, states.shape[-1]))
