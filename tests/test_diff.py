"""Differences: what a layer changes reads like the change list of a rulebook, and a rule can be explained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright_tools.cli import main
from tests.small import coins

LAYER = """\
layer rich over {base}

remove action beg
remove rule luck:
    cite coins.beg.3
    cite coins.beg.1
set wage to 4 was 3: cite coins.pay.1
set penny.label to "Farthing" was "Penny"

replace effect pay_out(who: player):
    cite coins.pay.2
    move exactly (wage) coins from bank to who.purse
    fortune(who)

effect fortune(who: player):
    step first: log "A fortune."

add to kind player:
    lucky: flag
more penny x3: cite coins.pay.2
set penny.source to own
set penny.source.copies to facts

coin crown "Crown":
    source own, facts for label

before rest(actor):
    cite coins.beg.3
    fortune(actor)

replace in action rest:
    was:    do: nothing
    now:
        cite coins.beg.3
        do: log "{{actor}} rests."
"""

EXPECTED = """\
Removed (2)
  action beg  [was coins.beg.1]  rich.rules:3
  rule luck  [coins.beg.3, coins.beg.1; was coins.beg.2]  rich.rules:4

Replaced (1)
  effect pay_out  [coins.pay.2; was coins.pay.2]  rich.rules:10

Lines replaced (1)
  action rest: do: nothing → cite coins.beg.3; do: log "{actor} rests."  [coins.beg.3]  rich.rules:31

Added (2)
  effect fortune  rich.rules:15
  coin crown  [source own, facts for label]  rich.rules:24

Added to what there is (2)
  kind player  rich.rules:18
  coin penny, 3 more  [coins.pay.2]  rich.rules:20

Set (4)
  number wage: 3 → 4  [coins.pay.1]  rich.rules:7
  coin penny.label: "Penny" → "Farthing"  rich.rules:8
  coin penny.source: nothing → own  rich.rules:21
  coin penny.source.copies: nothing → facts  rich.rules:22

Hooked (1)
  before rest  [coins.beg.3]  rich.rules:27
"""

BASE, OVER = "tests/passages/base", "tests/passages/carnomorphs"


@pytest.fixture
def rich(tmp_path: Path) -> tuple[str, str]:
    """A ruleset and a layer over it."""
    home = coins(tmp_path)
    path = tmp_path / "rich.rules"
    path.write_text(LAYER.format(base="coins"), encoding="utf-8")
    return home, str(path)


def test_every_sort_of_change_is_told(rich: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Every sort of change, grouped, with citations and places."""
    home, layer = rich
    assert main(["diff", home, "--layer", layer]) == 0
    assert capsys.readouterr().out.replace(layer, "rich.rules") == EXPECTED


def test_one_line_that_removes_several(rich: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """What one line removes is one entry of the list, and an entry each in the data."""
    layer = Path(rich[1])
    layer.write_text("layer poor over coins\n\nremove action beg, rest: cite coins.beg.3\nremove rule luck\n", encoding="utf-8")
    assert main(["diff", rich[0], "--layer", str(layer)]) == 0
    assert capsys.readouterr().out.startswith("Removed (3)\n  action beg, rest  [coins.beg.3; was coins.beg.1]  ")
    assert main(["diff", rich[0], "--layer", str(layer), "--json"]) == 0
    assert [(change["path"], change["cites"]) for change in json.loads(capsys.readouterr().out)[:2]] == [
        ("beg", ["coins.beg.3"]),
        ("rest", ["coins.beg.3"]),
    ]


def test_cited_rules_are_shown_in_full_if_wanted(rich: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """The cited rules can be shown in full."""
    assert main(["diff", rich[0], "--layer", rich[1], "--statements"]) == 0
    assert "\n      coins.beg.3: Who begs twice is thrown out.\n" in capsys.readouterr().out


def test_a_whole_layer_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A whole layer: an insertion, a replacement, a removal, numbers and hooks."""
    assert main(["diff", BASE, OVER]) == 0
    out = capsys.readouterr().out
    assert "  kind weakness  tests/passages/carnomorphs/components.rules:" in out
    assert "  effect appear_unannounced  [carnomorphs.marker.4; was base.infect.6]  tests/passages/carnomorphs/mutation.rules:" in out
    assert "  step event_phase.feeding, after event_phase.time  [carnomorphs.round.2, carnomorphs.feed.1, " in out
    assert "  number starting_eggs: 5 → 8  tests/passages/carnomorphs/components.rules:" in out
    assert "  instead of infect  [carnomorphs.contam.1, " in out


def test_a_diff_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    """The same as data."""
    assert main(["diff", BASE, OVER, "--json"]) == 0
    found = {(change["how"], change["path"]): change for change in json.loads(capsys.readouterr().out)}
    assert found["set", "carcass.copies"]["old"] == "8"
    assert found["set", "carcass.copies"]["new"] == "12"
    assert found["replaced", "die_out"]["was"] == ["base.injury.6", "base.injury.9"]
    assert found["removed", "bite"]["what"] == "attack_card"


def test_not_built_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Two rulesets that have nothing to do with each other are not compared."""
    assert main(["diff", OVER, BASE]) == 2
    assert "'passages_base' is not built on 'passages_carnomorphs'" in capsys.readouterr().err
    assert main(["diff", BASE]) == 2


def test_explain_a_step_and_what_changed(capsys: pytest.CaptureFixture[str]) -> None:
    """A phase with a step that a layer inserted; the rules with page and statement."""
    assert main(["explain", OVER, "event_phase"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("phase event_phase (of passages_base), tests/passages/base/event_phase.rules:")
    assert "\n  inserted by passages_carnomorphs: event_phase.feeding, tests/passages/carnomorphs/feeding.rules:3\n" in out
    assert "\n  base.event_phase.13 (p.10): Step 8 (Intruder Bag Development): draw 1 token" in out
    assert main(["explain", OVER, "event_phase.feeding"]) == 0
    assert capsys.readouterr().out.startswith("step event_phase.feeding (of passages_carnomorphs), ")


def test_explain_tells_of_lines(rich: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """What a layer has written in place of a line, with the line."""
    assert main(["explain", rich[1], "rest"]) == 0
    out = capsys.readouterr().out
    assert "\n  rewritten by rich: rest, " in out
    assert out.split("\n\n")[0].endswith('    action rest "Rest":\n        by player\n        cite coins.beg.3\n        do: log "{actor} rests."')
    assert "was:    do: nothing" in out
    assert main(["explain", rich[1], "pay_out"]) == 0
    out = capsys.readouterr().out
    assert "\n  replaced by rich: pay_out, " in out
    assert out.count("fortune(who)") == 1  # what stands above is not told again


def test_explain_tells_hooks_in_the_order_in_which_they_apply(rich: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Hooks come in the order in which they apply."""
    assert main(["explain", OVER, "appear"]) == 0
    hooks = [
        line.split(" (")[0].strip()
        for line in capsys.readouterr().out.split("hooks, in their order:")[1].split("rules:\n")[0].split("\n")
        if "appear" in line
    ]
    assert hooks == ["before appear", "after appear", "after appear"]
    assert main(["explain", rich[0], "wage", "--layer", rich[1], "--json"]) == 0
    (wage,) = json.loads(capsys.readouterr().out)
    assert wage["text"] == "number wage = 4, cite coins.pay.1"
    assert [(change["how"], change["text"]) for change in wage["changes"]] == [("set", "set wage to 4 was 3: cite coins.pay.1")]
    assert wage["rules"] == [{"id": "coins.pay.1", "page": "2", "statement": "The wage is three coins."}]


def test_explain_tells_a_near_miss(capsys: pytest.CaptureFixture[str]) -> None:
    """A near miss is told."""
    assert main(["explain", BASE, "event_phse"]) == 2
    assert "did you mean 'event_phase'?" in capsys.readouterr().err
