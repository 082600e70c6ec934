"""Expressions: what each operation of the graph means.

`evaluate(machine, expression, variables)` looks the operation up in a table. Expressions are pure: they read the state and change nothing. A reference
to nothing is None; a field of nothing is None; several things are lists, in a fixed order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.run.geometry import distance, lines, reachable, visible, within

if TYPE_CHECKING:
    from interpreter.run.machine import Machine

Expr = dict[str, Any]
Variables = dict[str, Any]
DEEPEST = 200


def evaluate(machine: Machine, expression: Expr, variables: Variables) -> Any:
    """The value of an expression."""
    return TABLE[expression["op"]](machine, expression, variables)


def truth(machine: Machine, expression: Expr | None, variables: Variables) -> bool:
    """Whether a condition holds; no condition always does."""
    return expression is None or bool(TABLE[expression["op"]](machine, expression, variables))


def many(value: Any) -> list[Any]:
    """A value as a list: nothing, one thing or several."""
    if type(value) is list:
        return value
    return [] if value is None else [value]


# -- simple things


def const(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return expression["value"]


def var(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return variables.get(expression["name"])


def component(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return machine.world.first(expression["name"])


def number(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return machine.world.graph["numbers"][expression["name"]]["value"]


def option(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return machine.world.graph["ruleset"]["options"].get(expression["name"])


def list_(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return [evaluate(machine, part, variables) for part in expression["parts"]]


def text(machine: Machine, expression: Expr, variables: Variables) -> Any:
    parts = [part if type(part) is str else machine.shown(evaluate(machine, part["of"], variables), part["as"]) for part in expression["parts"]]
    return "".join(parts)


def let(machine: Machine, expression: Expr, variables: Variables) -> Any:
    inner = {**variables, expression["name"]: evaluate(machine, expression["value"], variables)}
    return evaluate(machine, expression["in"], inner)


def entry(machine: Machine, expression: Expr, variables: Variables) -> Any:
    table = evaluate(machine, expression["of"], variables) or {}
    return table.get(str(evaluate(machine, expression["key"], variables)))


# -- components and places


def place(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return machine.world.global_places[expression["place"]]


def place_of(machine: Machine, expression: Expr, variables: Variables) -> Any:
    owner = evaluate(machine, expression["of"], variables)
    return None if owner is None else machine.world.owned_places.get((owner, expression["place"]))


def field(machine: Machine, expression: Expr, variables: Variables) -> Any:
    of = evaluate(machine, expression["of"], variables)
    return None if of is None else machine.get(of, expression["name"])


def decider(machine: Machine, expression: Expr, variables: Variables) -> Any:
    of = evaluate(machine, expression["of"], variables)
    return None if of is None else machine.decider(of)


def all_of(machine: Machine, expression: Expr, variables: Variables) -> Any:
    if "grid" in expression:
        return [cell for row in machine.world.cells[expression["grid"]] for cell in row]
    return machine.world.by_noun.get(expression["of"], [])


def members(machine: Machine, expression: Expr, variables: Variables) -> Any:
    places = evaluate(machine, expression["of"], variables)
    state = machine.state
    if type(places) is list:
        return [member for place_ in places for member in state.members[place_]]
    return [] if places is None else state.members[places]


def of_kind(machine: Machine, expression: Expr, variables: Variables) -> Any:
    found = many(evaluate(machine, expression["source"], variables))
    kind, world = expression["kind"], machine.world
    return found if kind is None else [each for each in found if type(each) is int and each < world.count and world.is_a(each, kind)]


def links(machine: Machine, expression: Expr, variables: Variables) -> Any:
    world, kind = machine.world, expression["kind"]
    ends = many(evaluate(machine, expression["of"], variables))
    return [link for link in world.by_noun.get(kind, []) if any(end in ends for end in world.ends.get(link, ()))]


def belonging(machine: Machine, expression: Expr, variables: Variables) -> Any:
    """Components of a kind that lie in any place of a component, or in places of what lies there."""
    found: list[int] = []
    todo = list(many(evaluate(machine, expression["of"], variables)))
    seen: set[int] = set()
    while todo:
        owner = todo.pop(0)
        if owner in seen:
            continue
        seen.add(owner)
        for place_ in machine.world.places_of.get(owner, ()):
            found += machine.state.members[place_]
            todo += machine.state.members[place_]
    kind = expression["kind"]
    return [each for each in found if kind is None or machine.world.is_a(each, kind)]


def gather(machine: Machine, expression: Expr, variables: Variables) -> Any:
    found: list[Any] = []
    for each in evaluate(machine, expression["query"], variables):
        found += many(evaluate(machine, expression["value"], {**variables, "it": each}))
    return list(dict.fromkeys(found))


# -- around and beyond


def next_(machine: Machine, expression: Expr, variables: Variables) -> Any:
    start = evaluate(machine, expression["of"], variables)
    if start is None:
        return []
    allowed = _through(machine, expression["through"], variables)
    found = [place_ for link, place_ in machine.world.neighbours(start) if allowed is None or link in allowed or (link is None and place_ in allowed)]
    return _of_noun(machine, dict.fromkeys(found), expression["kind"])


def _through(machine: Machine, expression: Expr | None, variables: Variables) -> set[Any] | None:
    return None if expression is None else set(many(evaluate(machine, expression, variables)))


def _of_noun(machine: Machine, found: Any, kind: str | None) -> list[int]:
    return [each for each in found if kind is None or (each < machine.world.count and machine.world.is_a(each, kind))]


def within_(machine: Machine, expression: Expr, variables: Variables) -> Any:
    start, limit = evaluate(machine, expression["of"], variables), evaluate(machine, expression["limit"], variables)
    return [] if start is None else _of_noun(machine, within(machine.world, start, limit or 0), expression["kind"])


def reachable_(machine: Machine, expression: Expr, variables: Variables) -> Any:
    start = evaluate(machine, expression["of"], variables)
    limit = evaluate(machine, expression["limit"], variables) if expression["limit"] is not None else None
    allowed = _through(machine, expression["through"], variables)
    return [] if start is None else _of_noun(machine, reachable(machine.world, start, limit, allowed), expression["kind"])


def visible_(machine: Machine, expression: Expr, variables: Variables) -> Any:
    start = evaluate(machine, expression["of"], variables)
    blocked = _through(machine, expression["blocked"], variables) or set()
    return [] if start is None else _of_noun(machine, visible(machine.world, start, blocked), expression["kind"])


def path_distance(machine: Machine, expression: Expr, variables: Variables) -> Any:
    start, goal = evaluate(machine, expression["start"], variables), evaluate(machine, expression["goal"], variables)
    allowed = _through(machine, expression["through"], variables)
    return None if start is None or goal is None else distance(machine.world, start, goal, allowed)


def lines_(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return lines(machine.world, expression["grid"], evaluate(machine, expression["length"], variables))


# -- queries


def query(machine: Machine, expression: Expr, variables: Variables) -> Any:
    found = many(evaluate(machine, expression["source"], variables))
    if expression["filters"]:
        found = list(_filtered(machine, expression, found, variables))
    return ordered(machine, expression, found, variables) if expression["orders"] else list(found)


def _filtered(machine: Machine, expression: Expr, found: list[Any], variables: Variables) -> Any:
    filters, names = expression["filters"], [expression["binder"], "it", *expression.get("aliases", ())]
    inner = dict(variables)
    for each in found:
        for name in names:
            inner[name] = each
        if all(evaluate(machine, condition, inner) for condition in filters):
            yield each


def ordered(machine: Machine, expression: Expr, found: list[Any], variables: Variables) -> list[Any]:
    """Things in the order of their keys; nothing is last."""
    names = [expression.get("binder", "it"), "it", *expression.get("aliases", ())]

    def key(each: Any) -> list[Any]:
        inner = {**variables, **dict.fromkeys(names, each)}
        parts = []
        for order in expression["orders"]:
            value = None if order["choice"] else evaluate(machine, order["key"], inner)
            parts.append((value is None, -(value or 0) if order["descending"] else value or 0))
        return parts

    return sorted(found, key=key)


def exists(machine: Machine, expression: Expr, variables: Variables) -> Any:
    inner = expression["query"]
    if inner["op"] != "query":
        return bool(evaluate(machine, inner, variables))
    found = many(evaluate(machine, inner["source"], variables))
    return bool(found) if not inner["filters"] else next(iter(_filtered(machine, inner, found, variables)), None) is not None


def count(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return len(evaluate(machine, expression["query"], variables))


def pick(machine: Machine, expression: Expr, variables: Variables) -> Any:
    found = evaluate(machine, expression["query"], variables)
    if not found:
        return None
    return found[-1] if expression["how"] in ("last", "top") else found[0]


def pick_many(machine: Machine, expression: Expr, variables: Variables) -> Any:
    found = evaluate(machine, expression["query"], variables)
    amount = max(evaluate(machine, expression["amount"], variables) or 0, 0)
    if expression["how"] in ("last", "top"):
        return found[::-1][:amount]
    return found[:amount]


def measure(machine: Machine, expression: Expr, variables: Variables) -> Any:
    if "parts" in expression:
        numbers = [evaluate(machine, part, variables) or 0 for part in expression["parts"]]
    else:
        inner = expression["query"]
        names = [inner.get("binder", "it"), "it"]
        numbers = [
            evaluate(machine, expression["value"], {**variables, **dict.fromkeys(names, each)}) or 0 for each in evaluate(machine, inner, variables)
        ]
    if expression["how"] == "total":
        return sum(numbers)
    if not numbers:
        return None
    return max(numbers) if expression["how"] == "highest" else min(numbers)


# -- tests


def compare(machine: Machine, expression: Expr, variables: Variables) -> Any:
    left, right = evaluate(machine, expression["left"], variables), evaluate(machine, expression["right"], variables)
    how = expression["how"]
    if type(left) is list or type(right) is list:
        same = sorted(many(left), key=str) == sorted(many(right), key=str)
        return same if how == "=" else not same
    if how == "=":
        return left == right
    if how == "!=":
        return left != right
    if left is None or right is None:
        return False
    return bool({"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[how])


def and_(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return all(evaluate(machine, part, variables) for part in expression["parts"])


def or_(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return any(evaluate(machine, part, variables) for part in expression["parts"])


def not_(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return not evaluate(machine, expression["part"], variables)


def if_(machine: Machine, expression: Expr, variables: Variables) -> Any:
    return evaluate(machine, expression["yes"] if evaluate(machine, expression["test"], variables) else expression["no"], variables)


def arithmetic(machine: Machine, expression: Expr, variables: Variables) -> Any:
    left, right = evaluate(machine, expression["left"], variables) or 0, evaluate(machine, expression["right"], variables) or 0
    match expression["how"]:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case _ if right == 0:
            machine.fail("a division by zero")
        case "/":
            result = left // right
        case _:
            result = left % right
    if abs(result) > 10**12:
        machine.fail("a number that grows without bound")
    if "range" in expression:
        low, high = expression["range"]
        result = min(max(result, low), high)
    return result


def is_kind(machine: Machine, expression: Expr, variables: Variables) -> Any:
    of = evaluate(machine, expression["of"], variables)
    return of is not None and of < machine.world.count and machine.world.is_a(of, expression["kind"])


def is_deed(machine: Machine, expression: Expr, variables: Variables) -> Any:
    deed = evaluate(machine, expression["of"], variables)
    action = machine.world.graph["actions"].get(deed, {})
    return deed == expression["name"] or expression["name"] in action.get("groups", ())


def is_in(machine: Machine, expression: Expr, variables: Variables) -> Any:
    item, where = evaluate(machine, expression["item"], variables), evaluate(machine, expression["set"], variables)
    if item is None or where is None:
        return False
    if type(where) is list:
        return item in where or (
            machine.holds_places(where) and type(item) is int and item < machine.world.count and machine.state.where[item] in where
        )
    return machine.state.where[item] == where


def is_empty(machine: Machine, expression: Expr, variables: Variables) -> Any:
    of = evaluate(machine, expression["of"], variables)
    if of is None:
        return True
    return not of if type(of) is list else not machine.state.members[of]


def is_full(machine: Machine, expression: Expr, variables: Variables) -> Any:
    of = evaluate(machine, expression["of"], variables)
    capacity = machine.world.place_spec(of)["capacity"] if of is not None else None
    return capacity is not None and len(machine.state.members[of]) >= capacity


def value(machine: Machine, expression: Expr, variables: Variables) -> Any:
    arguments = [evaluate(machine, argument, variables) for argument in expression["arguments"]]
    of = evaluate(machine, expression["of"], variables) if "of" in expression else None
    return machine.value_of(expression["value"], of, arguments)


TABLE: dict[str, Callable[[Any, Expr, Variables], Any]] = {
    "const": const, "var": var, "component": component, "number": number, "option": option, "list": list_, "text": text, "let": let, "entry": entry,
    "place": place, "place_of": place_of, "field": field, "decider": decider, "all": all_of, "members": members, "of_kind": of_kind, "links": links,
    "belonging": belonging, "gather": gather, "next": next_, "within": within_, "reachable": reachable_, "visible": visible_,
    "path_distance": path_distance, "lines": lines_, "query": query, "exists": exists, "count": count, "pick": pick, "pick_many": pick_many,
    "measure": measure, "compare": compare, "and": and_, "or": or_, "not": not_, "if": if_, "arithmetic": arithmetic, "is_kind": is_kind,
    "is_deed": is_deed, "is_in": is_in, "is_empty": is_empty, "is_full": is_full, "value": value,
}  # fmt: skip
