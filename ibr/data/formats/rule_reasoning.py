"""RuleTaker V2020.2.4 directories on disk (DU0..DU5, NatLang, Birds-Electricity ...).

Finds the files of a split, streams both side by side, and writes them. What one record says is
`record_in` and `record_out`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from ibr.data import jsonl
from ibr.data.example import Example, by_theory
from ibr.data.jsonl import BadLines, DataError, as_text, need
from ibr.data.pararules import Paraphrased, read_tsv
from ibr.data.ruletaker.record_in import Report, read_record
from ibr.data.ruletaker.record_out import write_meta, write_record

__all__ = ["SPLITS", "MetaFile", "Report", "find_files", "read", "write"]

SPLITS: Final = ("train", "dev", "test")


def read(
    path: Path,
    split: str | None = None,
    *,
    mappings: Path | None = None,
    report: Report | None = None,
    bad: BadLines | None = None,
) -> Iterator[Example]:
    """The labelled questions of a directory (all its splits, or one) or of one .jsonl file.

    `meta-X.jsonl` beside `X.jsonl` is used if it is there. `mappings` is the tsv that has the
    sentence boundaries of NatLang theories; without it, a `turk-questions-{split}-mappings.tsv`
    beside the file is taken. `report` collects what is unusual, `bad` what is skipped.
    """
    report = Report() if report is None else report
    for file in find_files(path, split):
        table = _table(file, mappings, bad)
        yield from _read_file(file, table, report, bad)


def find_files(path: Path, split: str | None = None) -> list[Path]:
    """The question files at `path`, in the order train, dev, test."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise DataError(path, None, "", "no such file or directory")
    names = SPLITS if split is None else (split,)
    files = [path / f"{name}.jsonl" for name in names if (path / f"{name}.jsonl").is_file()]
    if not files:
        raise DataError(
            path, None, "", f"no {' or '.join(f'{name}.jsonl' for name in names)} in it"
        )
    return files


def write(directory: Path, split: str, examples: Iterable[Example]) -> int:
    """Write `{split}.jsonl` and `meta-{split}.jsonl`, both or neither; how many questions.

    Questions about one theory must follow each other. Theories whose logic is not known get no
    meta record, and no meta file is made if there is none.
    """
    count = metas = 0
    meta_path = directory / f"meta-{split}.jsonl"
    with ExitStack() as stack:
        questions = stack.enter_context(jsonl.atomic_writer(directory / f"{split}.jsonl"))
        meta = stack.enter_context(jsonl.atomic_writer(meta_path))
        for group in by_theory(examples):
            questions.write(jsonl.dump_line(write_record(group)) + "\n")
            count += len(group)
            record = write_meta(group)
            if record is not None:
                meta.write(jsonl.dump_line(record) + "\n")
                metas += 1
    if not metas:
        meta_path.unlink()
    return count


def _read_file(
    file: Path, table: Mapping[str, Paraphrased], report: Report, bad: BadLines | None
) -> Iterator[Example]:
    meta_path = file.with_name(f"meta-{file.name}")
    meta = MetaFile(meta_path) if meta_path.is_file() else None
    for number, text in jsonl.number_lines(file):
        examples: list[Example] = []
        with jsonl.at_line(file, number, bad):
            record = jsonl.parse_line(text, file, number)
            name = need(record, "id", as_text)
            said = meta.find(number, name) if meta else None
            examples = read_record(record, said, table.get(name), report)
        yield from examples


def _table(file: Path, mappings: Path | None, bad: BadLines | None) -> Mapping[str, Paraphrased]:
    """The mappings by the id that a NatLang record has; empty if there is no such file."""
    path = mappings or file.with_name(f"turk-questions-{file.stem}-mappings.tsv")
    if mappings is None and not path.is_file():
        return {}
    return {theory.record_id: theory for theory in read_tsv(path, bad)}


class MetaFile:
    """Records of a meta file: the one on the same line, or wherever its id is.

    The files of a split run side by side in all directories but depth-3ext-NatLang, so that the
    index of ids is built only when the first line disagrees.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines = jsonl.number_lines(path)
        self._ahead: tuple[int, str] | None = None
        self._places: dict[str, tuple[int, int]] | None = None

    def find(self, line: int, name: str) -> dict[str, Any] | None:
        if self._places is None:
            text = self._line(line)
            record = jsonl.parse_line(text, self.path, line) if text else None
            if record is not None and record.get("id") == name:
                return record
            self._places = self._index()
        place = self._places.get(name)
        return None if place is None else self._at(*place)

    def _line(self, wanted: int) -> str | None:
        """Line `wanted`, reading forwards only."""
        while self._ahead is None or self._ahead[0] < wanted:
            self._ahead = next(self._lines, None)
            if self._ahead is None:
                return None
        return self._ahead[1] if self._ahead[0] == wanted else None

    def _index(self) -> dict[str, tuple[int, int]]:
        """Line number and first byte of every id."""
        places: dict[str, tuple[int, int]] = {}
        with self.path.open("rb") as stream:
            start = 0
            for number, raw in enumerate(stream, start=1):
                if raw.strip():
                    record = jsonl.parse_line(raw.decode(jsonl.ENCODING), self.path, number)
                    places.setdefault(str(record.get("id")), (number, start))
                start += len(raw)
        return places

    def _at(self, number: int, start: int) -> dict[str, Any]:
        with self.path.open("rb") as stream:
            stream.seek(start)
            return jsonl.parse_line(stream.readline().decode(jsonl.ENCODING), self.path, number)
