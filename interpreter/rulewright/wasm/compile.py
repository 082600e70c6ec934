"""Compiling: a linked program as one module. Functions of the core become functions, units too; with them go the tables and functions of the runtime.

`Compilation(linked).binary()` gives the module as bytes. What the code of units and expressions has to agree on lies here: the layout, the numbers of functions,
points and events, and which function writes which node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy as copy_of

from rulewright import collection
from rulewright.core import program as c
from rulewright.core.liveness import Liveness, slots
from rulewright.core.passes import Evaluate, optimised
from rulewright.step.closures import code as code_of
from rulewright.step.link import Linked
from rulewright.step.machine import Machine
from rulewright.step.state import State, Value
from rulewright.wasm import expressions, hooks, lists, measures, moments, numbers, runtime, searches
from rulewright.wasm.assemble import I32, Code, Module, compile_into
from rulewright.wasm.calls import begin_deferred
from rulewright.wasm.changes import set_field
from rulewright.wasm.facts import Facts
from rulewright.wasm.layout import DECIDE, MEMO_SLOTS, MOST_BATCHES, NAMES, NONE, OUTCOMES, STARTING, UNCOUNTED, Layout
from rulewright.wasm.opcodes import ADD, DROP, EQ, GT, SHL
from rulewright.wasm.plan import EXPORTS, Plan
from rulewright.wasm.units import Unit
from rulewright.wasm.writer import Run, ValueWriter, Writer, makes_lists

VALUES: dict[type, ValueWriter] = {**expressions.VALUES, **measures.VALUES, **hooks.VALUES, **lists.VALUES, **searches.VALUES}
RUNS: dict[type, Run] = {**lists.RUNS, **searches.RUNS, **hooks.RUNS}


ENDLESS = 1 << 20
SIGHTS = frozenset(
    ("decider", "knows", "veiled", "position", "seers_of", "seers_into", "told_bits", "learn", "teller")
)  # of the runtime, which ask functions


def evaluator(linked: Linked) -> Evaluate:
    """What works out expressions that depend on nothing but the world."""
    machine, scratch = Machine(linked, State()), copy_of(linked)
    scratch._codes = {}

    def evaluate(node: c.Expression, names: list[Value]) -> tuple[Value, int]:
        machine.looked = 0
        return code_of(scratch, node)(machine, names), machine.looked

    return evaluate


def optimise(linked: Linked) -> Linked:
    """The same program after all passes: with the same addresses, and the same numbers of words."""
    made = copy_of(linked)
    made.program = optimised(linked.program, linked.world, evaluator(linked))
    return made


class Compilation:
    """A module that is being made for a program and a world."""

    values, runs = VALUES, RUNS

    @collection.put_off()
    def __init__(self, plain: Linked) -> None:
        self.plain = plain
        self.linked = linked = optimise(plain)
        self.program = linked.program
        self.layout = Layout(linked)
        self.facts = Facts(linked)
        self.live = Liveness(plain.program)  # what a state holds does not depend on passes
        self.module = Module()
        self.small = self.inlined()
        self.constants: dict[str, int] = {}  # of the runtime
        self.addresses: dict[int, tuple[int, int]] = {}  # the unit and point of an address at which a frame can rest
        self.points: dict[tuple[int, int], int] = {}  # and the other way round
        self.kept_at: dict[tuple[int, int], int] = {}  # the names that matter at a point, as bits
        self.point_counts: dict[int, int] = {}
        self.once: dict[str, int] = {}  # numbers of what may happen once
        self.events: dict[str, int] = {}  # numbers of the events until which something holds
        self._unwritten: list[str] = []  # functions that are called and have no code yet
        self._calls: dict[str | None, set[str]] = {}  # what each function calls; None is what the runtime does
        self._caller: str | None = None
        self._codes: dict[str, Code] = {}
        lists_ = {value for number in self.layout.list_slots() if (value := linked.start_values[number]) is not None}
        self.start_lists = {value: self.layout.constant_list(value) for value in lists_}  # lists that fields begin with

    @collection.put_off()
    def binary(self) -> bytes:
        """The whole module."""
        layout, module = self.layout, self.module
        units = [Unit(self, number, name) for number, name in enumerate(self.program.units)]
        for unit in units:
            unit.write()
        for number in range(len(self.program.questions)):
            if f"choice {number}" not in module.functions:
                unasked = Code(2)
                unasked.trap()
                module.define_shared(f"choice {number}", unasked)
        self.tables()
        self.write_functions()
        module.define("begin_deferred", begin_deferred(self))
        self.runtime()
        self.write_functions()
        self.count_depths()
        module.table = [module.functions[f"unit {name}"] for name in self.program.units]
        module.table += [module.functions[f"choice {number}"] for number in range(len(self.program.questions))]
        module.exports = list(EXPORTS)
        module.data = layout.data
        return module.binary((layout.free + 0xFFFF) // 0x10000 + 1)

    def plan(self, size: int) -> Plan:
        """What Python has to know of the module, which has so many bytes."""
        layout, facts, linked = self.layout, self.facts, self.plain
        said = {at: node for at, node in enumerate(linked.code) if isinstance(node, c.Say)}
        locals_ = {at: linked.program.units[linked.unit_at[at]].locals for at in said}
        return Plan(
            size, layout.at, layout.held_size, layout.most_held, layout.most_used, layout.units, layout.causes, list(self.once), list(self.events),
            facts.fields, facts.list_fields, set(layout.list_slots()), self.start_lists,
            {where: (at, list(slots(self.kept_at[where]))) for where, at in self.points.items()}, self.addresses,
            {at: [facts.shape(part.of, locals_[at]) != "one" for part in say.text.parts if not isinstance(part, str)] for at, say in said.items()},
            facts.secretive, linked.spelled[:],
        )  # fmt: skip

    # -- numbers

    def once_number(self, unit: str) -> int:
        """A number for what may happen once."""
        return self.once.setdefault(unit, len(self.once))

    def event_number(self, event: str) -> int:
        """A number for an event until which something holds."""
        return self.events.setdefault(event, len(self.events))

    def frame_size(self, unit: str) -> int:
        return NAMES + 4 * len(self.program.units[unit].locals)

    # -- functions

    def function(self, name: str) -> int:
        """The number of the function of a function."""
        known = f"function {name}"
        self._calls.setdefault(self._caller, set()).add(name)
        if known not in self.module.functions:
            self._unwritten.append(name)
        return self.module.declare(known)

    def ask_runtime(self, name: str) -> None:
        """A function of the runtime is called; some ask functions about the rules."""
        if name in SIGHTS and self._caller is not None:
            sight = self.program.sight
            self._calls.setdefault(self._caller, set()).update(
                *(each.values() for each in (sight.deciders, sight.hidden, sight.places, sight.fields))
            )

    def write_functions(self) -> None:
        """Write the functions that are called, and those that these call."""
        while self._unwritten:
            self._caller = self._unwritten.pop()
            self.write_function(self._caller)
        self._caller = None

    def write_function(self, name: str) -> None:
        declared = self.program.functions[name]
        code = Code(declared.parameters)
        writer = Writer(self, declared.locals, None, code)
        writer.bound = {slot: slot for slot in range(declared.parameters)}
        for slot in range(declared.parameters, len(declared.locals)):
            writer.bound[slot] = code.local()
        passing = declared.shape == "one" and makes_lists(declared.body)
        lists_end = code.local() if passing else 0
        if passing:  # what is one value needs none of the lists that were made on the way to it
            code.cell(self.layout.at["TOP"])
            code.set(lists_end)
        with writer.counted(declared.body) as body:
            writer.value(body)
        if passing:
            code.const(0)
            code.get(lists_end)
            code.store(self.layout.at["TOP"])
        self._codes[name] = code
        self.module.define(f"function {name}", code)

    def count_depths(self) -> None:
        """Functions that can be inside each other without end, or more than some deep, count how deep they are."""
        heights: dict[str, int] = {}
        for begin in self._codes:
            stack = [begin]
            while stack:
                name = stack[-1]
                called = self._calls.get(name, set())
                if name not in heights:
                    heights[name] = ENDLESS  # as long as it is not known: on the way to itself
                    stack += called - heights.keys()
                    continue
                stack.pop()
                heights[name] = min(1 + max((heights[each] for each in called), default=0), ENDLESS)
        at = self.layout.at
        for name, code in self._codes.items():
            if heights[name] > UNCOUNTED:
                body, code.out = code.out, bytearray()
                for change in (1, -1):
                    code.const(0)
                    code.const(0)
                    code.load(at["DEEP"])
                    code.const(change)
                    code.op(ADD)
                    code.store(at["DEEP"])
                    if change == 1:
                        code.const(0)
                        code.load(at["DEEP"])
                        code.const(UNCOUNTED)
                        code.op(ADD)
                        code.const(0)
                        code.load(at["MOST_DEEP"])
                        code.op(GT)
                        code.if_()
                        code.trap()
                        code.end()
                        code.out += body

    # -- what is the same in all modules

    def tables(self) -> None:
        """Tables that the runtime asks."""
        layout, world = self.layout, self.linked.world
        names = []
        for number, (name, unit) in enumerate(self.program.units.items()):
            points = []
            for point in range(self.point_counts[number]):
                lists = [
                    (NAMES + 4 * slot) << 2 | (1 if unit.locals[slot].shape == "list" else 2)
                    for slot in slots(self.kept_at[number, point])
                    if unit.locals[slot].shape != "one"
                ]
                points.append(layout.constant_list(lists))
            names.append(layout.table(("points", name), points))
        self.constants = dict(layout.at)
        hooks = self.program.hooks.values()
        fields: dict[str, int] = {}
        kept_lists = []
        for hook in hooks:
            shapes = [hook.locals[slot].shape for slot in hook.kept]
            found = [(16 + 4 * number) << 2 | (1 if shape == "list" else 2) for number, shape in enumerate(shapes) if shape != "one"]
            kept_lists.append(layout.constant_list(found))
        self.constants |= {
            "NONE": NONE, "PLAYERS": world.players, "PLACES": world.place_count, "COMPONENTS": world.count, "EVERYONE": world.everyone,
            "ELIMINATED": OUTCOMES.index("eliminated"), "WON": OUTCOMES.index("won"), "HELD_SIZE": layout.held_size, "MOST_USED": layout.most_used,
            "MOST_HELD": layout.most_held, "SECRETIVE": int(self.facts.secretive), "BACKS": int(world.has_backs), "PILES": layout.printed("pile"),
            "BACKED": layout.printed("backed"), "MOST_BATCHES": MOST_BATCHES, "DECIDE": DECIDE, "MEMO_SLOTS": MEMO_SLOTS,
            "HOOK_ORDER": layout.table("hook order", [hook.order for hook in hooks] or [0]),
            "AROUND": layout.printed("around"), "DECIDERS": layout.printed("decider"), "SIGHT": layout.printed("sight"), "HOLDERS": layout.printed("holders"),
            "HOLLOW": layout.printed("hollow"), "BAGS": layout.printed("bag"), "ORDERED": layout.printed("ordered"), "CAPACITY": layout.printed("capacity"),
            "HIDING": layout.by_kind("hidden", self.program.sight.hidden), "LIST_NAMES": layout.table("list names", names),
            "LIST_SLOTS": layout.constant_list(layout.list_slots()), "LIST_KEPT": layout.table("list kept", kept_lists or [0]),
            "RESTORES": layout.table("restores", [fields.setdefault(hook.restores, len(fields)) if hook.restores else -1 for hook in hooks] or [-1]),
            "HOOK_CAUSES": layout.table("hook causes", [layout.cause_numbers[f"hook {name}"] for name in self.program.hooks] or [0]),
            "IS_PLACE": layout.flags("is place", (world.is_place(number) for number in range(world.place_count))),
            "PLACES_OF": layout.lists_for("places of", (world.places_of.get(number, ()) for number in range(world.place_count))),
            "JOINT": layout.table("joint", [c.joint(number, each) or 0 for number, each in enumerate(self.program.questions)] or [0]),
            "PLAIN": int(world.plain_sight), "SIGHTED": layout.table("sighted", self.sighted()),
            "TALLY": layout.take(4 * world.players),
        }  # fmt: skip
        layout.free = (layout.free + 15) & ~15
        self.constants["START"] = layout.at["START"] = layout.take(layout.at["ARENA"] - layout.block)
        layout.at["TALLY"] = self.constants["TALLY"]
        self.constants["START_ARENA"] = layout.at["START_ARENA"] = layout.take(STARTING)

    def sighted(self) -> Iterator[int | None]:
        """For each slot of the values, the component it belongs to if that may be hidden because of it."""
        world = self.linked.world
        for slot in range(len(self.linked.start_values)):
            component = world.component_at(slot)
            yield None if world.hidden_while[component] is None else component

    def runtime(self) -> None:
        """The functions of the runtime, and those that it asks about the rules."""
        at = self.layout.at
        special = {"copy": copy, **self.inlined()}
        self.asked_of_kind("decided", self.program.sight.deciders, "deciders", NONE)
        self.asked_of_kind("hidden", self.program.sight.hidden, "hidden", 0)
        self.seen_into()
        self.put_value()
        self.module.define("below", numbers.below(at["RANDOM"]))
        self.module.define("seed", numbers.seed(at["SEED"], at["FIRST"], at["RANDOM"]))
        self.module.define("policy", numbers.policy(at["POLICY"]))
        for name, code in (("divide", numbers.divide()), ("modulo", numbers.modulo()), ("multiply", numbers.multiply())):
            self.module.define(name, code)
        step = Code(2)
        step.get(1)
        step.get(0)
        step.out += b"\x11\x01\x00"
        self.module.define("step", step)
        choice = Code(3)
        choice.get(1)
        choice.get(2)
        choice.get(0)
        choice.const(len(self.program.units))
        choice.op(ADD)
        choice.out += b"\x11\x02\x00"
        self.module.define("note_choice", choice)
        compile_into(self.module, runtime.SOURCE + moments.SOURCE, self.constants, special)

    def inlined(self) -> dict[str, Callable[[Code], None]]:
        """What the runtime does so often that it is written out."""
        at = self.layout.at
        return {"j": lambda code: journal(code, at), "note": lambda code: note(code, at), "jot": jot}

    def asked_of_kind(self, name: str, functions: dict[str, str], key: str, otherwise: int) -> None:
        """A function that asks the function of a component's kind."""
        code, table = Code(1), self.layout.by_kind(key, functions)
        case = code.local()
        code.get(0)
        code.const(2)
        code.op(SHL)
        code.load(table)
        code.set(case)
        for number, function in enumerate(functions.values()):
            code.get(case)
            code.const(number)
            code.op(EQ)
            code.if_(I32)
            for _ in range(self.program.functions[function].parameters):
                code.get(0)
            code.call(self.function(function))
            code.else_()
        code.const(otherwise)
        for _ in functions:
            code.end()
        self.module.define(name, code)

    def put_value(self) -> None:
        """The function that puts back a value that was set for a time: by the hook, in a frame that holds the component and the value."""
        code = Code(2)
        for name, hook in self.program.hooks.items():
            if hook.restores is not None:
                code.get(0)
                code.const(self.linked.hook_numbers[name])
                code.op(EQ)
                code.if_()
                code.get(1)
                code.call(self.module.declare(f"restore {name}"))
                code.op(DROP)
                code.end()
                self.restore(name, hook)
        code.const(0)
        self.module.define("put_value", code)

    def restore(self, name: str, hook: c.Hook) -> None:
        """The function that puts back what one hook keeps."""
        assert hook.restores is not None
        code = Code(1)
        writer = Writer(self, [c.Local("of", "one", "kind"), hook.locals[hook.kept[1]]], 0, code)
        set_field(writer, c.Set(c.Name(0), hook.restores, c.Name(1)))
        code.const(0)
        self.module.define(f"restore {name}", code)

    def seen_into(self) -> None:
        """The function that asks who sees into a place, where that depends on the game."""
        code, world = Code(1), self.linked.world
        names = {name: number for number, name in enumerate(self.program.sight.places)}
        numbers = (names.get(world.place_names.get(place, ""), -1) for place in range(world.place_count))
        table = self.layout.table("seen into", numbers)
        for number, function in enumerate(self.program.sight.places.values()):
            code.get(0)
            code.const(2)
            code.op(SHL)
            code.load(table)
            code.const(number)
            code.op(EQ)
            code.if_(I32)
            for _ in range(2):
                code.get(0)
                code.const(2)
                code.op(SHL)
                code.load(self.layout.printed("holder"))
            code.call(self.function(function))
            code.call(self.module.declare("player_bits"))
            code.else_()
        code.const(0)
        for _ in names:
            code.end()
        self.module.define("seen_into", code)


def copy(code: Code) -> None:
    """Copy memory, and give 0 as every function does."""
    code.out += b"\xfc\x0a\x00\x00"
    code.const(0)


def journal(code: Code, at: dict[str, int]) -> None:
    """Note what is at an address before it is changed, and give 0."""
    cell, top = code.local(), code.local()
    code.set(cell)
    code.const(0)
    code.load(at["JOURNAL_TOP"])
    code.tee(top)
    code.const(at["JOURNAL_END"])
    code.op(GT)
    code.if_()
    code.trap()
    code.end()
    code.get(top)
    code.get(cell)
    jot(code)
    code.op(DROP)
    code.const(0)
    code.get(top)
    code.const(8)
    code.op(ADD)
    code.store(at["JOURNAL_TOP"])
    code.const(0)
    code.release(cell, top)


def jot(code: Code) -> None:
    """Write an entry of the journal somewhere: what is at an address; and give 0."""
    cell, top = code.local(), code.local()
    code.set(cell)
    code.tee(top)
    code.get(cell)
    code.store(0)
    code.get(top)
    code.get(cell)
    code.load(0)
    code.store(4)
    code.const(0)
    code.release(cell, top)


def note(code: Code, at: dict[str, int]) -> None:
    """One more number of an entry of the log; gives 0."""
    value, top = code.local(), code.local()
    code.set(value)
    code.const(0)
    code.load(at["LOG_TOP"])
    code.tee(top)
    code.get(value)
    code.store(0)
    code.const(0)
    code.get(top)
    code.const(4)
    code.op(ADD)
    code.store(at["LOG_TOP"])
    code.const(0)
    code.release(value, top)
