"""Writes figures into pages of `docs/results`, which have a block `json NAME` for each."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any


def record(page: Path, name: str, found: dict[str, Any]) -> None:
    """Replace the block; one figure a line, so that changes can be read."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in found.items()]
    block = "{\n" + ",\n".join(lines) + "\n}\n"
    text, count = re.subn(
        rf"(?<=^```json {name}\n).*?(?=^```$)",
        lambda match: block,
        page.read_text(encoding="utf-8"),
        flags=re.MULTILINE | re.DOTALL,
    )
    if count != 1:
        sys.exit(f"{page}: {count} blocks `json {name}`, but there must be one")
    page.write_text(text, encoding="utf-8")
