"""Take the pictures of the page in docs/pictures: `.venv/bin/python scripts/make_pictures.py`.

Needs Chromium (`scripts/install-browser`) and the embedded model.
"""

from __future__ import annotations

import shutil
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import uvicorn
from playwright.sync_api import sync_playwright

import ibr
from ibr.serving.app import create_app

PICTURES: Final = Path(__file__).resolve().parent.parent / "docs" / "pictures"
FLAGS: Final = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync""".split()
RULES: Final = """\
Crew

- Ana is certified. Ana is rested. Ana is sober.
- Ben is certified. Ben is tired.
- Eva is rested.

Rules

1. All rested, sober people are fit.
2. If someone is fit and not tired then they are ready.
3. If someone is certified and ready then they are cleared.
4. Tired people are not cleared.
"""


CONTRADICTION: Final = """\
Ana is certified. Ana is tired.
All certified people are cleared.
Tired people are not cleared.
"""
UNREAD: Final = """\
Ana is rested.
Most rested people are fit.
All fit people are ready.
Most cats chase mice.
"""


LOOKS_ALIKE: Final = """\
Bob is an employee.
Bob has been suspended.
Employees are trusted unless they are suspended.
Vaccinated cats and dogs may travel.
"""


@dataclass(frozen=True)
class Shot:
    """The whole page with the proof of a question."""

    name: str
    rules: str
    question: str
    width: int = 1440


SHOTS: Final = (
    Shot("light", RULES, "Ana is cleared."),
    Shot("dark", RULES, "Eva is fit."),
    Shot("contradiction", CONTRADICTION, "Ana is cleared."),
    Shot("cannot-say", UNREAD, "Ana is ready."),
    Shot("choices", LOOKS_ALIKE, "Is Bob trusted?"),
    Shot("search", RULES, "Ana is cleared."),
    Shot("narrow", RULES, "Ana is cleared.", 390),
)


def main() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    server = uvicorn.Server(uvicorn.Config(create_app(ibr.load()), log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.05)
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for shot in SHOTS:
            take(chromium, address, shot)
        chromium.close()
    server.should_exit = True
    thread.join()


def take(chromium: Any, address: str, shot: Shot) -> None:
    page = chromium.new_page(
        viewport={"width": shot.width, "height": 844},
        color_scheme="dark" if shot.name == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto(f"{address}#{urlencode({'rules': shot.rules, 'question': shot.question})}")
    page.locator("#canvas .graph.done").wait_for()
    page.mouse.move(1, 1)
    path = PICTURES / f"page-{shot.name}.png"
    if shot.name == "search":
        page.click("#searched summary")
        page.locator("#path button").nth(2).click()
        page.locator("#searched").screenshot(path=path)
    elif shot.name == "narrow":
        page.evaluate("document.getElementById('proof').scrollIntoView()")
        page.screenshot(path=path)
    else:
        page.screenshot(path=path, full_page=True)
    page.close()


if __name__ == "__main__":
    main()
