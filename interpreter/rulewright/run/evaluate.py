"""Expressions: what each operation of the graph means.

`evaluate(machine, expression, variables)` gives the value of an expression. `TABLE` is the definition: from operation to the function that makes its code.
Expressions are pure: they read the state and change nothing. A reference to nothing is None; a field of nothing is None; several things are lists,
in a fixed order. What finds things is in `finding`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.core.graph import nothing_given
from rulewright.run import finding
from rulewright.run.code import Code, Expr, Maker, Variables, code, codes, many

if TYPE_CHECKING:
    from rulewright.core.world import World
    from rulewright.run.machine import Machine

GREATEST = 10**12
LONGEST = 10_000


def evaluate(machine: Machine, expression: Expr, variables: Variables) -> Any:
    """The value of an expression."""
    return code(machine.world, expression)(machine, variables)


def truth(machine: Machine, expression: Expr | None, variables: Variables) -> bool:
    """Whether a condition holds; no condition always does."""
    return expression is None or bool(code(machine.world, expression)(machine, variables))


def fixed(value: Any) -> Code:
    """Code that always gives the same."""
    return lambda machine, variables: value


# -- simple things


def const(world: World, expression: Expr) -> Code:
    return fixed(expression["value"])


def var(world: World, expression: Expr) -> Code:
    name = expression["name"]
    return lambda machine, variables: variables.get(name)


def component(world: World, expression: Expr) -> Code:
    return fixed(world.first(expression["name"]))


def number(world: World, expression: Expr) -> Code:
    return fixed(world.graph["numbers"][expression["name"]]["value"])


def option(world: World, expression: Expr) -> Code:
    return fixed(world.graph["ruleset"]["options"].get(expression["name"]))


def list_(world: World, expression: Expr) -> Code:
    parts = codes(world, expression["parts"])
    return lambda machine, variables: [part(machine, variables) for part in parts]


def text(world: World, expression: Expr) -> Code:
    parts: list[Any] = [part if type(part) is str else (code(world, part["of"]), part["as"]) for part in expression["parts"]]

    def run(machine: Machine, variables: Variables) -> str:
        made = "".join(part if type(part) is str else machine.shown(part[0](machine, variables), part[1]) for part in parts)
        if len(made) > LONGEST:
            machine.fail(f"a text of {len(made):,} characters")
        return made

    return run


def let(world: World, expression: Expr) -> Code:
    name, value, inside = expression["name"], code(world, expression["value"]), code(world, expression["in"])
    return lambda machine, variables: inside(machine, {**variables, name: value(machine, variables)})


def needed(world: World, expression: Expr) -> Code:
    """What is handed to an effect that wants something."""
    of, message = code(world, expression["of"]), nothing_given(expression)

    def run(machine: Machine, variables: Variables) -> Any:
        value = of(machine, variables)
        if value is None:
            machine.fail(message)
        return value

    return run


def entry(world: World, expression: Expr) -> Code:
    of, key = code(world, expression["of"]), code(world, expression["key"])
    return lambda machine, variables: (of(machine, variables) or {}).get(str(key(machine, variables)))


# -- components and places


def place(world: World, expression: Expr) -> Code:
    return fixed(world.global_places[expression["place"]])


def place_of(world: World, expression: Expr) -> Code:
    of, name, owned = code(world, expression["of"]), expression["place"], world.owned_places
    return lambda machine, variables: owned.get((of(machine, variables), name))


def field(world: World, expression: Expr) -> Code:
    of, name = code(world, expression["of"]), expression["name"]
    slots, unchanging = world.slots_of(name), world.unchanging(name)

    def run(machine: Machine, variables: Variables) -> Any:
        thing = of(machine, variables)
        if thing is None:
            return None
        slot = slots.get(thing)
        if slot is not None:
            return machine.state.values[slot]
        return unchanging.get(thing) if unchanging is not None else machine.get(thing, name)

    if unchanging is not None and not slots and expression["of"]["op"] == "var":
        local = expression["of"]["name"]
        return lambda machine, variables: unchanging.get(variables.get(local, -1))
    return run


def decider(world: World, expression: Expr) -> Code:
    of = code(world, expression["of"])
    return lambda machine, variables: machine.decider(of(machine, variables))


# -- tests

COMPARED = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def compare(world: World, expression: Expr) -> Code:
    left, right, how = code(world, expression["left"]), code(world, expression["right"]), expression["how"]
    test = COMPARED[how]

    def same(machine: Machine, variables: Variables) -> bool:
        a, b = left(machine, variables), right(machine, variables)
        if type(a) is list or type(b) is list:
            machine.look(len(many(a)) + len(many(b)))
            a, b = sorted(many(a), key=str), sorted(many(b), key=str)
        return bool(test(a, b))

    def ranked(machine: Machine, variables: Variables) -> bool:
        a, b = left(machine, variables), right(machine, variables)
        return a is not None and b is not None and bool(test(a, b))

    return same if how in ("=", "!=") else ranked


def and_(world: World, expression: Expr) -> Code:
    parts = codes(world, expression["parts"])

    def run(machine: Machine, variables: Variables) -> bool:
        for part in parts:  # noqa: SIM110 - a loop is twice as fast as a generator here
            if not part(machine, variables):
                return False
        return True

    return run


def or_(world: World, expression: Expr) -> Code:
    parts = codes(world, expression["parts"])
    return lambda machine, variables: any(part(machine, variables) for part in parts)


def not_(world: World, expression: Expr) -> Code:
    part = code(world, expression["part"])
    return lambda machine, variables: not part(machine, variables)


def if_(world: World, expression: Expr) -> Code:
    test, yes, no = code(world, expression["test"]), code(world, expression["yes"]), code(world, expression["no"])
    return lambda machine, variables: yes(machine, variables) if test(machine, variables) else no(machine, variables)


def remainder(a: int, b: int) -> int:
    """What is left of a division, never negative."""
    return a % abs(b)


COUNTED: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "mod": remainder}


def arithmetic(world: World, expression: Expr) -> Code:
    left, right, how = code(world, expression["left"]), code(world, expression["right"]), expression["how"]
    count = COUNTED.get(how, COUNTED["mod"])
    divides = how not in ("+", "-", "*")
    low, high = expression.get("range", (None, None))

    def run(machine: Machine, variables: Variables) -> int:
        a, b = left(machine, variables) or 0, right(machine, variables) or 0
        if divides and b == 0:
            machine.fail("a division by zero")
        result = int(count(a, b))
        if abs(result) > GREATEST:
            machine.fail("a number that grows without bound")
        return result if low is None else min(max(result, low), high)

    return run


def is_kind(world: World, expression: Expr) -> Code:
    of, nouns = code(world, expression["of"]), world.noun_set(expression["kind"])
    return lambda machine, variables: of(machine, variables) in nouns


def is_deed(world: World, expression: Expr) -> Code:
    of, name, actions = code(world, expression["of"]), expression["name"], world.graph["actions"]
    fitting = {name} | {path for path, action in actions.items() if name in action["groups"]}
    return lambda machine, variables: of(machine, variables) in fitting


def is_in(world: World, expression: Expr) -> Code:
    item, within = code(world, expression["item"]), code(world, expression["set"])
    if expression.get("plain"):
        return lambda machine, variables: item(machine, variables) in looked_through(machine, many(within(machine, variables)))

    def run(machine: Machine, variables: Variables) -> bool:
        thing, where = item(machine, variables), within(machine, variables)
        if thing is None or where is None:
            return False
        if type(where) is list:
            looked_through(machine, where)
            return thing in where or (
                type(thing) is int and thing < world.count and machine.holds_places(where) and machine.state.where[thing] in where
            )
        return bool(machine.state.where[thing] == where)

    return run


def looked_through(machine: Machine, things: list[Any]) -> list[Any]:
    """Things among which something is looked for."""
    machine.copy(len(things))
    return things


def is_empty(world: World, expression: Expr) -> Code:
    of = code(world, expression["of"])

    def run(machine: Machine, variables: Variables) -> bool:
        thing = of(machine, variables)
        if thing is None:
            return True
        return not (thing if type(thing) is list else machine.state.members[thing])

    return run


def is_full(world: World, expression: Expr) -> Code:
    of = code(world, expression["of"])

    def run(machine: Machine, variables: Variables) -> bool:
        place_ = of(machine, variables)
        return place_ is not None and machine.room_in(place_) == 0

    return run


def value(world: World, expression: Expr) -> Code:
    path, arguments = expression["value"], codes(world, expression["arguments"])
    of = code(world, expression["of"]) if "of" in expression else fixed(None)

    def run(machine: Machine, variables: Variables) -> Any:
        return machine.value_of(path, of(machine, variables), [argument(machine, variables) for argument in arguments])

    return run


TABLE: dict[str, Maker] = {
    "const": const, "var": var, "component": component, "number": number, "option": option, "list": list_, "text": text, "let": let, "needed": needed, "entry": entry,
    "place": place, "place_of": place_of, "field": field, "decider": decider, "compare": compare, "and": and_, "or": or_, "not": not_, "if": if_,
    "arithmetic": arithmetic, "is_kind": is_kind, "is_deed": is_deed, "is_in": is_in, "is_empty": is_empty, "is_full": is_full, "value": value,
    **finding.TABLE,
}  # fmt: skip
__all__ = ["TABLE", "Expr", "Variables", "evaluate", "many", "truth"]
