"""Named settings of runs (`presets.toml`), and how single settings are changed."""

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ibr.data.formats import hub
from ibr.model.config import ConfigError, build
from ibr.training.settings import DataPart, TrainConfig
from ibr.training.systems import with_system

PRESETS: Final = {
    name: TrainConfig.from_json(settings)
    for name, settings in tomllib.loads(
        Path(__file__).with_name("presets.toml").read_text(encoding="utf-8")
    ).items()
}
GENERATED: Final = "generate"


def preset(name: str) -> TrainConfig:
    if name not in PRESETS:
        raise ConfigError(f"no preset {name!r}: use {', '.join(PRESETS)}")
    return PRESETS[name]


def chosen(
    name: str | None, file: Path | None, encoder: str | None, values: Mapping[str, Any]
) -> TrainConfig:
    """Of a preset, or of a file with the keys of train.json and these `values` of it."""
    if file is None:
        return preset(name or ("quick" if encoder is None else "pretrained"))
    if name is not None:
        raise ConfigError("give --config or --preset, not both")
    return TrainConfig.read(file, **values)


def with_data(config: TrainConfig, given: Iterable[str], dev: str | None = None) -> TrainConfig:
    """The same with other data; for "+PART", with more of it.

    A preset that is evaluated on files takes the dev split of the first data unless given `dev`.
    """
    parts = list(given)
    own = [data_part(part) for part in parts if not part.startswith("+")]
    more = [data_part(part[1:]) for part in parts if part.startswith("+")]
    config = replace(config, data=(*(own or config.data), *more))
    if dev is not None:
        return replace(config, dev=data_part(dev))
    if config.dev.path is not None and own:
        return replace(config, dev=replace(config.dev, path=own[0].path))
    return config


def data_part(text: str) -> DataPart:
    """`PATH`, `PATH:split=train,limit=70000`, `generate:depth=5,preset=wide,weight=2`,
    `hf:NAME:context=passage,weight=2`."""
    name, colon, options = text.rpartition(":")
    if not colon or "=" not in options:
        name, options = text, ""
    pairs = [option.partition("=")[::2] for option in filter(None, options.split(","))]
    own = hub.OPTIONS if name.startswith(hub.PREFIX) else ()
    values: dict[str, Any] = {key: _value(value) for key, value in pairs if key not in own}
    if own:
        columns = ",".join(f"{key}={value}" for key, value in pairs if key in own)
        values["path"] = f"{name}:{columns}" if columns else name
    elif name != GENERATED:
        if not Path(name).exists():
            raise ConfigError(f"data {name!r}: no such file; or use {GENERATED}:depth=3")
        values["path"] = name
    return build(DataPart, values, "data.")


def with_model_of(config: TrainConfig, system: str) -> TrainConfig:
    """The same run of another system (`ibr.training.systems`)."""
    return replace(config, model=with_system(config.model, system))


def with_encoder(config: TrainConfig, name: str) -> TrainConfig:
    """The same run through another Hugging Face encoder, by name or folder, and of its size."""
    if config.model.pretrained is None:
        raise ConfigError(
            f"encoder {name!r}: these settings are for the compact encoder, which learns from "
            "scratch; use --preset pretrained or paper"
        )
    from ibr.model.encoders.pretrained import hidden_of

    read = replace(config.model.pretrained, name=name)
    return replace(config, model=replace(config.model, pretrained=read, hidden=hidden_of(name)))


def with_settings(config: TrainConfig, settings: Iterable[str]) -> TrainConfig:
    """`KEY=VALUE` each: a field of the run, of its model or encoder, or of its rates."""
    data = config.to_json()
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise ConfigError(f"{setting!r}: write KEY=VALUE")
        place, leaf = _find(data, key)
        old, new = place[leaf], _value(text)
        if isinstance(old, float) and type(new) is int:
            new = float(new)
        elif old is not None and new is not None and type(old) is not type(new):
            raise ConfigError(f"{key}: {new!r} is not a {type(old).__name__}")
        place[leaf] = new
    return TrainConfig.from_json(data)


def _find(data: dict[str, Any], key: str) -> tuple[dict[str, Any], str]:
    model = data["model"]
    parts = [data, model, model["compact"], model["pretrained"], data["rates"]]
    first, dot, rest = key.partition(".")
    for part in filter(None, parts):
        if dot and isinstance(part.get(first), dict) and rest in part[first]:
            return part[first], rest
        if key in part:
            return part, key
    known = sorted({name for part in filter(None, parts) for name in part})
    raise ConfigError(f"no setting {key!r}; known: {', '.join(known)}")


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
