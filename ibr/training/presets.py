"""The runs that have a name, and how one setting of them is changed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ibr.model.config import CompactConfig, ConfigError, IBRConfig, PretrainedConfig
from ibr.tokens import WORDS
from ibr.training.config import Ingredient, Rates, TrainConfig

# From scratch on two cores in half an hour: generated theories up to depth 3.
QUICK: Final = TrainConfig(
    model=IBRConfig(compact=CompactConfig(theory_turns=5)),
    data=(Ingredient(weight=3, depth=3), Ingredient(depth=2), Ingredient(depth=1)),
    max_minutes=28.0,
    dev=Ingredient(depth=3),
    average=3,
)
# The model that is worth keeping: every depth, any structure, any vocabulary. ParaRules is not
# generated: give its tsv with --data.
SMALL: Final = TrainConfig(
    model=IBRConfig(
        compact=CompactConfig(
            local_layers=3,
            extra_turns=5,
            positions=40,
            words=len(WORDS),
            word_roles=True,
            longest=8,
            ranks=12,
            whom=True,
        )
    ),
    data=(
        *(Ingredient(depth=depth, weight=0.3) for depth in range(4)),
        Ingredient(depth=4, weight=0.7, deep_failures=True),
        Ingredient(depth=5, weight=2),
        Ingredient(depth=5, weight=2, deep_failures=True),
        Ingredient(depth=5, weight=0.7, vocabulary="open"),
        Ingredient(depth=5, preset="wide", vocabulary="open", weight=1.5),
        Ingredient(depth=5, preset="wide", vocabulary="open", weight=3, deep_failures=True),
    ),
    window=8,
    max_minutes=600.0,
    dev=Ingredient(depth=5),
    dev_questions=512,
    eval_every=1000,
    average=5,
)
# The paper's appendix; needs files of RuleTaker (--data) and a GPU to end in a day.
PAPER: Final = TrainConfig(
    model=IBRConfig(
        compact=None,
        pretrained=PretrainedConfig(),
        hidden=1024,
        focus_lstm_hidden=256,
        focus_heads=8,
        dropout=0.1,
        count_children=False,
        path_positions=29,  # as its code has; 0 generalises to greater depth
        hint_weight=0.0,
    ),
    data=(Ingredient(path="train", split="train"),),
    theories=16,
    questions=1,
    epochs=8.0,
    rates=Rates(
        encoder=1e-5, parent=2e-4, child=5e-4, lstm=1e-3, beta2=0.999, epsilon=1e-6, decay=0.05
    ),
    warmup=3000,
    dev=Ingredient(depth=5),
    eval_every=2000,
    save_every=1000,
)
PRESETS: Final = {"quick": QUICK, "small": SMALL, "paper": PAPER}
GENERATED: Final = "generate"


def preset(name: str) -> TrainConfig:
    if name not in PRESETS:
        raise ConfigError(f"no preset {name!r}: use {', '.join(PRESETS)}")
    return PRESETS[name]


def with_data(config: TrainConfig, given: Iterable[str]) -> TrainConfig:
    """The same with other data; for "+PART", with more of it."""
    parts = list(given)
    own = [ingredient(part) for part in parts if not part.startswith("+")]
    more = [ingredient(part[1:]) for part in parts if part.startswith("+")]
    return replace(config, data=(*(own or config.data), *more)) if parts else config


def ingredient(text: str) -> Ingredient:
    """`PATH`, `PATH:split=train,limit=70000`, `generate:depth=5,preset=wide,weight=2`."""
    name, colon, options = text.rpartition(":")
    if not colon or "=" not in options:
        name, options = text, ""
    values: dict[str, Any] = {}
    for option in filter(None, options.split(",")):
        key, _, value = option.partition("=")
        values[key] = _value(value)
    if name != GENERATED:
        if not Path(name).exists():
            raise ConfigError(f"data {name!r}: no such file; or use {GENERATED}:depth=3")
        values["path"] = name
    return _built(Ingredient(), values, "data ")


def with_settings(config: TrainConfig, settings: Iterable[str]) -> TrainConfig:
    """`KEY=VALUE` each: a field of the run, of its model or encoder, or of its rates."""
    data = config.to_json()
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise ConfigError(f"{setting!r}: write KEY=VALUE")
        place, leaf = _find(data, key)
        place[leaf] = _typed(key, place[leaf], _value(text))
    return TrainConfig.from_json(data)


def _find(data: dict[str, Any], key: str) -> tuple[dict[str, Any], str]:
    model = data["model"]
    rooms = [data, model, model["compact"], model["pretrained"], data["rates"]]
    first, dot, rest = key.partition(".")
    for room in rooms:
        if room and dot and isinstance(room.get(first), dict) and rest in room[first]:
            return room[first], rest
        if room and key in room:
            return room, key
    known = sorted({name for room in rooms if room for name in room})
    raise ConfigError(f"no setting {key!r}; known: {', '.join(known)}")


def _typed(key: str, old: Any, new: Any) -> Any:
    if isinstance(old, float) and isinstance(new, int) and not isinstance(new, bool):
        return float(new)
    if old is not None and new is not None and type(old) is not type(new):
        raise ConfigError(f"{key}: {new!r} is not a {type(old).__name__}")
    return new


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _built(start: Ingredient, values: dict[str, Any], prefix: str) -> Ingredient:
    unknown = sorted(set(values) - set(start.__dataclass_fields__))
    if unknown:
        raise ConfigError(f"{prefix}{unknown[0]!r}: known: {', '.join(start.__dataclass_fields__)}")
    return replace(start, **values)
