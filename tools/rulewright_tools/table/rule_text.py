"""The rule behind a thing, and why something is not offered: `explain` and `why_not`, as the records that the terminal and the browser show.

Takes names as a table has them: of a component, place, track, kind, action or effect, of a spot or link, or the rule of a line of the story. What has no rule gives none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from rulewright_tools.own_words import Say, english

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
    granted: bool = True  # False: what would grant it does not, at the moment


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action that is not offered now, by its id and in words, with what it is about."""

    id: str
    label: str
    about: list[str]
    reasons: list[Reason]


def rule_of(rules: Rules, name: str) -> list[Rule]:
    """Every rule of a name; a noun and a verb may share one. Of a component that has no rule of its own, and of a cell, its kind."""
    from rulewright.explain import explain

    for path in (*_paths(rules, name), *actions_called(rules, name)):
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


def no_rule(rules: Rules, name: str, say: Say = english) -> str:
    """What to say where there is no rule of a name: what may have been meant."""
    return say("There is no rule for '{name}'", name=name) + _guess(rules, name)


def _guess(rules: Rules, name: str) -> str:
    """What may have been meant: something that has a rule, or an action by its last word or its label."""
    from rulewright.diagnostics import did_you_mean
    from rulewright.explain import paths

    actions = rules.graph["actions"]
    words = {path.rpartition(".")[2] for path in actions} | {str(action["label"]) for action in actions.values()} | {*paths(rules.built)}
    guess = did_you_mean(name.lower().replace(" ", "_"), words) or did_you_mean(name, words)
    return f"; {guess}" if guess else "."


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
            each.get("granted", True),
        )
        for each in game.why_not(seat, thing, language=language)
    ]


def refusals(game: Game, seat: int, thing: str | None = None, language: str | None = None) -> list[Refusal]:
    """The actions that a player could take at some time and cannot take now, with the reasons; of a thing, those that it grants, else those that nothing has to or something does."""
    found: list[Refusal] = []
    kinds = _nouns(game, thing) if thing is not None else None
    for path, action in game.rules.graph["actions"].items():
        if thing is None:
            found += _refused(game, seat, path, language)
        elif action["of"] in (kinds or ()):
            name = f"{path}@{thing}" if len(game.world.by_noun.get(action["of"], ())) > 1 else path
            if reasons := why_not(game, seat, name, language):
                found.append(Refusal(name, _label(game, path, language), [thing], reasons))
    return found


def action_refusals(game: Game, seat: int, name: str, language: str | None = None) -> list[Refusal] | None:
    """Why an action is not offered that somebody names by its path, its last word or its label, for everything that grants it; None if no action is called that."""
    paths = actions_called(game.rules, name, language)
    if not paths:
        return None
    found = [refusal for path in paths for refusal in _refused(game, seat, path, language)]
    return found or [
        Refusal(path, _label(game, path, language), [], reasons[:1]) for path in paths if (reasons := why_not(game, seat, path, language))
    ]


def actions_called(rules: Rules, name: str, language: str | None = None) -> list[str]:
    """The paths of the actions that somebody may mean: by path, last word or label."""
    wanted, names = name.strip().lower(), {} if language is None else rules.catalog(language).names
    actions = rules.graph["actions"]
    if wanted in actions:
        return [wanted]
    return [
        path
        for path, action in actions.items()
        if wanted and wanted in (path.rpartition(".")[2].lower(), str(action["label"]).lower(), names.get(path, "").lower())
    ]


def nothing_refused(game: Game, name: str, known: bool, language: str | None = None, say: Say = english) -> str:
    """What to say where nothing is refused: that it is offered or has nothing to be offered, or that there is nothing of that name, with what may have been meant."""
    if known or actions_called(game.rules, name, language):
        return say("Nothing about '{name}' is kept from you.", name=name)
    return say("There is nothing called '{name}'", name=name) + _guess(game.rules, name)


def _refused(game: Game, seat: int, path: str, language: str | None) -> list[Refusal]:
    """Why an action is not offered: for each component that grants it to the player and is known to, those that are alike once; or at all, where nothing has to."""
    of, world = game.rules.graph["actions"][path]["of"], game.world
    if of is None:
        reasons = why_not(game, seat, path, language)
        return [Refusal(path, _label(game, path, language), [], reasons)] if reasons else []
    linked = game.rules.linked(world.players)
    words = linked.wording if language is None else linked.worded(game.rules.catalog(language))
    found: dict[tuple[str, str], Refusal] = {}
    for granter in world.by_noun.get(of, ()):
        name = f"{path}@{world.identities[granter]}"
        reasons = why_not(game, seat, name, language)
        if reasons and reasons[0].granted:
            refusal = Refusal(name, words.action(path, words.labels[granter]), [world.identities[granter]], reasons)
            found.setdefault((refusal.label, repr(reasons)), refusal)
    return list(found.values())


def _label(game: Game, path: str, language: str | None) -> str:
    """What an action is called."""
    label = str(game.rules.graph["actions"][path]["label"])
    return label if language is None else game.rules.catalog(language).names.get(path) or label


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
