"""Expressions: what each means, as a function made once for each expression of a linked program.

`TABLE` is the definition: from the type of an expression to the function that makes its code. Expressions are pure. A field of nothing is nothing; several things are
tuples, in a fixed order. The slots that queries use are slots of the names they are given: nothing else looks at them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from rulewright.core import geometry
from rulewright.core import program as c
from rulewright.core.passes.prices import price_of, price_of_function

if TYPE_CHECKING:
    from rulewright.step.link import Linked
    from rulewright.step.machine import Machine
    from rulewright.step.state import Value

Names = list[Any]
Code = Callable[["Machine", Names], Any]
Stream = Callable[["Machine", Names], Iterator[Any]]
COPIED = 16  # things that are copied for the price of one that is looked at
FEW = 16, 64  # so many hooks that hold for a time, and so many things that are used up, cost nothing to look through


def code(linked: Linked, node: Any) -> Code:
    """The function of an expression."""
    found = linked._codes.get(id(node))
    if found is None:
        code_ = TABLE[type(node)](linked, node)
        found = linked._codes[id(node)] = (node, code_ if linked.watch is None else linked.watch.code(node, code_))
    made: Code = found[1]
    return made


def codes(linked: Linked, nodes: Iterable[Any]) -> list[Code]:
    return [code(linked, node) for node in nodes]


def paid(price: int, inner: Any) -> Any:
    """Code, or a stream, that costs something to ask."""

    def run(machine: Machine, names: Names) -> Any:
        machine.look(price)
        return inner(machine, names)

    return run if price else inner


def repeated(linked: Linked, *nodes: Any) -> list[Code]:
    """The functions of expressions that are asked one after another for each of several things."""
    made = codes(linked, nodes)
    return [paid(price_of(nodes), made[0]), *made[1:]] if made else made


def fixed(value: Value) -> Code:
    """Code that always gives the same."""
    return lambda machine, names: value


NAMING = ("kind", "any", f"{c.ANSWERS}kind", f"{c.ANSWERS}any")  # what in a text may name components


def flat(value: Value) -> tuple[Any, ...]:
    """A value as several things, also those in lists inside it."""
    return tuple([inner for each in value for inner in flat(each)]) if type(value) is tuple else many(value)


def many(value: Value) -> tuple[Any, ...]:
    """A value as several things."""
    if type(value) is tuple:
        return value
    return () if value is None else (value,)


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


def version(linked: Linked, node: c.Version) -> Code:
    return lambda machine, names: machine.state.version


def key(linked: Linked, node: c.Key) -> Code:
    base, of = linked.hook_numbers[node.hook] * linked.stride + 1, code(linked, node.of)

    def run(machine: Machine, names: Names) -> int:
        bearer = of(machine, names)
        return base if bearer is None else base + 1 + int(bearer)

    return run


def hook_of(linked: Linked, node: c.HookOf) -> Code:
    of, stride = code(linked, node.key), linked.stride
    return lambda machine, names: -1 if (found := of(machine, names)) < 0 else found // stride


def bearer_of(linked: Linked, node: c.BearerOf) -> Code:
    of, stride = code(linked, node.key), linked.stride

    def run(machine: Machine, names: Names) -> int | None:
        found = of(machine, names)
        if found < 0:
            return -int(found)
        bearer = int(found % stride) - 2
        return None if bearer < 0 else bearer

    return run


def apply_hook(linked: Linked, node: c.ApplyHook) -> Code:
    of, arguments, it, result = code(linked, node.key), codes(linked, node.arguments), code(linked, node.it), code(linked, node.result)
    applies = node.what == "applies"

    def run(machine: Machine, names: Names) -> Any:
        held = machine.held(of(machine, names))
        if held is None:
            return None
        hook = machine.program.hooks[held.hook]
        if applies and hook.once and (held.hook, -held.number) in machine.state.used:
            return False
        called = hook.applies if applies else hook.change
        assert called is not None
        size, body = machine.linked.function(called)
        given = [argument(machine, names) for argument in arguments]
        return body(machine, machine.hook_names(hook, held.kept, given, it(machine, names), result(machine, names), size))

    return run


def used(linked: Linked, node: c.Used) -> Code:
    of, unit = code(linked, node.of), node.unit

    def run(machine: Machine, names: Names) -> bool:
        known = machine.state.used
        machine.look(len(known) if len(known) > FEW[1] else 0)
        return (unit, of(machine, names)) in known

    return run


def trial(linked: Linked, node: c.Trial) -> Code:
    return lambda machine, names: machine.trial


def deed(linked: Linked, node: c.Deed) -> Code:
    base, of = linked.deed_numbers[node.action] * linked.stride, code(linked, node.of)

    def run(machine: Machine, names: Names) -> int:
        granter = of(machine, names)
        return base if granter is None else base + 1 + int(granter)

    return run


def action_of(linked: Linked, node: c.ActionOf) -> Code:
    of, stride = code(linked, node.deed), linked.stride
    return lambda machine, names: found if (found := of(machine, names)) < 0 else found // stride


def granter_of(linked: Linked, node: c.GranterOf) -> Code:
    of, stride = code(linked, node.deed), linked.stride
    return lambda machine, names: None if (found := of(machine, names) % stride) == 0 else found - 1


def batched(linked: Linked, node: c.Batched) -> Code:
    return lambda machine, names: machine.open_batch() is not None


def ongoing(linked: Linked, node: c.Ongoing) -> Code:
    unit, slot, of = node.unit, node.slot, code(linked, node.of)

    def run(machine: Machine, names: Names) -> bool:
        bearer, units = of(machine, names), machine.linked.unit_at
        machine.look(len(machine.state.frames) // COPIED)
        return any(units[frame.at] == unit and frame.names[slot] == bearer for frame in machine.state.frames)

    return run


def knows(linked: Linked, node: c.Knows) -> Code:
    player, thing = code(linked, node.player), code(linked, node.component)
    return lambda machine, names: machine.knows(player(machine, names), thing(machine, names))


def payable(linked: Linked, node: c.Payable) -> Code:
    unit, arguments = node.unit, codes(linked, node.arguments)
    return lambda machine, names: machine.can_pay(unit, [argument(machine, names) for argument in arguments])


def selection(linked: Linked, node: c.Selection) -> Code:
    source, (picked, least, most) = each(linked, node.source), codes(linked, (node.picked, node.least, node.most))
    slot, (test,) = node.slot, repeated(linked, node.test)

    def run(machine: Machine, names: Names) -> bool:
        begun = picked(machine, names)
        left = [one for one in source(machine, names) if one not in begun]
        high = max(min(most(machine, names) or 0, len(left) + len(begun)) - len(begun), 0)
        low = high if node.least == node.most else max((least(machine, names) or 0) - len(begun), 0)
        for size in range(low, high + 1):
            for more in machine.selections(left, size):
                names[slot] = (*begun, *more)
                if test(machine, names):
                    return True
        return False

    return run


def distance(linked: Linked, node: c.Distance) -> Code:
    start, goal, through = code(linked, node.start), code(linked, node.goal), ways(linked, node.through)
    places = node.through is not None and node.through.places

    def run(machine: Machine, names: Names) -> int | None:
        here, there = start(machine, names), goal(machine, names)
        if here is None or there is None:
            return None
        machine.look(machine.world.count)
        return geometry.distance(machine.world, here, there, through(machine, names), places)

    return run


# -- several values


def listed(linked: Linked, node: c.Listed) -> Code:
    parts = codes(linked, node.parts)
    return lambda machine, names: tuple([part(machine, names) for part in parts])


def many_(linked: Linked, node: c.Many) -> Code:
    of = code(linked, node.of)
    return lambda machine, names: many(of(machine, names))


def every_one(linked: Linked, node: c.All) -> tuple[int, ...]:
    """The components of a kind or the cells of a grid: they never change."""
    world = linked.world
    return tuple([cell for row in world.cells[node.grid] for cell in row] if node.grid is not None else world.by_noun.get(node.noun, []))


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
            machine.fail(f"a choice among {end - begin + 1:,} numbers")
        machine.look(max(end - begin + 1, 0))
        return tuple(range(begin, end + 1))

    return run


def choices(linked: Linked, node: c.Choices) -> Code:
    tests = codes(linked, node.tests)
    return lambda machine, names: tuple([number for number, test in enumerate(tests) if test(machine, names)])


def links(linked: Linked, node: c.Links) -> Code:
    of, world = code(linked, node.of), linked.world
    every = world.by_noun.get(node.kind, [])
    touching: dict[Any, tuple[int, ...]] = {}
    for link in every:
        for end in dict.fromkeys(world.ends.get(link, ())):
            touching[end] = (*touching.get(end, ()), link)

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        ends = of(machine, names)
        if type(ends) is tuple:
            machine.look(len(every) + len(ends))
            among = frozenset(ends)
            return tuple([link for link in every if not among.isdisjoint(world.ends.get(link, ()))])
        found = touching.get(ends, ())
        machine.look(len(found))
        return found

    return run


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


class Ways:
    """What counts as a way, found out for each thing when it is asked about."""

    def __init__(self, machine: Machine, names: Names, among: frozenset[int], slot: int, tests: list[Code]) -> None:
        self.machine, self.names, self.among, self.slot, self.tests = machine, names, among, slot, tests
        self.known: dict[Any, bool] = {}

    def __contains__(self, thing: Any) -> bool:
        found = self.known.get(thing)
        if found is None:
            fits = thing in self.among
            if fits:
                self.machine.look(1)
                self.names[self.slot] = thing
                fits = all(test(self.machine, self.names) for test in self.tests)
            found = self.known[thing] = fits
        return found


def ways(linked: Linked, through: c.Through | None) -> Callable[[Machine, Names], Any]:
    """A function for what counts as a way: None if everything does."""
    if through is None:
        return fixed(None)
    source, tests, slot = code(linked, through.source), repeated(linked, *through.tests), through.slot
    every = frozenset(every_one(linked, through.source)) if isinstance(through.source, c.All) else None

    def run(machine: Machine, names: Names) -> Ways:
        among = every
        if among is None:
            among = frozenset(source(machine, names))
            machine.look(len(among) // COPIED)
        return Ways(machine, names, among, slot, tests)

    return run


def neighbours(linked: Linked, node: c.Neighbours) -> Code:
    of, through, world = code(linked, node.of), ways(linked, node.through), linked.world
    places = node.through is not None and node.through.places

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        start, allowed = of(machine, names), through(machine, names)
        if start is None:
            return ()
        found = world.neighbours(start)
        machine.look(len(found))
        return tuple([place for link, place in found if allowed is None or link in allowed or ((places or link is None) and place in allowed)])

    return run


def within(linked: Linked, node: c.Within) -> Code:
    of, limit = code(linked, node.of), code(linked, node.limit)

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        start = of(machine, names)
        machine.look(0 if start is None else machine.world.count)
        return () if start is None else tuple(geometry.within(machine.world, start, limit(machine, names) or 0))

    return run


def reachable(linked: Linked, node: c.Reachable) -> Code:
    of, through = code(linked, node.of), ways(linked, node.through)
    places = node.through is not None and node.through.places
    limit = code(linked, node.limit) if node.limit is not None else fixed(None)

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        start = of(machine, names)
        if start is None:
            return ()
        machine.look(machine.world.count)
        return tuple(geometry.reachable(machine.world, start, limit(machine, names), through(machine, names), places))

    return run


def visible(linked: Linked, node: c.Visible) -> Code:
    of = code(linked, node.of)
    blocked = code(linked, node.blocked) if node.blocked is not None else fixed(())

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        start = of(machine, names)
        if start is None:
            return ()
        around, grid = frozenset(blocked(machine, names)), machine.world.grid_of.get(start)
        machine.look(machine.world.count + (0 if grid is None else machine.world.cell_count[grid] * (1 + len(around))))
        return tuple(geometry.visible(machine.world, start, set(around)))

    return run


def lines(linked: Linked, node: c.Lines) -> Code:
    grid, length, world = node.grid, code(linked, node.length), linked.world

    def run(machine: Machine, names: Names) -> tuple[tuple[int, ...], ...]:
        wanted = length(machine, names) or 0
        machine.look(geometry.effort_of_lines(world, grid, wanted))
        return tuple(map(tuple, geometry.lines(world, grid, wanted)))

    return run


def veiled(linked: Linked, node: c.Veiled) -> Code:
    source, player = each(linked, node.source), code(linked, node.player)
    return lambda machine, names: machine.veiled(tuple(source(machine, names)), player(machine, names))


def installed(linked: Linked, node: c.Installed) -> Code:
    event, timings = node.event, node.timings

    def run(machine: Machine, names: Names) -> tuple[int, ...]:
        if not machine.state.held:
            return ()
        hooks = machine.program.hooks
        machine.look(len(machine.state.held) if len(machine.state.held) > FEW[0] else 0)
        held = ((each.number, hooks[each.hook]) for each in machine.state.held)
        return tuple([-number for number, hook in held if hook.event == event and hook.timing in timings])

    return run


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

# -- going through things: whoever does so pays for them where they come from, once, however many queries they pass on the way


def each(linked: Linked, node: Any, charge: bool = True) -> Stream:
    """Runs through the things of a list as they are wanted; those of a list that is there already are paid for if that is asked for."""
    if streams(linked, node):
        run = EACH[type(node)](linked, node, charge)
        return run if linked.watch is None else linked.watch.code(node, run)
    found = code(linked, node)

    def run_made(machine: Machine, names: Names) -> Iterator[Any]:
        things = found(machine, names)
        if charge:
            machine.look(len(things))
        return iter(things)

    return run_made


def streams(linked: Linked, node: Any, inside: tuple[str, ...] = ()) -> bool:
    """Whether the things of a list are found one after another."""
    if isinstance(node, c.If):
        return streams(linked, node.yes, inside) and (streams(linked, node.no, inside) or node.no == c.Listed(()))
    if isinstance(node, c.Apply):
        name = node.function
        return name not in inside and streams(linked, linked.program.functions[name].body, (*inside, name))
    if isinstance(node, c.Charge):
        return streams(linked, node.of, inside)
    return type(node) in EACH and not (isinstance(node, c.Query) and node.orders)


def each_passing(linked: Linked, node: c.Query, charge: bool) -> Stream:
    source, tests, slot = each(linked, node.source), repeated(linked, *node.tests), node.slot

    def run(machine: Machine, names: Names) -> Iterator[Any]:
        for one in source(machine, names):
            names[slot] = one
            for test in tests:
                if not test(machine, names):
                    break
            else:
                yield one

    return run


def each_of_kind(linked: Linked, node: c.OfKind, charge: bool) -> Stream:
    source, nouns = each(linked, node.source), linked.world.noun_set(node.noun)
    return lambda machine, names: (one for one in source(machine, names) if one in nouns)


def each_mapped(linked: Linked, node: c.Map, charge: bool) -> Stream:
    source, slot = each(linked, node.source), node.slot
    found = paid(price_of((node.value,)), each(linked, node.value) if streams(linked, node.value) else each_value(linked, node.value))

    def run(machine: Machine, names: Names) -> Iterator[Any]:
        for one in source(machine, names):
            names[slot] = one
            yield from found(machine, names)

    return run


def each_value(linked: Linked, node: Any) -> Stream:
    """What an expression gives that may be a list; a list is paid for."""
    value = code(linked, node)

    def run(machine: Machine, names: Names) -> Iterator[Any]:
        found = value(machine, names)
        machine.look(len(found) if type(found) is tuple else 0)
        return iter(many(found))

    return run


def each_member(linked: Linked, node: c.Members, charge: bool) -> Stream:
    of = code(linked, node.of)

    def run(machine: Machine, names: Names) -> Iterator[int]:
        places, lying = of(machine, names), machine.state.members
        several = type(places) is tuple
        for place in places if several else (places,):
            if place is not None:
                machine.look(1 + len(lying[place]) if several else len(lying[place]) if charge else 0)
                yield from lying[place]

    return run


def each_applied(linked: Linked, node: c.Apply, charge: bool) -> Stream:
    """What a function gives, as it is wanted; as deep as the function is only while something is looked for."""
    arguments, name = codes(linked, node.arguments), node.function
    function = linked.program.functions[name]
    blank, kept = [None] * (len(function.locals) - len(arguments)), list[Stream]()

    def run(machine: Machine, names: Names) -> Iterator[Any]:
        if not kept:  # made when it is needed: a function may be about itself
            kept.append(paid(price_of_function(function.body), each(linked, function.body, charge)))
        found, over = kept[0](machine, [argument(machine, names) for argument in arguments] + blank), object()
        while True:
            machine.deeper(name)
            try:
                one = next(found, over)
            finally:
                machine.value_depth -= 1
            if one is over:
                return
            yield one

    return run


def each_if(linked: Linked, node: c.If, charge: bool) -> Stream:
    test, yes, no = code(linked, node.test), each(linked, node.yes, charge), each(linked, node.no, charge)
    return lambda machine, names: yes(machine, names) if test(machine, names) else no(machine, names)


def each_charged(linked: Linked, node: c.Charge, charge: bool) -> Stream:
    made: Stream = paid(node.looks, each(linked, node.of, charge))
    return made


def each_of_both(linked: Linked, node: c.Both, charge: bool) -> Stream:
    parts = [each(linked, part) for part in node.parts]
    return lambda machine, names: (one for part in parts for one in part(machine, names))


def each_paid(linked: Linked, node: Any, charge: bool) -> Stream:
    """What has been paid for when the list is made, or is not worth it."""
    found = code(linked, node)
    return lambda machine, names: iter(found(machine, names))


EACH: dict[type, Callable[[Linked, Any, bool], Stream]] = {
    c.Query: each_passing, c.OfKind: each_of_kind, c.Map: each_mapped, c.Members: each_member, c.If: each_if, c.Both: each_of_both, c.Apply: each_applied, c.Charge: each_charged, c.Many: each_paid,
    c.Listed: each_paid, c.Numbers: each_paid, c.Links: each_paid, c.Belonging: each_paid, c.Neighbours: each_paid, c.Within: each_paid,
    c.Reachable: each_paid, c.Visible: each_paid,
}  # fmt: skip
TABLE: dict[type, Callable[[Linked, Any], Code]] = {
    c.Const: const, c.Word: word, c.Component: component, c.Place: place, c.PlaceOf: place_of, c.Name: name, c.Field: field, c.Decider: decider,
    c.Asked: asked, c.Compare: compare, c.Same: same, c.And: and_, c.Or: or_, c.Not: not_, c.If: if_, c.Arithmetic: arithmetic, c.IsKind: is_kind,
    c.In: in_, c.Lies: lies, c.Among: among, c.Empty: empty, c.Full: full, c.Apply: apply, c.ByKind: by_kind, c.Bind: bind, c.Fold: fold,
    c.Exists: exists, c.Count: count, c.First: first, c.Last: last, c.Best: best, c.Measure: measure, c.Table: table, c.Charge: charge, c.Lookup: lookup, c.Needed: needed, c.Version: version, c.Key: key,
    c.HookOf: hook_of, c.BearerOf: bearer_of, c.ApplyHook: apply_hook, c.Used: used, c.Trial: trial, c.Deed: deed, c.ActionOf: action_of,
    c.GranterOf: granter_of, c.Batched: batched, c.Ongoing: ongoing, c.Knows: knows, c.Payable: payable, c.Selection: selection, c.Distance: distance,
    c.Listed: listed, c.Many: many_, c.All: all_, c.Members: members, c.OfKind: made, c.Once: once, c.Query: query, c.Map: made, c.Take: take,
    c.Without: without, c.Both: made, c.Numbers: numbers, c.Choices: choices, c.Links: links, c.Belonging: belonging, c.Neighbours: neighbours,
    c.Within: within, c.Reachable: reachable, c.Visible: visible, c.Lines: lines, c.Veiled: veiled, c.Installed: installed, c.Text: text,
}  # fmt: skip
