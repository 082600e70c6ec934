"""Streams: going through the things of a list as they are wanted.

`EACH` is the definition, for the expressions whose things are found one after another. Whoever goes through things pays for them where they come from, once, however
many queries they pass on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.core.passes.prices import price_of, price_of_function
from rulewright.step.closures import Names, Stream, code, codes, many, paid, repeated

if TYPE_CHECKING:
    from rulewright.step.link import Linked
    from rulewright.step.machine import Machine


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
