"""Expressions as WebAssembly: `Writer.value` leaves one number on the stack, `Writer.each` runs through the things of a list without making it.

A name that only a query gives is a local of the function; other names lie in the frame. What cannot be written here stops the module, and `step` takes over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.core import program as c
from rulewright.wasm.assemble import I32, Code
from rulewright.wasm.layout import NAMES, NONE

if TYPE_CHECKING:
    from rulewright.wasm.compile import Compilation

Body = Callable[[int], None]
EQ, NE, LT, GT, LE, GE = 0x46, 0x47, 0x48, 0x4A, 0x4C, 0x4E
COMPARED = {"=": EQ, "!=": NE, "<": LT, "<=": LE, ">": GT, ">=": GE}
ADD, SUB, AND, OR, SHL = 0x6A, 0x6B, 0x71, 0x72, 0x74
CERTAIN = (c.Const, c.Word, c.Component, c.Place, c.Compare, c.And, c.Or, c.Not, c.Exists, c.Count, c.IsKind, c.Arithmetic, c.Lies, c.In, c.Empty, c.Full)
LOOSE = (
    c.Listed, c.Many, c.All, c.Members, c.OfKind, c.Once, c.Query, c.Map, c.Take, c.Without, c.Both, c.Numbers, c.Choices, c.Links, c.Belonging,
    c.Neighbours, c.Within, c.Reachable, c.Visible, c.Veiled, c.Installed, c.Lines,
)  # fmt: skip


class Writer:
    """Writes the code of one function."""

    def __init__(self, compilation: Compilation, locals_: list[c.Local], frame: int | None, code: Code) -> None:
        self.to = compilation
        self.locals = locals_
        self.frame = frame  # the local that holds the frame, if names lie in one
        self.code = code
        self.layout = compilation.layout
        self.at = compilation.layout.at
        self.world = compilation.layout.world
        self.linked = compilation.layout.linked
        self.bound: dict[int, int] = {}  # names that are locals

    # -- names

    def get_name(self, slot: int) -> None:
        local = self.bound.get(slot)
        if local is not None:
            self.code.get(local)
        elif self.frame is None:
            self.code.get(self.local_of(slot))
        else:
            self.code.get(self.frame)
            self.code.load(NAMES + 4 * slot)

    def local_of(self, slot: int) -> int:
        """The local of a name that a query gives."""
        found = self.bound.get(slot)
        if found is None:
            found = self.bound[slot] = self.code.local()
        return found

    def shape(self, node: Any) -> str:
        """Whether an expression gives one value or a list."""
        return self.to.shape(node, self.locals)

    def runtime(self, name: str) -> None:
        self.code.call(self.to.module.declare(name))

    # -- values

    def value(self, node: Any) -> None:
        """Leave the value of an expression on the stack; a list as its address."""
        writer = VALUES.get(type(node))
        if writer is not None:
            writer(self, node)
        elif isinstance(node, LOOSE):
            self.list(node)
        else:
            self.give_up()

    def give_up(self) -> None:
        """Nothing is written for this: stop."""
        self.code.trap()

    def test(self, node: Any) -> None:
        """Leave whether a condition holds: nothing does not."""
        self.value(node)
        if not self.is_flag(node):
            local = self.code.local()
            self.code.tee(local)
            self.code.const(NONE)
            self.code.op(NE)
            self.code.get(local)
            self.code.const(0)
            self.code.op(NE, AND)
            self.code.release(local)

    def is_flag(self, node: Any) -> bool:
        """Whether an expression gives 0 or 1 and nothing else."""
        if isinstance(node, c.Apply):
            return self.to.gives_flag(node.function)
        if isinstance(node, c.If):
            return self.is_flag(node.yes) and self.is_flag(node.no)
        if isinstance(node, c.Bind):
            return self.is_flag(node.body)
        return isinstance(node, FLAGS)

    def const(self, node: c.Const) -> None:
        self.code.const(NONE if node.value is None else node.value)

    def word(self, node: c.Word) -> None:
        self.code.const(self.linked.word(node.word))

    def component(self, node: c.Component) -> None:
        found = self.world.first(node.name)
        self.code.const(NONE if found is None else found)

    def place(self, node: c.Place) -> None:
        self.code.const(self.world.global_places[node.name])

    def name(self, node: c.Name) -> None:
        self.get_name(node.slot)

    def from_table(self, table: int, of: Any) -> None:
        """What a table says of a thing; nothing of nothing."""
        code, local = self.code, self.code.local()
        self.value(of)
        code.tee(local)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(NONE)
        code.else_()
        self.indexed(local, table)
        code.end()
        code.release(local)

    def indexed(self, local: int, table: int) -> None:
        self.code.get(local)
        self.code.const(2)
        self.code.op(SHL)
        self.code.load(table)

    def place_of(self, node: c.PlaceOf) -> None:
        self.from_table(self.layout.owned(node.place), node.of)

    def field(self, node: c.Field) -> None:
        code, name = self.code, node.name
        slots = self.world.slots_of(name)
        if slots:
            thing, slot = code.local(), code.local()
            self.value(node.of)
            code.tee(thing)
            code.const(0)
            code.op(LT)
            code.if_(I32)
            code.const(NONE)
            code.else_()
            self.indexed(thing, self.layout.slots(name))
            code.tee(slot)
            code.const(0)
            code.op(LT)
            code.if_(I32)
            self.built_in(name, thing)
            code.else_()
            code.get(slot)
            code.const(2)
            code.op(SHL)
            code.load(self.at["VALUES"])
            code.end()
            code.end()
            code.release(thing, slot)
        elif name in ("holder", "seat", "copy", "row", "column", "label"):
            self.from_table(self.layout.printed(name), node.of)
        else:
            thing = code.local()
            self.value(node.of)
            code.tee(thing)
            code.const(0)
            code.op(LT)
            code.if_(I32)
            code.const(NONE if name != "ends" else 0)
            code.else_()
            self.built_in(name, thing)
            code.end()
            code.release(thing)

    def built_in(self, name: str, thing: int) -> None:
        """What every component knows of itself."""
        code = self.code
        match name:
            case "place":
                code.get(thing)
                code.const(self.world.count)
                code.op(LT)
                code.if_(I32)
                self.indexed(thing, self.at["WHERE"])
                code.else_()
                code.const(NONE)
                code.end()
            case "owner":
                code.get(thing)
                code.const(self.world.count)
                code.op(LT)
                code.if_(I32)
                code.get(thing)
                self.runtime("owner")
                code.else_()
                code.const(NONE)
                code.end()
            case "holder" | "seat" | "copy" | "row" | "column" | "label":
                self.indexed(thing, self.layout.printed(name))
            case "ends":
                ends = (self.world.ends.get(number, ()) for number in range(self.world.place_count))
                self.indexed(thing, self.layout.lists_for("ends", ends))
            case "colour":
                self.colour(thing)
            case _:
                code.const(NONE)

    def colour(self, thing: int) -> None:
        world, tracks = self.world, []
        for number in range(world.place_count):
            track = number < world.count and world.kinds[number] == "#track"
            spaces = world.graph["tracks"][world.definitions[number]]["spaces"] if track else ()
            tracks.append([self.linked.encoded(space) for space in spaces])
        code, table = self.code, self.layout.lists_for("colours", tracks)
        code.get(thing)
        code.const(2)
        code.op(SHL)
        code.load(self.layout.printed("base"))
        code.const(2)
        code.op(SHL)
        code.load(self.at["VALUES"])
        code.const(2)
        code.op(SHL)
        self.indexed(thing, table)
        code.op(ADD)
        code.load(0)

    def decider(self, node: c.Decider) -> None:
        self.value(node.of)
        self.runtime("decider")

    def asked(self, node: c.Asked) -> None:
        self.value(node.player)
        self.runtime("asked")

    def compare(self, node: c.Compare) -> None:
        code, how = self.code, COMPARED[node.how]
        if how in (EQ, NE) or (self.sure(node.left) and self.sure(node.right)):
            self.value(node.left)
            self.value(node.right)
            code.op(how)
            return
        left, right = code.local(), code.local()
        self.value(node.left)
        code.set(left)
        self.value(node.right)
        code.set(right)
        code.get(left)
        code.const(NONE)
        code.op(NE)
        code.get(right)
        code.const(NONE)
        code.op(NE, AND)
        code.if_(I32)
        code.get(left)
        code.get(right)
        code.op(how)
        code.else_()
        code.const(0)
        code.end()
        code.release(left, right)

    def sure(self, node: Any) -> bool:
        """Whether an expression always gives a number."""
        if isinstance(node, c.Const):
            return node.value is not None
        return isinstance(node, c.Count | c.Arithmetic | c.Version | c.Compare)

    def same(self, node: c.Same) -> None:
        self.value(node.left)
        self.value(node.right)
        self.runtime("same_items")

    def and_(self, node: c.And) -> None:
        code = self.code
        if not node.parts:
            code.const(1)
        for number, part in enumerate(node.parts):
            self.test(part)
            if number + 1 < len(node.parts):
                code.if_(I32)
        for _ in node.parts[1:]:
            code.else_()
            code.const(0)
            code.end()

    def or_(self, node: c.Or) -> None:
        code = self.code
        if not node.parts:
            code.const(0)
        for number, part in enumerate(node.parts):
            self.test(part)
            if number + 1 < len(node.parts):
                code.if_(I32)
                code.const(1)
                code.else_()
        for _ in node.parts[1:]:
            code.end()

    def not_(self, node: c.Not) -> None:
        self.test(node.part)
        self.code.op(0x45)

    def if_(self, node: c.If) -> None:
        self.test(node.test)
        self.code.if_(I32)
        self.value(node.yes)
        self.code.else_()
        self.value(node.no)
        self.code.end()

    def number(self, node: Any) -> None:
        """A number, nothing counting as 0."""
        self.value(node)
        if not self.sure(node):
            local = self.code.local()
            self.code.set(local)
            self.code.const(0)
            self.code.get(local)
            self.code.get(local)
            self.code.const(NONE)
            self.code.op(EQ, 0x1B)
            self.code.release(local)

    def arithmetic(self, node: c.Arithmetic) -> None:
        code = self.code
        left, right = code.local(), code.local()
        self.number(node.left)
        code.set(left)
        self.number(node.right)
        code.set(right)
        if node.how in ("/", "mod"):
            code.get(left)
            code.get(right)
            self.runtime("divide" if node.how == "/" else "modulo")
        elif node.how == "*":
            code.get(left)
            code.get(right)
            self.runtime("multiply")
        else:
            code.get(left)
            code.get(right)
            code.op(ADD if node.how == "+" else SUB)
        result = left
        code.set(result)
        if node.low is not None and node.high is not None:
            for bound, how in ((node.low, LT), (node.high, GT)):
                code.const(bound)
                code.get(result)
                code.get(result)
                code.const(bound)
                code.op(how, 0x1B)
                code.set(result)
        else:  # beyond the greatest number: the sum of two numbers of the rules always fits into 32 bits
            code.get(result)
            code.const(c.GREATEST)
            code.op(ADD)
            code.const(2 * c.GREATEST)
            code.op(0x4B)  # greater, without a sign
            code.if_()
            code.trap()
            code.end()
        code.get(result)
        code.release(left, right)

    def is_kind(self, node: c.IsKind) -> None:
        code, local = self.code, self.code.local()
        self.value(node.of)
        code.tee(local)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(0)
        code.else_()
        code.get(local)
        code.load8(self.layout.kind(node.noun))
        code.end()
        code.release(local)

    def in_(self, node: c.In) -> None:
        code, wanted = self.code, self.code.local()
        self.value(node.item)
        code.set(wanted)
        code.const(0)
        found = code.local()
        code.set(found)
        out = code.block()

        def check(each: int) -> None:
            code.get(each)
            code.get(wanted)
            code.op(EQ)
            code.if_()
            code.const(1)
            code.set(found)
            code.br(out)
            code.end()

        self.each(node.list, check)
        code.end()
        code.get(found)
        code.release(wanted, found)

    def lies(self, node: c.Lies) -> None:
        code, thing = self.code, self.code.local()
        self.value(node.item)
        code.tee(thing)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(0)
        code.else_()
        if self.shape(node.places) == "one":
            self.indexed(thing, self.at["WHERE"])
            self.value(node.places)
            code.op(EQ)
        else:
            place = code.local()
            self.indexed(thing, self.at["WHERE"])
            code.set(place)
            found = code.local()
            code.const(0)
            code.set(found)
            out = code.block()

            def check(each: int) -> None:
                code.get(each)
                code.get(place)
                code.op(EQ)
                code.if_()
                code.const(1)
                code.set(found)
                code.br(out)
                code.end()

            self.each(node.places, check)
            code.end()
            code.get(found)
            code.release(place, found)
        code.end()
        code.release(thing)

    def among(self, node: c.Among) -> None:
        self.value(node.item)
        self.value(node.list)
        self.runtime("among")

    def empty(self, node: c.Empty) -> None:
        if self.shape(node.of) != "one":
            self.exists(c.Exists(node.of))
            self.code.op(0x45)
            return
        code, place = self.code, self.code.local()
        self.value(node.of)
        code.tee(place)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(1)
        code.else_()
        self.indexed(place, self.at["COUNT"])
        code.op(0x45)
        code.end()
        code.release(place)

    def full(self, node: c.Full) -> None:
        code, place = self.code, self.code.local()
        self.value(node.of)
        code.tee(place)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(0)
        code.else_()
        self.indexed(place, self.at["COUNT"])
        self.indexed(place, self.layout.printed("capacity"))
        code.op(GE)
        code.end()
        code.release(place)

    def apply(self, node: c.Apply) -> None:
        for argument in node.arguments:
            self.value(argument)
        self.code.call(self.to.function(node.function))

    def by_kind(self, node: c.ByKind) -> None:
        code, nouns = self.code, tuple(node.cases)
        case, thing = code.local(), code.local()
        self.value(node.of)
        code.tee(thing)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(len(nouns))
        code.else_()
        self.indexed(thing, self.layout.case(nouns))
        code.end()
        code.set(case)
        for number, noun in enumerate(nouns):
            code.get(case)
            code.const(number)
            code.op(EQ)
            code.if_(I32)
            self.value(node.cases[noun])
            code.else_()
        self.value(node.otherwise)
        for _ in nouns:
            code.end()
        code.release(case, thing)

    def bind(self, node: c.Bind) -> None:
        self.value(node.value)
        self.code.set(self.local_of(node.slot))
        self.value(node.body)

    def fold(self, node: c.Fold) -> None:
        code, result = self.code, self.local_of(node.result)
        self.value(node.start)
        code.set(result)

        def change(each: int) -> None:
            if node.test is not None:
                self.test(node.test)
                code.if_()
            self.value(node.value)
            code.set(result)
            if node.test is not None:
                code.end()

        self.each(node.source, change, self.local_of(node.slot), charge=True)
        code.get(result)

    def exists(self, node: c.Exists) -> None:
        code, inner = self.code, node.list
        if isinstance(inner, c.Name) and self.shape(inner) != "one":
            self.value(inner)
            code.load(0)
            code.const(0)
            code.op(NE)
            return
        found = code.local()
        code.const(0)
        code.set(found)
        out = code.block()

        def there(each: int) -> None:
            code.const(1)
            code.set(found)
            code.br(out)

        self.each(inner, there)
        code.end()
        code.get(found)
        code.release(found)

    def count(self, node: c.Count) -> None:
        code, inner = self.code, node.list
        if isinstance(inner, c.Members) and self.shape(inner.of) == "one":
            place = code.local()
            self.value(inner.of)
            code.tee(place)
            code.const(0)
            code.op(LT)
            code.if_(I32)
            code.const(0)
            code.else_()
            self.indexed(place, self.at["COUNT"])
            code.end()
            code.release(place)
        elif isinstance(inner, c.Name):
            self.value(inner)
            code.load(0)
        else:
            number = code.local()
            code.const(0)
            code.set(number)

            def one_more(each: int) -> None:
                code.get(number)
                code.const(1)
                code.op(ADD)
                code.set(number)

            self.each(inner, one_more)
            code.get(number)
            code.release(number)

    def first(self, node: c.First) -> None:
        code, found = self.code, self.code.local()
        code.const(NONE if self.shape(node.list) != "lists" else 0)
        code.set(found)
        out = code.block()

        def there(each: int) -> None:
            code.get(each)
            code.set(found)
            code.br(out)

        self.each(node.list, there)
        code.end()
        code.get(found)
        code.release(found)

    def last(self, node: c.Last) -> None:
        code, found = self.code, self.code.local()
        inner = node.list
        if isinstance(inner, c.Members) and self.shape(inner.of) == "one":
            place = code.local()
            self.value(inner.of)
            code.tee(place)
            code.const(0)
            code.op(LT)
            code.if_(I32)
            code.const(NONE)
            code.else_()
            self.indexed(place, self.at["TAIL"])
            code.set(found)
            code.const(NONE)
            code.get(found)
            code.get(found)
            code.const(0)
            code.op(LT, 0x1B)
            code.end()
            code.release(place, found)
            return
        code.const(NONE if self.shape(inner) != "lists" else 0)
        code.set(found)

        def there(each: int) -> None:
            code.get(each)
            code.set(found)

        self.each(inner, there)
        code.get(found)
        code.release(found)

    def best(self, node: c.Best) -> None:
        code, found = self.code, self.code.local()
        for number, part in enumerate(node.parts):
            self.number(part)
            if number:
                self.join(node.how, found)
            code.set(found)
        code.get(found)
        code.release(found)

    def join(self, how: str, found: int) -> None:
        """Join the number on the stack with what was found before."""
        code, other = self.code, self.code.local()
        code.set(other)
        code.get(other)
        code.get(found)
        if how == "total":
            code.op(ADD)
        else:
            code.get(other)
            code.get(found)
            code.op(GT if how == "highest" else LT, 0x1B)
        code.release(other)

    def measure(self, node: c.Measure) -> None:
        code, found = self.code, self.code.local()
        code.const(0 if node.how == "total" else NONE)
        code.set(found)

        def one_more(each: int) -> None:
            self.number(node.value)
            if node.how != "total":
                number = code.local()
                code.set(number)
                code.get(number)
                code.get(found)
                code.get(found)
                code.const(NONE)
                code.op(EQ)
                code.if_(I32)
                code.const(1)
                code.else_()
                code.get(number)
                code.get(found)
                code.op(GT if node.how == "highest" else LT)
                code.end()
                code.op(0x1B)
                code.release(number)
            else:
                code.get(found)
                code.op(ADD)
            code.set(found)

        self.each(node.source, one_more, self.local_of(node.slot), charge=True)
        code.get(found)
        code.release(found)

    def lookup(self, node: c.Lookup) -> None:
        self.value(node.of)
        self.value(node.key)
        self.code.const(int(node.several))
        self.runtime("lookup")

    def needed(self, node: c.Needed) -> None:
        code, value = self.code, self.code.local()
        self.value(node.of)
        code.tee(value)
        code.const(NONE)
        code.op(EQ)
        code.if_()
        code.trap()
        code.end()
        code.get(value)
        code.release(value)

    def version(self, node: c.Version) -> None:
        self.code.const(0)
        self.code.load(self.at["VERSION"])

    def used(self, node: c.Used) -> None:
        self.code.const(self.to.once_number(node.unit))
        self.value(node.of)
        self.runtime("used")

    def key(self, node: c.Key) -> None:
        code, base = self.code, self.linked.hook_numbers[node.hook] * self.linked.stride + 1
        if node.of == c.Const(None):
            code.const(base)
            return
        self.offset(base, node.of)

    def offset(self, base: int, of: Any) -> None:
        """A number that says something and a component in one."""
        code, local = self.code, self.code.local()
        self.value(of)
        code.set(local)
        code.const(base)
        code.get(local)
        code.const(base + 1)
        code.op(ADD)
        code.get(local)
        code.const(NONE)
        code.op(EQ, 0x1B)
        code.release(local)

    def hook_of(self, node: c.HookOf) -> None:
        if isinstance(node.key, c.Key):
            self.code.const(self.linked.hook_numbers[node.key.hook])
            return
        self.divided(node.key, -1)

    def divided(self, of: Any, negative: int | None) -> None:
        code, local = self.code, self.code.local()
        self.value(of)
        code.tee(local)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        if negative is None:
            code.get(local)
        else:
            code.const(negative)
        code.else_()
        code.get(local)
        code.const(self.linked.stride)
        code.op(0x6D)
        code.end()
        code.release(local)

    def bearer_of(self, node: c.BearerOf) -> None:
        code, local = self.code, self.code.local()
        self.value(node.key)
        code.tee(local)
        code.const(0)
        code.op(LT)
        code.if_(I32)
        code.const(0)
        code.get(local)
        code.op(SUB)
        code.else_()
        code.get(local)
        code.const(self.linked.stride)
        code.op(0x6F)
        code.const(2)
        code.op(SUB)
        code.set(local)
        code.const(NONE)
        code.get(local)
        code.get(local)
        code.const(0)
        code.op(LT, 0x1B)
        code.end()
        code.release(local)

    def deed(self, node: c.Deed) -> None:
        base = self.linked.deed_numbers[node.action] * self.linked.stride
        if node.of == c.Const(None):
            self.code.const(base)
        else:
            self.offset(base, node.of)

    def action_of(self, node: c.ActionOf) -> None:
        self.divided(node.deed, None)

    def granter_of(self, node: c.GranterOf) -> None:
        code, local = self.code, self.code.local()
        self.value(node.deed)
        code.const(self.linked.stride)
        code.op(0x6F)
        code.set(local)
        code.const(NONE)
        code.get(local)
        code.const(1)
        code.op(SUB)
        code.get(local)
        code.op(0x45, 0x1B)
        code.release(local)

    def apply_hook(self, node: c.ApplyHook) -> None:
        """The function of whichever hook it is that holds."""
        code, record, key = self.code, self.code.local(), self.code.local()
        self.value(node.key)
        code.tee(key)
        self.runtime("held_at")
        code.tee(record)
        code.op(0x45)
        code.if_(I32)
        code.const(NONE)
        code.else_()
        candidates = [name for name, hook in self.to.program.hooks.items() if hook.kept is not None and self.to.is_installed(name)]
        candidates = [name for name in candidates if getattr(self.to.program.hooks[name], node.what) is not None]
        fitting = [name for name in candidates if len(self.to.program.hooks[name].arguments) <= len(node.arguments)]
        depth = 0
        for name in fitting:
            hook = self.to.program.hooks[name]
            code.get(record)
            code.load(0)
            code.const(self.linked.hook_numbers[name])
            code.op(EQ)
            code.if_(I32)
            depth += 1
            if node.what == "applies" and hook.once:
                code.const(self.to.once_number(name))
                code.get(key)
                self.runtime("used")
                code.if_(I32)
                code.const(0)
                code.else_()
                self.hooked(name, record, node)
                code.end()
            else:
                self.hooked(name, record, node)
            code.else_()
        code.trap()
        for _ in range(depth):
            code.end()
        code.end()
        code.release(record, key)

    def hooked(self, name: str, record: int, node: c.ApplyHook) -> None:
        hook = self.to.program.hooks[name]
        function = getattr(hook, node.what)
        for value in self.hook_values(hook, record, node.arguments, node.it, node.result, self.to.program.functions[function].parameters):
            value()
        self.code.call(self.to.function(function))

    def hook_values(self, hook: c.Hook, record: int, arguments: tuple[Any, ...], it: Any, result: Any, count: int) -> list[Callable[[], None]]:
        """What leaves the values of the parameters of a hook on the stack, one after another."""
        found: list[Callable[[], None]] = [lambda: self.code.const(NONE)] * count

        def kept(number: int) -> Callable[[], None]:
            def load() -> None:
                self.code.get(record)
                self.code.load(16 + 4 * number)

            return load

        for number, slot in enumerate(hook.kept):
            found[slot] = kept(number)
        if hook.it is not None:
            found[hook.it] = lambda: self.value(it)
        if hook.result is not None:
            found[hook.result] = lambda: self.value(result)
        for slot, argument in zip(hook.arguments, arguments, strict=False):
            found[slot] = lambda argument=argument: self.value(argument)  # type: ignore[misc]
        return found

    def trial(self, node: c.Trial) -> None:
        self.code.const(0)

    def batched(self, node: c.Batched) -> None:
        self.runtime("open_batch")
        self.code.const(0)
        self.code.op(NE)

    def ongoing(self, node: c.Ongoing) -> None:
        self.code.const(self.layout.unit_numbers[node.unit])
        self.code.const(NAMES + 4 * node.slot)
        self.value(node.of)
        self.runtime("ongoing")

    def knows(self, node: c.Knows) -> None:
        self.value(node.player)
        self.value(node.component)
        self.runtime("knows")

    # -- lists

    def list(self, node: Any) -> None:
        """Leave the address of a list on the stack."""
        code = self.code
        match node:
            case c.Listed(parts=parts):
                start = self.start()
                for part in parts:
                    self.value(part)
                    self.drop("item")
                self.collect(start)
            case c.All():
                code.const(self.layout.list(self.everything(node)))
            case c.Members(of=of) if self.shape(of) == "one":
                place = code.local()
                self.value(of)
                code.tee(place)
                code.const(0)
                code.op(LT)
                code.if_(I32)
                code.const(0)
                code.else_()
                code.get(place)
                self.runtime("member_list")
                code.end()
                code.release(place)
            case c.Lines(grid=grid, length=c.Const(value=int(length))):
                code.const(self.lines(grid, length))
            case c.Lines():
                self.give_up()
            case c.Without(source=source, out=out):
                self.value(source)
                self.value(out)
                self.runtime("without")
            case c.Once(source=source):
                self.value(source)
                self.runtime("once")
            case c.Belonging(of=of):
                self.value(of)
                self.runtime("belonging")
            case c.Take(source=source, amount=amount, backwards=backwards):
                self.value(source)
                self.value(amount)
                code.const(int(backwards))
                self.runtime("take")
            case c.Numbers(low=low, high=high):
                self.value(low)
                self.value(high)
                self.runtime("numbers")
            case c.Veiled(source=source, player=player):
                self.value(source)
                self.value(player)
                self.runtime("veiled")
            case c.Query(orders=orders) if orders:
                self.sorted(node)
            case c.If():
                self.if_(node)
            case c.Both(parts=parts):
                start = self.start()
                for part in parts:
                    self.each(part, self.keep)
                self.collect(start)
            case c.Choices(tests=tests):
                start = self.start()
                for number, test in enumerate(tests):
                    self.test(test)
                    code.if_()
                    code.const(number)
                    self.drop("item")
                    code.end()
                self.collect(start)
            case _:
                start = self.start()
                self.each(node, self.keep)
                self.collect(start)

    def start(self) -> int:
        """Begin a list."""
        local = self.code.local()
        self.code.const(0)
        self.code.load(self.at["ITEMS"])
        self.code.set(local)
        return local

    def keep(self, each: int) -> None:
        self.code.get(each)
        self.drop("item")

    def drop(self, name: str) -> None:
        """Call a function for what it does."""
        self.runtime(name)
        self.code.op(0x1A)

    def collect(self, start: int) -> None:
        self.code.get(start)
        self.runtime("collect")
        self.code.release(start)

    def everything(self, node: c.All) -> list[int]:
        world = self.world
        return [cell for row in world.cells[node.grid] for cell in row] if node.grid is not None else list(world.by_noun.get(node.noun, []))

    def lines(self, grid: str, length: int) -> int:
        from rulewright.run.geometry import lines

        return self.layout.list(self.layout.list(line) for line in lines(self.world, grid, length))

    def sorted(self, node: c.Query) -> None:
        """A list in the order of keys."""
        code = self.code
        made, start = code.local(), self.start()
        self.each(c.Query(node.source, node.slot, node.tests), self.keep)
        self.collect(start)
        code.set(made)
        code.get(made)
        keys = self.start()
        each = self.local_of(node.slot)

        def key(_: int) -> None:
            for order in node.orders:
                self.value(order.key)
                if order.descending:
                    local = code.local()
                    code.set(local)
                    code.const(NONE)
                    code.const(0)
                    code.get(local)
                    code.op(SUB)
                    code.get(local)
                    code.const(NONE)
                    code.op(EQ, 0x1B)
                    code.release(local)
                self.drop("item")

        self.walk(made, each, key)
        self.collect(keys)
        code.const(len(node.orders))
        self.runtime("sort")
        code.release(made)

    # -- running through lists

    def each(self, node: Any, body: Body, into: int | None = None, charge: bool = False) -> None:
        """Run through the things of a list: `body` is written for each, which a local holds."""
        code = self.code
        each = code.local() if into is None else into
        match node:
            case c.All():
                self.each_of(self.everything(node), each, body, charge)
            case c.Members(of=of) if self.shape(of) == "one":
                self.each_member(of, each, body, charge)
            case c.Members(of=of):
                place = code.local()

                def members(_: int) -> None:
                    code.get(place)
                    code.const(0)
                    code.op(GE)
                    code.if_()
                    self.members_of(place, each, body, charge)
                    code.end()

                self.each(of, members, place)
                code.release(place)
            case c.OfKind(source=source, noun=noun):

                def of_kind(_: int) -> None:
                    code.get(each)
                    code.const(0)
                    code.op(GE)
                    code.if_(I32)
                    code.get(each)
                    code.load8(self.layout.kind(noun))
                    code.else_()
                    code.const(0)
                    code.end()
                    code.if_()
                    body(each)
                    code.end()

                self.each(source, of_kind, each, charge)
            case c.Query(orders=orders) if not orders:
                thing = self.local_of(node.slot)

                def passing(_: int) -> None:
                    for test in node.tests:
                        self.test(test)
                        code.if_()
                    if each != thing:
                        code.get(thing)
                        code.set(each)
                    body(each)
                    for _ in node.tests:
                        code.end()

                self.each(node.source, passing, thing, charge=True)
            case c.Many(of=of):
                self.value(of)
                code.tee(each)
                code.const(NONE)
                code.op(NE)
                code.if_()
                body(each)
                code.end()
            case c.Listed(parts=()):
                pass
            case c.Listed(parts=(part,)):
                self.value(part)
                code.set(each)
                body(each)
            case c.If(test=test, yes=yes, no=c.Listed(parts=())):
                self.test(test)
                code.if_()
                self.each(yes, body, each, charge)
                code.end()
            case c.Map(source=source, value=value):
                thing = self.local_of(node.slot)

                def mapped(_: int) -> None:
                    if self.shape(value) == "one":
                        self.value(value)
                        code.tee(each)
                        code.const(NONE)
                        code.op(NE)
                        code.if_()
                        body(each)
                        code.end()
                    else:
                        self.each(value, body, each)

                self.each(source, mapped, thing, charge=True)
            case c.Links(kind=kind, of=of) if self.shape(of) == "one":
                world, links = self.world, set(self.world.by_noun.get(kind, []))
                order = world.by_noun.get(kind, [])
                touching = [[link for link in order if number in world.ends.get(link, ())] for number in range(world.place_count)] if links else []
                self.value_list(self.layout.lists_for(("links", kind), touching), of, each, body)
            case c.Neighbours(of=of, through=through):
                self.each_neighbour(of, through, each, body)
            case c.Both(parts=parts) if len(parts) == 1:
                self.each(parts[0], body, each, charge)
            case c.Reachable(of=of, limit=limit, through=through):
                self.each_reached(of, limit, through, each, body, start=False)
            case c.Within(of=of, limit=limit) if not self.world.cells:
                self.each_reached(of, limit, None, each, body, start=True)
            case c.Within():
                self.give_up()
            case c.Installed(event=event, timings=timings):
                self.each_held(event, timings, each, body)
            case _ if type(node) in GIVEN_UP:
                self.give_up()
            case _:
                made = code.local()
                self.value(node)
                code.set(made)
                self.walk(made, each, body, charge)
                code.release(made)
        if into is None:
            code.release(each)

    def walk(self, made: int, each: int, body: Body, charge: bool = False) -> None:
        """Run through a list that lies in memory."""
        code = self.code
        at, end = code.local(), code.local()
        code.get(made)
        code.get(made)
        code.load(0)
        if charge:
            code.tee(end)
            self.look()
            code.get(end)
        code.const(2)
        code.op(SHL, ADD)
        code.set(end)
        code.get(made)
        code.set(at)
        out, again = code.block(), code.loop()
        code.get(at)
        code.get(end)
        code.op(GE)
        code.br_if(out)
        code.get(at)
        code.const(4)
        code.op(ADD)
        code.tee(at)
        code.load(0)
        code.set(each)
        body(each)
        code.br(again)
        code.end()
        code.end()
        code.release(at, end)

    def charge(self, amount: int) -> None:
        self.code.const(amount)
        self.look()

    def look(self) -> None:
        """Count what is looked at: as many things as the stack says."""
        code, local = self.code, self.code.local()
        code.set(local)
        code.const(0)
        code.const(0)
        code.load(self.at["LOOKED"])
        code.get(local)
        code.op(ADD)
        code.tee(local)
        code.store(self.at["LOOKED"])
        code.get(local)
        code.const(0)
        code.load(self.at["MOST_LOOKED"])
        code.op(GT)
        code.if_()
        code.trap()
        code.end()
        code.release(local)

    def each_of(self, numbers: list[int], each: int, body: Body, charge: bool) -> None:
        """Run through things that never change."""
        code = self.code
        if charge:
            self.charge(len(numbers))
        if not numbers:
            return
        if numbers == list(range(numbers[0], numbers[-1] + 1)):
            cursor = code.local()
            code.const(numbers[0] - 1)
            code.set(cursor)
            out, again = code.block(), code.loop()
            code.get(cursor)
            code.const(1)
            code.op(ADD)
            code.tee(cursor)
            code.set(each)
            code.get(cursor)
            code.const(numbers[-1])
            code.op(GT)
            code.br_if(out)
            body(each)
            code.br(again)
            code.end()
            code.end()
            code.release(cursor)
            return
        made = code.local()
        code.const(self.layout.list(numbers))
        code.set(made)
        self.walk(made, each, body)
        code.release(made)

    def each_member(self, of: Any, each: int, body: Body, charge: bool) -> None:
        code, place = self.code, self.code.local()
        self.value(of)
        code.tee(place)
        code.const(0)
        code.op(GE)
        code.if_()
        self.members_of(place, each, body, charge)
        code.end()
        code.release(place)

    def members_of(self, place: int, each: int, body: Body, charge: bool) -> None:
        """Run through what lies in a place."""
        code, cursor = self.code, self.code.local()
        if charge:
            self.indexed(place, self.at["COUNT"])
            self.look()
        self.indexed(place, self.at["HEAD"])
        code.set(cursor)
        out, again = code.block(), code.loop()
        code.get(cursor)
        code.tee(each)
        code.const(0)
        code.op(LT)
        code.br_if(out)
        self.indexed(each, self.at["NEXT"])
        code.set(cursor)
        body(each)
        code.br(again)
        code.end()
        code.end()
        code.release(cursor)

    def value_list(self, table: int, of: Any, each: int, body: Body) -> None:
        """Run through a list that a table has for a thing."""
        code, made = self.code, self.code.local()
        self.value(of)
        code.tee(made)
        code.const(0)
        code.op(GE)
        code.if_()
        self.indexed(made, table)
        code.set(made)
        self.walk(made, each, body, charge=True)
        code.end()
        code.release(made)

    def ways(self, through: c.Through | None) -> tuple[int, Any] | None:
        """For each place, the ways from it and where they lead, one after the other; and what opens a condition on a way. None if that cannot be written."""
        world, code = self.world, self.code
        pairs = [world.neighbours(number) if world.is_place(number) else [] for number in range(world.place_count)]
        places = through is not None and through.places
        if places:
            pairs = [[(None, place) for _, place in each_] for each_ in pairs]
        by_link = any(link is not None for each_ in pairs for link, _ in each_)
        if by_link and any(link is None for each_ in pairs for link, _ in each_):
            return None
        flat = [[part for link, place in each_ for part in ((link if by_link else place), place)] for each_ in pairs]
        table = self.layout.lists_for(("neighbours", places), flat)
        among = set(self.everything(through.source)) if through is not None and isinstance(through.source, c.All) else None
        allowed = code.local()
        if through is not None and among is None:
            self.value(through.source)
            code.set(allowed)

        def opened(way: int) -> int:
            """Open as many conditions as this gives."""
            if through is None:
                return 0
            if among is not None:
                assert isinstance(through.source, c.All)
                code.get(way)
                code.load8(self.layout.flags(("among", through.source.noun, through.source.grid), (n in among for n in range(world.place_count))))
            else:
                code.get(allowed)
                code.get(way)
                self.runtime("contains_item")
            code.if_()
            if through.tests:
                self.charge(1)
                code.get(way)
                code.set(self.local_of(through.slot))
            for test in through.tests:
                self.test(test)
                code.if_()
            return 1 + len(through.tests)

        return table, (opened, by_link or places)

    def search(self, of: Any, limit: Any, through: c.Through | None, goal: int | None) -> tuple[int, int] | None:
        """Look for all that can be reached: leaves for each place how far it is (-1 if it cannot be), and what was reached in order, in two locals."""
        code, world = self.code, self.world
        found = self.ways(through)
        if found is None or (goal is not None and not found[1][1]):
            return None
        table, (opened, _) = found
        steps, queue, head, here, most, far = (code.local() for _ in range(6))
        self.charge(world.count)
        code.const(world.place_count)
        self.runtime("alloc")
        code.const(4)
        code.op(ADD)
        code.tee(steps)
        code.const(255)
        code.const(4 * world.place_count)
        code.out += b"\xfc\x0b\x00"
        code.const(world.place_count)
        self.runtime("alloc")
        code.tee(queue)
        code.const(0)
        code.store(0)
        if limit is None:
            code.const(2**31 - 1)
        else:
            self.value(limit)
            value = code.local()
            code.set(value)
            code.const(2**31 - 1 if isinstance(limit, c.Const) and limit.value is None else 0)
            code.get(value)
            code.get(value)
            code.const(NONE)
            code.op(EQ, 0x1B)
            code.release(value)
        code.set(most)
        self.value(of)
        code.tee(here)
        code.const(0)
        code.op(GE)
        code.if_()
        self.reach(here, steps, queue, lambda: code.const(0))
        code.const(0)
        code.set(head)
        out, again = code.block(), code.loop()
        code.get(head)
        code.get(queue)
        code.load(0)
        code.op(GE)
        code.br_if(out)
        code.get(queue)
        code.get(head)
        code.const(2)
        code.op(SHL, ADD)
        code.load(4)
        code.set(here)
        code.get(head)
        code.const(1)
        code.op(ADD)
        code.set(head)
        self.step_at(here, steps)
        code.tee(far)
        code.get(most)
        code.op(LT)
        code.if_()
        way, there, turn, pairs = (code.local() for _ in range(4))
        self.indexed(here, table)
        code.set(pairs)
        code.const(0)
        code.set(turn)

        def pair(_: int) -> None:
            code.get(turn)
            code.const(1)
            code.op(0x73)
            code.tee(turn)
            code.if_()
            code.get(there)
            code.set(way)
            code.else_()
            self.step_at(there, steps)
            code.const(0)
            code.op(LT)
            code.if_()
            count = opened(way)

            def one_further() -> None:
                code.get(far)
                code.const(1)
                code.op(ADD)

            self.reach(there, steps, queue, one_further)
            for _ in range(count):
                code.end()
            code.end()
            code.end()

        self.walk(pairs, there, pair)
        code.release(way, there, turn, pairs)
        code.end()
        code.br(again)
        code.end()
        code.end()
        code.end()
        code.release(head, here, most, far)
        return steps, queue

    def step_at(self, place: int, steps: int) -> None:
        self.code.get(steps)
        self.code.get(place)
        self.code.const(2)
        self.code.op(SHL, ADD)
        self.code.load(0)

    def reach(self, place: int, steps: int, queue: int, far: Callable[[], None]) -> None:
        """A place has been reached."""
        code = self.code
        code.get(steps)
        code.get(place)
        code.const(2)
        code.op(SHL, ADD)
        far()
        code.store(0)
        code.get(queue)
        code.get(queue)
        code.load(0)
        code.const(2)
        code.op(SHL, ADD)
        code.get(place)
        code.store(4)
        code.get(queue)
        code.get(queue)
        code.load(0)
        code.const(1)
        code.op(ADD)
        code.store(0)

    def each_reached(self, of: Any, limit: Any, through: c.Through | None, each: int, body: Body, start: bool) -> None:
        """Run through the places that can be reached, nearest first."""
        found = self.search(of, limit, through, None)
        if found is None:
            self.give_up()
            return
        steps, queue = found
        code, first = self.code, self.code.local()
        code.const(int(start))
        code.set(first)

        def reached(_: int) -> None:
            code.get(first)
            code.if_()
            body(each)
            code.end()
            code.const(1)
            code.set(first)

        self.walk(queue, each, reached)
        code.release(steps, queue, first)

    def distance(self, node: c.Distance) -> None:
        code, goal, result = self.code, self.code.local(), self.code.local()
        self.value(node.goal)
        code.set(goal)
        code.const(NONE)
        code.set(result)
        code.get(goal)
        code.const(0)
        code.op(GE)
        code.if_()
        if node.through is not None and (node.through.places or self.world.cells):
            self.give_up()
        found = self.search(node.start, None, node.through, None)
        if found is None:
            self.give_up()
        else:
            steps, queue = found
            self.step_at(goal, steps)
            code.tee(result)
            code.const(0)
            code.op(LT)
            code.if_()
            code.const(NONE)
            code.set(result)
            code.end()
            code.release(steps, queue)
        code.end()
        code.get(result)
        code.release(goal, result)

    def each_neighbour(self, of: Any, through: c.Through | None, each: int, body: Body) -> None:
        """Run through the places one step away, over links or cells that count as ways."""
        code, found = self.code, self.ways(through)
        if found is None:
            self.give_up()
            return
        table, (opened, _) = found
        made, way, turn = code.local(), code.local(), code.local()
        self.value(of)
        code.tee(made)
        code.const(0)
        code.op(GE)
        code.if_()
        self.indexed(made, table)
        code.set(made)
        code.get(made)
        code.load(0)
        code.const(1)
        code.op(0x76)
        self.look()
        code.const(0)
        code.set(turn)

        def step(_: int) -> None:
            code.get(turn)
            code.const(1)
            code.op(0x73)
            code.tee(turn)
            code.if_()
            code.get(each)
            code.set(way)
            code.else_()
            count = opened(way)
            body(each)
            for _ in range(count):
                code.end()
            code.end()

        self.walk(made, each, step)
        code.end()
        code.release(made, way, turn)

    def each_held(self, event: str, timings: tuple[str, ...], each: int, body: Body) -> None:
        """Run through the hooks that hold for a time on an event."""
        code, hooks = self.code, self.to.program.hooks
        fitting = [number for name, number in self.linked.hook_numbers.items() if hooks[name].event == event and hooks[name].timing in timings]
        flags = self.layout.flags(("held", event, timings), (number in fitting for number in range(len(hooks))))
        cursor = code.local()
        code.const(self.at["HELD"])
        code.set(cursor)
        out, again = code.block(), code.loop()
        code.get(cursor)
        code.const(0)
        code.load(self.at["HELD_COUNT"])
        code.const(self.to.held_size)
        code.op(0x6C)
        code.const(self.at["HELD"])
        code.op(ADD, GE)
        code.br_if(out)
        code.const(0)
        code.get(cursor)
        code.load(4)
        code.op(SUB)
        code.set(each)
        code.get(cursor)
        code.load(0)
        code.get(cursor)
        code.const(self.to.held_size)
        code.op(ADD)
        code.set(cursor)
        code.load8(flags)
        code.if_()
        body(each)
        code.end()
        code.br(again)
        code.end()
        code.end()
        code.release(cursor)


FLAGS = (
    c.Compare, c.Same, c.And, c.Or, c.Not, c.IsKind, c.In, c.Lies, c.Among, c.Empty, c.Full, c.Exists, c.Asked, c.Used, c.Trial, c.Batched, c.Ongoing, c.Knows,
)  # fmt: skip
GIVEN_UP = (c.Visible,)
VALUES: dict[type, Callable[[Writer, Any], None]] = {
    c.Const: Writer.const, c.Word: Writer.word, c.Component: Writer.component, c.Place: Writer.place, c.PlaceOf: Writer.place_of, c.Name: Writer.name,
    c.Field: Writer.field, c.Decider: Writer.decider, c.Asked: Writer.asked, c.Compare: Writer.compare, c.Same: Writer.same, c.And: Writer.and_,
    c.Or: Writer.or_, c.Not: Writer.not_, c.If: Writer.if_, c.Arithmetic: Writer.arithmetic, c.IsKind: Writer.is_kind, c.In: Writer.in_,
    c.Lies: Writer.lies, c.Among: Writer.among, c.Empty: Writer.empty, c.Full: Writer.full, c.Apply: Writer.apply, c.ByKind: Writer.by_kind, c.Bind: Writer.bind,
    c.Fold: Writer.fold, c.Exists: Writer.exists, c.Count: Writer.count, c.First: Writer.first, c.Last: Writer.last, c.Best: Writer.best,
    c.Measure: Writer.measure, c.Lookup: Writer.lookup, c.Needed: Writer.needed, c.Version: Writer.version, c.Used: Writer.used, c.Key: Writer.key, c.HookOf: Writer.hook_of,
    c.BearerOf: Writer.bearer_of, c.Deed: Writer.deed, c.ActionOf: Writer.action_of, c.GranterOf: Writer.granter_of, c.ApplyHook: Writer.apply_hook,
    c.Distance: Writer.distance, c.Trial: Writer.trial, c.Batched: Writer.batched, c.Ongoing: Writer.ongoing, c.Knows: Writer.knows,
}  # fmt: skip
