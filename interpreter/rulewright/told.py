"""Expressions and nodes of the graph in a few words, near to how a ruleset writes them: for reports, never for reading back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.types import TABLE

LONGEST = 90


def told(expression: Any) -> str:
    """An expression in a few words."""
    words = _told(expression)
    return words if len(words) <= LONGEST else words[: LONGEST - 4].rstrip() + " ..."


def _told(expression: Any) -> str:
    if not isinstance(expression, dict):
        return "nothing" if expression is None else str(expression)
    found = WORDS.get(expression["op"])
    return found(expression) if found is not None else str(expression["op"]).replace("_", " ")


def _joined(word: str) -> Callable[[Any], str]:
    return lambda e: f" {word} ".join(_told(part) for part in e["parts"])


def _query(e: Any) -> str:
    filters = " and ".join(_told(part) for part in e["filters"])
    return _told(e["source"]) + (f" where {filters}" if filters else "")


def _field(of: Any, name: str) -> str:
    """A field of something; the state of the table goes by its own name."""
    return name if isinstance(of, dict) and of.get("name") == TABLE else f"{_told(of)}.{name}"


def _value(e: Any) -> str:
    arguments = ", ".join(_told(part) for part in e["arguments"])
    of = f"{_told(e['of'])}." if e.get("of") is not None else ""
    name = str(e["value"]).rpartition(".")[2] if of else e["value"]
    return f"{of}{name}({arguments})" if arguments else f"{of}{name}"


def _const(e: Any) -> str:
    return {True: "true", False: "false"}[e["value"]] if isinstance(e["value"], bool) else _told(e["value"])


WORDS: dict[str, Callable[[Any], str]] = {
    "const": _const, "var": lambda e: e["name"], "component": lambda e: e["name"], "number": lambda e: e["name"], "option": lambda e: e["name"],
    "place": lambda e: e["place"], "place_of": lambda e: f"{_told(e['of'])}.{str(e['place']).rpartition('.')[2]}",
    "field": lambda e: _field(e["of"], e["name"]), "compare": lambda e: f"{_told(e['left'])} {e['how']} {_told(e['right'])}",
    "and": _joined("and"), "or": _joined("or"), "not": lambda e: f"not {_told(e['part'])}", "list": lambda e: ", ".join(map(_told, e["parts"])),
    "arithmetic": lambda e: f"{_told(e['left'])} {e['how']} {_told(e['right'])}", "if": lambda e: f"... if {_told(e['test'])}", "value": _value,
    "exists": lambda e: f"any {_told(e['query'])}", "count": lambda e: f"count of {_told(e['query'])}", "pick": lambda e: f"the {_told(e['query'])}",
    "query": _query, "of_kind": lambda e: f"{e['kind'] or 'anything'} of {_told(e['source'])}", "members": lambda e: f"what is in {_told(e['of'])}",
    "numbers": lambda e: f"{_told(e['low'])} to {_told(e['high'])}", "joined": _joined("and"), "without": lambda e: f"{_told(e['source'])} without {_told(e['out'])}",
    "all": lambda e: f"all {e.get('of') or e.get('grid')}", "is_kind": lambda e: f"{_told(e['of'])} is {e['kind']}",
    "is_in": lambda e: f"{_told(e['item'])} is in {_told(e['set'])}", "is_empty": lambda e: f"{_told(e['of'])} is empty",
    "is_full": lambda e: f"{_told(e['of'])} is full", "let": lambda e: _told(e["in"]), "needed": lambda e: _told(e["of"]), "after": lambda e: f"{_told(e['value'])} after {e['effect']}({', '.join(map(_told, e['arguments']))})", "is_deed": lambda e: "the deed",
}  # fmt: skip


def told_node(node: Any) -> str:
    """A node in a few words."""
    found = NODES.get(node["op"])
    words = found(node) if found is not None else str(node["op"])
    return words if len(words) <= LONGEST else words[: LONGEST - 4].rstrip() + " ..."


NODES: dict[str, Callable[[Any], str]] = {
    "set": lambda n: f"set {_field(n['of'], n['field'])} to {_told(n['value'])}", "move": lambda n: f"move {_told(n['what'])} to {_told(n['to'])}",
    "draw": lambda n: f"draw from {_told(n['from'])}", "shuffle": lambda n: f"shuffle {_told(n['place'])}", "choose": lambda n: f"choose {n['name'] or 'one'}",
    "branch": lambda n: f"if {_told(n['test'])}", "match": lambda n: f"match {_told(n['value'])}", "each": lambda n: f"for each {n['name']}",
    "call": lambda n: f"{n['effect']}({', '.join(_told(part) for part in n['arguments'])})", "show": lambda n: f"show {_told(n['what'])}",
    "return": lambda n: f"give {_told(n['value'])}", "outcome": lambda n: f"{n['how']}: {_told(n['player'])}", "end": lambda n: "end game",
    "offer": lambda n: "offer actions", "install": lambda n: f"until {n['until']}",
}  # fmt: skip
