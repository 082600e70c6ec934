"""The rulebook in a real browser: it can be searched, fits a phone, is accessible in light and dark, and prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright_tools.cli import main
from tests.chromium import AXE, Browser, program

pytestmark = pytest.mark.slow
MARKUP = """\
ruleset markup "<b>Bold</b><script>window.caught = 1</script>" for 2 players

# <img src=x onerror='window.caught = 4'>
kind piece "<img src=x onerror='window.caught = 3'>"
place yard: an area of piece
piece pebble "<img src=x onerror='window.caught = 2'>" x3 in yard

phase play:
    for each player in players:
        player chooses target: a piece in yard
        log "{player} takes {target} <svg onload='window.caught = 5'>."
    end game
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all."""
    with Browser(program()) as made:
        yield made


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a large game with a layer."""
    file = tmp_path_factory.mktemp("docs") / "base.html"
    assert main(["docs", "base", "--layer", "chapel", "--out", str(file)]) == 0
    return file.as_uri()


def shown(browser: Browser) -> list[str]:
    """The entries that are in sight of a search."""
    found = browser.run("[...document.querySelectorAll('#main .find')].filter((e) => e.offsetParent !== null).map((e) => e.id)")
    return list(found)


def search(browser: Browser, words: str) -> None:
    """Type into the search."""
    browser.run("document.activeElement.blur()")
    browser.press("/")
    browser.until("document.activeElement.id === 'query'")
    browser.call("Input.insertText", text=words)
    browser.until(f"document.getElementById('found').textContent !== '' || {str(not words).lower()}")


def test_search(browser: Browser, base: str) -> None:
    """By words, in any order; by the number of a rule; Enter goes on; Escape shows everything again; a link shows what it leads to."""
    browser.resize(1280, 900)
    browser.open(base)
    everything = len(shown(browser))
    search(browser, "chapel")
    assert "component.chapel" in shown(browser)
    assert len(shown(browser)) < 6
    assert browser.run("document.getElementById('subject-combat').hidden")
    browser.press("Enter")
    browser.until("document.querySelector('.current')")
    browser.press("Escape")
    browser.until("!document.getElementById('subject-combat').hidden")
    assert len(shown(browser)) == everything
    search(browser, "base.noise.4")
    browser.until("document.getElementById('subject-combat').hidden")
    assert "effect.noise_roll" in shown(browser)
    assert browser.run("document.getElementById('effect.noise_roll').querySelector('.says').open")
    assert all("noise" in browser.run(f"document.getElementById({each!r}).dataset.find") for each in shown(browser) if each)
    browser.run("location.hash = '#component.armory'")
    browser.until("document.getElementById('component.armory').offsetParent !== null")
    assert not browser.run("document.getElementById('effect.noise_roll').querySelector('.says').open")
    search(browser, "no such words anywhere")
    browser.until("!document.getElementById('none').hidden")
    assert shown(browser) == []
    browser.press("Escape")
    assert browser.errors == []


@pytest.mark.parametrize("width", [390, 820, 1400])
def test_nothing_sticks_out(browser: Browser, base: str, width: int) -> None:
    """No page that has to be moved sideways."""
    browser.resize(width, 900)
    browser.open(base)
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert browser.run("[...document.querySelectorAll('#main .find')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length") == 0


@pytest.mark.parametrize(
    ("name", "layer", "colour"), [("tic_tac_toe", "", "light"), ("blight", "", "dark"), ("base", "chapel", "dark"), ("carnomorphs", "", "light")]
)
def test_everybody_can_read_it(browser: Browser, tmp_path: Path, name: str, layer: str, colour: str) -> None:
    """Nothing that axe would complain of."""
    assert main(["docs", name, *(["--layer", layer] if layer else []), "--out", str(tmp_path / "page.html")]) == 0
    browser.prefer(colour=colour)
    browser.resize(1280, 900)
    browser.open((tmp_path / "page.html").as_uri())
    browser.run(AXE.read_text(encoding="utf-8"))
    found = browser.run("axe.run().then((r) => r.violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)}`))")
    assert found == []


def test_labels_are_text(browser: Browser, tmp_path: Path) -> None:
    """Whatever a ruleset says, nothing of it runs; nothing is fetched."""
    (tmp_path / "markup.rules").write_text(MARKUP, encoding="utf-8")
    assert main(["docs", str(tmp_path / "markup.rules"), "--out", str(tmp_path / "page.html")]) == 0
    browser.prefer()
    browser.open((tmp_path / "page.html").as_uri())
    assert browser.run("window.caught") is None
    assert "<img src=x" in browser.text()
    assert browser.run("performance.getEntriesByType('resource').length") == 0
    assert browser.errors == []


def test_a_link_finds_its_rule_and_the_theme_is_turned(browser: Browser, base: str) -> None:
    """What somebody sends is what the other one sees."""
    browser.prefer(colour="light")
    browser.resize(1280, 900)
    browser.open("about:blank")
    browser.open(f"{base}#effect.noise_roll")
    browser.until("Math.abs(document.getElementById('effect.noise_roll').getBoundingClientRect().top) < 300")
    before = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.click("#theme")
    assert browser.run("getComputedStyle(document.body).backgroundColor") != before
    browser.run("document.getElementById('theme').click()")


def test_it_prints(tmp_path: Path) -> None:
    """As a PDF that says who made it, so that it may be made again."""
    program()
    file = tmp_path / "page.pdf"
    for _ in range(2):
        assert main(["docs", "tic_tac_toe", "--pdf", str(file)]) == 0
    data = file.read_bytes()
    assert data.startswith(b"%PDF-")
    assert data.endswith(b"%rulewright docs\n")
    assert list(tmp_path.iterdir()) == [file]
