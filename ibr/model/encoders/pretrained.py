"""Any Hugging Face encoder: `[CLS] Q [SEP] [SEP] C [SEP]`, as its own tokenizer writes a pair.

Question and theory are read together, so every question is a group of its own and every sentence
has one reading.

Legend: B questions, T tokens, N sentences.
"""

import inspect
import random
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, AutoTokenizer

from ibr.errors import ExitCode, IbrError
from ibr.inputs.arrays import Asked
from ibr.model.batch import Batch, pad
from ibr.model.config import ConfigError, PretrainedConfig
from ibr.model.encoders.encoding import Encoding
from ibr.model.nodes import at
from ibr.theory import Kind

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
        described, found = _load(AutoConfig, config.name), hidden_of(config.name)
        if found != hidden:
            raise ConfigError(
                f"hidden is {hidden}, but the states of {config.name} have {found}: "
                f"set hidden to {found}"
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
        return Encoding(
            cls=states[:, 0],
            question=at(states, read.question.clamp(min=0)),
            is_token=read.question >= 0,
            tokens=states,
            spans=read.spans,
            sentence=torch.arange(n, device=states.device).expand(b, n),
            is_reading=(read.spans >= 0).any(-1),
            owner=torch.arange(b, device=states.device),
        )


class PretrainedReader:
    """Makes an encoder's batches; has the tokenizer, not the weights."""

    def __init__(self, config: PretrainedConfig) -> None:
        self.name, self.drop_stop_words = config.name, config.drop_stop_words
        self.tokenizer = _load(AutoTokenizer, config.name)
        special = self.tokenizer.cls_token_id, self.tokenizer.pad_token_id
        if None in special or self.tokenizer("a", "b")["input_ids"][0] != special[0]:
            raise ConfigError(
                f"{config.name} has no [CLS] at the start, or no padding: not an encoder"
            )

    def __call__(self, asked: Sequence[Asked], *, rng: random.Random | None = None) -> Batch:
        """`rng` is for encoders that draw something; this one does not."""
        rows = [(item.theory, question) for item in asked for question in item.questions]
        texts = [[self.shortened(sentence.text) for sentence in theory] for theory, _ in rows]
        read = self.tokenizer(
            [self.shortened(question.text) for _, question in rows],
            [" ".join(sentences) for sentences in texts],
            padding=True,
            padding_side="right",
            return_token_type_ids=True,
            return_offsets_mapping=True,
            verbose=False,
        )
        places = [_places(read, row, sentences) for row, sentences in enumerate(texts)]
        for mask, (_, spans) in zip(read["attention_mask"], places, strict=True):
            self._check_length(sum(mask), spans)
        width = max(1, *map(len, texts))
        longest = max([1, *(len(span) for _, spans in places for span in spans)])
        empty: list[list[int]] = [[]] * width
        rules = [[int(s.kind is Kind.RULE) for s in theory] for theory, _ in rows]
        return Batch(
            input=PretrainedInput(
                ids=torch.tensor(read["input_ids"]),
                types=torch.tensor(read["token_type_ids"]),
                is_token=torch.tensor(read["attention_mask"]).bool(),
                question=pad([own for own, _ in places], max(len(own) for own, _ in places), -1),
                spans=torch.stack(
                    [pad([*spans, *empty], longest, -1)[:width] for _, spans in places]
                ),
            ),
            is_rule=pad(rules, width).bool(),
        )

    @cached_property
    def limit(self) -> int:
        """How many tokens the encoder can read."""
        with torch.device("meta"):  # the shapes of the model, without its weights
            model = AutoModel.from_config(_load(AutoConfig, self.name))
        tables = [m for name, m in model.named_modules() if name.endswith("position_embeddings")]
        return min([int(self.tokenizer.model_max_length), *map(_usable, tables)])

    def _check_length(self, length: int, spans: Sequence[Sequence[int]]) -> None:
        if length > self.limit:
            sizes = [0, *accumulate(map(len, spans))]
            fit = sum(size <= self.limit - (length - sizes[-1]) for size in sizes[1:])
            raise InputTooLong(
                f"the question and its {len(spans)} sentences are {length} tokens, but "
                f"{self.name} reads {self.limit} at most: the first {fit} sentences fit; shorten "
                "the theory, or use a compact model, which has no such limit"
            )

    def shortened(self, text: str) -> str:
        """The text that is tokenized."""
        return without_stop_words(text) if self.drop_stop_words else text


def _places(read: Any, row: int, sentences: Sequence[str]) -> tuple[list[int], list[list[int]]]:
    """Places of the question's tokens, and of each sentence's; a space belongs to what follows."""
    part, starts = read.sequence_ids(row), [start for start, _ in read["offset_mapping"][row]]
    ends = [end - 1 for end in accumulate(len(text) + 1 for text in sentences)]
    spans: list[list[int]] = [[] for _ in sentences]
    for place, start in enumerate(starts):
        if part[place] == 1:
            spans[bisect_right(ends, start)].append(place)
    return [place for place, side in enumerate(part) if side == 0], spans


def without_stop_words(text: str) -> str:
    """`The cat is not big.` → `cat not big.`; what would be left empty stays as it was."""
    shorter = _STOP.sub("", text).strip()
    return shorter if re.search(r"\w", shorter) else text


def save_description(config: PretrainedConfig, folder: Path) -> None:
    """What it takes to read text and to build the encoder, except for the weights."""
    _load(AutoConfig, config.name).save_pretrained(folder)
    _load(AutoTokenizer, config.name).save_pretrained(folder)


def hidden_of(name: str) -> int:
    """The size of an encoder's states. Raises ConfigError."""
    described = _load(AutoConfig, name)
    size = getattr(described, "hidden_size", None)
    if not isinstance(size, int):
        kind = described.model_type
        raise ConfigError(f"encoder {name!r}: the config of a {kind} names no hidden_size")
    return size


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
