"""What a scenario may claim of a game, one function a sort of claim: None if it is so, else what is the case instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from rulewright.check.expressions import Core
from rulewright.fragment import Part
from rulewright.game.views import place_identity
from rulewright.scenario.board import Board
from rulewright.scenario.options import matching
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
    reasons = run.game.why_not(player, wanted["action"])
    if not reasons:
        return "it is not refused"
    told = [str(reason["reason"]) for reason in reasons]
    return None if "because" not in wanted or any(wanted["because"] in each for each in told) else f"it is refused because {'; '.join(told)}"


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


CHECKS: dict[str, Callable[[Any, Check, Claim | None], str | None]] = {
    "is": is_, "offers": offers, "not offers": not_offers, "log": log, "not log": not_log, "decision": decision, "result": result, "error": error,
    "refused": refused, "knows": knows, "not knows": not_knows,
}  # fmt: skip
