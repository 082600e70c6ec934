"""interpreter/README.md: the card that it follows from text to play goes that way, and every file behind the effect graph has its place on the page."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.core.printer import printed
from tests.playing import ROOT, rules_of

PAGE = (ROOT / "interpreter" / "README.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def unnumbered(line: str) -> str:
    """A line of a program whatever the numbers of its blocks."""
    return re.sub(r"\b(then|go|else) \d+", r"\1 N", line.strip())


@pytest.mark.parametrize("engine", ["step", "wasm"])
def test_the_card_goes_from_text_to_play_as_the_page_says(engine: str, tmp_path: Path) -> None:
    """The hook in the graph, the lines of the program, in their order, the numbers in the log and its words."""
    rules = rules_of(tmp_path, BLOCKS["rules"], engine=engine)
    hook = rules.graph["hooks"]["purse.after earn/1"]
    assert json.loads(BLOCKS["json"]).items() <= hook.items()
    game: Any = rules.new_game(2, 1)
    lines = iter([unnumbered(line) for line in printed(game._engine.machine.program).splitlines()])
    assert [line for line in map(unnumbered, BLOCKS["core"].splitlines()) if line not in lines] == []
    assert [frame.cause[0] for frame in game.state.frames] == ["the game", "play"]
    game.choose("work")
    entry = next(each for each in game.state.log if each[1][0].startswith("hook "))
    assert entry == ast.literal_eval(BLOCKS["python"])
    told = next(each for each in game.log(1) if each["cause"] == "after earn")
    assert f'"{told["text"]}", caused by "{told["cause"]}"' in PAGE


@pytest.mark.parametrize("folder", ["core", "core/lower", "core/passes", "step", "game", "wasm"])
def test_every_file_has_its_place(folder: str) -> None:
    """Whoever looks for one finds what it is for."""
    there = (ROOT / "interpreter" / "rulewright" / folder).glob("*.py")
    assert [path.stem for path in there if path.stem != "__init__" and not re.search(rf"`(\w+/)*{path.stem}(\.py)?`", PAGE)] == []
