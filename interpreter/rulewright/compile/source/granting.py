"""Who is granted an action, the other way round: instead of asking every component whom it grants its action, the rule is turned into a query for components.

`actions for a character where self is in character.hand` says, for one component, to whom. For one character it says which components: those in the hand.
Written as a query over components it begins in that place (see `queries`), however many lie elsewhere. Who cannot tell what a component is cannot use
what only that component can do.
"""

from __future__ import annotations

from typing import Any

from rulewright.compile.source.expressions import Expressions
from rulewright.compile.source.facts import Facts
from rulewright.compile.source.writing import ONE, Code, Module, Scope, Writer
from rulewright.run.finding import binders

Expr = dict[str, Any]
WHO = Code("who", ONE, True, sure=True)
ACTOR: Expr = {"op": "var", "name": "actor"}


def write_granting(module: Module, facts: Facts) -> dict[str, int]:
    """Functions `g<number>(m, who)` that give the components which grant an action to somebody; gives their numbers by action."""
    numbers: dict[str, int] = {}
    for path in module.graph["actions"]:
        writer = Writer(module, f"def g{len(numbers)}(m, who):")
        found = granters(Expressions(module, facts, writer), path, WHO)
        if found is not None:
            numbers[path] = len(numbers)
            writer.line(f"return {found}")
            module.add(writer)
    return numbers


def granters(expressions: Expressions, path: str, who: Code) -> str | None:
    """The components that grant an action to somebody: a list; None if they cannot be found in this way."""
    module, facts = expressions.module, expressions.facts
    action = module.graph["actions"][path]
    found = _conditions(module, facts, action)
    if found is None:
        return None
    conditions, names = found
    actor = who._replace(kind=facts.kind_of(action["by"]))
    sorts = _ancestors(module.graph, actor.kind)
    conditions = [each for each in conditions if not (each["op"] == "is_kind" and each["of"] == ACTOR and each["kind"] in sorts)]
    query = {"op": "query", "source": {"op": "all", "of": action["of"]}, "binder": "self", "filters": [*conditions, *action["while"]], "orders": []}
    scope = Scope({**dict.fromkeys(names, actor), "actor": actor}, dynamic=False)
    value = expressions.value(query, scope).text
    return f"known_to(m, {who.text}, {value})" if action["of"] in module.graph["components"] else value


def _conditions(module: Module, facts: Facts, action: dict[str, Any]) -> tuple[list[Expr], list[str]] | None:
    """What must hold of a component for it to grant an action to the actor, and other names for the actor; None if that cannot be said so."""
    if action["of"] is None:
        return None
    rules = _rules(module.graph, action["of"])
    if not rules or any(rule != rules[0] for rule in rules):
        return None
    rule = rules[0]
    if rule is None:
        return [], []
    if rule["op"] != "query":
        return None
    source = _source(facts, rule["source"])
    names = [name for name in binders(rule) if name != "self"]
    return None if source is None or "actor" in names else ([*source, *rule["filters"]], names)


def _rules(graph: dict[str, Any], noun: str) -> list[Expr | None]:
    """To whom the components that a noun stands for grant their actions: a rule for each of their kinds."""
    if noun in graph["components"]:
        kinds = {graph["components"][noun]["kind"]}
    else:
        kinds = {kind for kind in graph["kinds"] if noun in _ancestors(graph, kind)}
    return [graph["kinds"][kind].get("actions_for") for kind in sorted(kinds) if kind in graph["kinds"]]


def _ancestors(graph: dict[str, Any], kind: str | None) -> set[str]:
    found = set()
    while kind is not None:
        found.add(kind)
        kind = graph["kinds"][kind]["parent"]
    return found


def _source(facts: Facts, source: Expr) -> list[Expr] | None:
    """What must hold for the actor to be among what a source gives."""
    match source["op"]:
        case "all" if "grid" not in source:
            return [{"op": "is_kind", "of": ACTOR, "kind": source["of"]}]
        case "of_kind":
            inner = _source(facts, source["source"])
            kind = [] if source["kind"] is None else [{"op": "is_kind", "of": ACTOR, "kind": source["kind"]}]
            return None if inner is None else [*kind, *inner]
        case "members" if facts.single(source["of"]):
            return [{"op": "is_in", "item": ACTOR, "set": source["of"]}]
    return None
