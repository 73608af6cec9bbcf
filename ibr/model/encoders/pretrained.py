"""Any Hugging Face encoder: `[CLS] Q [SEP] [SEP] C [SEP]`, as its own tokenizer writes a pair.

Question and theory are read together, so every question is a group of its own and every sentence
has one reading. Sentences are tokenized one by one, so a sentence's tokens are its own exactly.

Legend: B questions, T tokens, N sentences.
"""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, AutoTokenizer

from ibr.errors import ExitCode, IbrError
from ibr.model.batch import Asked, Batch, pad
from ibr.model.config import ConfigError, PretrainedConfig
from ibr.model.encoding import Encoding
from ibr.theory import Kind, Theory

STOP_WORDS: Final = tuple("a an the is are be do does".split())
# A part of a longer word, as in "T-shirt is-a", is not a stop word.
_STOP = re.compile(rf"(?<![\w'’-])(?:{'|'.join(STOP_WORDS)})(?![\w'’-])\s*", re.IGNORECASE)


class InputTooLong(IbrError):
    """More tokens than the encoder can read."""

    exit_code = ExitCode.LIMIT


@dataclass(frozen=True)
class PretrainedInput:
    """Places count the tokens of a row; -1 is beyond the end."""

    ids: Tensor  # (B, T)
    types: Tensor  # (B, T) of the tokenizer's template: 0 and 1 for BERT, 0 for RoBERTa
    is_token: Tensor  # (B, T) False is padding
    question: Tensor  # (B, T') places of the question's tokens
    spans: Tensor  # (B, N, longest) places of each sentence's tokens

    @property
    def channels(self) -> int:
        return 1

    def __len__(self) -> int:
        return len(self.ids)


class PretrainedEncoder(nn.Module):
    """`weights=False` leaves them random, for a checkpoint to fill in."""

    def __init__(self, config: PretrainedConfig, hidden: int, weights: bool = True) -> None:
        super().__init__()
        described = _load(AutoConfig, config.name)
        if described.hidden_size != hidden:
            raise ConfigError(
                f"hidden is {hidden}, but the states of {config.name} have "
                f"{described.hidden_size}: set hidden to {described.hidden_size}"
            )
        self.model: nn.Module = (
            _load(AutoModel, config.name) if weights else AutoModel.from_config(described)
        )
        if getattr(self.model, "pooler", None) is not None:
            self.model.pooler = None  # h_CLS is the raw state here
        self._takes_types = "token_type_ids" in inspect.signature(self.model.forward).parameters

    def forward(self, read: PretrainedInput) -> Encoding:
        types = {"token_type_ids": read.types} if self._takes_types else {}
        states = self.model(
            input_ids=read.ids, attention_mask=read.is_token.long(), **types
        ).last_hidden_state
        b, n, _ = read.spans.shape
        places = read.question.clamp(min=0).unsqueeze(-1).expand(-1, -1, states.shape[-1])
        sentences = torch.arange(n, device=states.device)
        return Encoding(
            cls=states[:, 0],
            question=states.gather(1, places),
            is_token=read.question >= 0,
            tokens=states,
            spans=read.spans,
            sentence=sentences.expand(b, n),
            is_reading=(read.spans >= 0).any(-1),
            owner=torch.arange(b, device=states.device),
        )


class PretrainedReader:
    """Makes an encoder's batches; has the tokenizer, not the weights."""

    def __init__(self, config: PretrainedConfig) -> None:
        self.name, self.drop_stop_words = config.name, config.drop_stop_words
        self.tokenizer = _load(AutoTokenizer, config.name)
        self.template = _Template.of(self.tokenizer, config.name)

    def __call__(self, asked: Sequence[Asked], *, rng: random.Random | None = None) -> Batch:
        """`rng` is for encoders that draw something; this one does not."""
        rows: list[_Row] = []
        rules: list[list[int]] = []
        for item in asked:
            pieces = self.pieces(item.theory)
            questions = self._tokens([self._shortened(q.text) for q in item.questions])
            rows += [self._row(question, pieces) for question in questions]
            rules += [[int(s.kind is Kind.RULE) for s in item.theory]] * len(questions)
        sentences = max(1, *(len(row.spans) for row in rows))
        length = max(len(row.ids) for row in rows)
        longest = max([1, *(len(span) for row in rows for span in row.spans)])
        empty: list[range] = [range(0)]
        spans = [pad([*r.spans, *empty * (sentences - len(r.spans))], longest, -1) for r in rows]
        read = PretrainedInput(
            ids=pad([row.ids for row in rows], length, self.tokenizer.pad_token_id),
            types=pad([row.types for row in rows], length),
            is_token=pad([[1] * len(row.ids) for row in rows], length).bool(),
            question=pad([row.question for row in rows], max(len(r.question) for r in rows), -1),
            spans=torch.stack(spans),
        )
        return Batch(input=read, is_rule=pad(rules, sentences).bool())

    def pieces(self, theory: Theory) -> list[list[int]]:
        """The tokens of each sentence, as they are in the running text."""
        texts = [self._shortened(sentence.text) for sentence in theory]
        return self._tokens([*texts[:1], *(f" {text}" for text in texts[1:])])

    @cached_property
    def limit(self) -> int:
        """How many tokens the encoder can read."""
        with torch.device("meta"):  # the shapes of the model, without its weights
            model = AutoModel.from_config(_load(AutoConfig, self.name))
        tables = [m for name, m in model.named_modules() if name.endswith("position_embeddings")]
        return min([int(self.tokenizer.model_max_length), *map(_usable, tables)])

    def _row(self, question: list[int], pieces: Sequence[list[int]]) -> _Row:
        row = self.template.fill(question, pieces)
        if len(row.ids) > self.limit:
            room = self.limit - (len(row.ids) - sum(map(len, pieces)))
            fit = sum(sum(map(len, pieces[: k + 1])) <= room for k in range(len(pieces)))
            raise InputTooLong(
                f"the question and its {len(pieces)} sentences are {len(row.ids)} tokens, but "
                f"{self.name} reads {self.limit} at most: the first {fit} sentences fit; shorten "
                "the theory, or use a compact model, which has no such limit"
            )
        return row

    def _shortened(self, text: str) -> str:
        return without_stop_words(text) if self.drop_stop_words else text

    def _tokens(self, texts: list[str]) -> list[list[int]]:
        if not texts:
            return []
        ids: list[list[int]] = self.tokenizer(texts, add_special_tokens=False, verbose=False)[
            "input_ids"
        ]
        return ids


def without_stop_words(text: str) -> str:
    """`The cat is not big.` → `cat not big.`; what would be left empty stays as it was."""
    shorter = _STOP.sub("", text).strip()
    return shorter if re.search(r"\w", shorter) else text


def save_description(config: PretrainedConfig, folder: Path) -> None:
    """What it takes to read text and to build the encoder, except for the weights."""
    _load(AutoConfig, config.name).save_pretrained(folder)
    _load(AutoTokenizer, config.name).save_pretrained(folder)


@dataclass(frozen=True)
class _Row:
    ids: list[int]
    types: list[int]
    question: range
    spans: list[range]


@dataclass(frozen=True)
class _Template:
    """The special tokens before, between and after the two texts of a pair, as (id, type)."""

    before: list[tuple[int, int]]
    between: list[tuple[int, int]]
    after: list[tuple[int, int]]
    types: tuple[int, int]  # of the texts

    @classmethod
    def of(cls, tokenizer: Any, name: str) -> _Template:
        """Seen in a pair that the tokenizer wrote itself."""
        pair = tokenizer("a", "b", return_token_type_ids=True)
        owner, tokens = (
            pair.sequence_ids(0),
            list(zip(pair.input_ids, pair.token_type_ids, strict=True)),
        )
        first, second = owner.index(0), owner.index(1)
        between, after = first + owner.count(0), second + owner.count(1)
        if tokens[0][0] != tokenizer.cls_token_id or tokenizer.pad_token_id is None:
            raise ConfigError(f"{name} has no [CLS] at the start, or no padding: not an encoder")
        return cls(
            tokens[:first],
            tokens[between:second],
            tokens[after:],
            (tokens[first][1], tokens[second][1]),
        )

    def fill(self, question: list[int], pieces: Sequence[list[int]]) -> _Row:
        spans = []
        place = start = len(self.before) + len(question) + len(self.between)
        for piece in pieces:
            spans.append(range(place, place + len(piece)))
            place += len(piece)
        context = [token for piece in pieces for token in piece]
        first, second = self.types
        tokens = [
            *self.before,
            *((token, first) for token in question),
            *self.between,
            *((token, second) for token in context),
            *self.after,
        ]
        asked = range(len(self.before), start - len(self.between))
        return _Row([i for i, _ in tokens], [t for _, t in tokens], asked, spans)


def _usable(table: nn.Module) -> int:
    """Places of a table of positions; RoBERTa's count from beyond its padding."""
    assert isinstance(table, nn.Embedding)
    return table.num_embeddings - (0 if table.padding_idx is None else table.padding_idx + 1)


def _load(kind: Any, name: str) -> Any:
    try:
        return kind.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"no encoder at {name!r}: give a folder with its files, or a name that the Hugging "
            f"Face hub knows and can be reached for ({str(error).splitlines()[0]})"
        ) from error
