"""Choices of several things, and of options in words.

For a choice of several things there is a function (see `actions`) that asks for the next one, given those that have been picked: it is called where the choice
comes up, and again after every answer. Everything here means what `run.asking` means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.compile.play.running import ENOUGH, NOTHING, Choosing, listing, put_to, told
from rulewright.run import asking
from rulewright.run.decision import Option as Shown
from rulewright.run.evaluate import evaluate

if TYPE_CHECKING:
    from rulewright.run.machine import Machine
    from rulewright.run.state import Left

Variables = dict[str, Any]
NONE_OF_THESE = asking.Option(asking.NONE, "None of these", None, Shown(asking.NONE, "None of these"))


def ask_several(m: Machine, one: Choosing, who: Any, found: list[int], names: Variables, before: tuple[int, ...]) -> int:
    """A choice of one more of some components: 0 if there was nothing to ask, 1 if somebody has to decide."""
    player = who if type(who) is int and who < one.players else m.decider(who)
    left: Left = one.left
    if before:
        left, found = (*left[:6], before), [each for each in found if each not in before]
    if len(found) > m.budget.options:
        m.fail(f"a choice among {len(found):,} options")
    if player is None or not found or m.state.outcomes[player] == "eliminated":
        names[one.name] = list(before)
        return 0
    last = ENOUGH if one.enough else NOTHING if one.optional and not before else None
    return put_to(m, one, left, found, player, last, one.words or evaluate(m, one.node["prompt"], names), one.open or told(m, found, player))


def ask_words(m: Machine, one: Choosing, who: Any, options: list[asking.Option]) -> int:
    """A choice among options in words: 0 if there was nothing to ask, 1 if somebody has to decide."""
    player = who if type(who) is int and who < one.players else m.decider(who)
    if not options or player is None or m.state.outcomes[player] == "eliminated":
        return 0
    if one.optional:
        options.append(NONE_OF_THESE)
    m.listed = listing(m, one.left, options, player, one.words, one)
    m.pending.append(one.left)
    return 1


NAMES: dict[str, Any] = {"ask_several": ask_several, "ask_words": ask_words}
