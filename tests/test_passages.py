"""The hardest passages of the games, written in the language: all of them validate, lower to a sound graph, and change what they say they change."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulewright.build import Built, build
from rulewright.data import schema
from rulewright.lower import Graph

PASSAGES = Path(__file__).parent / "passages"
FOLDERS = sorted(folder.name for folder in PASSAGES.iterdir() if (folder / "ruleset.yaml").exists())
INNER = ("next", "then", "else", "body")

MEANT = {
    "carnomorphs": {
        ("removed", "larva_token"),
        ("removed", "scratch"),
        ("removed", "weakness"),
        ("replaced", "intruder"),
        ("replaced", "develop"),
        ("replaced", "hits_against"),
        ("inserted", "event_phase.feeding"),
        ("set", "starting_eggs"),
        ("set", "carcass.copies"),
        ("added to", "player"),
    },
    "lockdown": {
        ("removed", "ending.engines"),
        ("removed", "hibernatorium"),
        ("replaced", "time_track"),
        ("replaced", "shoot"),
        ("replaced", "ending.objectives"),
        ("inserted", "event_phase.launch"),
        ("inserted", "event_phase.noise_removal"),
        ("inserted", "ending.contingency"),
        ("set", "adult_token.number"),
        ("added to", "generator"),
    },
}


@functools.cache
def built(name: str) -> Built:
    """The passages of a folder, built once."""
    return build(PASSAGES / name)


def graph(name: str) -> Graph:
    found = built(name).graph
    assert found is not None
    return found


def entries(made: Graph) -> Iterator[str]:
    """Where running can begin: bodies of effects, actions, costs and hooks, methods, and the choices of actions."""
    for table in ("effects", "actions", "costs", "hooks"):
        for unit in made[table].values():
            yield from filter(None, (unit["entry"], *unit.get("choices", ()), *unit.get("methods", {}).values()))


def ways_on(node: dict[str, Any]) -> Iterator[str]:
    """The nodes that a node leads to."""
    yield from filter(None, (node.get(key) for key in INNER))
    for part in (*node.get("cases", ()), *node.get("options", ())):
        if part["body"]:
            yield part["body"]


def steps(made: Graph, phase: str) -> list[str]:
    """The steps that a phase calls, in order."""
    found, here = [], made["effects"][phase]["entry"]
    while here:
        node = made["nodes"][here]
        if node["op"] == "call":
            found.append(node["effect"].removeprefix(f"{phase}."))
        here = node["next"]
    return found


@pytest.mark.parametrize("name", FOLDERS)
def test_no_passage_gives_a_complaint(name: str) -> None:
    """No passage gives any complaint, not even a warning."""
    assert [f"{one.span.file}:{one.span.line} {one.code} {one.message}" for one in built(name).diagnostics] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLDERS)
def test_the_graph_of_a_passage_fits_its_schema(name: str) -> None:
    """What the passages are lowered to is what the schema of effect graphs describes."""
    problems = Draft202012Validator(schema("effect-graph")).iter_errors(graph(name))
    assert [f"{'/'.join(map(str, one.absolute_path))}: {one.message[:200]}" for one in problems] == []


@pytest.mark.parametrize("name", FOLDERS)
def test_lowering_is_deterministic(name: str) -> None:
    """Two builds of the same text give the same graph, in the same order."""
    assert json.dumps(graph(name)) == json.dumps(build(PASSAGES / name).graph)


@pytest.mark.parametrize("name", FOLDERS)
def test_every_node_is_reachable(name: str) -> None:
    """Each node can be come to from where something begins, and no edge leads to nowhere."""
    made = graph(name)
    seen: set[str] = set()
    todo = list(entries(made))
    while todo:
        here = todo.pop()
        if here not in seen:
            seen.add(here)
            todo += ways_on(made["nodes"][here])
    assert seen == set(made["nodes"])


@pytest.mark.parametrize("name", FOLDERS)
def test_every_node_has_a_place_in_the_text(name: str) -> None:
    """The span of a node lies in a line that exists, and begins at something."""
    lines = {file: text.split("\n") for file, text in built(name).texts.items()}
    for identity, node in graph(name)["nodes"].items():
        file, line, column, last, _ = node["span"]
        assert 1 <= line <= last <= len(lines[file]), identity
        assert lines[file][line - 1][column - 1 :].strip(), identity


@pytest.mark.parametrize("name", MEANT)
def test_layers_record_what_they_change(name: str) -> None:
    """Each change is known by how it was made and what was changed, and is put down to the layer that made it."""
    linked = built(name).linked
    assert linked is not None
    assert MEANT[name] <= {(change.how, change.path) for change in linked.changes if change.package == f"passages_{name}"}


def test_inserted_steps_stand_where_they_were_put() -> None:
    """The event phase has the steps of its layers, in order."""
    assert steps(graph("base"), "event_phase") == ["time", "attacks", "fire", "event", "development"]
    assert steps(graph("carnomorphs"), "event_phase") == ["time", "feeding", "attacks", "fire", "event", "development"]
    assert steps(graph("lockdown"), "event_phase") == ["launch", "time", "noise_removal", "attacks", "fire", "event", "development"]
    assert steps(graph("lockdown"), "ending") == ["contingency", "contamination", "objectives"]


def test_what_a_layer_removes_is_gone() -> None:
    """No trace of a removed component stays, and what was set has its new value."""
    made = graph("carnomorphs")
    assert not {"larva_token", "larva_figure", "scratch", "hunt", "vital_places"} & set(made["components"])
    assert "weakness" not in made["kinds"]
    assert made["numbers"]["starting_eggs"]["value"] == 8
    assert made["components"]["carcass"]["copies"] == 12


def test_hooks_of_components_hold_while_their_condition_does() -> None:
    """An adaptation changes feeding only while it is turned up."""
    hooks = [hook for hook in graph("carnomorphs")["hooks"].values() if hook["of"] == "voracious"]
    assert [(hook["timing"], hook["event"], [test["name"] for test in hook["while"]]) for hook in hooks] == [("change", "may_feed", ["turned_up"])]


def test_what_is_removed_may_not_be_spoken_of(tmp_path: Path) -> None:
    """A rule that still names what a layer takes away is reported, and does not quietly come to mean something else."""
    layer = tmp_path / "thin.rules"
    layer.write_text("layer thin over passages_base\nremove intruder creeper_figure\n")
    found = build(PASSAGES / "base", [layer]).diagnostics
    assert [(one.code, one.message) for one in found] == [("R301", "nothing is called 'creeper_figure'")]


def test_two_layers_that_replace_the_same_thing_conflict() -> None:
    """Both expansions replace the encounter: one over the other is refused, with both places shown."""
    found = build(PASSAGES / "carnomorphs", [PASSAGES / "lockdown"]).diagnostics
    conflict = next(one for one in found if one.code == "R304" and "'encounter'" in one.message)
    files = {Path(span.file).parent.name for span in (conflict.span, *(related.span for related in conflict.related))}
    assert files == {"carnomorphs", "lockdown"}
