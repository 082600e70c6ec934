"""The whole ruleset as one picture: a box for each effect, phase, step, event, action and hook; arrows for who calls,
offers or hooks whom; framed by package, or by file where there is only one package. Also the part of a graph that one
drawing reaches, for the JSON form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulewright_tools.pictures.labels import as_span
from rulewright_tools.pictures.model import Arrow, Box, Graph, Picture, Style, clean, shortened
from rulewright_tools.pictures.names import key_of, record_of, sort_of
from rulewright_tools.pictures.outline import hook_in_words
from rulewright_tools.pictures.sparing import MOST_ARROWS, with_gaps

_DRAWN = ("effects", "actions", "hooks")


def overview(graph: Graph) -> Picture:
    """The picture of everything."""
    keys = [key_of(section, name) for section in _DRAWN for name in graph[section]]
    packages = {record_of(graph, key)["package"] for key in keys}
    by_file = len(packages) == 1
    boxes = tuple(box_of(graph, key, _group(record_of(graph, key), by_file)) for key in keys)
    arrows: dict[tuple[str, str], Arrow] = {}
    title = title_of_ruleset(graph["ruleset"])
    reactions, whole = _reactions(graph), True
    for key in keys:
        if len(arrows) >= MOST_ARROWS:
            whole = False
            break
        for target, style in _targets(graph, key, reactions):
            arrows.setdefault((key, target), Arrow(key, target, "", style))
        if (ends := _hung(graph, key)) is not None:
            arrows[ends] = Arrow(*ends, "", "hook")
    return Picture(title if whole else with_gaps(title), boxes, tuple(arrows.values()), across=True)


def title_of_ruleset(ruleset: Mapping[str, Any]) -> str:
    """The title, the version if there is one (a lone file has none), and what it stands over."""
    below = [package["id"] for package in ruleset["packages"][:-1]]
    version = "" if ruleset["version"] == "0" else f" {clean(ruleset['version'])}"
    over = f", over {', '.join(below)}" if below else ""
    return f"{shortened(clean(ruleset['title']), 80)}{version}{shortened(clean(over), 80)}"


def box_of(graph: Graph, key: str, group: str) -> Box:
    """The box of something among others."""
    record, name = record_of(graph, key), key.partition(":")[2]
    sort = sort_of(graph, key)
    label = hook_in_words(record) if sort == "hook" else name
    note = record["of"] or "" if sort == "hook" else _label(record, name)
    return Box(key, sort, clean(label), as_span(record["span"]), key, clean(group), tuple(record["cites"]), clean(note))


def _group(record: Mapping[str, Any], by_file: bool) -> str:
    return str(record["span"][0].rpartition("/")[2] if by_file else record["package"])


def _label(record: Mapping[str, Any], name: str) -> str:
    label = str(record["label"] or "")
    return "" if label.casefold().replace(" ", "_") == name.rpartition(".")[2] else label


def targets_of(graph: Graph, keys: Iterable[str]) -> Iterator[tuple[str, str, Style]]:
    """What some declarations call, offer, install or hook on, as it leads from one to another; effects lead to a component's own versions of them."""
    reactions = _reactions(graph)
    for key in keys:
        if key.startswith("methods:"):
            yield record_of(graph, key)["version_of"], key, "call"
        for target, style in _targets(graph, key, reactions, versions=False):
            yield key, target, style
        if (ends := _hung(graph, key)) is not None:
            yield *ends, "hook"


def _hung(graph: Graph, key: str) -> tuple[str, str] | None:
    """The ends of the arrow between a hook and its event: into it if the hook comes before, from it otherwise."""
    if not key.startswith("hooks:"):
        return None
    hook = record_of(graph, key)
    event = next((key_of(part, hook["event"]) for part in ("effects", "actions") if hook["event"] in graph[part]), None)
    if event is None:
        return None
    return (key, event) if hook["timing"] == "before" else (event, key)


def _reactions(graph: Graph) -> set[str]:
    """The actions that are reactions, which nobody offers."""
    return {hook["action"] for hook in graph["hooks"].values()}


def _targets(graph: Graph, key: str, reactions: set[str], versions: bool = True) -> Iterator[tuple[str, Style]]:
    """What a declaration calls, offers or installs."""
    for id in nodes_of(graph, key, versions):
        node = graph["nodes"][id]
        if node["op"] == "call" and node["effect"] in graph["effects"]:
            yield key_of("effects", node["effect"]), "call"
        elif node["op"] == "install":
            yield from ((key_of("hooks", hook), "hook") for hook in node["hooks"] if hook in graph["hooks"])
        elif node["op"] == "offer":
            for name, action in graph["actions"].items():
                if name not in reactions and (set(node["groups"]) & set(action["groups"]) or not node["groups"]):
                    yield key_of("actions", name), "offer"
    action = record_of(graph, key).get("action")
    if action is not None and action in graph["actions"]:
        yield key_of("actions", action), "offer"


def nodes_of(graph: Graph, key: str, versions: bool = True) -> list[str]:
    """The ids of all nodes in the bodies of a declaration, in the order they are met; with the versions of it that components have."""
    record = record_of(graph, key)
    bodies = record["methods"].values() if versions and key.startswith("effects:") else ()
    waiting = [*record.get("choices", ()), record.get("entry"), *bodies]
    seen: dict[str, None] = {}
    while waiting:
        id = waiting.pop()
        if id is None or id in seen or id not in graph["nodes"]:
            continue
        seen[id] = None
        node = graph["nodes"][id]
        waiting += [node["next"], node.get("then"), node.get("else"), node.get("body")]
        waiting += [case["body"] for case in node.get("cases", ())]
        waiting += [option["body"] for option in node.get("options", ())]
    return list(seen)


def reachable(graph: Graph, key: str) -> list[str]:
    """The keys of what a drawing leads to, itself first: calls, values, costs, hooks on them, and so on."""
    by_event: dict[str, list[str]] = {}
    for id, hook in graph["hooks"].items():
        by_event.setdefault(hook["event"], []).append(key_of("hooks", id))
    found: dict[str, None] = {}
    waiting, reactions = [key], _reactions(graph)
    while waiting:
        here = waiting.pop()
        if here in found:
            continue
        found[here] = None
        waiting += [target for target, _ in _targets(graph, here, reactions)]
        waiting += by_event.get(here.partition(":")[2], [])
        waiting += _mentioned(graph, here)
    return list(found)


def _mentioned(graph: Graph, key: str) -> list[str]:
    """Values and costs named anywhere in the expressions of a declaration and of its nodes."""
    found: list[str] = []
    waiting: list[Any] = [record_of(graph, key), *(graph["nodes"][id] for id in nodes_of(graph, key))]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            waiting += part.values()
            names = (part.get("value"), part.get("name")) if part.get("op") == "value" else ()
            found += [key_of("values", name) for name in names if isinstance(name, str) and name in graph["values"]]
            if isinstance(part.get("cost"), str) and part["cost"] in graph["costs"]:
                found.append(key_of("costs", part["cost"]))
    return found


def part_of(graph: Graph, key: str) -> Graph:
    """The graph with only what a drawing reaches; components, kinds and places stay whole."""
    keys = set(reachable(graph, key))
    nodes = {id for each in keys for id in nodes_of(graph, each)}
    part = {section: records for section, records in graph.items() if section != "methods"}
    for section in ("effects", "actions", "values", "costs", "hooks"):
        part[section] = {name: record for name, record in graph[section].items() if key_of(section, name) in keys}
    _keep_method(graph, key, part)
    part["nodes"] = {id: node for id, node in graph["nodes"].items() if id in nodes}
    return part


def _keep_method(graph: Graph, key: str, part: Graph) -> None:
    """A method is told as the effect, or value, that it is a version of, with no other version."""
    if key.startswith("methods:"):
        record = record_of(graph, key)
        section, _, name = record["version_of"].partition(":")
        if name not in part[section]:
            blank = {"entry": None} if section == "effects" else {"value": None}
            part[section][name] = {**graph[section][name], **blank, "methods": {record["of"]: graph[section][name]["methods"][record["of"]]}}
