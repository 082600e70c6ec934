"""The figures in the READMEs of the games: where the components come from is counted from the declarations."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulewright.build import build

RULESETS = Path(__file__).parent.parent / "rulesets"
HEAD = "| components | rulebook | card facts | our own |"


def table(readme: str) -> list[list[int]]:
    """The numbers of each row: of the rulebook, rebuilt from facts, our own."""
    rows = readme[readme.index(HEAD) :].split("\n\n", maxsplit=1)[0].splitlines()[2:]
    return [[int(cell.strip() or 0) for cell in row.split("|")[2:5]] for row in rows]


@pytest.mark.parametrize("name", ["base", "lockdown"])
def test_components_by_source(name: str) -> None:
    """Every component is in the table, under the source that it names; what names none is printed, or part of a map that says it as a whole."""
    graph = build(RULESETS / name).graph
    assert graph is not None
    counted: Counter[str] = Counter()
    for component in graph["components"].values():
        counted[component["source"] or "book"] += component["copies"]
    printed, facts, own = (sum(column) for column in zip(*table((RULESETS / name / "README.md").read_text(encoding="utf-8")), strict=True))
    assert facts == counted["facts"]
    assert printed + own == counted["book"] + counted["own"]
