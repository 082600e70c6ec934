"""Calls of effects as something that is thought of: `in_check(who) after put(piece, cell)`.

Takes what stands before and behind `after`; gives an expression and what it is. Refuses what is no effect; and, when all effects and hooks are known, effects that
could not be foreseen: somebody is asked in them, or something is left to chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulewright import tree as t
from rulewright.check import predicates
from rulewright.check.scope import Scope
from rulewright.check.symbols import Callable
from rulewright.diagnostics import Related, Span
from rulewright.types import LOST, Type

if TYPE_CHECKING:
    from rulewright.check.expressions import Core, Expressions, Read
    from rulewright.check.report import Report
    from rulewright.check.units import Checked

NOTHING = {"op": "const", "value": None}
UNFORESEEN = {
    "choose": "somebody chooses there", "offer": "actions are offered there", "pay": "something is paid there", "roll": "a die is rolled there",
    "shuffle": "something is shuffled there", "draw": "something is drawn from a bag there", "react": "somebody may react there",
}  # fmt: skip


def after(expressions: Expressions, node: t.After, scope: Scope, wanted: Type | None) -> Read:
    """What something would be if an effect were done."""
    called = effect_called(expressions, node.call, scope)
    if called is None:
        no_effect(expressions, node.call, scope)
        return NOTHING, LOST
    target, of, arguments = called
    core, found = expressions.read(node.value, scope, wanted)
    expressions.supposed.append((target.path, node.call.span))
    return {"op": "after", "effect": target.path, "of": of, "arguments": arguments, "value": core}, found


def no_effect(expressions: Expressions, call: Any, scope: Scope) -> None:
    """Complain that what stands behind `after` is no effect that could be done."""
    complaints = len(expressions.report.diagnostics)
    target = call.target if isinstance(call, t.Call) else call
    word = target.word if isinstance(target, t.Name | t.Dot) else ""
    if word in expressions.symbols.effects and not isinstance(call, t.Call):
        expressions.report("R403", f"'{word}' is an effect, and is called with brackets", call.span, f"write: ... after {word}(...)")
    elif isinstance(target, t.Name) and isinstance(call, t.Call) and not predicates.is_known(expressions, word, scope):
        expressions.report(
            "R301", f"there is no effect called '{word}'", call.span, guess=(word, [path for path in expressions.symbols.effects if "." not in path])
        )
    else:
        expressions.read(call, scope)
    if len(expressions.report.diagnostics) == complaints:
        expressions.report("R408", "only an effect can be thought of as done, and this is none", call.span, "write: TEST after EFFECT(...)")


def effect_called(expressions: Expressions, node: Any, scope: Scope) -> tuple[Callable, Core | None, list[Core]] | None:
    """The effect that is called, of what, and what it is given; None if it is none."""
    if not isinstance(node, t.Call):
        return None
    symbols = expressions.symbols
    of: Core | None = None
    if isinstance(node.target, t.Name):
        target = symbols.effects.get(node.target.word)
        if target is None and "self" in scope.names and (kind := symbols.kind_of(scope.names["self"].name)) is not None:
            target = kind.effects.get(node.target.word)
            of = {"op": "var", "name": "self"}
    elif not isinstance(node.target, t.Dot):
        return None
    elif (target := step_called(expressions, node.target, scope)) is None:
        of, base = expressions.read(node.target.base, scope)
        kind = symbols.kind_of(base.name) if base.how == "kind" else None
        target = kind.effects.get(node.target.word) if kind else None
    if target is None or target.what == "event":
        return None
    symbols.used.add(target.path)
    cores = expressions.arguments(node, target, scope)
    given = [expressions.needed(core, parameter, target, scope) for core, parameter in zip(cores, target.parameters, strict=False)]
    return target, of, [*given, *cores[len(given) :]]


def step_called(expressions: Expressions, node: t.Dot, scope: Scope) -> Callable | None:
    """A step called by its path, as scenarios do."""
    path = predicates.deed_path(expressions, node)
    found = expressions.symbols.effects.get(path)
    return found if found is not None and found.what == "step" and path.split(".")[0] not in scope.names else None


# -- what can be foreseen


def check_supposed(checked: Checked, supposed: Sequence[tuple[str, Span]], report: Report) -> None:
    """Complain of effects that are thought of as done, and in which something happens that nobody can know before."""
    for path, span in supposed:
        found = next(_unforeseen(checked, path), None)
        if found is not None:
            effect, draft = found
            where = f"in '{effect}'" if effect != path else "in it"
            message = f"what comes of '{path}' cannot be known before it is done: {UNFORESEEN[draft['op']]} ({where})"
            hint = "divide the effect, and think only of the part that asks nobody and leaves nothing to chance"
            report("R508", message, span, hint, related=[Related(draft["span"], "here")])


def _unforeseen(checked: Checked, start: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What an effect, those it calls, and what answers them do that cannot be foreseen: where, and the draft."""
    todo, seen = [start], {start}
    for path in todo:
        bodies = [effect["body"] for name, effect in checked.effects.items() if name == path]
        bodies += [body for effect in (checked.effects.get(path, {}),) for body in effect.get("methods", {}).values()]
        answers = [hook for hook in checked.hooks.values() if hook["event"] == path]
        bodies += [hook["body"] for hook in answers]
        yield from ((path, {"op": "react", "span": hook["span"]}) for hook in answers if hook["timing"] == "react")
        for draft in (inner for body in bodies for inner in drafts_in(body)):
            if draft["op"] in UNFORESEEN and (draft["op"] != "draw" or _bag(checked, draft["from"])):
                yield path, draft
            elif draft["op"] == "call" and draft["effect"] not in seen:
                seen.add(draft["effect"])
                todo.append(draft["effect"])


def _bag(checked: Checked, place: Core) -> bool:
    """Whether something is drawn from a bag, as far as that can be seen: a row or pile gives what everyone could foresee."""
    found = checked.places.get(str(place.get("place")))
    return found is not None and found["shape"] == "bag"


def drafts_in(value: Any) -> Iterator[dict[str, Any]]:
    """The drafts of a body, and those inside them."""
    if isinstance(value, list):
        for each in value:
            yield from drafts_in(each)
    elif isinstance(value, dict) and "op" in value and "span" in value:
        yield value
        for key in ("then", "else", "body", "options", "cases"):
            yield from drafts_in(value.get(key))
    elif isinstance(value, dict) and "body" in value:
        yield from drafts_in(value["body"])
