"""Expressions: what each means, as a function made once for each expression of a linked program.

`TABLE` is the definition: from the type of an expression to the function that makes its code. Expressions are pure. A field of nothing is nothing; several things are
tuples, in a fixed order. The slots that queries use are slots of the names they are given: nothing else looks at them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.step import events, searches
from rulewright.step.closures import COPIED, Code, Names, code, codes, every_one, fixed, many, paid, repeated
from rulewright.step.streams import each, each_passing, streams

if TYPE_CHECKING:
    from rulewright.step.link import Linked
    from rulewright.step.machine import Machine


# -- one value


def const(linked: Linked, node: c.Const) -> Code:
    return fixed(node.value)


def word(linked: Linked, node: c.Word) -> Code:
    return fixed(linked.word(node.word))


def component(linked: Linked, node: c.Component) -> Code:
    return fixed(linked.world.first(node.name))


def place(linked: Linked, node: c.Place) -> Code:
    return fixed(linked.world.global_places[node.name])


def place_of(linked: Linked, node: c.PlaceOf) -> Code:
    of, name, owned = code(linked, node.of), node.place, linked.world.owned_places
    return lambda machine, names: owned.get((of(machine, names), name))


def name(linked: Linked, node: c.Name) -> Code:
    slot = node.slot
    return lambda machine, names: names[slot]


def field(linked: Linked, node: c.Field) -> Code:
    of, wanted, world = code(linked, node.of), node.name, linked.world
    slots, built_in = world.slots_of(wanted), BUILT_IN.get(wanted)

    def run(machine: Machine, names: Names) -> Any:
        thing = of(machine, names)
        if thing is None:
            return None
        slot = slots.get(thing)
        if slot is not None:
            return machine.state.values[slot]
        return built_in(machine, thing) if built_in is not None else None

    return run


def colour(machine: Machine, track: int) -> Any:
    world = machine.world
    if track >= world.count or world.kinds[track] != "#track":
        return None
    spaces = world.graph["tracks"][world.definitions[track]]["spaces"]
    return machine.linked.encoded(spaces[machine.state.values[world.base[track]] - 1])


def inside(give: Callable[[Machine, int], Any]) -> Callable[[Machine, int], Any]:
    """What components have and other places have not."""
    return lambda machine, thing: give(machine, thing) if thing < machine.world.count else None


def _place_now(machine: Machine, thing: int) -> int:
    return machine.state.where[thing]


def _label(machine: Machine, thing: int) -> int:
    return machine.linked.word(machine.world.labels[thing])


def _sort(machine: Machine, thing: int) -> int:
    return machine.linked.word(machine.world.definitions[thing])


BUILT_IN: dict[str, Callable[[Machine, int], Any]] = {
    "place": inside(_place_now),
    "owner": inside(lambda machine, thing: machine.owner(thing)),
    "holder": lambda machine, thing: machine.world.place_owner.get(thing),
    "seat": inside(lambda machine, thing: machine.world.copies[thing]),
    "copy": inside(lambda machine, thing: machine.world.copies[thing]),
    "row": lambda machine, thing: machine.world.rows.get(thing),
    "column": lambda machine, thing: machine.world.columns.get(thing),
    "ends": lambda machine, thing: tuple(machine.world.ends.get(thing, ())),
    "label": _label,
    "sort": inside(_sort),
    "colour": colour,
}


def decider(linked: Linked, node: c.Decider) -> Code:
    of = code(linked, node.of)
    return lambda machine, names: machine.decider(of(machine, names))


def asked(linked: Linked, node: c.Asked) -> Code:
    player = code(linked, node.player)
    return lambda machine, names: machine.is_asked(player(machine, names))


COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def compare(linked: Linked, node: c.Compare) -> Code:
    left, right, test = code(linked, node.left), code(linked, node.right), COMPARED[node.how]
    if node.how in ("=", "!="):
        return lambda machine, names: test(left(machine, names), right(machine, names))

    def ranked(machine: Machine, names: Names) -> bool:
        a, b = left(machine, names), right(machine, names)
        return a is not None and b is not None and test(a, b)

    return ranked


def same(linked: Linked, node: c.Same) -> Code:
    left, right = each(linked, node.left), each(linked, node.right)
    return lambda machine, names: sorted(left(machine, names), key=str) == sorted(right(machine, names), key=str)


def and_(linked: Linked, node: c.And) -> Code:
    parts = codes(linked, node.parts)

    def run(machine: Machine, names: Names) -> bool:
        for part in parts:  # noqa: SIM110 - a loop is twice as fast as a generator here
            if not part(machine, names):
                return False
        return True

    return run


def or_(linked: Linked, node: c.Or) -> Code:
    parts = codes(linked, node.parts)

    def run(machine: Machine, names: Names) -> bool:
        for part in parts:  # noqa: SIM110 - as above
            if part(machine, names):
                return True
        return False

    return run


def not_(linked: Linked, node: c.Not) -> Code:
    part = code(linked, node.part)
    return lambda machine, names: not part(machine, names)


def if_(linked: Linked, node: c.If) -> Code:
    test, yes, no = code(linked, node.test), code(linked, node.yes), code(linked, node.no)
    return lambda machine, names: yes(machine, names) if test(machine, names) else no(machine, names)


RECKONED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "mod": lambda a, b: a % abs(b),
}  # fmt: skip


def arithmetic(linked: Linked, node: c.Arithmetic) -> Code:
    left, right, reckon, divides = code(linked, node.left), code(linked, node.right), RECKONED[node.how], node.how in ("/", "mod")
    low, high = node.low, node.high

    def run(machine: Machine, names: Names) -> int:
        a, b = left(machine, names) or 0, right(machine, names) or 0
        if divides and b == 0:
            machine.fail("a division by zero")
        result = reckon(a, b)
        if low is not None and high is not None:
            result = min(max(result, low), high)
        if not -c.GREATEST <= result <= c.GREATEST:
            machine.fail("a number that grows without bound")
        return result

    return run


def is_kind(linked: Linked, node: c.IsKind) -> Code:
    of, nouns = code(linked, node.of), linked.world.noun_set(node.noun)
    return lambda machine, names: of(machine, names) in nouns


def in_(linked: Linked, node: c.In) -> Code:
    item, within = code(linked, node.item), each(linked, node.list)
    return lambda machine, names: item(machine, names) in within(machine, names)


def lies(linked: Linked, node: c.Lies) -> Code:
    item, places = code(linked, node.item), each(linked, node.places) if streams(linked, node.places) else code(linked, node.places)

    def run(machine: Machine, names: Names) -> bool:
        thing, where = item(machine, names), places(machine, names)
        if thing is None or where is None:
            return False
        if type(where) is int:
            return machine.state.where[thing] == where
        machine.look(len(where) if type(where) is tuple else 0)
        return machine.state.where[thing] in where

    return run


def among(linked: Linked, node: c.Among) -> Code:
    item, within, world = code(linked, node.item), each(linked, node.list), linked.world

    def run(machine: Machine, names: Names) -> bool:
        thing, where = item(machine, names), tuple(within(machine, names))
        if thing is None:
            return False
        places = bool(where) and where[0] is not None and 0 <= where[0] < world.place_count and world.is_place(where[0])
        return thing in where or (places and thing < world.count and machine.state.where[thing] in where)

    return run


def empty(linked: Linked, node: c.Empty) -> Code:
    if streams(linked, node.of):
        there = exists(linked, c.Exists(node.of))
        return lambda machine, names: not there(machine, names)
    of = code(linked, node.of)

    def run(machine: Machine, names: Names) -> bool:
        thing = of(machine, names)
        return thing is None or not (thing if type(thing) is tuple else machine.state.members[thing])

    return run


def full(linked: Linked, node: c.Full) -> Code:
    of = code(linked, node.of)

    def run(machine: Machine, names: Names) -> bool:
        found = of(machine, names)
        return found is not None and machine.room_in(found) == 0

    return run


def apply(linked: Linked, node: c.Apply) -> Code:
    arguments, called = codes(linked, node.arguments), node.function
    size = len(linked.program.functions[called].locals)
    blank = [None] * (size - len(arguments))

    def run(machine: Machine, names: Names) -> Any:
        return machine.apply(called, [argument(machine, names) for argument in arguments] + blank)

    return run


def by_kind(linked: Linked, node: c.ByKind) -> Code:
    of, otherwise, world = code(linked, node.of), code(linked, node.otherwise), linked.world
    cases = {noun: code(linked, case) for noun, case in node.cases.items()}
    known: dict[Any, Code] = {}

    def run(machine: Machine, names: Names) -> Any:
        thing = of(machine, names)
        found = known.get(thing)
        if found is None:
            found = known[thing] = cases.get(best_noun(world, thing, cases) or "", otherwise)
        return found(machine, names)

    return run


def best_noun(world: Any, thing: Any, nouns: Any) -> str | None:
    """Which of some nouns is said of a thing: its own name before its kind, that before the kinds it inherits from; a place by its name."""
    if thing is None:
        return None
    if thing >= world.count:
        named = f"place {world.place_names[thing]}"
        return named if named in nouns else None
    if world.definitions[thing] in nouns:
        return str(world.definitions[thing])
    kind: str | None = world.kinds[thing]
    while kind is not None:
        if kind in nouns:
            return kind
        kind = world.graph["kinds"].get(kind, {}).get("parent")
    return None


def bind(linked: Linked, node: c.Bind) -> Code:
    slot, value, body = node.slot, code(linked, node.value), code(linked, node.body)

    def run(machine: Machine, names: Names) -> Any:
        names[slot] = value(machine, names)
        return body(machine, names)

    return run


def fold(linked: Linked, node: c.Fold) -> Code:
    start, source, (value,) = code(linked, node.start), each(linked, node.source), repeated(linked, node.value)
    test = repeated(linked, node.test)[0] if node.test is not None else fixed(1)
    result, slot = node.result, node.slot

    def run(machine: Machine, names: Names) -> Any:
        names[result] = start(machine, names)
        for one in source(machine, names):
            names[slot] = one
            if test(machine, names):
                names[slot] = one
                names[result] = value(machine, names)
        return names[result]

    return run


def exists(linked: Linked, node: c.Exists) -> Code:
    found = each(linked, node.list, charge=False)

    def run(machine: Machine, names: Names) -> bool:
        for _ in found(machine, names):
            return True
        return False

    return run


def count(linked: Linked, node: c.Count) -> Code:
    found = code(linked, node.list)
    return lambda machine, names: len(found(machine, names))


def first(linked: Linked, node: c.First) -> Code:
    found, settled = each(linked, node.list, charge=False), one_of(linked, node.list, 0)
    return lambda machine, names: settled(machine, names) if machine.state.loose else next(found(machine, names), None)


def last(linked: Linked, node: c.Last) -> Code:
    return one_of(linked, node.list, -1)


def one_of(linked: Linked, inner: Any, position: int) -> Code:
    source = code(linked, inner)

    def run(machine: Machine, names: Names) -> Any:
        found = source(machine, names)
        if machine.state.loose:
            found = machine.laid_out(found, 1, position == -1)
        return found[position] if found else None

    return run


def best(linked: Linked, node: c.Best) -> Code:
    parts, how = codes(linked, node.parts), MEASURES[node.how]
    return lambda machine, names: how([part(machine, names) or 0 for part in parts])


MEASURES: dict[str, Callable[[list[int]], int | None]] = {
    "total": sum, "highest": lambda numbers: max(numbers, default=None), "lowest": lambda numbers: min(numbers, default=None),
}  # fmt: skip


def measure(linked: Linked, node: c.Measure) -> Code:
    source, (value,), slot, how = each(linked, node.source), repeated(linked, node.value), node.slot, MEASURES[node.how]

    def run(machine: Machine, names: Names) -> Any:
        numbers = []
        for one in source(machine, names):
            names[slot] = one
            numbers.append(value(machine, names) or 0)
        result = how(numbers)
        if result is not None and not -c.GREATEST <= result <= c.GREATEST:
            machine.fail("a number that grows without bound")
        return result

    return run


def table(linked: Linked, node: c.Table) -> Code:
    keys = [(each.slot, least, size) for each, least, size in zip(node.of, node.least, node.sizes, strict=True)]
    values, looks, otherwise = node.values, node.looks, code(linked, node.otherwise)

    def run(machine: Machine, names: Names) -> Any:
        at = 0
        for slot, least, size in keys:
            thing = names[slot]
            if thing is None or not least <= thing < least + size:
                return otherwise(machine, names)
            at = at * size + thing - least
        machine.look(looks)
        return values[at]

    return run


def charge(linked: Linked, node: c.Charge) -> Code:
    made: Code = paid(node.looks, code(linked, node.of))
    return made


def lookup(linked: Linked, node: c.Lookup) -> Code:
    of, key, several = code(linked, node.of), code(linked, node.key), node.several

    def run(machine: Machine, names: Names) -> Any:
        found, wanted = of(machine, names) or (), key(machine, names)
        machine.look(len(found))
        for one in found:
            if one[0] == wanted:
                return one[1:] if several else one[1]
        return () if several else None

    return run


def needed(linked: Linked, node: c.Needed) -> Code:
    of, message = code(linked, node.of), node.message

    def run(machine: Machine, names: Names) -> Any:
        value = of(machine, names)
        if value is None:
            machine.fail(message)
        return value

    return run


def knows(linked: Linked, node: c.Knows) -> Code:
    player, thing = code(linked, node.player), code(linked, node.component)
    return lambda machine, names: machine.knows(player(machine, names), thing(machine, names))


# -- several values


def listed(linked: Linked, node: c.Listed) -> Code:
    parts = codes(linked, node.parts)
    return lambda machine, names: tuple([part(machine, names) for part in parts])


def many_(linked: Linked, node: c.Many) -> Code:
    of = code(linked, node.of)
    return lambda machine, names: many(of(machine, names))


def all_(linked: Linked, node: c.All) -> Code:
    return fixed(every_one(linked, node))


def members(linked: Linked, node: c.Members) -> Code:
    of = code(linked, node.of)

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        places, lying = of(machine, names), machine.state.members
        if type(places) is tuple:
            found = tuple([one for place in places if place is not None for one in lying[place]])
            machine.look(len(places) + len(found))
            return found
        return () if places is None else lying[places]

    return run


def made(linked: Linked, node: Any) -> Code:
    """A list of all that a stream gives."""
    stream = each(linked, node)
    return lambda machine, names: tuple(stream(machine, names))


def once(linked: Linked, node: c.Once) -> Code:
    source = each(linked, node.source)
    return lambda machine, names: tuple(dict.fromkeys(source(machine, names)))


def query(linked: Linked, node: c.Query) -> Code:
    if not node.orders:
        return made(linked, node)
    source, slot = each_passing(linked, node, charge=True), node.slot
    keys = list(zip(repeated(linked, *(order.key for order in node.orders)), (-1 if order.descending else 1 for order in node.orders), strict=True))

    def run(machine: Machine, names: Names) -> tuple[Any, ...]:
        found = []
        for one in tuple(source(machine, names)):
            names[slot] = one
            found.append(([((value := part(machine, names)) is None, (value or 0) * sign) for part, sign in keys], one))
        machine.look(len(found) * len(keys))
        return tuple([one for _, one in sorted(found, key=lambda pair: pair[0])])

    return run


def take(linked: Linked, node: c.Take) -> Code:
    source, amount, backwards = each(linked, node.source), code(linked, node.amount), node.backwards

    def run(machine: Machine, names: Names) -> tuple[Any, ...]:
        found, wanted = tuple(source(machine, names)), max(amount(machine, names) or 0, 0)
        if machine.state.loose:
            found = machine.laid_out(found, wanted, backwards)
        return tuple(found[::-1] if backwards else found)[:wanted]

    return run


def without(linked: Linked, node: c.Without) -> Code:
    source, out = each(linked, node.source), each(linked, node.out)

    def run(machine: Machine, names: Names) -> tuple[Any, ...]:
        found, gone = tuple(source(machine, names)), frozenset(out(machine, names))
        return tuple([one for one in found if one not in gone]) if gone else found

    return run


def numbers(linked: Linked, node: c.Numbers) -> Code:
    low, high = code(linked, node.low), code(linked, node.high)

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        begin, end = low(machine, names) or 0, high(machine, names) or 0
        if end - begin >= machine.budget.options:
            machine.fail(f"a choice among {end - begin + 1:,} numbers, or a loop over them")
        machine.look(max(end - begin + 1, 0))
        return tuple(range(begin, end + 1))

    return run


def choices(linked: Linked, node: c.Choices) -> Code:
    tests = codes(linked, node.tests)
    return lambda machine, names: tuple([number for number, test in enumerate(tests) if test(machine, names)])


def belonging(linked: Linked, node: c.Belonging) -> Code:
    of, world = code(linked, node.of), linked.world

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        found: list[int] = []
        todo, seen, lying = list(of(machine, names)), set(), machine.state.members
        machine.look(len(todo))
        for owner in todo:  # which grows
            if owner in seen:
                continue
            seen.add(owner)
            for place in world.places_of.get(owner, ()):
                machine.look(1 + len(lying[place]))
                found += lying[place]
                todo += lying[place]
        return tuple(found)

    return run


def veiled(linked: Linked, node: c.Veiled) -> Code:
    source, player = each(linked, node.source), code(linked, node.player)
    return lambda machine, names: machine.veiled(tuple(source(machine, names)), player(machine, names))


def text(linked: Linked, node: c.Text) -> Code:
    parts = [part if isinstance(part, str) else (code(linked, part.of), part.how) for part in node.parts]

    def run(machine: Machine, names: Names) -> int:
        made = "".join(part if isinstance(part, str) else machine.shown(part[0](machine, names), part[1]) for part in parts)
        if len(made) > LONGEST:
            machine.fail(f"a text of {len(made):,} characters")
        machine.look(1 + len(made) // COPIED)
        return machine.linked.word(made)

    return run


LONGEST = 10_000


TABLE: dict[type, Callable[[Linked, Any], Code]] = {
    c.Const: const, c.Word: word, c.Component: component, c.Place: place, c.PlaceOf: place_of, c.Name: name, c.Field: field, c.Decider: decider,
    c.Asked: asked, c.Compare: compare, c.Same: same, c.And: and_, c.Or: or_, c.Not: not_, c.If: if_, c.Arithmetic: arithmetic, c.IsKind: is_kind,
    c.In: in_, c.Lies: lies, c.Among: among, c.Empty: empty, c.Full: full, c.Apply: apply, c.ByKind: by_kind, c.Bind: bind, c.Fold: fold,
    c.Exists: exists, c.Count: count, c.First: first, c.Last: last, c.Best: best, c.Measure: measure, c.Table: table, c.Charge: charge, c.Lookup: lookup, c.Needed: needed, c.Version: events.version, c.Key: events.key,
    c.HookOf: events.hook_of, c.BearerOf: events.bearer_of, c.ApplyHook: events.apply_hook, c.Used: events.used, c.Trial: events.trial, c.Deed: events.deed, c.ActionOf: events.action_of,
    c.GranterOf: events.granter_of, c.Batched: events.batched, c.Ongoing: events.ongoing, c.Knows: knows, c.Payable: events.payable, c.Supposing: events.supposing, c.Selection: events.selection, c.Distance: searches.distance,
    c.Listed: listed, c.Many: many_, c.All: all_, c.Members: members, c.OfKind: made, c.Once: once, c.Query: query, c.Map: made, c.Take: take,
    c.Without: without, c.Both: made, c.Numbers: numbers, c.Choices: choices, c.Links: searches.links, c.Belonging: belonging, c.Neighbours: searches.neighbours,
    c.Within: searches.within, c.Reachable: searches.reachable, c.Visible: searches.visible, c.Lines: searches.lines, c.Veiled: veiled, c.Installed: events.installed, c.Text: text,
}  # fmt: skip
