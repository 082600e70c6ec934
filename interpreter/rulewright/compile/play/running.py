"""What generated bodies call to ask.

Everything here means what the functions of the same purpose in `run` mean; what is decided there is asked there.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rulewright.compile.play.resuming import choice, choice_frames, surroundings
from rulewright.run import asking
from rulewright.run.code import many
from rulewright.run.decision import Option as Shown
from rulewright.run.evaluate import evaluate
from rulewright.run.sampling import random_option
from rulewright.run.visibility import Eyes

if TYPE_CHECKING:
    from rulewright.core.world import World
    from rulewright.run.machine import Machine
    from rulewright.run.state import Frame, Left

DEEPEST = 25  # events inside each other that are carried out as Python calls inside each other
ENOUGH = asking.Option(asking.DONE, "Done", None, Shown(asking.DONE, "Done"))
NOTHING = asking.Option(asking.NONE, "None", None, Shown(asking.NONE, "None"))
Node = dict[str, Any]
Variables = dict[str, Any]


def well_known(world: World, identity: str) -> bool:
    """Whether a choice is one among components, or in words."""
    node = world.graph["nodes"][identity]
    among = node["as"] == "kind" and (node["form"] == "one" or node["form"] in asking.SEVERAL)
    return node["each"] is None and (among or node["form"] in ("option", "yes_no"))


class Choosing:
    """A choice among components, or in words, as the rules have it in a world: everything about it that does not change."""

    __slots__ = (
        "costly", "distinct", "doubtful", "enough", "everyone", "faces", "left", "limited", "name", "named", "node", "open", "optional", "players", "prompted",
        "secret", "several", "simple", "single", "source", "worded", "words",
    )  # fmt: skip
    kind = "choose"

    def __init__(self, world: World, named: list[asking.Option], identity: str, words: str) -> None:
        node = world.graph["nodes"][identity]
        self.node, self.name, self.source, self.optional = node, node["name"], node["from"], bool(node["optional"])
        self.single, self.worded = node["form"] == "one", node["form"] in ("option", "yes_no")
        self.left = (choice, choice_frames, None, None, identity, None, ())
        self.words, self.prompted = words, node["prompt"] is not None  # what is asked, empty if that depends on the state; whether the rules say it
        self.several, self.limited = node["form"] in asking.SEVERAL, node["form"] in ("up_to", "exactly")
        self.enough = node["form"] in ("up_to", "any_number")  # whether one may say that it is enough
        self.named, self.faces = named, [option.face for option in named]
        self.players, self.everyone, self.costly, self.secret = world.players, world.everyone, world.costly, bool(node["secret"])
        self.open = not any(world.hidden_while) and all(bits == world.everyone for bits in world.sight)  # whether everyone can always tell everything
        self.distinct = not self.worded and _distinct(node["from"])
        self.doubtful = any(option.id in (asking.DONE, asking.NONE) for option in named)  # whether a component is called as an option that is none
        self.simple = bool(words) and self.open and self.distinct and not (self.optional or self.secret or self.several)


def _distinct(found: dict[str, Any]) -> bool:
    """Whether nothing can be found twice: it is looked for among everything of a kind, or in one place."""
    while found["op"] in ("query", "of_kind"):
        found = found["source"]
    return found["op"] == "all" or (found["op"] == "members" and found["of"]["op"] in ("place", "place_of"))


def put_to(m: Machine, one: Choosing, left: Left, found: list[int], player: int, last: asking.Option | None, words: str, known: bool) -> int:
    """Let a player choose among components, or take a last option that is none of them; `known` if it is plain that the player can tell all of them.

    Then they are listed as what they are, and become options when somebody asks for those. Gives 1: somebody has to decide.
    """
    options: list[Any] = found
    sure = (one.distinct or len(set(found)) == len(found)) and not (one.doubtful and last is not None)
    if sure and known and not one.secret and len(found) < m.budget.options:
        shown = itemgetter(*found)(one.faces) if len(found) > 1 else (one.faces[found[0]],)
        if last is not None:
            options, shown = [*found, last], (*shown, last[3])
        m.listed = (left, options, player, words, one, shown)
    else:
        options = seen(m, found, player)
        if last is not None:
            options.append(last)
        m.listed = (left, options, player, words) if sure else (left, options, player)
    m.pending.append(left)
    return 1


def listing(m: Machine, left: Left, options: list[asking.Option], player: int, words: str, one: Any) -> tuple[Any, ...]:
    """What is listed for a question (see `Machine.listed`), with as much as is certain: that no two options have the same id, and how callers see them."""
    if len(set(map(itemgetter(0), options))) < len(options):
        return (left, options, player) if type(left) is tuple else (left, options, player, words)
    shown = tuple(map(itemgetter(3), options))
    if one is None or not words or one.secret or not all(shown) or len(options) > m.budget.options:
        return left, options, player, words
    return left, options, player, words, one, shown


def ask_one(m: Machine, one: Choosing, who: Any, found: list[int], names: Variables) -> int:
    """A choice of one of some components: 0 if there was nothing to ask, 1 if somebody has to decide."""
    player = who if type(who) is int and who < one.players else m.decider(who)
    count, most = len(found), m.budget.options
    if count > most:
        m.fail(f"a choice among {count:,} options")
    if player is None or not count or m.state.outcomes[player] == "eliminated":
        names[one.name] = None
        return 0
    if one.simple and count < most:  # `put_to`, where all is plain
        m.listed = (one.left, found, player, one.words, one, itemgetter(*found)(one.faces) if count > 1 else (one.faces[found[0]],))
        m.pending.append(one.left)
        return 1
    words = one.words or evaluate(m, one.node["prompt"], names)
    return put_to(m, one, one.left, found, player, NOTHING if one.optional else None, words, one.open or told(m, found, player))


def ask(m: Machine, node: Node, identity: str, variables: Variables, plan: list[Any] | None = None, picked: tuple[Any, ...] = ()) -> int:
    """A choice, perhaps one of an action's: 0 if there was nothing to ask, 1 if somebody has to decide, 2 if the reference engine has to see to it."""
    who = evaluate(m, node["who"], variables)
    if who == "chance":
        m.generic = True
        return 2
    player = m.decider(who)
    one = m.world.engine.choosing.get(identity) if plan is None else None
    if one is not None and not one.worded:
        return _ask_things(m, one, player, variables, picked)
    frame: Frame = {"f": "choose", "node": identity, "picked": list(picked), "waiting": None, "answers": None, "plan": plan}
    m.local = variables
    try:
        options = asking.choosable(m, frame, node, player)
    finally:
        m.local = None
    if player is not None and m.is_asked(player) and any(option.value is not None for option in options):
        left = (choice, choice_frames, None, None, identity, plan, picked)
        words = m.world.engine.words.get(identity, "") if plan is None else ""
        m.listed = listing(m, left, options, player, words, one)
        m.pending.append(left)
        return 1
    if node["form"] not in ("option", "yes_no") and node["name"] is not None:
        variables[node["name"]] = list(picked) if node["form"] in asking.SEVERAL else None
    return 0


def _ask_things(m: Machine, one: Choosing, player: int | None, names: Variables, picked: tuple[int, ...]) -> int:
    """A choice among components, of which some have been picked: what may be chosen is what `asking.choosable` says."""
    found = many(evaluate(m, one.source, names))
    if picked:
        found = [each for each in found if each not in picked]
    if len(found) > m.budget.options:
        m.fail(f"a choice among {len(found):,} options")
    full = one.limited and len(picked) >= asking.limit_of(m, one.node, names)
    if full or not found or player is None or m.state.outcomes[player] == "eliminated":
        if one.name is not None:
            names[one.name] = list(picked) if one.several else None
        return 0
    left = (*one.left[:6], picked) if picked else one.left
    last = ENOUGH if one.enough else NOTHING if one.optional and not picked else None
    words = one.words or evaluate(m, one.node["prompt"], names)
    return put_to(m, one, left, found, player, last, words, one.open or told(m, found, player))


def pick(m: Machine, left: Left, stack: list[Left], names: Variables | None = None) -> int:
    """Go on with a choice of several things, of which some have been picked."""
    _, _, _, _, identity, plan, picked = left
    names, m.said = surroundings(m, stack)
    function = m.world.engine.several.get(identity) if plan is None else None
    if function is not None:
        return int(function(m, names, picked))
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
    names[name] = random_option(m, options, counted=False) if options else None


def no_body(m: Machine, variables: Variables, at: int, where: Any = None) -> int:
    """The body of what has none."""
    return 0


NAMES: dict[str, Any] = {
    "ask": ask, "ask_one": ask_one, "chance_one": chance_one, "no_body": no_body, "DEEPEST": DEEPEST, "SELF": "self", "IT": "it", "TWINS": False,
}  # fmt: skip
