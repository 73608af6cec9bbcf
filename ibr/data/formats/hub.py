"""Rows of a Hugging Face dataset as labelled questions (extra `hub`).

    hf:NAME:context=passage,question=statement,answer=label

NAME is a dataset of the hub, a folder of `save_to_disk`, or a folder of data files. Columns with
other names than ours are mapped: context (a text, or a list of sentences), question, answer, id and
depth; `subset` is one of the hub's. An answer is a bool, 0 or 1, a class label, or a text.
"""

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

from ibr.data.formats.example import Example
from ibr.data.formats.jsonl import BadLines, at_line, inside
from ibr.errors import InputError, UsageError

PREFIX: Final = "hf:"
OPTIONS: Final = ("context", "question", "answer", "id", "depth", "subset")
_NEEDED: Final = ("context", "question", "answer")
_ANSWERS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def read(source: str, split: str | None, bad: BadLines | None = None) -> Iterator[Example]:
    """The questions of a split, or of all. Raises UsageError, DataError."""
    name, _, given = source.removeprefix(PREFIX).rpartition(":")
    options = dict(option.partition("=")[::2] for option in given.split(","))
    if "=" not in given:
        name, options = source.removeprefix(PREFIX), {}
    for key in options.keys() - set(OPTIONS):
        raise UsageError(f"{source}: no option {key!r}; known: {', '.join(OPTIONS)}")
    for part, rows in _load(source, name, options, split).items():
        columns = _columns(source, rows.column_names, options)
        names = getattr(rows.features[columns["answer"]], "names", None)
        for number, row in zip(count(1), rows):
            with at_line(f"{PREFIX}{name}, {part}", number, bad):
                yield _example(row, columns, names, f"{part}-{number}")


def _load(
    source: str, name: str, options: Mapping[str, str], split: str | None
) -> Mapping[str, Any]:
    """The rows by split."""
    try:
        import datasets
    except ImportError:
        raise UsageError(f"{source}: datasets is needed: pip install 'ibr[hub]'") from None
    saved = any((Path(name) / file).exists() for file in ("dataset_dict.json", "state.json"))
    try:
        if saved:
            found = datasets.load_from_disk(name)
        else:
            found = datasets.load_dataset(name, options.get("subset"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{source}: {str(error).splitlines()[0]}") from None
    parts = found if isinstance(found, Mapping) else {"all": found}
    if split is None:
        return parts
    if split not in parts:
        raise UsageError(f"{source}: no split {split!r}; it has: {', '.join(parts)}")
    return {split: parts[split]}


def _columns(source: str, names: list[str], options: Mapping[str, str]) -> dict[str, str]:
    """Our field → the dataset's column."""
    columns = {field: options.get(field, field) for field in OPTIONS if field != "subset"}
    for field, column in columns.items():
        if column not in names and (field in options or field in _NEEDED):
            raise UsageError(f"{source}: no column {column!r} for {field}; map it, as "
                             f"{field}=COLUMN; there are: {', '.join(names)}")  # fmt: skip
    return {field: column for field, column in columns.items() if column in names}


def _example(
    row: Mapping[str, Any], columns: Mapping[str, str], names: list[str] | None, id: str
) -> Example:
    record = {field: row[column] for field, column in columns.items()}
    if isinstance(record["context"], list):
        record["sentences"] = record.pop("context")
    record["id"] = str(record.get("id") or id)
    with inside(columns["answer"]):
        record["answer"] = _answer(record["answer"], names)
    return Example.from_json(record)


def _answer(value: Any, names: list[str] | None) -> bool:
    shown = names[value] if names and type(value) is int and 0 <= value < len(names) else value
    found = _ANSWERS.get(str(shown).strip().lower())
    if found is None:
        raise InputError(f"expected true or false, found {shown!r:.60}")
    return found
