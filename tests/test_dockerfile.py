"""The Dockerfile, read and not built: there is no engine where the tests run."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def instructions() -> list[tuple[str, str]]:
    """`("USER", "10001:10001")`, in order; wrapped lines joined, comments left out."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    bare = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in bare.splitlines() if line.strip()]
    return [(name, rest) for name, rest in lines]


def test_the_image_stands_on_one_version_by_its_digest() -> None:
    bases = {rest.split()[0] for name, rest in instructions() if name == "FROM"}
    assert len(bases) == 1
    assert re.fullmatch(r"python:3\.11\.\d+-slim@sha256:[0-9a-f]{64}", bases.pop())
    assert "latest" not in (ROOT / "Dockerfile").read_text()


def test_the_image_does_not_run_as_root_and_can_be_asked_how_it_is() -> None:
    names = [name for name, _ in instructions()]
    last = len(names) - 1 - names[::-1].index("FROM")
    final = dict(instructions()[last:])
    user = final["USER"].split(":")[0]
    assert user.isdecimal()
    assert int(user) > 0
    assert names.index("USER") > max(i for i, name in enumerate(names) if name in ("RUN", "COPY"))
    assert "/healthz" in final["HEALTHCHECK"]
    assert final["ENTRYPOINT"] == '["ibr"]'
    assert '"serve", "--host", "0.0.0.0"' in final["CMD"]
    assert "ADD" not in names


def test_the_image_is_built_from_what_is_there_and_pinned() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split("\n")
    assert "*" in ignored  # everything, but for what is named
    for name, rest in instructions():
        if name == "COPY" and "--from" not in rest:
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert f"!{source}" in ignored, source
    (installs,) = [rest for _, rest in instructions() if "pip install" in rest]
    assert "--require-hashes" in installs
    assert "-r requirements.lock" in installs
    assert "fastapi==" in (ROOT / "requirements.lock").read_text()


def test_no_secret_is_in_the_image() -> None:
    names = [name for name, _ in instructions()]
    assert "ARG" not in names
    text = (ROOT / "Dockerfile").read_text().lower()
    for word in ("password", "passwd", "secret", "token", "api_key", "credential", "private"):
        assert word not in text
    assert ".git" not in " ".join(rest for name, rest in instructions() if name == "COPY")
