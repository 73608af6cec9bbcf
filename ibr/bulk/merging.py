"""The parts that `ibr predict --shard` made, as one file: whole, of one job, every shard once."""

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import islice, zip_longest
from pathlib import Path

from ibr.bulk.parts import Manifest, PartError, Places, digest
from ibr.data.formats.jsonl import STANDARD, writing
from ibr.errors import UsageError
from ibr.files import resolved


def merge(out: str, parts: Sequence[Path]) -> int:
    """Write the lines of all shards in the order of the input, and return their number.

    Raises PartError unless all parts are whole, of one job, and every shard is there once.
    """
    if out != STANDARD and resolved(out) in map(resolved, parts):
        raise UsageError(f"{out}: is one of the parts; give the merged file another name")
    manifests = [_finished(part) for part in parts]
    _check_same(parts, manifests)
    ordered = sorted(zip(parts, manifests, strict=True), key=lambda pair: pair[1].shard.number)
    with ExitStack() as stack, writing(out) as target:
        streams = [stack.enter_context(part.open(encoding="utf-8")) for part, _ in ordered]
        for counts in zip_longest(*(manifest.units for _, manifest in ordered), fillvalue=0):
            for stream, count in zip(streams, counts, strict=True):
                target.writelines(islice(stream, count))
    return sum(sum(manifest.units) for manifest in manifests)


def _finished(part: Path) -> Manifest:
    places = Places(part)
    if not places.manifest.exists():
        if places.state.exists():
            raise PartError(f"{part}: its run is not finished: repeat it with --resume")
        raise PartError(f"{part}: no {places.manifest.name} is beside it, as --shard makes")
    manifest = Manifest.load(places.manifest)
    if manifest.sha256 != digest(part):
        raise PartError(f"{part}: does not match {places.manifest.name}: make this part again")
    return manifest


def _check_same(parts: Sequence[Path], manifests: Sequence[Manifest]) -> None:
    first = manifests[0]
    found: dict[int, Path] = {}
    for part, manifest in zip(parts, manifests, strict=True):
        changes = manifest.job.changes(first.job)
        if not changes and manifest.shard.count != first.shard.count:
            changes = [f"--shard ({manifest.shard}, not of {first.shard.count})"]
        if changes:
            differs = f"it differs in {', '.join(changes)}"
            raise PartError(f"{part}: does not belong to {parts[0]}: {differs}")
        other = found.setdefault(manifest.shard.number, part)
        if other is not part:
            raise PartError(f"{part}: is shard {manifest.shard}, and so is {other}")
    missing = [str(n) for n in range(1, first.shard.count + 1) if n not in found]
    if missing:
        raise UsageError(f"of {first.shard.count} shards these are missing: {', '.join(missing)}")
    sizes = [len(m.units) for m in sorted(manifests, key=lambda m: m.shard.number)]
    if sorted(sizes, reverse=True) != sizes or sizes[0] - sizes[-1] > 1:
        raise PartError(f"{parts[0]}: the parts have {sizes} units: make them again")
