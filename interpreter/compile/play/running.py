"""What generated bodies call to ask.

Everything here means what the functions of the same purpose in `run` mean; what is decided there is asked there.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from interpreter.compile.play.resuming import choice, choice_frames, surroundings
from interpreter.run import asking
from interpreter.run.code import many
from interpreter.run.decision import Option as Shown
from interpreter.run.evaluate import evaluate
from interpreter.run.visibility import Eyes

if TYPE_CHECKING:
    from interpreter.run.machine import Machine
    from interpreter.run.state import Frame, Left
    from interpreter.run.world import World

DEEPEST = 25  # events inside each other that are carried out as Python calls inside each other
ENOUGH = asking.Option(asking.DONE, "Done", None, Shown(asking.DONE, "Done"))
NOTHING = asking.Option(asking.NONE, "None", None, Shown(asking.NONE, "None"))
Node = dict[str, Any]
Variables = dict[str, Any]


def ask(m: Machine, node: Node, identity: str, variables: Variables, plan: list[Any] | None = None, picked: tuple[Any, ...] = ()) -> int:
    """A choice, perhaps one of an action's: 0 if there was nothing to ask, 1 if somebody has to decide, 2 if the reference engine has to see to it."""
    who = evaluate(m, node["who"], variables)
    if who == "chance":
        m.generic = True
        return 2
    player = m.decider(who)
    options, sure = _choosable(m, node, identity, variables, plan, picked, player)
    if m.is_asked(player) and options and (options[0].value is not None or not all(option.value is None for option in options)):
        left = (choice, choice_frames, None, None, identity, plan, picked)
        words = m.world.engine.words.get(identity, "") if plan is None else ""
        m.listed = (left, options, player, words) if sure else (left, options, player)
        m.pending.append(left)
        return 1
    if node["form"] not in ("option", "yes_no") and node["name"] is not None:
        variables[node["name"]] = list(picked) if node["form"] in asking.SEVERAL else None
    return 0


def _choosable(
    m: Machine, node: Node, identity: str, variables: Variables, plan: list[Any] | None, picked: tuple[Any, ...], player: int | None
) -> tuple[list[asking.Option], bool]:
    """What may be chosen, as `asking.choosable` has it, and whether it is certain that no two options have the same id."""
    form = node["form"]
    if node["as"] != "kind" or form == "value" or plan is not None:
        frame: Frame = {"f": "choose", "node": identity, "picked": list(picked), "waiting": None, "answers": None, "plan": plan}
        m.local = variables
        try:
            return asking.choosable(m, frame, node, player), False
        finally:
            m.local = None
    found = many(evaluate(m, node["from"], variables))
    if picked:
        found = [each for each in found if each not in picked]
    if len(found) > m.budget.options:
        m.fail(f"a choice among {len(found):,} options")
    if form in asking.SEVERAL and form != "any_number" and len(picked) >= asking.limit_of(m, node, variables):
        return [], True
    options = seen(m, found, player)
    if form in ("up_to", "any_number"):
        options.append(ENOUGH)
    elif node["optional"] and not picked:
        options.append(NOTHING)
    return options, m.world.engine.plain and len(set(found)) == len(found)


def pick(m: Machine, left: Left, stack: list[Left]) -> int:
    """Go on with a choice of several things, of which some have been picked."""
    _, _, _, _, identity, plan, picked = left
    names, m.said = surroundings(m, stack)
    return ask(m, m.world.graph["nodes"][identity], identity, names, plan, picked)


def picked(m: Machine, left: Left, node: Node, value: Any, stack: list[Left]) -> None:
    """One more thing is picked, or None: that was all."""
    _, _, _, _, identity, plan, before = left
    several = before if value is None else (*before, value)
    names, _ = surroundings(m, stack)
    if value is None or len(several) >= asking.limit_of(m, node, names):
        if node["name"] is not None:
            names[node["name"]] = list(several)
    else:
        stack.append((pick, choice_frames, None, None, identity, plan, several))


class One:
    """A choice of one component, as the rules have it in a world: everything about it that does not change."""

    def __init__(self, world: World, named: list[asking.Option], identity: str, words: str) -> None:
        node = world.graph["nodes"][identity]
        self.left = (choice, choice_frames, None, None, identity, None, ())
        self.name: str = node["name"]
        self.words = words  # what is asked; empty if that depends on the state
        self.prompted = node["prompt"] is not None
        self.optional: bool = node["optional"]
        self.named, self.faces = named, [option.face for option in named]
        self.players, self.everyone, self.costly = world.players, world.everyone, world.costly
        self.open = not any(world.hidden_while) and all(bits == world.everyone for bits in world.sight)  # whether everyone can always tell everything
        source = node["from"].get("source", {})
        self.distinct = node["from"]["op"] == "query" and source["op"] == "all"  # whether nothing can be found twice
        self.doubtful = self.optional and any(option.id == asking.NONE for option in named)  # whether two options may have the same id
        self.plain = bool(words) and not node["secret"] and not self.doubtful


def ask_one(m: Machine, one: One, who: Any, found: list[int], names: Variables) -> int:
    """A choice of one of some components: 0 if there was nothing to ask, 1 if somebody has to decide."""
    player = who if type(who) is int and who < one.players else m.decider(who)
    count, most = len(found), m.budget.options
    if count > most:
        m.fail(f"a choice among {count:,} options")
    if player is None or not found or m.state.outcomes[player] == "eliminated":
        names[one.name] = None
        return 0
    options: list[Any] = found
    left, sure = one.left, one.distinct or len(set(found)) == count
    if sure and one.plain and count < most and (one.open or told(m, found, player)):
        faces = one.faces
        shown = itemgetter(*found)(faces) if count > 1 else (faces[found[0]],)
        if one.optional:
            options, shown = [*found, NOTHING], (*shown, NOTHING[3])
        m.listed = (left, options, player, one.words, one, shown)
    else:
        options = seen(m, found, player)
        if one.optional:
            options.append(NOTHING)
        m.listed = (left, options, player, one.words) if sure and not one.doubtful else (left, options, player)
    m.pending.append(left)
    return 1


def seen(m: Machine, found: list[int], player: int | None) -> list[asking.Option]:
    """Components as options for a player."""
    if player is not None and told(m, found, player):
        named = m.world.engine.named
        return [named[thing] for thing in found]
    eyes = Eyes(m, player)
    return [asking.named(m, eyes, thing) for thing in asking.veiled(m, eyes, found)]


def told(m: Machine, found: list[int], player: int) -> bool:
    """Whether it is plain that a player can tell all of some components."""
    world, state = m.world, m.state
    sight, hidden, where, known = world.sight, world.hidden_while, state.where, state.known
    for thing in found:
        bits = sight[where[thing]]
        if bits is None or hidden[thing] is not None or not (bits | known[thing]) >> player & 1:
            return False
    return True


def chance_one(m: Machine, name: str, found: list[int], names: Variables) -> None:
    """Chance chooses one of some components."""
    if found and not m.script.answers:
        names[name] = found[m.below(len(found))]
        return
    options = seen(m, found, None)
    names[name] = asking.random_option(m, options, counted=False) if options else None


def no_body(m: Machine, variables: Variables, at: int) -> int:
    """The body of what has none."""
    return 0


NAMES: dict[str, Any] = {
    "ask": ask, "ask_one": ask_one, "chance_one": chance_one, "no_body": no_body, "DEEPEST": DEEPEST, "SELF": "self", "IT": "it",
}  # fmt: skip
