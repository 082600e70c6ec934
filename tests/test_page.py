"""The skeleton of pages: what stands in one is shown and does nothing, and no file of somebody else is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright_tools.page import Heading, NotOurs, anchor, document, embedded, escape, page, write_page

NASTY = "</script><script>window.caught = 1</script><img src=x onerror='window.caught = 2'>\"\u202e\x00\ud800"


def test_what_a_ruleset_says_is_text() -> None:
    """In elements, in attributes, in titles, in contents and in data."""
    made = page(NASTY, f'<p title="{escape(NASTY)}">{escape(NASTY)}</p>', made_by="rulewright docs", contents=[Heading(NASTY, NASTY, note=NASTY)])
    assert "<img" not in made
    assert made.count("<script") == 2
    assert made.encode("utf-8")
    assert "\u202e" not in made
    assert "\x00" not in made
    assert embedded([NASTY]).count("<") == 0
    assert re.fullmatch(r"[\w.-]+", anchor("effect", NASTY))


def test_a_page_needs_nothing_else() -> None:
    """Nothing is fetched, nothing but our own script may run."""
    made = page("Title", "<p>text</p>", made_by="rulewright docs")
    assert re.findall(r"(?:src|href)=[\"'](?!#)", made) == []
    assert re.findall(r"url\(|@import", made) == []
    assert "default-src 'none'" in made
    assert re.search(r"script-src 'sha256-[\w+/=]+'", made)


def test_nothing_of_others_is_written_over(tmp_path: Path) -> None:
    """A page may be made again by the command that made it; anything else stays as it is, unless it is said otherwise."""
    ours, theirs = document("One", "", made_by="rulewright docs"), document("Two", "", made_by="rulewright diff")
    file = tmp_path / "page.html"
    write_page(file, ours, "rulewright docs")
    write_page(file, ours + " ", "rulewright docs")
    assert file.read_text(encoding="utf-8") == ours + " "
    with pytest.raises(NotOurs, match="--force"):
        write_page(file, theirs, "rulewright diff")
    file.write_text("my diary", encoding="utf-8")
    with pytest.raises(NotOurs, match="--force"):
        write_page(file, ours, "rulewright docs")
    assert file.read_text(encoding="utf-8") == "my diary"
    write_page(file, ours, "rulewright docs", force=True)
    assert file.read_text(encoding="utf-8") == ours
