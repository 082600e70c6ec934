"""Finding: where a query begins, how it is narrowed and ordered, and what is made of what it finds.

Part of the table of operations in `evaluate`. Everything is found in a fixed order: of declarations and copies, or of the members of a place.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from rulewright.core.geometry import distance, lines, reachable, visible, within
from rulewright.core.graph import speaks_of
from rulewright.run.code import Code, Expr, Maker, Variables, code, codes, many

if TYPE_CHECKING:
    from rulewright.core.world import World
    from rulewright.run.machine import Machine

# -- where a query begins


def all_of(world: World, expression: Expr) -> Code:
    found = constant_source(world, expression)
    return lambda machine, variables: found


def constant_source(world: World, expression: Expr) -> list[int]:
    """Everything of a kind, or all cells of a grid."""
    if "grid" in expression:
        return [cell for row in world.cells[expression["grid"]] for cell in row]
    return world.by_noun.get(expression["of"], [])


def members(world: World, expression: Expr) -> Code:
    of = code(world, expression["of"])

    def run(machine: Machine, variables: Variables) -> list[int]:
        places, inside = of(machine, variables), machine.state.members
        if type(places) is list:
            machine.look(len(places))
            found = [member for place in places for member in inside[place]]
        else:
            found = [] if places is None else list(inside[places])
        machine.copy(len(found))
        return found

    return run


def of_kind(world: World, expression: Expr) -> Code:
    source, kind = code(world, expression["source"]), expression["kind"]
    if kind is None:
        return lambda machine, variables: many(source(machine, variables))
    nouns = world.noun_set(kind)
    if expression["source"]["op"] == "all":
        fixed = [each for each in constant_source(world, expression["source"]) if each in nouns]
        return lambda machine, variables: fixed

    def run(machine: Machine, variables: Variables) -> list[Any]:
        found = many(source(machine, variables))
        machine.copy(len(found))
        return [each for each in found if each in nouns]

    return run


def _of_noun(world: World, kind: str | None) -> Any:
    """A function that keeps what is of a kind, each thing once."""
    if kind is None:
        return lambda found: list(dict.fromkeys(found))
    nouns = world.noun_set(kind)
    return lambda found: [each for each in dict.fromkeys(found) if each in nouns]


def links(world: World, expression: Expr) -> Code:
    of, all_links = code(world, expression["of"]), world.by_noun.get(expression["kind"], [])

    def run(machine: Machine, variables: Variables) -> list[int]:
        ends = many(of(machine, variables))
        machine.look(len(all_links) + len(ends))
        among = set(ends)
        return [link for link in all_links if any(end in among for end in world.ends.get(link, ()))]

    return run


def belonging(world: World, expression: Expr) -> Code:
    """Components of a kind that lie in any place of a component, or in places of what lies there."""
    of, keep = code(world, expression["of"]), _of_noun(world, expression["kind"])

    def run(machine: Machine, variables: Variables) -> Any:
        found: list[int] = []
        todo, seen = list(many(of(machine, variables))), set()
        while todo:
            owner = todo.pop(0)
            if owner in seen:
                continue
            seen.add(owner)
            machine.look(1)
            for place in world.places_of.get(owner, ()):
                lying = machine.state.members[place]
                machine.look(1 + len(lying))
                found += lying
                todo += lying
        return keep(found)

    return run


def gather(world: World, expression: Expr) -> Code:
    source, part = code(world, expression["query"]), code(world, expression["value"])

    def run(machine: Machine, variables: Variables) -> list[Any]:
        found: dict[Any, None] = {}
        inner, things = dict(variables), many(source(machine, variables))
        machine.look(len(things))
        for inner["it"] in things:
            parts = many(part(machine, inner))
            machine.copy(len(parts))
            found.update(dict.fromkeys(parts))
        return list(found)

    return run


# -- around and beyond


def _through(world: World, expression: Expr | None) -> Any:
    """A function for what counts as a way: None if everything does."""
    if expression is None:
        return lambda machine, variables: None
    through = code(world, expression)
    if expression["op"] != "query" or expression["source"]["op"] not in ("all", "of_kind") or _begin(expression)["op"] != "all":
        return lambda machine, variables: set(many(through(machine, variables)))
    among = frozenset(code(world, expression["source"])(None, {}))  # type: ignore[arg-type]  # what is of a kind depends on no state
    test = _test(world, binders(expression), expression["filters"])
    return lambda machine, variables: Ways(machine, variables, among, test)


class Ways:
    """What counts as a way, found out for each thing when it is asked about, not for all there are."""

    def __init__(self, machine: Machine, variables: Variables, among: frozenset[int], test: Any) -> None:
        self.machine, self.variables, self.among, self.test = machine, variables, among, test
        self.known: dict[Any, bool] = {}

    def __contains__(self, thing: Any) -> bool:
        if thing not in self.known:
            fits = thing in self.among
            self.machine.look(1)
            self.known[thing] = fits and (self.test is None or any(True for _ in self.test(self.machine, self.variables, [thing])))
        return self.known[thing]


def next_(world: World, expression: Expr) -> Code:
    of, through, keep = code(world, expression["of"]), _through(world, expression["through"]), _of_noun(world, expression["kind"])
    by_place = expression.get("places", False)

    def run(machine: Machine, variables: Variables) -> Any:
        start, allowed = of(machine, variables), through(machine, variables)
        if start is None:
            return []
        beside = world.neighbours(start)
        machine.look(len(beside))
        return keep(place for link, place in beside if allowed is None or link in allowed or ((by_place or link is None) and place in allowed))

    return run


def within_(world: World, expression: Expr) -> Code:
    of, limit, keep = code(world, expression["of"]), code(world, expression["limit"]), _of_noun(world, expression["kind"])

    def run(machine: Machine, variables: Variables) -> Any:
        start = of(machine, variables)
        if start is None:
            return []
        machine.look(world.count if world.grid_of.get(start) is None else world.cell_count[world.grid_of[start]])
        return keep(within(world, start, limit(machine, variables) or 0))

    return run


def reachable_(world: World, expression: Expr) -> Code:
    of, through, keep = code(world, expression["of"]), _through(world, expression["through"]), _of_noun(world, expression["kind"])
    limit = code(world, expression["limit"]) if expression["limit"] is not None else lambda machine, variables: None
    by_place = expression.get("places", False)

    def run(machine: Machine, variables: Variables) -> Any:
        start = of(machine, variables)
        if start is None:
            return []
        machine.look(world.count)
        return keep(reachable(world, start, limit(machine, variables), through(machine, variables), by_place))

    return run


def visible_(world: World, expression: Expr) -> Code:
    of, keep = code(world, expression["of"]), _of_noun(world, expression["kind"])
    blocked = code(world, expression["blocked"]) if expression["blocked"] is not None else lambda machine, variables: None

    def run(machine: Machine, variables: Variables) -> Any:
        start = of(machine, variables)
        if start is None:
            return []
        around = set(many(blocked(machine, variables)))
        machine.look(world.count + (0 if world.grid_of.get(start) is None else world.cell_count[world.grid_of[start]] * (1 + len(around))))
        return keep(visible(world, start, around))

    return run


def path_distance(world: World, expression: Expr) -> Code:
    start, goal, through = code(world, expression["start"]), code(world, expression["goal"]), _through(world, expression["through"])
    by_place = expression.get("places", False)

    def run(machine: Machine, variables: Variables) -> int | None:
        here, there = start(machine, variables), goal(machine, variables)
        if here is None or there is None:
            return None
        machine.look(world.count)
        return distance(world, here, there, through(machine, variables), by_place)

    return run


def lines_(world: World, expression: Expr) -> Code:
    grid, length = expression["grid"], code(world, expression["length"])

    def run(machine: Machine, variables: Variables) -> list[list[int]]:
        wanted = length(machine, variables) or 0
        machine.look(world.cell_count[grid])
        machine.copy(4 * world.cell_count[grid] * max(wanted, 0) if (grid, wanted) not in world.lines else 0)
        return lines(world, grid, wanted)

    return run


# -- queries


def query(world: World, expression: Expr) -> Code:
    source, test = _narrowed(world, expression)
    rank = _ranking(world, expression["orders"], binders(expression)) if expression["orders"] else None

    def run(machine: Machine, variables: Variables) -> list[Any]:
        found = source(machine, variables)
        if test is None:
            machine.copy(len(found))
        found = list(found) if test is None else list(test(machine, variables, found))
        return found if rank is None else [each for _, each in rank(machine, variables, found)]

    return run


def binders(expression: Expr) -> list[str]:
    """The names that the thing looked at has inside a query."""
    return list(dict.fromkeys([expression.get("binder") or "it", "it", *expression.get("aliases", ())]))


def _narrowed(world: World, expression: Expr) -> tuple[Code, Any]:
    """Where a query begins, and a generator of what passes its filters (None if there are none).

    If a filter wants a number that is printed on the things for good, such as `column = 3`, the query begins with those that have it.
    """
    source, names = code(world, expression["source"]), binders(expression)
    filters = [part for test in expression["filters"] for part in (test["parts"] if test["op"] == "and" else [test])]
    if _begin(expression)["op"] == "all":
        everything = source(None, {})  # type: ignore[arg-type]  # what is of a kind depends on no state
        for part in filters:
            indexed = _printed(world, names, part, everything)
            if indexed is not None:
                return indexed, _test(world, names, [each for each in filters if each is not part])
    return lambda machine, variables: many(source(machine, variables)), _test(world, names, filters)


def _begin(expression: Expr) -> Expr:
    """Where a query begins, whatever kind it keeps of that."""
    source: Expr = expression["source"]
    return source["source"] if source["op"] == "of_kind" else source


def _test(world: World, names: list[str], filters: list[Expr]) -> Any:
    """A generator of what passes all filters; None if there are none."""
    conditions = codes(world, filters)
    if not conditions:
        return None

    def passing(machine: Machine, variables: Variables, found: list[Any]) -> Any:
        machine.look(len(found))
        inner = dict(variables)
        for each in found:
            for name in names:
                inner[name] = each
            for condition in conditions:
                if not condition(machine, inner):
                    break
            else:
                yield each

    return passing


def _printed(world: World, names: list[str], part: Expr, everything: list[int]) -> Code | None:
    """The things by the number printed on them, for a filter `it.row = X` whose X does not speak of the thing looked at."""
    if part["op"] != "compare" or part["how"] != "=":
        return None
    for own, other in ((part["left"], part["right"]), (part["right"], part["left"])):
        if own["op"] != "field" or own["of"]["op"] != "var" or own["of"]["name"] not in names or speaks_of(other, names):
            continue
        numbers = world.unchanging(own["name"])
        if numbers is not None and not any(each in world.slots_of(own["name"]) for each in everything):
            table: dict[Any, list[int]] = {}
            for each in everything:
                table.setdefault(numbers.get(each), []).append(each)
            wanted = code(world, other)
            return lambda machine, variables: table.get(wanted(machine, variables), [])
    return None


def _ranking(world: World, orders: list[Expr], names: list[str]) -> Any:
    """A function that gives things with their keys, in order; nothing is last."""
    keys = [(code(world, order["key"]), -1 if order["descending"] else 1) for order in orders if not order["choice"]]

    def rank(machine: Machine, variables: Variables, found: list[Any]) -> list[tuple[list[Any], Any]]:
        machine.look(len(found) * (1 + len(keys)))
        inner = dict(variables)

        def key(each: Any) -> list[Any]:
            inner.update(dict.fromkeys(names, each))
            values = [(part(machine, inner), sign) for part, sign in keys]
            return [(value is None, (value or 0) * sign) for value, sign in values]

        return sorted(((key(each), each) for each in found), key=lambda pair: pair[0])

    return rank


def in_order(machine: Machine, orders: list[Expr], names: list[str], found: list[Any], variables: Variables) -> tuple[list[Any], list[int]]:
    """Things in the order of their keys, and how many in a row have the same keys."""
    ranked = _ranking(machine.world, orders, names)(machine, variables, found)
    return [each for _, each in ranked], [len(list(group)) for _, group in itertools.groupby(ranked, key=lambda pair: pair[0])] or [0]


def exists(world: World, expression: Expr) -> Code:
    inner = expression["query"]
    if inner["op"] != "query":
        found = code(world, inner)
        return lambda machine, variables: bool(found(machine, variables))
    source, test = _narrowed(world, inner)
    if test is None:
        return lambda machine, variables: bool(source(machine, variables))

    def run(machine: Machine, variables: Variables) -> bool:
        for _ in test(machine, variables, source(machine, variables)):
            return True
        return False

    return run


def count(world: World, expression: Expr) -> Code:
    found = code(world, expression["query"])
    return lambda machine, variables: len(many(found(machine, variables)))


def pick(world: World, expression: Expr) -> Code:
    source, position = code(world, expression["query"]), -1 if expression["how"] in ("last", "top") else 0

    def run(machine: Machine, variables: Variables) -> Any:
        found = source(machine, variables)
        if machine.state.loose:
            from rulewright.run.sampling import laid_out

            found = laid_out(machine, found, 1, position == -1)
        return found[position] if found else None

    return run


def pick_many(world: World, expression: Expr) -> Code:
    source, amount, backwards = code(world, expression["query"]), code(world, expression["amount"]), expression["how"] in ("last", "top")

    def run(machine: Machine, variables: Variables) -> list[Any]:
        found = source(machine, variables)
        wanted = max(amount(machine, variables) or 0, 0)
        if machine.state.loose:
            from rulewright.run.sampling import laid_out

            found = laid_out(machine, found, wanted, backwards)
        return list(found[::-1] if backwards else found)[:wanted]

    return run


def measure(world: World, expression: Expr) -> Code:
    numbers = _parts(world, expression) if "parts" in expression else _over(world, expression)
    how = expression["how"]
    if how == "total":
        return lambda machine, variables: sum(numbers(machine, variables))
    best = max if how == "highest" else min
    return lambda machine, variables: best(numbers(machine, variables), default=None)


def _parts(world: World, expression: Expr) -> Code:
    parts = codes(world, expression["parts"])
    return lambda machine, variables: [part(machine, variables) or 0 for part in parts]


def _over(world: World, expression: Expr) -> Code:
    source, part, names = code(world, expression["query"]), code(world, expression["value"]), binders(expression["query"])

    def run(machine: Machine, variables: Variables) -> list[int]:
        inner, found, things = dict(variables), [], source(machine, variables)
        machine.look(len(things))
        for each in things:
            inner.update(dict.fromkeys(names, each))
            found.append(part(machine, inner) or 0)
        return found

    return run


TABLE: dict[str, Maker] = {
    "all": all_of, "members": members, "of_kind": of_kind, "links": links, "belonging": belonging, "gather": gather, "next": next_, "within": within_,
    "reachable": reachable_, "visible": visible_, "path_distance": path_distance, "lines": lines_, "query": query, "exists": exists, "count": count,
    "pick": pick, "pick_many": pick_many, "measure": measure,
}  # fmt: skip
