"""The rule behind a thing, and why something is not offered: `explain` and `why_not`, as the records that the terminal and the browser show.

Takes names as a table has them: of a component, place, track, kind, action or effect, of a spot or link, or the rule of a line of the story. What has no rule gives none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from rulewright import Game
    from rulewright.rules import Rules


class Cited(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule of the rulebook."""

    id: str
    page: str = ""
    statement: str = ""


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a rule finally says: the text as it is written, where, by which package; what layers changed in it, what hooks on it, and the rulebook behind it."""

    path: str
    what: str
    text: str
    place: str
    package: str
    cites: list[Cited] = []
    changes: list[str] = []
    hooks: list[str] = []
    known: str = ""


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why something is not offered: what fails, where that is written, and the rulebook behind it."""

    reason: str
    place: str = ""
    cites: list[Cited] = []


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action that is not offered now, by its id and in words, with what it is about."""

    id: str
    label: str
    about: list[str]
    reasons: list[Reason]


def rule_of(rules: Rules, name: str) -> list[Rule]:
    """Every rule of a name; a noun and a verb may share one. Of a component that has no rule of its own, and of a cell, its kind."""
    from rulewright.explain import explain

    for path in _paths(rules, name):
        if found := explain(rules.built, path):
            return [
                Rule(
                    each.path,
                    each.what,
                    each.text,
                    each.place,
                    each.package,
                    [Cited(*rule) for rule in each.rules],
                    [f"{change.how} by {change.package}: {change.path}, {change.place}\n{change.text}" for change in each.changes],
                    [f"{hook.words} (of {hook.package}), {hook.place}" for hook in each.hooks],
                    str(each.known),
                )
                for each in found
            ]
    return []


def no_rule(rules: Rules, name: str) -> str:
    """What to say where there is no rule of a name: what may have been meant."""
    from rulewright.diagnostics import did_you_mean
    from rulewright.explain import paths

    guess = did_you_mean(name.lower().replace(" ", "_"), list(paths(rules.built)))
    return f"There is no rule for '{name}'" + (f"; {guess}" if guess else ".")


def _paths(rules: Rules, name: str) -> Iterator[str]:
    """What a name of a table may be called in the rules, the most likely first."""
    graph = rules.graph
    plain = name.partition("@")[0].partition("#")[0].partition("~")[0]
    for prefix in ("hook ", "action ", "cost ", "restore "):
        plain = plain.removeprefix(prefix)
    yield plain
    parts = plain.split(".")
    if parts[-1].isdecimal():  # a copy
        yield ".".join(parts[:-1])
    if len(parts) > 2 and parts[1].isdecimal():  # a place of a copy
        yield f"{parts[0]}.{parts[2]}"
        yield from (f"{kind}.{parts[2]}" for kind in _kinds(graph, parts[0]))
    if len(parts) == 2:
        yield from (f"{kind}.{parts[1]}" for kind in _kinds(graph, parts[0]))
    for timing in ("before ", "after ", "instead ", "react ", "change "):
        if plain.startswith(timing):
            yield plain.removeprefix(timing)
    yield from _kinds(graph, parts[0])
    for grid, declared in graph["grids"].items():
        if plain.startswith(f"{grid}_"):
            yield grid
            yield declared["kind"]
    yield parts[0]


def _kinds(graph: dict[str, Any], component: str) -> Iterator[str]:
    """The kind of a component, and what that is."""
    kind = graph["components"].get(component, {}).get("kind")
    while kind is not None:
        yield kind
        kind = graph["kinds"][kind]["parent"]


def why_not(game: Game, seat: int, thing: str, language: str | None = None) -> list[Reason]:
    """Why an action or something that could be chosen is not offered to a player; none if it is."""
    return [
        Reason(
            each["reason"] or _requirement(game.rules, each.get("span")),
            _place(each.get("span")),
            [Cited(rule, *_cited(game.rules, rule)) for rule in each.get("cites", ())],
        )
        for each in game.why_not(seat, thing, language=language)
    ]


def refusals(game: Game, seat: int, thing: str | None = None, language: str | None = None) -> list[Refusal]:
    """The actions that a player could take at some time and cannot take now, with the reasons; of a thing, those that it grants, else those that nothing has to."""
    found = []
    world, kinds = game.world, _nouns(game, thing) if thing is not None else None
    for path, action in game.rules.graph["actions"].items():
        if action["of"] is not None if kinds is None else action["of"] not in kinds:
            continue
        name = f"{path}@{thing}" if thing is not None and len(world.by_noun.get(action["of"], ())) > 1 else path
        if reasons := why_not(game, seat, name, language):
            label = action["label"] if language is None else game.rules.catalog(language).names.get(path) or action["label"]
            found.append(Refusal(name, label, [thing] if thing is not None else [], reasons))
    return found


def _nouns(game: Game, thing: str) -> set[str]:
    """What a component is."""
    world = game.world
    number = next((at for at, identity in enumerate(world.identities) if identity == thing), None)
    return set() if number is None else {world.definitions[number], *world.ancestors.get(world.kinds[number], ())}


def _requirement(rules: Rules, span: Any) -> str:
    """A requirement that gives no reason, as it is written."""
    from rulewright.diagnostics import Span
    from rulewright.source import excerpt

    said = " ".join(excerpt(rules.texts, Span(*span)).split()) if span else ""
    return f"it is required: {said.removeprefix('when ')}" if said else "it is not possible now"


def _place(span: Any) -> str:
    return f"{span[0]}:{span[1]}" if span else ""


def _cited(rules: Rules, rule: str) -> tuple[str, str]:
    """The page and the statement of a rule of the rulebook."""
    for package in rules.packages:
        for each in package.rulebook.data["rules"] if package.rulebook is not None else ():
            if each["id"] == rule:
                return str(each.get("page") or each.get("source") or ""), str(each["statement"])
    return "", ""
