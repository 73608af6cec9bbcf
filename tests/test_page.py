"""The page in a real browser, served by the real server: what a person does and sees.

Without Chromium or axe-core these tests are skipped: `scripts/install-browser` brings both.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import ibr
from ibr.decoding import manifest

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = shutil.which("chromium")
AXE = ROOT / ".cache" / "axe" / "axe.min.js"
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(
        CHROMIUM is None, reason="no Chromium: scripts/install-browser installs what is needed"
    ),
    pytest.mark.skipif(
        not (manifest.EMBEDDED / manifest.MANIFEST).is_file(),
        reason="ibr/models/small is not here: export a model to it to run this test",
    ),
]
api = pytest.importorskip("playwright.sync_api", reason="playwright comes with ibr[dev]")
pytest.importorskip("uvicorn", reason="uvicorn comes with ibr[serve]")

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
    --disable-background-networking --disable-component-update --disable-sync""".split()
PATIENCE = 60_000  # milliseconds: a busy machine is not a failure
api.expect.set_options(timeout=PATIENCE)

# Before the page's own scripts: what runs that should not, what the policy stops, and how many
# boxes of the graph could be seen after each change.
WATCH = """
window.ran = [];
window.alert = (message) => window.ran.push(String(message));
window.stopped = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.stopped.push(event.violatedDirective);
});
window.counts = [];
const count = () => {
  const seen = document.querySelectorAll("#canvas .node:not(.away)").length;
  if (window.counts.at(-1) !== seen) window.counts.push(seen);
};
new MutationObserver(count).observe(document, {subtree: true, childList: true, attributes: true});
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    from served import serving

    with serving(ibr.load()) as server:
        yield f"http://127.0.0.1:{server.port}/"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


Open = Callable[..., Any]


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Open]:
    """Opens the page with an empty profile; at the end, nothing ran or failed that should not."""
    pages: list[Any] = []
    errors: list[str] = []

    def visit(fragment: str = "", **settings: Any) -> Any:
        wide = {"viewport": {"width": 1440, "height": 900}}
        context = browser.new_context(**wide | settings)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.extend(complaints(message)))
        page.goto(address + fragment)
        page.locator("#examples button").nth(5).wait_for()
        pages.append(page)
        return page

    yield visit
    for page in pages:
        assert page.evaluate("window.ran") == []
        assert page.evaluate("window.stopped") == []
        page.context.close()
    assert errors == []


def complaints(message: Any) -> list[str]:
    """An error on the console; the page itself shows what the server refused."""
    refused = message.text.startswith("Failed to load resource")
    return [message.text] if message.type == "error" and not refused else []


def see(page: Any, selector: str) -> Any:
    return api.expect(page.locator(selector), f"{selector} of the page")


def prove(page: Any, question: str) -> None:
    """Asks, and waits until the proof has grown."""
    page.fill("#question", question)
    page.click("#prove")
    grown(page)


def grown(page: Any) -> None:
    see(page, "#prove").not_to_have_attribute("aria-busy", "true")
    see(page, "#canvas .graph").to_be_visible()
    page.locator("#forward").wait_for()
    page.locator("#seek").evaluate(
        "(seek) => { seek.value = seek.max; seek.dispatchEvent(new Event('input')); }"
    )
    see(page, "#canvas .graph.done").to_be_visible()


def answer(page: Any) -> str:
    return page.locator("#verdict .answer").inner_text()


def test_it_opens_with_an_example_and_says_what_to_do(visit: Open) -> None:
    page = visit()
    assert page.locator("h1").inner_text() == "ibr"
    titles = page.locator("#examples button").all_inner_texts()
    assert {"Leave policy", "Refunds", "Door access", "Course prerequisites"} < set(titles)
    assert {"Birds", "Electric circuit"} < set(titles)
    see(page, "#reading-state").to_have_text("8 facts and 5 rules, all understood.")
    see(page, "#empty").to_contain_text("Press Prove.")
    assert page.input_value("#question") == "May Dana enter the server room?"
    assert page.locator("#suggestions button").count() >= 3
    assert "1. Every engineer is an employee." in page.locator(".row").nth(13).inner_text()
    assert page.locator(".row").nth(13).locator(".note").inner_text() == "[11]"


def test_every_example_can_be_started_from_and_proved(visit: Open) -> None:
    page = visit()
    for number in range(6):
        page.locator("#examples button").nth(number).click()
        see(page, "#reading-state").to_contain_text("all understood")
        page.click("#prove")
        grown(page)
        assert answer(page) == "Yes"
        assert "hecked" in page.locator("#verdict .badge").inner_text()


def test_own_rules_are_read_while_typing_and_proved(visit: Open) -> None:
    page = visit()
    page.fill("#rules", "Bob is big.\nBig people are kind.\nKind people are happy.")
    see(page, "#reading-state").to_have_text("1 fact and 2 rules, all understood.")
    see(page, "#notes li").to_have_text(
        ["[2] If X is big then X is kind.", "[3] If X is kind then X is happy."]
    )  # the first sentence is read as it was written
    prove(page, "Bob is happy.")
    assert answer(page) == "Yes"
    see(page, "#why-words li").to_have_count(2)
    see(page, "#why-words li >> nth=0").to_have_text(
        re.compile(r"Bob is big \[1\], so Bob is kind")
    )
    page.fill("#rules", "Bob is big.")
    see(page, "#stale").to_be_visible()
    page.click("#again")
    grown(page)
    assert answer(page) == "Not shown"
    see(page, "#stale").to_be_hidden()


VERDICTS = [
    ("Bob is big.\nBig people are kind.", "Is Bob kind?", "Yes", "prove it"),
    (
        "Lee is a visitor.\nVisitors may not sing.",
        "Lee may sing.",
        "No, the rules forbid it",
        "opp",
    ),
    ("Bob is big.\nTall people are kind.", "Bob is kind.", "Not shown", "neither"),
    ("Bob is late.\nBob is not late.", "Bob is late.", "The rules contradict each other", "Both"),
    (
        "Bob is big.\nBig people are usually kind.",
        "Bob is kind.",
        "Cannot say",
        "[2] cannot be read",
    ),
]


@pytest.mark.parametrize(("rules", "question", "headline", "words"), VERDICTS)
def test_each_verdict_has_its_headline(
    visit: Open, rules: str, question: str, headline: str, words: str
) -> None:
    page = visit("#" + urlencode({"rules": rules, "question": question}))
    grown(page)
    assert answer(page) == headline
    see(page, "#verdict .meaning").to_contain_text(words)
    see(page, "#canvas .question").to_contain_text(headline)
    see(page, "#verdict .guess").to_have_count(int(headline == "Cannot say"))


def test_a_contradiction_shows_both_proofs(visit: Open) -> None:
    rules = "Bob is late.\nBob is tired.\nTired people are not late."
    page = visit("#" + urlencode({"rules": rules, "question": "Bob is late."}))
    grown(page)
    sides = page.locator("#sides button")
    see(page, "#sides button").to_have_count(2)
    cited = []
    for number in range(2):
        sides.nth(number).click()
        see(page, "#sides [aria-pressed=true]").to_have_count(1)
        nodes = page.locator("#canvas .node:is(.fact, .rule)")
        cited.append({node.get_attribute("data-node") for node in nodes.all()})
    assert sorted(map(sorted, cited)) == [["0"], ["1", "2"]]
    see(page, "#why-words").to_contain_text("so Bob is not late [3]")
    see(page, "#mend").to_be_hidden()


def test_an_unread_sentence_that_is_irrelevant_does_not_stand_in_the_way(visit: Open) -> None:
    rules = "Bob is big.\nBig people are kind.\nCats usually chase mice."
    for question, headline in (("Bob is kind.", "Yes"), ("Bob is old.", "Not shown")):
        page = visit("#" + urlencode({"rules": rules, "question": question}))
        grown(page)
        see(page, "#notes .unread").to_have_count(1)
        assert answer(page) == headline
        see(page, "#verdict .unused").to_have_text("Not used: 1 of 3 sentences (unread [3]).")


def test_a_relevant_unread_sentence_is_named_and_the_guess_is_below(visit: Open) -> None:
    rules = (
        "Cats usually chase mice.\nBob is big.\nBig people are usually kind.\nKind people are nice."
    )
    page = visit("#" + urlencode({"rules": rules, "question": "Bob is nice."}))
    grown(page)
    assert answer(page) == "Cannot say"
    see(page, "#verdict .meaning").to_have_text(
        "[3] cannot be read and may matter: Big people are usually kind."
    )
    page.hover("#verdict .cite")
    see(page, "#mirror mark.lit").to_have_text("Big people are usually kind.")
    see(page, "#verdict .guess").to_have_text(
        re.compile(r"A guess, not proved\. The model predicts (true|false), .* sure\.")
    )
    see(page, "#why-title").to_contain_text("by the sentences that can be read")
    see(page, "#repairs").to_contain_text("Bob is kind.")


def test_a_box_says_what_was_concluded_and_what_is_absent(visit: Open) -> None:
    rules = "Bob is big.\nBig people are kind unless they are sick."
    page = visit("#" + urlencode({"rules": rules, "question": "Bob is kind."}))
    grown(page)
    rule = page.locator("#canvas .node.rule")
    assert rule.locator(".line").all_text_contents() == ["Bob is kind "]
    assert "".join(rule.locator(".detail").all_text_contents()).startswith("Big people are kind")
    see(page, "#canvas .node.naf").to_contain_text("nothing shows that Bob is")
    notes = page.locator(".row .note").all_inner_texts()
    assert notes == ["[1]", "[2]"]  # the only numbers beside the rules


def test_the_proof_grows_box_by_box_and_can_be_stepped_through(visit: Open) -> None:
    page = visit()
    page.fill("#question", "May Dana enter the server room?")
    page.click("#prove")
    see(page, "#play").to_have_attribute("aria-label", "Pause")
    see(page, "#canvas .node:not(.away)").to_have_count(1)
    page.select_option("#speed", "4")
    see(page, "#canvas .graph.done").to_be_visible()
    counts = page.evaluate("window.counts")
    grew = counts[counts.index(1) :]
    assert grew == list(range(1, len(grew) + 1))  # one by one
    assert len(grew) > 3
    see(page, "#play").to_have_attribute("aria-label", "Play")
    page.click("#back")
    see(page, "#canvas .graph.done").to_have_count(0)
    at = page.locator("#at").inner_text()
    page.click("#back")
    assert page.locator("#at").inner_text() != at
    seen = page.locator("#canvas .node:not(.away)").count()
    page.click("#forward")
    assert page.locator("#canvas .node:not(.away)").count() == seen + 1
    see(page, "#live").to_contain_text(re.compile(r"\[\d+\]|NAF"))


def test_a_step_that_is_sent_again_takes_its_place(visit: Open) -> None:
    page = visit()
    steps = [(1, 0, 12), (2, 1, 3), (3, 1, "END"), (1, 0, 11), (2, 1, 4)]  # another path leads
    events = [("answer", {"answer": True, "strategy": "proof", "confidence": 0.9})]
    for number, parent, child in steps:
        weighed = {"parents": [[parent, 1.0]], "children": [[child, 0.75]]}
        events.append(("step", {"number": number, "parent": parent, "child": child} | weighed))
    body = "".join(
        f"event: {name}\ndata: {json.dumps({'question': 0} | data)}\n\n"
        for name, data in [*events, ("end", {})]
    )
    page.route(
        "**/v1/prove/stream",
        lambda route: route.fulfill(body=body, content_type="text/event-stream"),
    )
    page.click("#prove")
    see(page, "#prove").not_to_have_attribute("aria-busy", "true")
    see(page, "#path li").to_have_text(["[12] under the question", "[5] under [12]"])
    see(page, "#path [aria-current]").to_have_text("[5] under [12]")
    see(page, "#weighed .chosen").to_have_count(2)


def test_how_the_model_searched_is_folded_and_has_a_legend(visit: Open) -> None:
    page = visit()
    prove(page, "Priya may enter the server room.")
    see(page, "#searched summary").to_have_text("How the model searched")
    see(page, "#weighed").to_be_hidden()
    page.click("#searched summary")
    see(page, "#guess").to_have_text(re.compile(r"The model predicts (true|false), .* % sure\."))
    see(page, ".legend").to_contain_text("the probability that the model gives to a choice")
    page.locator("#beams button").first.click()
    page.locator("#path button").first.click()
    see(page, "#weighed h4").to_have_count(2)
    shares = page.locator("#weighed .share").all_inner_texts()
    assert shares
    assert all("%" in share for share in shares)
    see(page, "#weighed .chosen").to_have_count(2)
    assert page.locator("#weighed .chosen .bar").last.evaluate(
        "(bar) => Number(getComputedStyle(bar).getPropertyValue('--share')) > 0"
    )


def test_another_beam_can_be_opened(visit: Open) -> None:
    page = visit()
    prove(page, "Priya may enter the server room.")
    page.click("#searched summary")
    beams = page.locator("#beams button")
    assert 2 <= beams.count() <= 9
    pressed = page.locator("#beams [aria-pressed=true]")
    assert "the proof given" in pressed.get_attribute("aria-label")
    graph = page.locator("#canvas .graph").inner_html()
    other = next(
        k for k in range(beams.count()) if beams.nth(k).get_attribute("aria-pressed") == "false"
    )
    beams.nth(other).click()
    assert pressed.inner_text() == beams.nth(other).inner_text()
    assert page.locator("#canvas .graph").inner_html() != graph
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"


def test_a_node_lights_its_sentence(visit: Open) -> None:
    page = visit()
    prove(page, "Lee may enter the server room.")
    page.hover("#canvas [data-node='8']")
    see(page, "#mirror mark.lit").to_have_text("Lee is a visitor.")
    page.mouse.move(1, 1)
    see(page, "#mirror mark.lit").to_have_count(0)
    page.hover("#why-words .cite >> nth=0")
    see(page, "#mirror mark.lit").to_have_count(1)
    see(page, "#canvas .node.lit").to_have_count(1)


def test_a_repair_turns_the_answer_and_can_be_undone(visit: Open) -> None:
    page = visit()
    prove(page, "Priya may enter the server room.")
    assert answer(page) == "Not shown"
    see(page, "#why-title").to_have_text("Why not")
    see(page, "#why-words .tree").to_contain_text("Priya has an escort: nothing shows it")
    page.click("#repairs button:has-text('Priya has an escort.')")
    see(page, "#verdict .answer").to_have_text("Yes")
    assert "- Lee is a visitor.\n- Priya has an escort.\n" in page.input_value("#rules")
    see(page, "#mirror mark.lit").to_have_text("Priya has an escort.")
    page.click("#undo")
    see(page, "#verdict .answer").to_have_text("Not shown")
    assert "escort.\n- " not in page.input_value("#rules")


def test_an_unreadable_sentence_is_marked_with_its_reason(visit: Open) -> None:
    page = visit()
    page.fill("#rules", "Bob is big.\nDana usually has a badge. Bob is kind.")
    see(page, "#reading-state").to_have_text("2 facts and 0 rules understood; 1 sentence not.")
    see(page, "#mirror mark.unread").to_have_text("Dana usually has a badge.")
    see(page, "#notes .unread").to_contain_text("leaves open")
    see(page, "#notes .unread button").to_have_count(
        0
    )  # no sentence without "usually" says the same
    page.fill("#rules", "Bob is big.\nDana has a badge. Bob is kind.")
    see(page, "#reading-state").to_have_text("3 facts and 0 rules, all understood.")
    see(page, "#notes .unread").to_have_count(0)


def test_a_note_stands_beside_its_line(visit: Open) -> None:
    rules = "Bob is a big cat.\n\nBig people are kind.\nBob is old.\nKind people are happy."
    page = visit("#" + urlencode({"rules": rules, "question": ""}))
    see(page, "#notes li").to_have_count(3)
    for number, line in ((0, 0), (1, 2), (2, 4)):
        note = page.locator("#notes li").nth(number).bounding_box()
        row = page.locator("#mirror .row").nth(line).bounding_box()
        assert row["y"] - 2 <= note["y"] <= row["y"] + row["height"]
        assert note["x"] > page.locator("#rules").bounding_box()["width"]
    page.hover("#notes li >> nth=1")
    see(page, "#mirror mark.lit").to_have_text("Big people are kind.")
    narrow = visit("#" + urlencode({"rules": rules}), viewport={"width": 360, "height": 740})
    see(narrow, "#notes li").to_have_count(3)
    below = narrow.locator("#rules").bounding_box()
    assert narrow.locator("#notes").bounding_box()["y"] >= below["y"] + below["height"]


SUSPENDED = """\
- Bob is an employee.
- Bob has been suspended.
- Employees are trusted unless they are suspended."""
TRAVEL = "Tim is a dog. Vaccinated cats and dogs may travel. Rex is a cat.\nHello everyone"
WRITTEN = [
    (SUSPENDED, "Bob is trusted.", 0, "No, the rules forbid it"),
    (SUSPENDED, "Bob is trusted.", 1, "Yes"),
    (TRAVEL, "Tim may travel.", 0, "Yes"),
    (TRAVEL, "Tim may travel.", 1, "Not shown"),
]


@pytest.mark.parametrize(("rules", "question", "choice", "headline"), WRITTEN)
def test_what_is_meant_is_one_press_away_and_can_be_undone(
    visit: Open, rules: str, question: str, choice: int, headline: str
) -> None:
    """A look-alike: a sentence is added after it; two readings: one takes the sentence's place."""
    page = visit("#" + urlencode({"rules": rules, "question": question}))
    grown(page)
    assert answer(page) == "Cannot say"
    see(page, "#verdict .meaning").to_contain_text("[2]")
    buttons = page.locator("#verdict .choice")
    see(page, "#verdict .choice").to_have_count(2)
    see(page, "#live").to_contain_text("Cannot say. 2 sentences to choose from would settle it.")
    wording = buttons.nth(choice).inner_text()
    buttons.nth(choice).click()
    see(page, "#verdict .answer").to_have_text(headline)
    see(page, "#toast").to_contain_text(wording)
    written = page.input_value("#rules")
    assert wording in written
    assert "Vaccinated cats and dogs may travel." not in written
    if rules == SUSPENDED:
        assert written.splitlines()[2] == f"- {wording}"
    page.click("#undo")
    see(page, "#verdict .answer").to_have_text("Cannot say")
    assert page.input_value("#rules") == rules


def test_several_readings_can_be_chosen_before_a_question(visit: Open) -> None:
    page = visit()
    page.fill("#rules", TRAVEL)
    see(page, "#notes .open").to_contain_text("Which is meant?")
    see(page, "#reading-state").to_have_text(
        "2 facts and 1 rule understood; 1 sentence in several ways."
    )
    choices = page.locator("#notes .open button")
    see(page, "#notes .open button").to_have_count(2)
    chosen = choices.nth(1).inner_text()
    choices.nth(1).click()
    see(page, "#notes .open").to_have_count(0)
    assert page.input_value("#rules") == TRAVEL.replace(
        "Vaccinated cats and dogs may travel.", chosen
    )
    page.click("#undo")
    see(page, "#notes .open").to_have_count(1)
    assert page.input_value("#rules") == TRAVEL


def test_what_was_not_used_is_counted(visit: Open) -> None:
    rules = "Welcome\nBob is big.  # Bob is not big.\nCats usually chase mice."
    page = visit("#" + urlencode({"rules": rules, "question": "Bob is big."}))
    grown(page)
    see(page, "#verdict .unused").to_have_text(
        "Not used: 2 of 3 sentences (remarks [1]; unread [3]), 1 comment."
    )
    see(page, "#notes .remark").to_have_text("[1] A remark, not used.")
    page.hover("#verdict .unused .cite >> nth=1")
    see(page, "#mirror mark.lit").to_have_text("Cats usually chase mice.")


def test_an_exception_that_applies_is_named(visit: Open) -> None:
    rules = "Members may vote unless they are suspended.\nGita is a member.\nGita is suspended."
    page = visit("#" + urlencode({"rules": rules, "question": "Gita may vote."}))
    grown(page)
    assert answer(page) == "No, the rules forbid it"
    see(page, "#verdict .meaning").to_have_text("By the exception of [1]: Gita is suspended.")


def test_a_question_that_cannot_be_read_is_not_called_proved(visit: Open) -> None:
    page = visit()
    prove(page, "Why is Dana so very much unless?")
    assert answer(page) == "Cannot say"
    see(page, "#verdict .meaning").to_contain_text("The question cannot be read")
    see(page, "#verdict .badge").to_have_count(0)
    see(page, "#question-trouble").to_contain_text("cannot be read")
    page.fill("#question", "")
    page.click("#prove")
    see(page, "#question-trouble").to_contain_text("Write a question")


def test_what_the_server_refuses_is_shown(visit: Open) -> None:
    page = visit()
    page.fill("#rules", "Bob is big. " * 300)
    see(page, "#reading-state").to_contain_text("at most")
    page.route("**/v1/prove/stream", lambda route: route.abort())
    page.fill("#rules", "Bob is big.")
    page.click("#prove")
    see(page, "#question-trouble").to_contain_text("cannot be reached")


def tab_to(page: Any, selector: str) -> None:
    for _ in range(60):
        if page.evaluate(f"document.activeElement.matches({selector!r})"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def test_the_keyboard_is_enough(visit: Open) -> None:
    page = visit()
    key, active = page.keyboard, "document.activeElement"
    key.press("Tab")
    key.press("Enter")  # the skip link
    assert page.evaluate(f"{active}.id") == "question"
    key.press("Control+A")
    key.type("Priya may enter the server room.")
    key.press("Enter")
    see(page, "#verdict .answer").to_have_text("Not shown")
    see(page, "#canvas .graph.done").to_be_visible()
    tab_to(page, "#back")
    key.press("Space")
    see(page, "#canvas .graph.done").to_have_count(0)
    tab_to(page, "#forward")
    key.press("Enter")
    see(page, "#canvas .graph.done").to_be_visible()
    tab_to(page, "#canvas .question")
    key.press("ArrowDown")
    assert page.evaluate(f"{active}.classList.contains('rule')")
    see(page, "#mirror mark.lit").to_have_count(1)
    tab_to(page, "#repairs button")
    key.press("Enter")
    see(page, "#verdict .answer").to_have_text("Yes")


def test_a_choice_is_made_and_undone_with_the_keyboard(visit: Open) -> None:
    page = visit("#" + urlencode({"rules": TRAVEL, "question": "Tim may travel."}))
    grown(page)
    tab_to(page, "#verdict .choice")
    page.keyboard.press("Enter")
    see(page, "#verdict .answer").to_have_text("Yes")
    see(page, "#undo").to_be_visible()
    tab_to(page, "#undo")
    page.keyboard.press("Enter")
    see(page, "#verdict .answer").to_have_text("Cannot say")
    assert page.input_value("#rules") == TRAVEL


def test_a_link_holds_rules_and_question(visit: Open, address: str) -> None:
    shared = {"rules": "Bob is big.\nBig people are kind.", "question": "Bob is kind."}
    page = visit("#" + urlencode(shared))
    grown(page)
    assert answer(page) == "Yes"
    assert page.input_value("#rules") == shared["rules"]
    page.click("#share")
    see(page, "#toast").to_contain_text("link")
    link = page.evaluate("location.href")
    other = visit(link.removeprefix(address))
    grown(other)
    assert other.input_value("#rules") == shared["rules"]
    named = visit("#example=birds&question=Bill+can+fly.")
    grown(named)
    assert answer(named) == "No, the rules forbid it"


def test_proofs_are_saved(visit: Open, tmp_path: Path) -> None:
    page = visit()
    prove(page, "May Dana enter the server room?")
    kept = {}
    for kind in ("svg", "png", "json"):
        with page.expect_download() as saved:
            page.click(f"#save-{kind}")
        kept[kind] = tmp_path / saved.value.suggested_filename
        saved.value.save_as(kept[kind])
    picture = kept["svg"].read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "Employees are trusted" in picture
    assert "var(" not in picture
    assert kept["png"].read_bytes().startswith(b"\x89PNG")
    assert len(kept["png"].read_bytes()) > 10_000
    saved_result = json.loads(kept["json"].read_text())
    assert (saved_result["verdict"], saved_result["answer"]) == ("yes", True)


def test_colours_follow_the_system_and_the_button(visit: Open) -> None:
    page = visit(color_scheme="dark")
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    page.click("#theme")
    light = page.evaluate(colour)
    assert sum(map(int, re.findall(r"\d+", dark))) < 150 < sum(map(int, re.findall(r"\d+", light)))
    page.reload()
    assert page.evaluate(colour) == light


def test_with_reduced_motion_readers_see_the_whole_proof_at_once(visit: Open) -> None:
    page = visit(reduced_motion="reduce")
    page.click("#prove")
    see(page, "#canvas .graph.done").to_be_visible()
    see(page, "#play").to_have_attribute("aria-label", "Play")


def test_a_narrow_screen_shows_everything(visit: Open) -> None:
    page = visit(viewport={"width": 360, "height": 740})
    page.click("#prove")
    grown(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#proof").bounding_box()["y"] < 200  # it came into view


XSS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src=\"javascript:alert(1)\"></iframe>",
    "<a href=\"javascript:alert(1)\">x</a>",
    "\"><script>alert(1)</script>",
    "'><img src=x onerror='alert(1)'>",
    "</textarea><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "<style>@import 'javascript:alert(1)';</style>",
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<math><mtext></math><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
    "<!--<img src=x onerror=alert(1)>-->",
    "<template><script>alert(1)</script></template>",
    "<link rel=stylesheet href=data:text/css,*{display:none}>",
    "<base href=//example.invalid/>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<object data=\"javascript:alert(1)\"></object>",
    "<input autofocus onfocus=alert(1)>",
    "\u202e<script>alert(1)</script>",
    "]]><script>alert(1)</script>",
]  # fmt: skip


def test_no_text_becomes_script(visit: Open, tmp_path: Path) -> None:
    """Each as a name in rules, as a sentence of its own, as the question, and in a link."""
    page = visit()
    elements = "script, img, iframe, object, link, base, form, style, template, math, input, a"
    before = page.locator(elements).count()
    for text in XSS:
        page.fill("#rules", f"{text}\nBob is {text}.\nIf Bob is {text} then Bob is big.")
        prove(page, f"Bob is {text}")
        assert page.locator(elements).count() == before
    page.fill("#rules", f"{XSS[1]}\nBob likes the {XSS[0]}.\nPeople who like the {XSS[0]} are big.")
    prove(page, "Bob is big.")
    with page.expect_download() as saved:
        page.click("#save-svg")
    saved.value.save_as(tmp_path / "proof.svg")
    assert "<script" not in (tmp_path / "proof.svg").read_text(encoding="utf-8").lower()
    linked = visit("#" + urlencode({"rules": "\n".join(XSS), "question": XSS[1]}))
    grown(linked)
    assert linked.locator(elements).count() == before


def test_the_policy_is_strict(visit: Open, address: str) -> None:
    page = visit()
    headers = page.request.get(address).headers
    assert headers["cache-control"] == "no-cache"  # after an upgrade, old parts would not fit
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    text = (ROOT / "ibr" / "serving" / "page" / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"\s(?:style|on\w+)=", text)
    assert not re.search(r"https?://", text)


@pytest.mark.skipif(not AXE.is_file(), reason="no axe-core: scripts/install-browser fetches it")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 360])
def test_everyone_can_use_it(visit: Open, scheme: str, width: int) -> None:
    page = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = faults(page)
    page.locator("#rules").press("Control+End")
    page.keyboard.type("\nDana usually has a badge.")
    see(page, "#notes .unread").to_have_count(1)
    prove(page, "Priya may enter the server room.")
    page.click("#searched summary")
    found += faults(page)
    for rules, question in ((SUSPENDED, "Bob is trusted."), (TRAVEL, "Tim may travel.")):
        page.fill("#rules", rules)
        prove(page, question)
        see(page, "#verdict .choice").to_have_count(2)
        found += faults(page)
        page.locator("#verdict .choice").first.click()
        see(page, "#undo").to_be_visible()
        grown(page)
        found += faults(page)
    page.fill("#rules", "Bob is late.\nBob is not late.")
    prove(page, "Bob is late.")
    assert found + faults(page) == []


def faults(page: Any) -> list[str]:
    """What axe-core finds, of any weight."""
    page.wait_for_timeout(600)  # colours that fade are not judged
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['impact']} {each['id']}: {node['html'][:120]}: {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]
