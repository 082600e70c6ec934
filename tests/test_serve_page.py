"""The page in a real browser: whole games by clicking what is offered, accessibility, and what happens when something goes wrong.

Chromium is looked for; with CI=true it is installed if it is missing, elsewhere these tests are skipped with a line that says so.
"""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.chromium import Browser, program, serious
from tests.serving import Web
from tests.test_serve import CARDS

PHONE, DESK = (390, 844), (1280, 900)
MARKUP = """\
ruleset markup "<b>Bold</b><script>window.caught = 1</script>" for 2 players

kind piece
place yard: an area of piece
piece pebble "<img src=x onerror='window.caught = 2'>" x3 in yard

phase play:
    repeat:
        for each player in players ordered by seat:
            player chooses target: a piece in yard
            log "{player} takes {target} <svg onload='window.caught = 3'>."
"""
pytestmark = pytest.mark.slow


class Server:
    """A server in a process of its own, which can die and come back at the same address."""

    def __init__(self, folder: Path, rules: Path) -> None:
        self._folder, self._rules, self._port = folder, rules, 0
        self.start()

    def start(self) -> None:
        """Start, or start again."""
        command = [sys.executable, "-m", "rulewright_tools", "serve", str(self._rules), "--port", str(self._port), "--data", str(self._folder)]
        self.process = subprocess.Popen([*command, "--pace", "0.01"], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"localhost:(\d+)/", self.process.stdout.readline())
        assert found is not None
        self._port = int(found[1])
        self.web = Web(self._port)

    def kill(self) -> None:
        """Die."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "markup.rules").write_text(MARKUP, encoding="utf-8")
    (folder / "data" / "rulesets").mkdir(parents=True)
    (folder / "data" / "rulesets" / "cards.rules").write_text(CARDS, encoding="utf-8")
    server = Server(folder / "data", folder / "markup.rules")
    yield server
    server.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests that need no second."""
    with Browser(program()) as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Browser]:
    """The same; whatever a script has complained of is a failure."""
    browser.errors.clear()
    browser.resize(*DESK)
    yield browser
    assert [error for error in browser.errors if "WebSocket" not in error and "ERR_CONNECTION" not in error] == []


def sit(browser: Browser, server: Server, game: dict[str, Any], seat: int = 1) -> None:
    """Go to a seat by its link."""
    browser.open(f"{server.web.address}/game/{game['id']}#{game['links'][str(seat)]}")
    browser.until("document.querySelector('.decision')")


ASKED = "document.querySelector('.option:not(:disabled)') !== null"
OVER = "/The game is over/.test(document.querySelector('#decision-head')?.innerText)"


def click_something(browser: Browser, dice: random.Random) -> bool:
    """Click something that is offered: what is highlighted on the table, if it is there, else a button; False when the game is over."""
    browser.until(f"{ASKED} || {OVER}", 60)
    if browser.run(OVER):
        return False
    count = browser.run("document.querySelectorAll('.card.can, .chip.can, .spot.can .ground, .token.can').length")
    if count and dice.random() < 0.5:
        browser.run(
            f"(() => {{ const e = [...document.querySelectorAll('.card.can, .chip.can, .spot.can .ground, .token.can')][{dice.randrange(count)}];"
            " e.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: 200, clientY: 200})) })()"
        )
        browser.run("document.querySelector('.menu button')?.click()")
    else:
        options = browser.run("document.querySelectorAll('.option').length")
        browser.run(f"document.querySelectorAll('.option')[{dice.randrange(options)}].click()")
    return True


def test_where_the_browser_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked for; in CI it is installed if it is missing, by sudo if need be; elsewhere the tests are skipped with one line."""
    done: list[list[str]] = []
    there: list[str] = []

    def install(command: list[str], **_: Any) -> None:
        done.append(command)
        if "install" in command:
            there.append("/usr/bin/chromium")

    monkeypatch.setattr("tests.chromium.find", lambda: there[0] if there else None)
    monkeypatch.setattr("subprocess.run", install)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"no Chromium here.*apt install chromium"):
        program()
    assert done == []
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert program() == "/usr/bin/chromium"
    assert [command[:3] for command in done] == [["sudo", "apt-get", "update"], ["sudo", "apt-get", "install"]]
    assert program() == "/usr/bin/chromium"
    assert len(done) == 2, "what is there is not installed again"


# -- playing


def ready(page: Browser) -> None:
    """Wait until somebody is asked and the page hears keys and clicks: it begins to listen after it has been painted."""
    page.until(ASKED)
    page.run("new Promise(done => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 50)), 50)))")


def test_two_browsers_play(server: Server, page: Browser) -> None:
    """A whole game: one clicks on the board, the other presses keys; a reload in the middle of a decision changes nothing."""
    game = server.web.begin("tic_tac_toe", "person", "person")
    with Browser(program()) as other:
        sit(page, server, game, 1)
        sit(other, server, game, 2)
        ready(page)
        page.click('[data-id="board_1_1"] .ground')
        ready(other)
        offered = other.run("[...document.querySelectorAll('.option')].map(e => e.innerText)")
        other.reload()
        ready(other)
        assert other.run("[...document.querySelectorAll('.option')].map(e => e.innerText)") == offered
        other.press("8")
        ready(page)
        page.click('[data-id="board_1_2"] .ground')
        ready(other)
        other.press("2")
        ready(page)
        page.click('[data-id="board_1_3"] .ground')
        page.until("/you win/.test(document.querySelector('#decision-head').innerText)")
        other.until("/The game is over: Player 1 wins/.test(document.querySelector('#decision-head').innerText)")
        assert other.errors == []
    page.run("[...document.querySelectorAll('button')].find(e => e.innerText === 'Look at it again').click()")
    page.until("document.querySelector('.slider output')?.innerText === '0 / 5'")
    page.run("new Promise(requestAnimationFrame)")
    page.press("ArrowRight")
    page.until("document.querySelector('.slider output').innerText === '1 / 5'")
    page.run("(() => { const e = document.querySelector('.slider input'); e.value = 5; e.dispatchEvent(new Event('input', {bubbles: true})) })()")
    page.until(OVER)


def test_dragging(server: Server, page: Browser) -> None:
    """From one place to another answers two questions: what, and where to."""
    game = server.web.begin("breakthrough", "person", "first")
    sit(page, server, game)
    ready(page)
    page.drag('[data-id="board_7_1"] .ground', '[data-id="board_6_1"] .ground')
    page.until("/Player 1 moves from row 7, column 1 to row 6, column 1/.test(document.querySelector('.story').innerText)")


@pytest.mark.parametrize(("ruleset", "seats"), [("base", 3), ("lockdown", 2)])
def test_alone_with_bots(server: Server, page: Browser, ruleset: str, seats: int) -> None:
    """A whole game, by clicking what is offered."""
    dice = random.Random(3)
    game = server.web.begin(ruleset, "person", *["random"] * (seats - 1))
    sit(page, server, game)
    clicks = 0
    while click_something(page, dice):
        clicks += 1
        page.until(f"!document.querySelector('.option:disabled') || {OVER}")
        assert clicks < 1_000
    assert clicks > 10
    assert "Story" in page.text()


def test_from_the_lobby_to_a_table(server: Server, page: Browser) -> None:
    """As people come: the lobby, the form, the table; the links of the others are shown."""
    page.open(server.web.address)
    page.until("document.querySelectorAll('.ruleset').length > 3")
    page.click('a[href="/new?ruleset=tic_tac_toe"]')
    page.until("document.querySelectorAll('.seat-row').length === 2")
    page.run(
        "(() => { const e = document.querySelectorAll('.seat-row select')[1]; e.value = 'link'; e.dispatchEvent(new Event('change', {bubbles: true})) })()"
    )
    page.until("document.querySelector('.seat-row input')")
    page.click("button.primary.large")
    page.until("document.querySelectorAll('dialog[open] .links input').length === 2")
    page.press("Escape")
    page.until(f"!document.querySelector('dialog') && {ASKED}")


def test_looking_things_up(server: Server, page: Browser) -> None:
    """The rule behind a line of the story, a thing by its name, and why something is not offered."""
    game = server.web.begin("tic_tac_toe", "person", "first")
    sit(page, server, game)
    page.click('[data-id="board_2_2"] .ground')
    page.until("document.querySelector('.story .cite')")
    page.click(".story .cite")
    page.until("/who chooses target/.test(document.querySelector('dialog pre')?.innerText)")
    page.press("Escape")
    page.until("!document.querySelector('dialog')")
    page.click(".look-up")
    page.until("document.querySelectorAll('.found button').length > 5")
    page.run("[...document.querySelectorAll('.found button')].find(e => e.innerText.startsWith('board 1,1')).click()")
    page.until("document.querySelector('dialog h2').innerText === 'Board 1,1' && document.querySelector('dialog pre')")


def says(page: Browser, selector: str, words: str) -> None:
    """Wait until something on the page has some words in it."""
    page.until(f"document.querySelector({json.dumps(selector)})?.innerText.includes({json.dumps(words)})")


def press(page: Browser, words: str) -> None:
    """Press the button with some words on it."""
    found = f"[...document.querySelectorAll('button')].find(each => each.innerText.trim() === {json.dumps(words)} && !each.disabled)"
    page.until(f"(() => {{ const e = {found}; e?.click(); return Boolean(e) }})()")


def test_taking_back_by_consent(server: Server, page: Browser) -> None:
    """Something was revealed: the other one is asked, may say no, and who asks may think better of it; with consent it is as it was."""
    game = server.web.begin("cards", "person", "person")
    draw, gone = "[...document.querySelectorAll('.option')].find(each => /Draw/.test(each.innerText))", "!document.querySelector('.proposal')"
    with Browser(program()) as other:
        sit(page, server, game, 1)
        sit(other, server, game, 2)
        ready(page)
        page.run(f"{draw}.click()")
        page.until("document.querySelector('#decision-head').innerText.includes('thinking')")
        for answer in ("No", "Never mind", "I agree"):
            press(page, "Take back")
            says(page, ".proposal", "You asked to take back your last choice, and whatever came after it. These must agree: Player 2.")
            says(other, ".proposal[role=alert]", "Player 1 would like to take back their last choice, and whatever came after it.")
            assert not serious(other)
            press(page if answer == "Never mind" else other, answer)
            page.until(gone)
            other.until(gone)
        page.until(ASKED)
        assert page.until(draw)
        assert other.errors == []


def test_another_language(server: Server, page: Browser) -> None:
    """Chosen in the browser: the page's own words, and names, options and story of the game, where there is a translation; it is kept."""
    try:
        page.open(server.web.address)
        page.until("document.querySelector('select.language option[value=cs]')")
        page.run(
            "(() => { const e = document.querySelector('select.language'); e.value = 'cs'; e.dispatchEvent(new Event('change', {bubbles: true})) })()"
        )
        says(page, "h1", "Přisedni ke stolu.")
        assert page.run("document.documentElement.lang") == "cs"
        page.open(f"{server.web.address}/new?ruleset=base")
        page.until("document.querySelector('select.language option[value=ru]')")
        says(page, "form", "Hráči")
        game = server.web.begin("base", "person", "random", "random")
        sit(page, server, game)
        ready(page)
        says(page, ".decision", "Co není v nabídce?")
        assert serious(page) == []
        with server.web.person(game["id"], game["links"]["1"]) as english:
            own = english.table["decision"]["prompt"]
        with server.web.socket(f"/ws/game/{game['id']}") as line:
            line.send(json.dumps({"do": "join", "ask": 1, "token": game["links"]["1"], "language": "cs-CZ"}))
            while "whole" not in (message := json.loads(line.recv(timeout=20))):
                pass
        about, asked = message["whole"]["about"], message["whole"]["table"]["decision"]
        assert (about["language"], about["languages"]) == ("cs", ["en", "cs", "ru"])
        assert asked["prompt"] != own
        assert asked["prompt"] in page.text()
        assert all(option["label"] in page.text() for option in asked["options"])
    finally:
        page.run("localStorage.removeItem('rulewright.language')")


def test_every_word_of_the_page_is_translated() -> None:
    """What the page says in English is in the Czech catalogue, with the same values in it, and the catalogue has nothing that nobody says."""
    static = Path(__file__).parents[1] / "tools" / "rulewright_tools" / "serve"
    said = set[str]()
    for path in (static / "static" / "page").glob("*.js"):
        for _, texts in re.findall(r'\b(?:t|counted)\(((?:[^"()]|\([^()]*\))*?)("[^"]*"(?:\s*[:,]\s*"[^"]*")*)', path.read_text(encoding="utf-8")):
            said.update(re.findall(r'"([^"]*)"', texts))
    catalogue = json.loads((static / "static" / "words" / "cs.json").read_text(encoding="utf-8"))
    assert len(said) > 150
    assert said - set(catalogue) == set()
    tools = static.parent  # the terminal shares the catalogue
    files = [path for folder in ("serve", "play", "sandbox") for path in (tools / folder).glob("*.py")]
    source = "".join(path.read_text(encoding="utf-8") for path in [*files, tools / "table" / "rule_text.py"])
    assert {text for text in set(catalogue) - said if f'"{text}"' not in source} == {"won", "lost", "eliminated"}
    for text, found in catalogue.items():
        for each in [found] if isinstance(found, str) else found.values():
            assert each.strip()
            assert set(re.findall(r"{\w+}", each)) <= set(re.findall(r"{\w+}", text)), text
        assert isinstance(found, str) or "other" in found


def test_labels_full_of_markup(server: Server, page: Browser) -> None:
    """They are shown as they are written, in the lobby, on the table and in the story, and nothing in them is run."""
    game = server.web.begin("markup", "person", "first")
    sit(page, server, game)
    page.click(".option")
    page.until("/takes <img src=x/.test(document.querySelector('.story').innerText)")
    assert "<b>Bold</b><script>" in page.run("document.querySelector('.bar-title').innerText")
    caught = "[window.caught ?? 0, document.querySelectorAll('#page script, #page img[src=x], #page svg[onload], .ruleset b').length]"
    assert page.run(caught) == [0, 0]
    page.open(server.web.address)
    page.until("/<b>Bold/.test(document.querySelector('.rulesets').innerText)")
    assert page.run(caught) == [0, 0]


# -- for everybody


def test_accessibility(server: Server, page: Browser) -> None:
    """axe-core finds nothing serious, in light and dark, on every screen; nothing is wider than a phone."""
    found: dict[str, list[str]] = {}

    def check(name: str) -> None:
        for colour in ("light", "dark"):
            page.prefer(colour=colour)
            time.sleep(0.25)  # colours change slowly
            found[f"{name} {colour}"] = serious(page)
        page.prefer(colour="light")
        page.resize(*PHONE)
        time.sleep(0.2)
        found[f"{name} phone"] = serious(page)
        if page.run("document.scrollingElement.scrollWidth > innerWidth"):
            found[f"{name} phone"].append("wider than the window")
        page.resize(*DESK)

    page.open(server.web.address)
    page.until("document.querySelectorAll('.ruleset').length > 3")
    check("lobby")
    page.open(f"{server.web.address}/new?ruleset=base")
    page.until("document.querySelectorAll('.seat-row').length === 4")  # as many as usually play
    page.run("document.querySelectorAll('details').forEach(e => e.open = true)")
    check("new game")
    game = server.web.begin("base", "person", "random", "random")
    sit(page, server, game)
    dice = random.Random(1)
    for _ in range(8):
        click_something(page, dice)
    page.until(ASKED)
    check("table")
    page.click(".look-up")
    page.until("document.querySelector('dialog[open]')")
    check("dialog")
    small = server.web.begin("tic_tac_toe", "first", "first")
    page.open(f"{server.web.address}/game/{small['id']}")
    page.until(OVER)
    page.open(f"{server.web.address}/view/{small['id']}")
    page.until("document.querySelector('.slider')")
    check("viewer")
    assert {name: problems for name, problems in found.items() if problems} == {}


# -- when something goes wrong


def test_a_dead_server_and_a_slow_page(server: Server, page: Browser) -> None:
    """The page says that the server is away and goes on when it is back; one that was busy for a while catches up, and holds up nobody."""
    game = server.web.begin("tic_tac_toe", "person", "person")
    sit(page, server, game)
    page.run("void setTimeout(() => { const end = Date.now() + 6000; while (Date.now() < end); }, 0)")
    with server.web.person(game["id"], game["links"]["2"]) as bob, server.web.person(game["id"], game["links"]["1"]) as ann:
        began = time.monotonic()
        ann.answer("board_1_1")
        bob.answer("board_2_1")
        ann.answer("board_1_2")
        bob.answer("board_2_2")
        assert time.monotonic() - began < 5.5
    page.until(f"{ASKED} && document.querySelectorAll('.option').length === 5")
    server.kill()
    page.until("/The server is away/.test(document.body.innerText)")
    server.start()
    page.until(f"!/The server is away/.test(document.body.innerText) && {ASKED}", 40)
    page.click('[data-id="board_1_3"] .ground')
    page.until(OVER)
