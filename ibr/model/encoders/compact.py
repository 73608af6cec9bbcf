"""The compact relational encoder: reads anonymous words, learns to chain rules, fits a CPU.

*Local* layers read each sentence by itself and leave one state per symbol (a spot). *Theory turns*
run one tied block over the theory's spots, once for each channel: in the channel of an entity the
rules are about it, so a turn is a round of chaining for every entity at once. The question is read
last and attends to the theory, not the other way round: a theory is encoded once, however many
questions share it. Nothing depends on which words are used, and only ties between rules depend on
the order of sentences.

A sentence has one *reading* per channel; readings are the nodes that the modules choose from.

Legend: M theories, B questions, N sentences, L words, T spots, E channels, D width, H hidden,
R = N·E readings.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ibr.inputs.model_words import SYMBOL
from ibr.inputs.tokens import QUESTION_KIND
from ibr.model.config import CompactConfig
from ibr.model.encoders import encoding, layers
from ibr.model.encoders.encoding import CompactInput, Encoding, QuestionInput, TheoryInput
from ibr.model.encoders.layers import Roles, Spots, Turn, by_sentence
from ibr.model.encoders.links import Links, mark_places
from ibr.model.nodes import at

_MENTIONS = 3  # a sentence mentions no entity, others, or this one


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
            layers.LocalLayer(config.width, config.heads) for _ in range(config.local_layers)
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
        self.is_entity = nn.Embedding(2, width)  # whether the spot names this channel's entity
        mention = nn.Embedding(_MENTIONS * QUESTION_KIND, width) if config.entity_mention else None
        self.entity_mention = mention and layers.init_small(mention)
        self.channel = nn.Linear(width, width)  # of the code of the channel's entity
        self.theory_turn = Turn(width, config.heads)
        self.question_turn = Turn(width, config.heads)
        self.fires = nn.Linear(width, 1)
        self.chain = nn.Linear(width, config.longest)
        self.gate = nn.Linear(width, 1)
        self.links = Links(width, config.link_roles, config.ranks) if config.link_roles else None
        self.answer = nn.Sequential(  # h_CLS from [CLS] and the readings that the question links to
            nn.Linear(hidden + width, 2 * hidden),
            nn.GELU(),
            layers.init_near_zero(nn.Linear(2 * hidden, hidden)),
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
        real = (theory.channels >= 0)[:, None] & (theory.spans >= 0).any(-1, keepdim=True)
        cls, linked = tokens[:, 0], None
        if self.links is not None:
            places, asked_places = mark_places(theory, question)
            linked = self.links(states, places, asked, asked_places, question.theory)
            pointed = _pointed(states, theory, linked, real.flatten(1), question)
            cls = cls + self.answer(torch.cat([cls, pointed], dim=-1))
        return Encoding(
            cls=cls,
            question=tokens,
            is_token=question.is_spot,
            tokens=self.out(states).flatten(1, 2),
            spans=spans.flatten(1, 2),
            sentence=sentences.flatten(1),
            is_reading=real.flatten(1),
            owner=question.theory,
            hinted=encoding.HintLogits(fires, self._chain(states, theory), roles),
            linked=linked,
        )

    def read_sentences(self, theory: TheoryInput) -> tuple[Tensor, Tensor | None]:
        """Spot states (M, T, D), each sentence by itself, and logits of their roles."""
        m, n, length = theory.words.shape
        words, codes = theory.words.flatten(0, 1), theory.codes.flatten(0, 1)
        local = self.local(words, codes, theory.kinds.flatten()).view(m, n * length, -1)
        x = at(local, theory.spots)
        return (x, None) if self.roles is None else self.roles(x)

    def read_theories(self, x: Tensor, theory: TheoryInput) -> tuple[Tensor, list[Tensor]]:
        """Spot states (M, E, T, D), and after each turn logits (M, E, N): the sentence holds."""
        n = theory.kinds.shape[1]
        names = named(theory)
        x = self._in_channels(x, names, theory.channel_codes)
        if self.entity_mention is not None:
            x = x + self.entity_mention(mentions(names, theory))
        here = Spots.of(theory.sentence, theory)
        masks = here.together(here), here.related(here, self.config.heads)
        own, same = (layers.per_channel(mask, x.shape[1]) for mask in masks)
        fires = []
        for _ in range(self._turns()):
            x = self.theory_turn(x, own, same, theory.channels >= 0)
            fires.append(by_sentence(self.fires(x)[..., 0], theory.sentence, n))
        return x, fires

    def _turns(self) -> int:
        """Random in training, so that further turns leave a finished state as it is."""
        turns, extra = self.config.theory_turns, self.config.extra_turns
        return turns + int(torch.randint(extra + 1, ())) if self.training and extra else turns

    def _chain(self, states: Tensor, theory: TheoryInput) -> Tensor:
        """Logits (M, E, N, longest): the rule leads a failure chain of length 1, 2, …"""
        logits = self.chain(states).transpose(2, 3).flatten(1, 2)  # (M, E·longest, T)
        logits = by_sentence(logits, theory.sentence, theory.kinds.shape[1])
        return logits.unflatten(1, (-1, self.config.longest)).transpose(2, 3)

    def ask(self, states: Tensor, theory: TheoryInput, question: QuestionInput) -> Tensor:
        """Question states (B, E, T', D), [CLS] first, after attending to the theory."""
        asked = question.theory
        channels = theory.channels[asked]
        local = self.local(question.words, question.codes, torch.full_like(asked, QUESTION_KIND))
        names = (question.symbol[:, None] == channels[:, :, None]) & (question.symbol > 0)[:, None]
        names = torch.cat([names[:, :1] | question.is_stranger[:, None], names[:, 1:]], dim=1)
        y = self._in_channels(at(local, question.spots), names, theory.channel_codes[asked])
        place = torch.where(question.is_spot, theory.kinds.shape[1], -1)
        here = Spots.of(place, question)
        there = Spots(*(part[asked] for part in Spots.of(theory.sentence, theory)))
        masks = here.together(here), here.related(there, self.config.heads)
        own, same = (layers.per_channel(mask, y.shape[1]) for mask in masks)
        memory = self.question_turn.same.memory(states.flatten(0, 1))
        memory = memory.view(2, *states.shape[:2], *memory.shape[2:]).index_select(1, asked)
        memory = memory.flatten(1, 2)
        for _ in range(self.config.question_turns):
            y = self.question_turn(y, own, same, channels >= 0, memory)
        return y

    def _gathered(self, y: Tensor, is_channel: Tensor) -> Tensor:
        """Question states of all channels (B, E, T', D) → tokens (B, T', H)."""
        weight = self.gate(y).masked_fill(~is_channel[:, :, None, None], float("-inf"))
        return self.out((weight.softmax(dim=1) * y).sum(dim=1))

    def _in_channels(self, x: Tensor, names: Tensor, codes: Tensor) -> Tensor:
        """Spot states (R, T, D), once for each channel → (R, E, T, D)."""
        channel = self.channel(self.local.symbol(codes)).unsqueeze(2)
        return x.unsqueeze(1) + self.is_entity(names.long()) + channel


def _pointed(
    states: Tensor,
    theory: TheoryInput,
    linked: encoding.Linked,
    real: Tensor,
    question: QuestionInput,
) -> Tensor:
    """The mean (B, D) of the readings that the question links to; near 0 if no link is strong."""
    n, d = theory.kinds.shape[1], states.shape[-1]
    means = by_sentence(states.transpose(2, 3).flatten(1, 2), theory.sentence, n)
    means = means.unflatten(1, (-1, d)).permute(0, 3, 1, 2).flatten(1, 2)  # (M, R, D)
    score = linked.asked.masked_fill(~real[question.theory], float("-inf"))
    weight = F.pad(score, (1, 0)).softmax(-1)[:, 1:]  # (B, R)
    return torch.matmul(weight.unsqueeze(1), means.index_select(0, question.theory))[:, 0]


def named(theory: TheoryInput) -> Tensor:
    """(M, E, T): the spots that name their channel's entity."""
    same = theory.symbol[:, None] == theory.channels[:, :, None]
    return same & (theory.symbol > 0)[:, None]


def mentions(names: Tensor, theory: TheoryInput) -> Tensor:
    """For each spot (M, E, T) whether its sentence mentions no entity, others or this one, and the
    kind of the sentence, as one number. `names` are the spots that name the channel's entity."""
    here = by_sentence(names.float(), theory.sentence, theory.kinds.shape[1]) > 0  # (M, E, N)
    mention = here.long() + (here.long().sum(1, keepdim=True) > 0)
    case = mention * QUESTION_KIND + theory.kinds.unsqueeze(1)
    sentence = theory.sentence.clamp(min=0).unsqueeze(1)
    return case.gather(2, sentence.expand(-1, case.shape[1], -1))
