"""Takes the pictures of the page in docs/pictures: `.venv/bin/python scripts/make_pictures.py`.

Needs Chromium (`scripts/install-browser`) and the embedded model.
"""

from __future__ import annotations

import shutil
import socket
import threading
import time
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
        take(chromium, address, "light", "Ana is cleared.", (1440, 1322))
        take(chromium, address, "dark", "Eva is fit.", (1440, 1190))
        take(chromium, address, "narrow", "Ana is cleared.", (390, 844))
        chromium.close()
    server.should_exit = True
    thread.join()


def take(
    chromium: Any, address: str, name: str, question: str, size: tuple[int, int], step: int = 99
) -> None:
    """The page with the proof of a question after some of its steps."""
    width, height = size
    page = chromium.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if name == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto(f"{address}#{urlencode({'rules': RULES, 'question': question})}")
    page.locator("#canvas .graph").wait_for()
    steps = page.locator("#path button")
    steps.nth(min(step, steps.count()) - 1).click()
    page.mouse.move(1, 1)
    if name == "narrow":
        page.locator("#proof").scroll_into_view_if_needed()
        page.evaluate("document.getElementById('proof').scrollIntoView()")
    else:
        page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=PICTURES / f"page-{name}.png")
    page.close()


if __name__ == "__main__":
    main()
