"""Choices of several things, and of options in words.

For a choice of several things there is a function (see `actions`) that asks for the next one, given those that have been picked: it is called where the choice
comes up, and again after every answer. Everything here means what `run.asking` means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.compile.play.resuming import choice, choice_frames, surroundings
from interpreter.compile.play.running import ENOUGH, NOTHING, ask, seen
from interpreter.run import asking

if TYPE_CHECKING:
    from interpreter.run.machine import Machine
    from interpreter.run.state import Left
    from interpreter.run.world import World

Node = dict[str, Any]
Variables = dict[str, Any]
NONE_OF_THESE = asking.Option(asking.NONE, "None of these", None)


class Several:
    """A choice of several components, as the rules have it in a world: everything about it that does not change."""

    def __init__(self, world: World, named: list[asking.Option], identity: str, words: str) -> None:
        node = world.graph["nodes"][identity]
        self.identity, self.name, self.words, self.players = identity, node["name"], words, world.players
        self.last = ENOUGH if node["form"] != "exactly" else None  # the option with which it may end
        self.none = NOTHING if node["form"] == "exactly" and node["optional"] else None  # the same, if nothing has been picked
        self.sure = not {asking.DONE, asking.NONE} & {option.id for option in named}  # whether no component is called as such an option


def ask_several(m: Machine, several: Several, who: Any, found: list[int], names: Variables, before: tuple[int, ...]) -> int:
    """A choice of one more of some components: 0 if there was nothing to ask, 1 if somebody has to decide."""
    player = who if type(who) is int and who < several.players else m.decider(who)
    if before:
        found = [each for each in found if each not in before]
    count = len(found)
    if count > m.budget.options:
        m.fail(f"a choice among {count:,} options")
    if player is None or not found or m.state.outcomes[player] == "eliminated":
        names[several.name] = list(before)
        return 0
    options, last = seen(m, found, player), several.none if several.last is None and not before else several.last
    if last is not None:
        options.append(last)
    left = (choice, choice_frames, None, None, several.identity, None, before)
    m.listed = (left, options, player, several.words) if several.sure and len(set(found)) == count else (left, options, player)
    m.pending.append(left)
    return 1


def pick(m: Machine, left: Left, stack: list[Left]) -> int:
    """Go on with a choice of several things, of which some have been picked."""
    _, _, _, _, identity, plan, before = left
    names, m.said = surroundings(m, stack)
    function = m.world.engine.several.get(identity) if plan is None else None
    if function is not None:
        return int(function(m, names, before))
    return ask(m, m.world.graph["nodes"][identity], identity, names, plan, before)


def picked(m: Machine, left: Left, node: Node, value: Any, stack: list[Left]) -> None:
    """One more thing is picked, or None: that was all."""
    _, _, _, _, identity, plan, before = left
    several = before if value is None else (*before, value)
    known = plan is None and identity in m.world.engine.several  # then it finds out by itself whether these are enough
    if value is not None and (known or len(several) < asking.limit_of(m, node, surroundings(m, stack)[0])):
        stack.append((pick, choice_frames, None, None, identity, plan, several))
    elif node["name"] is not None:
        surroundings(m, stack)[0][node["name"]] = list(several)


class Worded:
    """A choice among options in words, as the rules have it: everything about it that does not change."""

    def __init__(self, world: World, identity: str, words: str, options: Any, sure: bool) -> None:
        node = world.graph["nodes"][identity]
        self.left = (choice, choice_frames, None, None, identity, None, ())
        self.words, self.options, self.optional, self.players = words, options, node["optional"], world.players
        self.sure = sure  # whether no two options have the same id


def ask_words(m: Machine, worded: Worded, who: Any, names: Variables) -> int:
    """A choice among options in words, which cost nothing: 0 if there was nothing to ask, 1 if somebody has to decide."""
    options = worded.options(m, names, None)
    player = who if type(who) is int and who < worded.players else m.decider(who)
    if not options or player is None or m.state.outcomes[player] == "eliminated":
        return 0
    if worded.optional:
        options.append(NONE_OF_THESE)
    left = worded.left
    m.listed = (left, options, player, worded.words) if worded.sure else (left, options, player)
    m.pending.append(left)
    return 1


NAMES: dict[str, Any] = {"ask_several": ask_several, "ask_words": ask_words}
