"""The page of `coverage --html`: rulebook beside rules beside scenarios, what it refuses, and how it does in a real browser."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright_tools.cli import main
from tests.chromium import Browser, program, serious
from tests.small import SCENARIOS, coins
from tests.test_diff_page import widths

NASTY = "</article><script>window.caught = 1</script><img src=x onerror='window.caught = 2'>"


def written(home: str, *more: str) -> str:
    """The page of a ruleset."""
    file = Path(home).parent / "coverage.html"
    assert main(["coverage", home, "--html", str(file), *more]) == 0
    return file.read_text(encoding="utf-8")


def entry(page: str, rule: str) -> str:
    """What the page says of a rule, without markup."""
    found = re.search(rf'<article[^>]* id="{re.escape(rule)}">(.*?)</article>', page, re.DOTALL)
    assert found is not None
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[1]))


def test_each_rule_with_what_cites_it_and_what_shows_it(tmp_path: Path) -> None:
    """The statement, the declaration with the line that cites it, the scenario as it is written, and what is not so."""
    home = coins(tmp_path)
    page = written(home)
    assert str(Path(home).parent) not in page  # nobody learns from it where it was made
    assert "<mark>    cite coins.pay.2</mark>" in page
    paid = entry(page, "coins.pay.2")
    for said in (
        "tested",
        "At the start everybody gets the wage.",
        "page 2",
        "effect pay_out(who: player)",
        "Everybody is paid",
        "then: [count of coins in player_1.purse = 3]",
    ):
        assert said in paid
    assert "Nothing cites it." in entry(page, "coins.beg.3")
    assert "never gets there" in entry(page, "coins.beg.2")
    assert "not applicable: a habit" in entry(page, "coins.thing.2")
    assert re.findall(r'data-show="([\w-]*)"[^>]*>([^<]*) <b>(\d+)', page) == [
        ("", "All", "7"), ("missing", "Missing", "1"), ("implemented", "Not shown by a scenario", "1"), ("doubtful", "A scenario does not show what it cites", "1"),
        ("tested", "Tested", "4"), ("not-applicable", "Not applicable", "1"),
    ]  # fmt: skip


def test_a_scenario_that_fails_is_told(tmp_path: Path) -> None:
    """On top of the page, and beside each rule that it claims to show."""
    page = written(coins(tmp_path, SCENARIOS.replace("purse = 3", "purse = 4")))
    assert "1 scenario does not pass" in page
    assert "does not pass" in entry(page, "coins.pay.1")
    assert "not shown by a scenario" in entry(page, "coins.pay.1")


def test_what_rulesets_say_is_text(tmp_path: Path) -> None:
    """In the book, the rules and the scenarios."""
    home = coins(tmp_path, SCENARIOS.replace("Everybody is paid", f'"{NASTY}"'))
    for name, old in (("rulebook.yaml", "There are ten coins."), ("coins.rules", '"Penny"')):
        file = Path(home, name)
        file.write_text(file.read_text().replace(old, f'"{NASTY}"'), encoding="utf-8")
    page = written(home)
    assert page.count("<script") == 2
    assert "<img" not in page


def test_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything that takes long is done; a rule that is missing is an error of its own with --strict, and the page is there."""
    home, file = coins(tmp_path), tmp_path / "diary.html"
    file.write_text("my diary", encoding="utf-8")
    for arguments, said in (
        ([home, "--html", str(file)], "was not made by this command; --force writes over it"),
        ([home, "--html", str(tmp_path / "nowhere" / "page.html")], "there is no folder"),
        ([home, "--html", str(tmp_path)], "is a directory"),
        ([home, "--html", "page.html", "--json"], "--html is a page of its own"),
        (["tic_tac_toe", "--html", str(tmp_path / "page.html")], "has no rulebook of its own"),
    ):
        assert main(["coverage", *arguments]) == 2
        assert said in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "my diary"
    assert main(["coverage", home, "--html", str(file), "--force", "--strict"]) == 1
    assert "coins.beg.3" in file.read_text(encoding="utf-8")


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A browser."""
    with Browser(program()) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("home", ["", "tests/passages/base"])
def test_in_a_browser(home: str, tmp_path: Path, browser: Browser) -> None:
    """What is missing can be shown alone, everything unfolds, nothing is wider than a phone, nobody is kept out, in light and dark."""
    file = tmp_path / "coverage.html"
    assert main(["coverage", home or coins(tmp_path), "--html", str(file)]) == 0
    browser.open(file.as_uri())
    shown = "[...document.querySelectorAll('#main .entry')].filter(e => e.getClientRects().length).map(e => e.id)"
    everything = browser.run(shown)
    sort = "tested" if home else "missing"
    browser.click(f"[data-show={sort}]")
    assert 0 < len(browser.run(shown)) <= len(everything) - (0 if home else 6)
    browser.click("[data-show='']")
    browser.run("document.getElementById('query').value = 'zzzz'; document.getElementById('query').dispatchEvent(new Event('input'))")
    browser.until("!document.getElementById('none').hidden")
    browser.run("document.getElementById('query').value = ''; document.getElementById('query').dispatchEvent(new Event('input'))")
    browser.until("document.getElementById('none').hidden")
    browser.click("#unfold")
    assert browser.run("document.querySelectorAll('#main details:not([open])').length") == 0
    assert widths(browser) == [0, 0, 0]
    for colour in ("light", "dark"):
        browser.prefer(colour=colour)
        time.sleep(0.2)
        assert serious(browser) == []
    assert browser.errors == []
