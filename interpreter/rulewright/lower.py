"""A checked ruleset to the effect graph: the last step before running.

Takes `Checked`; gives the graph as plain data under `schemas/effect-graph.schema.json`. Bodies, which are nested lists of drafts until here, become
chains of numbered nodes: every node has an id made of the name of its unit and a number, and `next` leads on. Nothing is refused any more.
"""

from __future__ import annotations

import itertools
from typing import Any

import msgspec

from rulewright import tree as t
from rulewright.check import Checked
from rulewright.check.statements import Body
from rulewright.diagnostics import Span
from rulewright.grids import USUAL
from rulewright.resolve.provenance import Provenance, provenance
from rulewright.types import Type

Graph = dict[str, Any]
BODIES = ("then", "else", "body")


def lower(checked: Checked) -> Graph:
    """The effect graph of a checked ruleset."""
    return _Lowering(checked).graph()


def chain_into(nodes: dict[str, Any], name: str, body: Body) -> str | None:
    """Add the nodes of one more body to a graph's; gives the id of the first."""
    chains = _Chains()
    chains.name = name
    entry = chains.chain(body)
    nodes.update(_plain(chains.nodes))
    return entry


class _Chains:
    """Numbers nodes."""

    def __init__(self) -> None:
        self.nodes: dict[str, Any] = {}
        self.name, self.count = "", 0

    def chain(self, body: Body) -> str | None:
        """The id of the first node of a body; its nodes are numbered in reading order."""
        ids = []
        for draft in body:
            ids.append(self.node(draft, None))
        for here, after in itertools.pairwise(ids):
            self.nodes[here]["next"] = after
        return ids[0] if ids else None

    def node(self, draft: dict[str, Any], after: str | None) -> str:
        """Number a node, then those in its bodies."""
        self.count += 1
        identity = f"{self.name}:{self.count}"
        made: dict[str, Any] = {"op": draft["op"], "span": draft["span"], "next": after}
        self.nodes[identity] = made
        for key, part in draft.items():
            if key in ("op", "span"):
                continue
            if key in BODIES:
                made[key] = self.chain(part)
            elif key in ("options", "cases"):
                made[key] = [{**each, "body": self.chain(each["body"])} for each in part]
            else:
                made[key] = part
        return identity


class _Lowering(_Chains):
    """Makes the graph of a ruleset."""

    def __init__(self, checked: Checked) -> None:
        super().__init__()
        self.checked = checked

    def graph(self) -> Graph:
        checked, linked = self.checked, self.checked.linked
        effects = {path: self.unit(path, effect) for path, effect in checked.effects.items()}
        actions = {path: self.action(path, action) for path, action in checked.actions.items()}
        costs = {path: self.unit(f"cost {path}", cost) for path, cost in checked.costs.items()}
        hooks = {path: self.unit(f"hook {path}", hook) for path, hook in checked.hooks.items()}
        values = {path: {key: part for key, part in value.items() if key != "type"} for path, value in checked.values.items()}
        made = {
            "format": "rulewright-effect-graph",
            "version": 1,
            "ruleset": {
                "id": linked.id, "title": linked.title, "version": linked.version,
                "packages": [{"id": name, "version": version} for name, version in linked.packages],
                "players": {"min": linked.players[0], "max": linked.players[1], "usual": linked.usual_players or linked.players[0]}, "options": linked.options,
            },
            "kinds": checked.kinds, "places": checked.places, "components": checked.components, "links": checked.links,
            **self.tables(), "sources": [_source(said) for said in provenance(linked)], "effects": effects, "values": values, "actions": actions, "costs": costs, "hooks": hooks, "nodes": self.nodes,
        }  # fmt: skip
        return _plain(made)  # type: ignore[no-any-return]  # a dictionary stays one

    def tables(self) -> Graph:
        symbols = self.checked.symbols
        return {
            "grids": {name: _grid(grid) for name, grid in symbols.grids.items()},
            "dice": {name: {"label": die.label or name, "faces": _faces(die), "span": die.span} for name, die in symbols.dice.items()},
            "tracks": {name: {"label": track.label or name, "spaces": _faces(track), "span": track.span} for name, track in symbols.tracks.items()},
            "numbers": {
                name: {"value": number.value, "cites": [each.id for cite in number.cites for each in cite.ids], "span": number.span}
                for name, number in symbols.numbers.items()
            },
        }  # fmt: skip

    def unit(self, name: str, unit: dict[str, Any]) -> dict[str, Any]:
        """A unit with its body replaced by the id of its first node."""
        self.name, self.count = name, 0
        made = {key: part for key, part in unit.items() if key != "body"}
        made["entry"] = self.chain(unit["body"])
        if "methods" in unit:
            made["methods"] = {}
            for component, body in unit["methods"].items():
                self.name, self.count = f"method {component}.{name.split('.')[-1]}", 0
                made["methods"][component] = self.chain(body)
        return made

    def action(self, path: str, action: dict[str, Any]) -> dict[str, Any]:
        self.name, self.count = f"action {path}", 0
        choices = [self.node(draft, None) for draft in action["choices"]]
        entry = self.chain(action["body"])
        rest = {key: part for key, part in action.items() if key not in ("body", "choices")}
        return {**rest, "choices": choices, "entry": entry}


def _source(said: Provenance) -> dict[str, Any]:
    """How well a declaration is known; fields are listed, so that no name of a ruleset is a key."""
    fields = [{"field": name, "source": word} for name, word in said.fields.items()]
    return {"path": said.path, "source": said.source, "fields": fields, "span": said.span}


def _grid(grid: t.GridDecl) -> dict[str, Any]:
    """A grid; of its shape only what is not the usual one is said."""
    shape = {} if grid.shape == USUAL else {"shape": grid.shape}
    return {"kind": grid.kind, "rows": grid.rows, "columns": grid.columns, **shape, "span": grid.span}


def _faces(die: Any) -> list[str | int]:
    return [face.value for face in die.faces for _ in range(face.copies)]


def _plain(value: Any) -> Any:
    """Spans and types as plain data."""
    if isinstance(value, Span):
        return msgspec.to_builtins(value)
    if isinstance(value, Type):
        return _plain(msgspec.to_builtins(value))
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, msgspec.Struct):
        return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
    return value
