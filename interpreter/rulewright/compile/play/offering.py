"""Offers: the actions that somebody can take now, and how they are called.

Everything here means what `run.acting` and `run.questions` mean. What does not change in a world is found once: which actions an offer may have for whom,
and the options they become for those who can tell what grants them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.compile.play.resuming import choice, choice_frames
from rulewright.compile.play.running import NOTHING, Choosing, listing, put_to, seen, told
from rulewright.run import acting, asking
from rulewright.run.asking import Option
from rulewright.run.code import code
from rulewright.run.decision import Option as Shown
from rulewright.run.evaluate import evaluate
from rulewright.run.visibility import Eyes

if TYPE_CHECKING:
    from rulewright.core.world import World
    from rulewright.run.machine import Machine
    from rulewright.run.state import Frame

Variables = dict[str, Any]


class Offer:
    """An offer of the rules in a world."""

    kind, open = "action", True  # see `running.Choosing`
    single = several = worded = prompted = secret = False

    def __init__(self, world: World, identity: str, actions: Any, words: Any) -> None:
        self.world, self.identity, self.actions, self.words = world, identity, actions, words
        node = self.node = world.graph["nodes"][identity]
        self.name, self.costly = None, world.costly
        self.actors: dict[int, tuple[str, Any]] = {}  # by who acts, the words that are used, and what says who decides if it is somebody else
        plain = all(option["when"] is None and not option["costs"] and fixed_words(option["label"]) is not None for option in node["options"])
        self.always: list[Option] | None = None  # options in words that are always the same
        if plain:
            self.always = [lasting_words(fixed_words(option["label"]) or "", ("option", number)) for number, option in enumerate(node["options"])]
        self.distinct = plain and self._distinct(node["groups"])  # whether no two options have the same id, as long as they are those of the world

    def _distinct(self, groups: list[str]) -> bool:
        """Whether everything that the offer could have is called differently."""
        actions = self.world.graph["actions"]
        tables = [options_of(self.world, path) for path, action in actions.items() if not groups or set(groups) & set(action["groups"])]
        options = [option for table in tables for option in (table.values() if isinstance(table, dict) else [table])]
        options += self.always or []
        return len({option.id for option in options}) == len(options)

    def actor(self, who: int) -> tuple[str, Any]:
        """What is known about somebody to whom the offer is made."""
        world = self.world
        rule = world.graph["kinds"].get(world.kinds[who], {}).get("decided_by")
        decided = code(world, rule) if world.deciders[who] is None and rule is not None else None
        made = self.actors[who] = (f"{world.labels[who]}: choose an action", decided)
        return made


def options_of(world: World, path: str) -> Any:
    """The option that an action is; of an action that components grant the options by component."""
    action = world.graph["actions"][path]
    if action["of"] is None:
        return lasting(path, action["label"], ("action", path, None))
    granters = world.by_noun.get(action["of"], [])
    names = {granter: f"{path}@{world.identities[granter]}" if len(granters) > 1 else path for granter in granters}
    return {granter: lasting(name, f"{action['label']}: {world.labels[granter]}", ("action", path, granter)) for granter, name in names.items()}


def lasting(identity: str, label: str, value: Any) -> Option:
    """An option that is kept as long as the world, with how callers see it."""
    return Option(identity, label, value, Shown(identity, label))


def offer(m: Machine, made: Offer, who: Any, variables: Variables) -> bool:
    """Offer actions; whether somebody has to decide."""
    if who is None:
        return False
    prompt, decided = made.actors.get(who) or made.actor(who)
    player = m.decider(who) if decided is None else decided(m, {"self": who})
    if type(player) is not int or m.state.outcomes[player] == "eliminated":
        return False
    options: list[Option] = made.actions(m, who, player)
    if made.always is not None:
        options += made.always
    elif made.words is not None:
        options += made.words(m, {**variables, "actor": who}, who)
    if not options:
        return False
    frame: Frame = {"f": "offer", "node": made.identity, "who": who, "player": player}
    shown = tuple([option[3] for option in options])
    if made.distinct and all(shown) and len(options) <= m.budget.options:  # what `listing` says then
        m.listed = (frame, options, player, prompt, made, shown)
    else:
        m.listed = listing(m, frame, options, player, prompt, made)
    m.pending.append(frame)
    return True


def ask_planned(
    m: Machine,
    identity: str,
    who: Any,
    found: list[int],
    names: Variables,
    name: str,
    optional: bool,
    words: str,
    plan: list[Any],
    spoken: bool,
    leads: Any,
) -> int:
    """A choice of one component in an action (see `running.ask_one`): only of what leads on. If it is not spoken of any more, all of it does, or nothing."""
    player = who if type(who) is int and who < m.world.players else m.decider(who)
    if len(found) > m.budget.options:
        m.fail(f"a choice among {len(found):,} options")
    if player is None or not found or m.state.outcomes[player] == "eliminated" or not (spoken or leads(m, names, None)):
        names[name] = None
        return 0
    one: Choosing = m.world.engine.choosing[identity]
    left, last = (choice, choice_frames, None, None, identity, plan, ()), NOTHING if optional else None
    if one.open or told(m, found, player):
        if spoken:
            found = [each for each in found if leads(m, names, each)]
            last = last if last is not None and leads(m, names, None) else None
        if not found:
            names[name] = None
            return 0
        return put_to(m, one, left, found, player, last, words or evaluate(m, one.node["prompt"], names), True)
    options = [*seen(m, found, player), *([] if last is None else [last])]
    if spoken:
        options = [option for option in options if leads(m, names, option.value)]
    if not options or options[0].value is None:
        names[name] = None
        return 0
    sure = len(set(found)) == len(found) and (m.world.engine.plain or not optional)
    m.listed = (left, options, player, words) if sure else (left, options, player)
    m.pending.append(left)
    return 1


def called(m: Machine, player: int, granters: list[int], named: dict[int, Option]) -> list[Option]:
    """The options that an action is by what grants it, as a player may know that."""
    state, world = m.state, m.world
    where, known, sight, hidden = state.where, state.known, world.sight, world.hidden_while
    for each in granters:
        bits = sight[where[each]]
        if bits is None or hidden[each] is not None or not (bits | known[each]) >> player & 1:
            return _veiled(m, player, granters, named)
    return [named[each] for each in granters]


def _veiled(m: Machine, player: int, granters: list[int], named: dict[int, Option]) -> list[Option]:
    """Actions of components some of which the player cannot tell: those are called by where they lie."""
    eyes, found = Eyes(m, player), []
    for granter in asking.veiled(m, eyes, granters):
        known = named[granter]
        if not eyes.knows(granter):
            path, by = known.value[1], asking.named(m, eyes, granter)
            label = m.world.graph["actions"][path]["label"]
            known = Option(f"{path}@{by.id}" if known.id != path else path, f"{label}: {by.label}", known.value)
        found.append(known)
    return found


def fixed_words(label: Any) -> str | None:
    """The words of an option, if they never change."""
    parts = label.get("parts", [None])
    return "".join(parts) if all(type(part) is str for part in parts) else None


def lasting_words(label: str, value: Any) -> Option:
    """An option whose words never change."""
    return lasting(label.lower().replace(" ", "_"), label, value)


def worded(label: str, value: Any) -> Option:
    """An option in words."""
    return Option(label.lower().replace(" ", "_"), label, value)


def once_key(path: str, granter: int | None, actor: int) -> str:
    """What is used up when an action is taken that may be taken only so often."""
    return f"{path}@{actor if granter is None else granter}"


def known_to(m: Machine, who: int, things: list[int]) -> list[int]:
    """Those of some components that whoever decides for somebody can tell."""
    eyes = Eyes(m, m.decider(who)) if things else None
    return [each for each in things if eyes is not None and eyes.knows(each)]


def altered(amount: int, changes: list[tuple[str, str, int]], cost: str) -> int:
    """How much of a cost is to be paid after what hooks change (see `acting.apply_cost_hook`)."""
    for changed, how, by in changes:
        if changed == cost:
            amount = max(by if how == "is" else amount + by if how == "more" else amount - by, 0)
    return amount


NAMES: dict[str, Any] = {
    "offer": offer, "called": called, "granting": acting.granting, "ask_planned": ask_planned, "worded": worded, "once_key": once_key, "known_to": known_to, "payable": acting.payable, "costs_of": acting.costs_of,
    "bills": acting.bills, "altered": altered, "completions": acting.completions, "ACTOR": "actor", "OPTION": "option", "ONCE": (None,),
}  # fmt: skip
