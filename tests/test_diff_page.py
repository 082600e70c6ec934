"""The page of `diff --html`: what it says, what it refuses, and how it does in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright_tools.cli import main
from tests.chromium import Browser, program, serious
from tests.small import coins
from tests.test_diff import LAYER

NASTY = """\
layer nasty over coins "<b>Nasty</b><script>window.caught = 1</script>"

set penny.label to "<img src=x onerror='window.caught = 2'>"
coin crown "</div></article><script>window.caught = 3</script>"
after beg(actor): log "<svg onload='window.caught = 4'> {actor} & co."
"""
PHONE, TABLET, DESK = (390, 844), (820, 1000), (1400, 1000)


@pytest.fixture
def home(tmp_path: Path) -> str:
    """A ruleset with layers beside it."""
    for name, text in (("rich", LAYER.format(base="coins")), ("nasty", NASTY)):
        (tmp_path / f"{name}.rules").write_text(text, encoding="utf-8")
    return coins(tmp_path)


def written(home: str, layer: str, *more: str) -> str:
    """The page that a layer of the fixture gives."""
    file = Path(home).parent / "changes.html"
    assert main(["diff", home, "--layer", str(Path(home).parent / f"{layer}.rules"), "--html", str(file), *more]) == 0
    return file.read_text(encoding="utf-8")


def test_the_page_says_it_word_by_word(home: str) -> None:
    """Words inside lines are marked; what was added, removed and hooked is there, and the rules with what they say."""
    page = written(home, "rich")
    assert str(Path(home).parent) not in page  # nobody learns from it where it was made
    assert "&quot;<mark>Penny</mark>&quot; " in page
    assert "&quot;<mark>Farthing</mark>&quot; " in page
    assert "<del>" in page
    assert "set by rich, " in page
    assert '<span class="mark removed">removed</span>' in page
    assert "What it is on, as it finally is" in page
    assert '<span class="cite">coins.beg.3</span> Who begs twice is thrown out.' in page
    assert 'no longer <span class="cite">coins.beg.1</span>' in page


def test_what_rules_say_is_text(home: str) -> None:
    """Whatever a ruleset holds, nothing of it is markup."""
    page = written(home, "nasty")
    assert page.count("<script") == 2
    assert "<img" not in page
    assert "<svg onload" not in page
    assert "<b>Nasty" not in page


def test_what_is_refused(home: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Files that others made, folders that are not there, options that do not go together, layers that are none."""
    layer, file = str(Path(home).parent / "rich.rules"), Path(home).parent / "diary.html"
    file.write_text("my diary", encoding="utf-8")
    for arguments, said in (
        (["--html", str(file)], "was not made by this command; --force writes over it"),
        (["--html", str(file.parent / "nowhere" / "page.html")], "cannot be written"),
        (["--html", str(file.parent)], "is a directory"),
        (["--html", "page.html", "--json"], "--html is a page of its own"),
    ):
        assert main(["diff", home, "--layer", layer, *arguments]) == 2
        assert said in capsys.readouterr().err
    assert main(["diff", home, "--layer", "rihc", "--html", "page.html"]) == 2
    assert file.read_text(encoding="utf-8") == "my diary"
    assert main(["diff", home, "--layer", layer, "--html", str(file), "--force"]) == 0
    assert main(["diff", home, "--layer", layer, "--html", str(file)]) == 0
    assert not Path("page.html").exists()


def test_nothing_changed(home: str) -> None:
    """A ruleset beside itself is a page, too."""
    file = Path(home).parent / "same.html"
    assert main(["diff", home, home, "--html", str(file)]) == 0
    assert "Nothing is changed." in file.read_text(encoding="utf-8")


# -- in a browser


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A browser."""
    with Browser(program()) as made:
        yield made


def widths(browser: Browser) -> list[int]:
    """How much wider than the window the page is, on a phone, a tablet and a desk."""
    found = []
    for size in (PHONE, TABLET, DESK):
        browser.resize(*size)
        found.append(browser.run("document.scrollingElement.scrollWidth - document.documentElement.clientWidth"))
    return found


@pytest.mark.slow
def test_in_a_browser(home: str, browser: Browser) -> None:
    """Nothing of the rules runs; the buttons and the search show what fits, together too; a link finds what is not shown; nobody is kept out."""
    written(home, "nasty")
    file = Path(home).parent / "changes.html"
    browser.open(file.as_uri())
    assert browser.run("window.caught ?? 0") == 0
    written(home, "rich")
    browser.open(file.as_uri())
    assert browser.errors == []
    shown = "[...document.querySelectorAll('#main .entry')].filter(e => e.getClientRects().length).map(e => e.id)"
    assert len(browser.run(shown)) == 10
    browser.click("[data-show=removed]")
    assert browser.run(shown) == ["removed-action-beg", "removed-rule-luck"]
    assert browser.run("document.querySelector('[data-show=removed]').getAttribute('aria-pressed')") == "true"
    browser.run("document.getElementById('query').value = 'bank'; document.getElementById('query').dispatchEvent(new Event('input'))")
    browser.until(f"({shown}).length === 2 && document.getElementById('found').textContent")
    browser.run("location.hash = '#changed-action-rest'")
    browser.until(f"({shown}).includes('changed-action-rest')")
    browser.resize(*DESK)
    browser.click("#beside")
    sides = "['del', 'ins'].map(name => document.querySelector(`#changed-number-wage ${name}`).getBoundingClientRect().x)"
    left, right = browser.run(sides)
    assert right > left + 200
    browser.run("for (const each of document.querySelectorAll('details')) each.open = true")
    assert widths(browser) == [0, 0, 0]
    for colour in ("light", "dark"):
        browser.prefer(colour=colour)
        time.sleep(0.2)
        assert serious(browser) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [("base", "carnomorphs"), ("base", "--layer", "slow_burn", "--layer", "flares"), ("lockdown", "lockdown_surface")]
)
def test_large_pages_in_a_browser(arguments: tuple[str, ...], tmp_path: Path, browser: Browser) -> None:
    """Real expansions and house rules: no wider than a phone, a link leads where it says, nobody is kept out."""
    file = tmp_path / "changes.html"
    assert main(["diff", *arguments, "--html", str(file)]) == 0
    assert file.stat().st_size < 1_500_000
    browser.open(file.as_uri())
    assert widths(browser) == [0, 0, 0]
    target = browser.run("[...document.querySelectorAll('#contents a')].at(-1).getAttribute('href')")
    browser.run(f"document.documentElement.style.scrollBehavior = 'auto'; location.hash = {target!r}")
    browser.until(f"Math.abs(document.querySelector('[id={target[1:]}]').getBoundingClientRect().top) < innerHeight")
    assert serious(browser) == []
    assert browser.errors == []
