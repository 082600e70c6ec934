"""What a new component stands beside: what the others of its kind have, and who speaks of them.

Takes the graph of a ruleset; gives words for drafts and notes. Nothing is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulewright.build import Built

SHOWN = 6  # names that are told one by one


def own(built: Built) -> list[str]:
    """The components of the ruleset or layer that something goes into, in their order."""
    assert built.graph is not None
    assert built.linked is not None
    package = built.sources.packages[-1].id
    return [name for name, item in built.linked.items.items() if item.package == package and name in built.graph["components"]]


def others_have(graph: dict[str, Any], kind: str, word: str) -> str:
    """What the components of a kind name in a field, those that are named most first."""
    named = Counter(value["component"] for value in _values(graph, kind, word) if isinstance(value, dict) and "component" in value)
    return _listed([name for name, _ in named.most_common()])


def unlike_others(graph: dict[str, Any], kind: str, word: str, type: dict[str, Any]) -> int | str | None:
    """A value that no component of a kind has, for a field in which no two of them have the same: the next number, or the next word; None if it does not matter or none is left."""
    copies = sum(component["copies"] for component in graph["components"].values() if component["kind"] == kind)
    values = [value for value in _values(graph, kind, word) if isinstance(value, int | str) and not isinstance(value, bool)]
    if not len(set(values)) == len(values) == copies > 1:
        return None
    if type["how"] == "words":
        return next((word for word in type["words"] if word not in values), None)
    numbers = [value for value in values if isinstance(value, int)]
    if type["how"] != "number" or len(numbers) < len(values):
        return None
    high = type.get("high")
    following = max(numbers) + 1
    if high is None or following <= high:
        return following
    return next((number for number in range(type.get("low") or min(numbers), high + 1) if number not in numbers), None)


def also_named(graph: dict[str, Any], kind: str) -> Iterator[str]:
    """Who else speaks of components of a kind: somebody who adds one may have to add to these, too."""
    from rulewright.index import references

    uses = references(graph)
    siblings = {name for name, component in graph["components"].items() if component["kind"] == kind}
    links = {link["component"] for link in graph["links"]}
    users = {user for name in siblings for user in uses.get(name, ())} - siblings - links
    by_kind: dict[str, list[str]] = {}
    for user in sorted(users & graph["components"].keys()):
        by_kind.setdefault(graph["components"][user]["kind"], []).append(user)
    told = [f"{graph['kinds'][each]['plural']} ({_listed(names, 3)})" for each, names in by_kind.items()]
    if rest := sorted(user for user in users if user not in graph["components"]):
        told.append(_listed(rest))
    if told:
        yield f"Others of its kind are also spoken of in: {'; '.join(told)}"
    for each, names in by_kind.items():
        if len([name for name in siblings if uses.get(name, set()) & set(names)]) * 2 > len(siblings):
            yield f"Begin one for it: rulewright new {each} NAME --in {{into}}"


def _values(graph: dict[str, Any], kind: str, word: str) -> Iterator[Any]:
    """What the components of a kind have in a field, copy by copy."""
    for component in graph["components"].values():
        if component["kind"] == kind and word in component["fields"]:
            value = component["fields"][word]
            if isinstance(value, dict) and "copies" in value:
                yield from value["copies"]
            else:
                yield from [value] * component["copies"]


def _listed(names: list[str], most: int = SHOWN) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
