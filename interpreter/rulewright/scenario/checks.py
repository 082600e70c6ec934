"""What a scenario may claim of a game, one function a sort of claim: None if it is so, else what is the case instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from rulewright.check.expressions import Core
from rulewright.fragment import Part
from rulewright.game.views import Observer, place_identity
from rulewright.scenario.board import Board
from rulewright.scenario.options import matching, refusable
from rulewright.scenario.report import in_words
from rulewright.scenario.written import Check, player_number

NOTHING = "none"


class Claim(msgspec.Struct, frozen=True):
    """An expression of a check, with the parts that explain it."""

    core: Core
    parts: list[Part]


class Running(Protocol):
    """What a check may look at."""

    board: Board
    game: Any
    error: str | None


def texts(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def is_(run: Running, check: Check, claim: Claim | None) -> str | None:
    assert claim is not None
    return None if run.board.holds(claim.core) else "this is not so"


def offers(run: Running, check: Check, claim: Claim | None) -> str | None:
    missing = [str(each) for each in texts(check.value) if not matching(run.board, each)]
    if not missing:
        return None
    return f"not offered: {', '.join(missing)}" if run.game.decision is not None else "nobody has to decide anything"


def offers_only(run: Running, check: Check, claim: Claim | None) -> str | None:
    """Each of these and nothing else; of several copies of a thing one name is enough."""
    if run.game.decision is None:
        return "nobody has to decide anything"
    named = {option.id for each in texts(check.value) for option in matching(run.board, each)}
    more = [option.label for option in run.board.options() if option.id not in named]
    told = [offers(run, check, claim), f"also offered: {', '.join(dict.fromkeys(more))}" if more else None]
    return "; ".join(filter(None, told)) or None


def not_offers(run: Running, check: Check, claim: Claim | None) -> str | None:
    found = [str(each) for each in texts(check.value) if matching(run.board, each)]
    return f"offered: {', '.join(found)}" if found else None


def _logged(run: Running, check: Check, wanted: str) -> bool:
    return any(wanted in text for text in run.board.told(check.player)) or (check.player is None and run.board.happened(wanted))


def log(run: Running, check: Check, claim: Claim | None) -> str | None:
    missing = [each for each in texts(check.value) if not _logged(run, check, each)]
    return f"the log{_of(check)} does not say: {', '.join(missing)}" if missing else None


def not_log(run: Running, check: Check, claim: Claim | None) -> str | None:
    found = [each for each in texts(check.value) if _logged(run, check, each)]
    return f"the log{_of(check)} says: {', '.join(found)}" if found else None


def in_order(run: Running, check: Check, claim: Claim | None) -> str | None:
    """Each for the first time after the one before; what is named twice for the second time."""
    last, before = -1.0, ""
    for number, wanted in enumerate(check.value):
        earlier = check.value[:number].count(wanted)
        moments = run.board.moments(wanted, check.player)
        if len(moments) <= earlier:
            times = f" {earlier + 1} times" if earlier else ""
            return f"the log{_of(check)} does not say{times}: {wanted}"
        if moments[earlier] < last:
            return f"'{wanted}' comes before '{before}'"
        last, before = moments[earlier], wanted
    return None


def _of(check: Check) -> str:
    return f" of player {check.player}" if check.player is not None else ""


def decision(run: Running, check: Check, claim: Claim | None) -> str | None:
    found = run.game.decision
    if check.value == NOTHING:
        return None if found is None else f"player {found.player} has to decide: {found.prompt}"
    if found is None:
        return "nobody has to decide anything"
    wanted: Mapping[str, Any] = check.value if isinstance(check.value, dict) else {"prompt": check.value}
    if "player" in wanted and player_number(wanted["player"]) != found.player:
        return f"it is player {found.player} who decides"
    if "kind" in wanted and wanted["kind"] != found.kind:
        return f"the decision is of the kind '{found.kind}'"
    if "prompt" in wanted and wanted["prompt"] not in found.prompt:
        return f"the decision is: {found.prompt}"
    if "options" in wanted and wanted["options"] != len(found.options):
        return f"there are {len(found.options)} options"
    return None


def result(run: Running, check: Check, claim: Claim | None) -> str | None:
    found = run.game.result
    if check.value == NOTHING:
        return None if found is None else "the game has ended"
    if found is None:
        return "the game has not ended"
    for word, players in check.value.items():
        if word == "scores":
            if list(players) != list(found.points):
                return f"the scores are {', '.join('none' if each is None else str(each) for each in found.points) or 'not counted'}"
            continue
        really = list(getattr(found, word))
        if sorted(player_number(each) for each in players) != really:
            return f"{word} are {', '.join(f'player {each}' for each in really) or 'none'}"
    return None


def error(run: Running, check: Check, claim: Claim | None) -> str | None:
    if run.error is None:
        return "no error happened"
    return None if check.value in run.error else f"the error is: {run.error}"


def refused(run: Running, check: Check, claim: Claim | None) -> str | None:
    asked = run.game.decision
    wanted = check.value
    player = player_number(wanted["player"]) if "player" in wanted else asked.player if asked is not None and asked.player else 1
    if player > run.game.world.players:
        return f"there is no player {player}"
    found = [run.game.why_not(player, thing) for thing in refusable(run.board, wanted["action"])]
    if not all(found):
        return f"it is not refused{_granters(run, wanted['action'])}"
    told = list(dict.fromkeys(str(reason["reason"]) for reasons in found for reason in reasons))
    if "because" not in wanted or any(wanted["because"] in each for each in told):
        return None
    return f"it is refused because {'; '.join(told)}{_granters(run, wanted['action'])}"


def _granters(run: Running, action: str) -> str:
    """How to say which of several components is meant that grant an action, if that is not said."""
    world = run.game.world
    for path in refusable(run.board, action) if "@" not in action else ():
        granting = world.by_noun.get(world.graph["actions"][path]["of"], []) if path in world.graph["actions"] else []
        if len(granting) > 1:
            return f" (that of one component: '{action}@{world.definitions[granting[0]]}')"
    return ""


def _known(run: Running, check: Check, claim: Claim | None) -> tuple[list[str], list[str]]:
    """What a player can tell of some components, and what not."""
    assert claim is not None
    found, world = run.board.value(claim.core, "kind"), run.game.world
    told: tuple[list[str], list[str]] = ([], [])
    for thing in found if isinstance(found, list) else [found]:
        if type(thing) is int and thing < world.count:
            told[not run.board.knows(player_number(check.value["player"]), thing)].append(place_identity(world, thing))
    return told


def knows(run: Running, check: Check, claim: Claim | None) -> str | None:
    known, unknown = _known(run, check, claim)
    return f"hidden from player {check.value['player']}: {', '.join(unknown)}" if unknown else None if known else "there is no such component"


def not_knows(run: Running, check: Check, claim: Claim | None) -> str | None:
    known, unknown = _known(run, check, claim)
    return f"seen by player {check.value['player']}: {', '.join(known)}" if known else None if unknown else "there is no such component"


def _read(run: Running, check: Check, claim: Claim | None) -> tuple[str | None, Any]:
    """What a player can read in a field of a component, and why not if so."""
    assert claim is not None
    thing = run.board.value(claim.core["of"], "kind")
    if type(thing) is not int or not 0 <= thing < run.game.world.count:
        return "there is no such component", None
    player, name = player_number(check.value["player"]), claim.core["name"]
    fields = Observer(run.game._machine, player - 1).component(thing).get("fields", {})
    hidden = name not in fields or fields[name] == "hidden"
    return (f"hidden from player {player}: {name} of {place_identity(run.game.world, thing)}" if hidden else None), fields.get(name)


def sees(run: Running, check: Check, claim: Claim | None) -> str | None:
    hidden, value = _read(run, check, claim)
    if hidden is not None or "as" not in check.value:
        return hidden
    told = in_words(run.game, value, "words")
    return None if told == in_words(run.game, check.value["as"], "words") else f"player {player_number(check.value['player'])} reads: {told}"


def not_sees(run: Running, check: Check, claim: Claim | None) -> str | None:
    hidden, value = _read(run, check, claim)
    if hidden is None:
        return f"player {player_number(check.value['player'])} reads: {in_words(run.game, value, 'words')}"
    return None if hidden.startswith("hidden") else hidden


CHECKS: dict[str, Callable[[Any, Check, Claim | None], str | None]] = {
    "is": is_, "offers": offers, "not offers": not_offers, "log": log, "not log": not_log, "decision": decision, "result": result, "error": error,
    "refused": refused, "knows": knows, "not knows": not_knows, "offers only": offers_only, "in order": in_order, "sees": sees, "not sees": not_sees,
}  # fmt: skip
