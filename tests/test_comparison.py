"""Before and after: whatever a layer does shows in some declaration, as it was and as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.build import build
from rulewright.changes import changes
from rulewright.comparison import Compared, compare
from tests.small import coins
from tests.test_diff import LAYER

HOUSE = ("archivist", "calm_waters", "chapel", "flares", "meteors", "pep_talk", "rested_crew", "slow_burn", "together")


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Compared]:
    """What the layer of the tests of `diff` comes to."""
    home = coins(tmp_path)
    layer = tmp_path / "rich.rules"
    layer.write_text(LAYER.format(base="coins"), encoding="utf-8")
    return {f"{one.how} {one.what} {one.path}": one for one in compare(build(home), build(home, layers=[str(layer)]))}


def test_every_sort_of_change(found: dict[str, Compared]) -> None:
    """What is changed, added, removed and hooked, by subject: what there was before what is new."""
    assert list(found) == [
        "changed coin penny", "changed number wage", "changed effect pay_out", "removed action beg", "changed action rest", "hooked before rest", "removed rule luck",
        "added effect fortune", "added kind player", "added coin crown",
    ]  # fmt: skip
    assert {one.subject for one in found.values()} == {"coins", "rich"}
    assert found["hooked before rest"].subject == "coins"


def test_as_it_was_and_as_it_is(found: dict[str, Compared]) -> None:
    """Lines inside a declaration too, with who did it and the rules that it cites now."""
    rest = found["changed action rest"]
    assert rest.old == 'action rest "Rest":\n    by player\n    do: nothing'
    assert rest.new == 'action rest "Rest":\n    by player\n    cite coins.beg.3\n    do: log "{actor} rests."'
    assert (rest.packages, rest.cites, rest.was) == (("rich",), ("coins.beg.3",), ())
    assert [change.how for change in rest.changes] == ["rewritten"]
    assert found["removed action beg"].new == ""
    assert found["removed action beg"].was == ("coins.beg.1",)
    hook = found["hooked before rest"]
    assert hook.new.startswith("before rest(actor):")
    assert hook.on == rest.new


@pytest.mark.parametrize(
    ("below", "above", "layers"),
    [("base", "carnomorphs", ()), *(pytest.param("base", *above, marks=pytest.mark.slow) for above in (("base_alt_board", ()), ("base", HOUSE)))],
)
def test_every_change_shows(below: str, above: str, layers: tuple[str, ...]) -> None:
    """Everything that `diff` lists is part of a declaration that is different before and after."""
    before, after = build(below), build(above, layers=layers)
    found = compare(before, after)
    told = {(change.how, change.path, change.span) for one in found for change in one.changes}
    assert [(one.how, one.path) for one in changes(before, after) if (one.how, one.path, one.span) not in told] == []
    assert all(one.old != one.new for one in found)
    assert compare(after, after) == []
