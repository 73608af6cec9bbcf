"""Bill of materials, licences and advisories of what `make serve` installs: `make audit`.

Installs requirements.lock in an environment of its own below build/ and writes build/sbom.json
(CycloneDX) and build/licences.txt. pip-audit looks up advisories; where no advisory database
can be reached it says so, and nothing was audited. Exit code 1 if an advisory applies.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
LOCK = ROOT / "requirements.lock"
DATA = "data in ibr: WordNet 3.0 (ibr/logic/english/lexis/word_relations.LICENSE)"
TOOLS = ("cyclonedx-bom==7.5.0", "pip-audit==2.10.1")


def licences(sbom: dict[str, Any]) -> list[str]:
    """`name version: licence`, sorted; "unknown" where the package names none."""
    rows = []
    for component in sbom.get("components", []):
        named = [_licence(entry) for entry in component.get("licenses", [])]
        shown = ", ".join(sorted(set(filter(None, named)))) or "unknown"
        rows.append(f"{component['name']} {component['version']}: {shown}")
    return sorted(rows, key=str.lower)


def _licence(entry: dict[str, Any]) -> str:
    licence = entry.get("license", {})
    return str(entry.get("expression") or licence.get("id") or licence.get("name") or "")


def advisories(report: dict[str, Any]) -> tuple[list[str], list[str]] | None:
    """`name version: id` for each advisory, and the packages that could not be looked up.

    None if not one could be.
    """
    packages = report.get("dependencies", [])
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    if len(skipped) == len(packages):
        return None
    found = [
        f"{package['name']} {package['version']}: {advisory['id']}"
        for package in packages
        for advisory in package.get("vulns", [])
    ]
    return found, skipped


def _environment(name: str, *arguments: str) -> Path:
    """A fresh virtual environment with what pip installs from the arguments."""
    folder = BUILD / name
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    python = folder / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, *arguments], check=True)
    return python


def main() -> int:
    tools = _environment("audit-tools", *TOOLS).parent
    audited = _environment("audited", "--require-hashes", "-r", str(LOCK))
    bill = BUILD / "sbom.json"
    make = [str(tools / "cyclonedx-py"), "environment", "--output-reproducible", "--validate"]
    pyproject = ["--pyproject", str(ROOT / "pyproject.toml"), "-o", str(bill), str(audited)]
    subprocess.run([*make, *pyproject], check=True)
    rows = [*licences(json.loads(bill.read_text(encoding="utf-8"))), DATA]
    (BUILD / "licences.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"build/sbom.json and build/licences.txt: {len(rows) - 1} packages")
    audit = [str(tools / "pip-audit"), "-r", str(LOCK), "--disable-pip", "-f", "json"]
    told = subprocess.run(audit, capture_output=True, text=True)
    looked_up = advisories(json.loads(told.stdout or "{}"))
    if looked_up is None:
        print("No advisory database could be reached: nothing was audited.")
        print("" if told.stdout else told.stderr.strip().rpartition("\n")[2])
        return 0
    found, skipped = looked_up
    print("\n".join(found) or "No advisory applies.")
    if skipped:
        print(f"Not audited, as the database does not have them: {', '.join(skipped)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
