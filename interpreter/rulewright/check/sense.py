"""Sense: what is well-formed and typed, and yet cannot be what the author meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.check.report import Report
from rulewright.check.statements import Body, Statements
from rulewright.check.supposing import check_supposed

if TYPE_CHECKING:
    from rulewright.check.units import Checked

ROOTS = ("setup", "play", "ending")
LEAVES = ("branch", "match", "choose", "offer", "jump", "return", "end", "cancel")


def check_sense(checked: Checked, statements: Statements, report: Report) -> None:
    """All checks of this sort."""
    _playable(checked, report)
    _never_taken(checked, statements, report)
    check_consequences(checked, statements, report)
    _unused(checked, report)


def check_consequences(checked: Checked, statements: Statements, report: Report) -> None:
    """What comes of effects that call each other, and of hooks on them."""
    _recursion(checked, report)
    check_supposed(checked, statements.expressions.supposed, report)


def _playable(checked: Checked, report: Report) -> None:
    """A ruleset for players needs a phase in which they play; so does a lone file that has something to play with, unless it is a layer."""
    linked = checked.linked
    whole = linked.stands_alone and any(item.what in ("component", "effect", "action") for item in linked.items.values())
    if (linked.declares_players or whole) and "play" not in checked.symbols.effects:
        report("R506", f"the ruleset '{linked.id}' never says how it is played", linked.span, "declare 'phase play:'")


def _never_taken(checked: Checked, statements: Statements, report: Report) -> None:
    """Actions that nobody is ever offered, that nobody could take, or whose requirements are never met."""
    offered = statements.offered
    for path, action in checked.actions.items():
        if checked.symbols.actions.get(path) is None or checked.symbols.actions[path].what != "action":
            continue
        span = action["span"]
        if not offered:
            report("R502", f"the action '{path}' can never be taken: no effect offers any actions", span, "write: offer actions to WHO")
        elif "*" not in offered and not offered & set(action["groups"]):
            groups = ", ".join(sorted(offered))
            hint = f"give it a group: action {path.rpartition('.')[2]} ... as {min(offered)}:"
            report("R502", f"the action '{path}' can never be taken: only {groups} actions are offered", span, hint)
        elif not _exists(checked, action["by"]):
            report("R502", f"the action '{path}' can never be taken: there is no {action['by']}", span)
        for requirement in action["requires"]:
            if _always(requirement["test"]) is False:
                report("R502", f"the action '{path}' can never be taken: this is never true", requirement["span"])


def _exists(checked: Checked, kind: str) -> bool:
    return kind == "player" or kind in checked.symbols.definitions or kind in checked.symbols.peopled


def _always(core: Any) -> bool | None:
    """Whether a condition is true or false whatever happens; None if it depends."""
    op = core.get("op")
    if op == "const" and isinstance(core["value"], bool):
        return bool(core["value"])
    if op == "not":
        inner = _always(core["part"])
        return None if inner is None else not inner
    if op in ("and", "or"):
        parts = [_always(part) for part in core["parts"]]
        stop: bool = op == "or"
        if stop in parts:
            return bool(stop)
        if op == "and" and _contradiction(core["parts"]):
            return False
        return (not stop) if all(part is not None for part in parts) else None
    if op == "compare" and core["left"].get("op") == core["right"].get("op") == "const":
        left, right = core["left"]["value"], core["right"]["value"]
        if core["how"] in ("=", "!="):
            return bool((left == right) == (core["how"] == "="))
        if isinstance(left, int) and isinstance(right, int):
            return bool({"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[core["how"]])
    return None


def _contradiction(parts: list[Any]) -> bool:
    """Whether one part of a conjunction is the negation of another, or two demand different values of the same thing."""
    if any({"op": "not", "part": part} in parts for part in parts):
        return True
    wanted: list[tuple[Any, Any]] = []
    for part in parts:
        if part.get("op") == "compare" and part["how"] == "=" and part["right"].get("op") == "const":
            if any(left == part["left"] and value != part["right"]["value"] for left, value in wanted):
                return True
            wanted.append((part["left"], part["right"]["value"]))
    return False


def _recursion(checked: Checked, report: Report) -> None:
    """Effects that call themselves before anything could stop them."""
    calls = {path: _certain_calls(effect["body"]) for path, effect in checked.effects.items()}
    for path, effect in checked.effects.items():
        seen: set[str] = set()
        todo = list(calls[path])
        while todo:
            name = todo.pop()
            if name == path:
                report("R507", f"'{path}' always calls itself again and never comes to an end", effect["span"], "put the call under a condition")
                break
            if name not in seen:
                seen.add(name)
                todo += calls.get(name, ())


def _certain_calls(body: Body) -> list[str]:
    """The effects that a body calls on every way through, as far as that can be seen."""
    found: list[str] = []
    for draft in body:
        if draft["op"] == "call":
            found.append(draft["effect"])
        elif draft["op"] in LEAVES:
            break
    return found


def _unused(checked: Checked, report: Report) -> None:
    """Names that the ruleset itself declares and nothing speaks of."""
    counted = {face.named for item in checked.linked.items.values() for face in getattr(item.declaration, "faces", ()) if face.named}
    used = checked.symbols.used | report.guessed | counted
    own = checked.linked.id
    spoken_of = _kinds_used(checked)
    hooked = {hook["event"] for hook in checked.hooks.values()}
    for item in checked.linked.items.values():
        if item.package != own or item.what in ("component", "action", "cost") or item.path in used or item.path in ROOTS:
            continue
        if item.what == "kind" and item.path in spoken_of:
            continue
        if item.what == "effect" and item.path in hooked:
            continue
        if item.what in ("effect", "phase", "value", "number", "die", "track", "place", "kind", "grid", "words", "state") and "." not in item.path:
            report("R308", f"nothing uses the {item.what} '{item.path}'", item.declaration.span, "leave it out, or use it",
                   guess=(item.path, ROOTS if item.what == "phase" else ()))  # fmt: skip


def _kinds_used(checked: Checked) -> set[str]:
    """The kinds that have components, cells or descendants, or are linked."""
    symbols = checked.symbols
    found = {"player"} | {definition.kind for definition in symbols.definitions.values()} | {grid.kind for grid in symbols.grids.values()}
    for kind in symbols.kinds.values():
        found |= {name for name in (kind.parent, *(kind.links or ())) if name is not None}
    return found
