"""Compiling: a linked program as one module. Functions of the core become functions; a unit becomes one function that can be gone on with at certain points.

A point is a block that a call returns to, that a question leads to, or that several blocks lead to. Everything else is written where it comes from. A unit is
given its frame and gives 1 if somebody has to decide, else 0: then whatever frame is on top goes on.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import msgspec

from rulewright.core import program as c
from rulewright.core.liveness import Liveness, slots, successors
from rulewright.core.lower.expressions import LISTS
from rulewright.step.link import Linked
from rulewright.wasm.assemble import I32, Code, Module, compile_into, leb, sleb
from rulewright.wasm.expressions import ADD, EQ, GE, LT, NE, SHL, Writer
from rulewright.wasm.layout import MOST_BATCHES, NAMES, NONE, Layout
from rulewright.wasm.runtime import SOURCE

OUTCOMES = ("", "won", "lost", "eliminated")
KINDS = ("", "move", "set", "choice", "show", "message", "roll", "shuffle", "outcome", "end")


class Compilation:
    """A module that is being made for a program and a world."""

    def __init__(self, linked: Linked) -> None:
        self.linked, self.program = linked, linked.program
        self.layout = Layout(linked)
        self.module = Module()
        self.held_size = self.layout.held_size
        self.live = Liveness(self.program)
        self.todo: list[str] = []
        self.addresses: dict[int, tuple[int, int]] = {}  # the unit and point of an address at which a frame can rest
        self.points: dict[tuple[int, int], int] = {}  # and the other way round
        self.kept_at: dict[tuple[int, int], int] = {}  # the names that matter at a point, as bits
        self.point_counts: dict[int, int] = {}
        self._flags: dict[str, bool] = {}
        self._once: dict[str, int] = {}
        self.events: dict[str, int] = {}  # numbers of the events until which something holds
        lists = {value for number in self.layout.list_slots() if (value := linked.start_values[number]) is not None}
        self.start_lists = {value: self.layout.list(value) for value in lists}  # lists that fields begin with
        self._installed = {hook for block in self.program.blocks for each in block.code if isinstance(each, c.Install) for hook in each.hooks}

    def binary(self) -> bytes:
        """The whole module."""
        layout, module = self.layout, self.module
        units = [UnitCompiler(self, number, name) for number, name in enumerate(self.program.units)]
        for unit in units:
            unit.write()
        for number in range(len(self.program.questions)):
            if f"choice {number}" not in module.functions:
                unasked = Code(2)
                unasked.trap()
                module.define(f"choice {number}", unasked)
        self.tables()
        while self.todo:
            self.write_function(self.todo.pop())
        self.runtime()
        while self.todo:
            self.write_function(self.todo.pop())
        module.table = [module.functions[f"unit {name}"] for name in self.program.units]
        module.table += [module.declare(f"choice {number}") for number in range(len(self.program.questions))]
        module.exports = ["run", "go", "choose", "play", "keep", "restore", "back", "forth"]
        module.data = layout.data
        return module.binary((layout.free + 0xFFFF) // 0x10000 + 1)

    # -- facts

    def shape(self, node: Any, locals_: list[c.Local]) -> str:
        """Whether an expression gives one value, a list, or a list of lists."""
        if isinstance(node, c.Name):
            return locals_[node.slot].shape
        if isinstance(node, c.Query | c.OfKind | c.Once | c.Take | c.Without):
            return "lists" if self.shape(node.source, locals_) == "lists" else "list"
        if isinstance(node, c.Lines):
            return "lists"
        if isinstance(node, c.Listed | c.Both):
            inner = {self.shape(part, locals_) for part in node.parts}
            return "lists" if inner & ({"list", "lists"} if isinstance(node, c.Listed) else {"lists"}) else "list"
        if isinstance(node, LISTS):
            return "list"
        if isinstance(node, c.Field):
            several = any(kind["fields"].get(node.name, {"type": {"how": ""}})["type"]["how"] in ("set", "list") for kind in self.linked.world.graph["kinds"].values())
            return "list" if node.name == "ends" or several else "one"
        if isinstance(node, c.Apply):
            return self.program.functions[node.function].shape
        if isinstance(node, c.If):
            return self.shape(node.yes, locals_) if self.shape(node.yes, locals_) != "one" else self.shape(node.no, locals_)
        if isinstance(node, c.ByKind):
            return "list" if any(self.shape(part, locals_) != "one" for part in (*node.cases.values(), node.otherwise)) else "one"
        if isinstance(node, c.Needed):
            return self.shape(node.of, locals_)
        if isinstance(node, c.Bind):
            return self.shape(node.body, locals_)
        if isinstance(node, c.Fold):
            return self.shape(node.start, locals_)
        if isinstance(node, c.First | c.Last):
            return "list" if self.shape(node.list, locals_) == "lists" else "one"
        if isinstance(node, c.Lookup):
            return "list" if node.several else "one"
        return "one"

    def gives_flag(self, function: str) -> bool:
        """Whether a function gives 0 or 1 and nothing else."""
        found = self._flags.get(function)
        if found is None:
            self._flags[function] = False
            declared = self.program.functions[function]
            found = self._flags[function] = Writer(self, declared.locals, None, Code(0)).is_flag(declared.body)
        return found

    def once_number(self, unit: str) -> int:
        """A number for what may happen once."""
        return self._once.setdefault(unit, len(self._once))

    @functools.cached_property
    def deferred(self) -> list[str]:
        """The hooks that can be put off until a batch is over."""
        found = {each.hook for block in self.program.blocks for each in block.code if isinstance(each, c.Defer)}
        return [name for name in self.program.hooks if name in found]

    def event_arguments(self, hook: c.Hook) -> tuple[Any, ...]:
        """What the event of a hook hands to those that are put off."""
        for block in self.program.blocks:
            for each in block.code:
                if isinstance(each, c.Defer) and each.hook is not None and self.program.hooks[each.hook] is hook:
                    return each.arguments
        return ()

    @functools.cached_property
    def secretive(self) -> bool:
        """Whether anybody can be unable to tell what something is."""
        world = self.linked.world
        return any(bits != world.everyone for place, bits in enumerate(world.sight) if world.is_place(place)) or any(rule is not None for rule in world.hidden_while)

    def is_installed(self, hook: str) -> bool:
        return hook in self._installed

    # -- functions

    def function(self, name: str) -> int:
        """The number of the function of a function."""
        known = f"function {name}"
        if known not in self.module.functions:
            self.todo.append(name)
        return self.module.declare(known)

    def write_function(self, name: str) -> None:
        declared = self.program.functions[name]
        if self.module.codes[self.module.declare(f"function {name}")] is not None:
            return
        code = Code(declared.parameters)
        writer = Writer(self, declared.locals, None, code)
        writer.bound = {slot: slot for slot in range(declared.parameters)}
        for slot in range(declared.parameters, len(declared.locals)):
            writer.bound[slot] = code.local()
        writer.value(declared.body)
        self.module.define(f"function {name}", code)

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
                points.append(layout.list(lists))
            names.append(layout.table(("points", name), points))
        self.constants = dict(layout.at)
        fields: dict[str, int] = {}
        kept_lists = []
        for hook in self.program.hooks.values():
            found = [(16 + 4 * number) << 2 | 1 for number, slot in enumerate(hook.kept) if hook.locals[slot].shape == "list"]
            kept_lists.append(layout.list(found))
        self.constants |= {
            "NONE": NONE, "PLAYERS": world.players, "PLACES": world.place_count, "COMPONENTS": world.count, "EVERYONE": world.everyone,
            "ELIMINATED": OUTCOMES.index("eliminated"), "WON": OUTCOMES.index("won"), "HELD_SIZE": layout.held_size, "MOST_USED": layout.most_used, "MOST_HELD": layout.most_held, "SECRETIVE": int(self.secretive), "BACKS": int(world.has_backs), "PILES": layout.printed("pile"), "BACKED": layout.printed("backed"), "MOST_BATCHES": MOST_BATCHES,
            "HOOK_ORDER": layout.table("hook order", [hook.order for hook in self.program.hooks.values()] or [0]),
            "AROUND": layout.printed("around"), "DECIDERS": layout.printed("decider"), "SIGHT": layout.printed("sight"), "HOLDERS": layout.printed("holders"),
            "HOLLOW": layout.printed("hollow"), "BAGS": layout.printed("bag"), "ORDERED": layout.printed("ordered"), "CAPACITY": layout.printed("capacity"),
            "HIDING": layout.by_kind("hidden", self.program.sight.hidden), "LIST_NAMES": layout.table("list names", names),
            "LIST_SLOTS": layout.list(layout.list_slots()), "LIST_KEPT": layout.table("list kept", kept_lists or [0]),
            "RESTORES": layout.table("restores", [fields.setdefault(hook.restores, len(fields)) if hook.restores else -1 for hook in self.program.hooks.values()] or [-1]),
            "HOOK_CAUSES": layout.table("hook causes", [layout.cause_numbers[f"hook {name}"] for name in self.program.hooks] or [0]),
            "SNAP_SP": layout.at["SNAP"] + layout.at["SP"] - layout.small, "SNAP_TOP": layout.at["SNAP"] + layout.at["TOP"] - layout.small,
            "IS_PLACE": layout.flags("is place", (world.is_place(number) for number in range(world.place_count))),
            "PLACES_OF": layout.lists_for("places of", (world.places_of.get(number, ()) for number in range(world.place_count))), "TALLY": layout.take(4 * world.players),
        }  # fmt: skip
        layout.free = (layout.free + 15) & ~15
        self.constants["START"] = layout.at["START"] = layout.take(layout.at["ARENA"] - layout.block)
        layout.at["TALLY"] = self.constants["TALLY"]
        self.constants["START_SIZE"] = layout.at["STACK"] + NAMES + 4 * len(self.program.units["the game"].locals) - layout.block

    def runtime(self) -> None:
        """The functions of the runtime, and those that it asks about the rules."""
        at = self.layout.at
        special = {"copy": lambda code: code.out.extend(b"\xfc\x0a\x00\x00\x41\x00"), "fill": lambda code: code.out.extend(b"\xfc\x0b\x00\x41\x00")}
        self.choice("decided", self.program.sight.deciders, "deciders", 1, lambda code: None)
        self.choice("hidden", self.program.sight.hidden, "hidden", 1, lambda code: None)
        self.seen_into()
        self.put_value()
        self.module.define("below", below(at["RANDOM"]))
        self.module.define("seed", seed(at["SEED"], at["FIRST"], at["RANDOM"]))
        self.module.define("policy", policy(at["POLICY"]))
        for name, code in (("divide", divide()), ("modulo", modulo()), ("multiply", multiply())):
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
        compile_into(self.module, SOURCE, self.constants, special)

    def choice(self, name: str, functions: dict[str, str], key: str, parameters: int, after: Any) -> None:
        """A function that asks the function of a component's kind."""
        code, table = Code(parameters), self.layout.by_kind(key, functions)
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
        code.const(NONE if name == "decided" else 0)
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
                code.op(0x1A)
                code.end()
                UnitCompiler.put_back(self, name, hook)
        code.const(0)
        self.module.define("put_value", code)

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

    # -- units

    def frame_slots(self, name: str) -> list[int]:
        """The names of a unit that lie in its frame: all but those that only a query gives."""
        return [slot for slot in range(len(self.program.units[name].locals)) if slot not in self.queried.get(name, ())]

    @functools.cached_property
    def queried(self) -> dict[str, set[int]]:
        """For each unit the slots that only queries and the like give values."""
        found: dict[str, set[int]] = {}
        for block in self.program.blocks:
            for each in block.code:
                bound_in(each, found.setdefault(block.unit, set()))
        return found


class UnitCompiler:
    """Writes the function of one unit."""

    def __init__(self, to: Compilation, number: int, name: str) -> None:
        self.to, self.number, self.name = to, number, name
        self.linked, self.layout, self.at = to.linked, to.layout, to.layout.at
        self.unit = to.program.units[name]
        self.blocks = to_blocks(to)[name]
        self.code = Code(1)
        self.w = Writer(to, self.unit.locals, 0, self.code)
        framed = set(to.frame_slots(name))
        for slot in range(len(self.unit.locals)):
            if slot not in framed:
                self.w.bound[slot] = self.code.local()
        self.point = self.code.local()
        self.find_points()

    @classmethod
    def put_back(cls, to: Compilation, name: str, hook: c.Hook) -> None:
        """The function that puts back what one hook keeps."""
        made = cls.__new__(cls)
        made.to, made.number, made.name = to, -1, f"restore {name}"
        made.linked, made.layout, made.at = to.linked, to.layout, to.layout.at
        made.code = Code(1)
        assert hook.restores is not None
        locals_ = [c.Local("of", "one", "kind"), hook.locals[hook.kept[1]]]
        made.w = Writer(to, locals_, 0, made.code)
        made.set(c.Set(c.Name(0), hook.restores, c.Name(1)))
        made.code.const(0)
        to.module.define(made.name, made.code)

    # -- where frames rest

    def find_points(self) -> None:
        """The blocks that can be gone on with: where calls return, where answers lead, where several blocks lead."""
        leads: Counter[int] = Counter()
        resting: list[int] = [self.unit.entry]
        for block in self.blocks.values():
            for each in block.code[-1:]:
                for label in successors(each):
                    leads[label] += 1
                if isinstance(each, c.Call | c.CallHook | c.RunDeferred | c.Proceed):
                    resting.append(each.then)
                if isinstance(each, c.Ask):
                    resting.append(each.then)
        joins = [label for label, count in leads.items() if count > 1]
        self.asking = [label for label, block in self.blocks.items() if block.code and isinstance(block.code[-1], c.Ask | c.RunDeferred)]
        self.points: dict[int, int] = {}
        ends = [self.to.program.ending, self.to.program.over]
        for label in dict.fromkeys([*resting, *joins, *self.back_edges(), *ends]):
            if label in self.blocks:
                self.points[label] = len(self.points)
        self.ask_points = {label: len(self.points) + number for number, label in enumerate(self.asking)}
        framed = sum(1 << slot for slot in self.to.frame_slots(self.name))
        self.to.point_counts[self.number] = len(self.points) + len(self.ask_points)
        for label, point in self.points.items():
            at = self.linked.starts[label]
            self.to.addresses.setdefault(at, (self.number, point))
            self.to.points[self.number, point] = at
            self.to.kept_at[self.number, point] = self.to.live.entering(self.name)[label] & framed
        for label, point in self.ask_points.items():
            last = len(self.blocks[label].code) - 1
            self.to.addresses[self.linked.starts[label] + last] = (self.number, point)
            self.to.points[self.number, point] = self.linked.starts[label] + last
            self.to.kept_at[self.number, point] = self.to.live.before(label, last) & framed

    def back_edges(self) -> list[int]:
        """Blocks that lead to themselves on some way: a loop has to begin at a point."""
        found, state = [], {}
        stack: list[tuple[int, bool]] = [(self.unit.entry, False)]
        while stack:
            label, done = stack.pop()
            if done:
                state[label] = 2
                continue
            if state.get(label):
                continue
            state[label] = 1
            stack.append((label, True))
            block = self.blocks.get(label)
            for each in block.code[-1:] if block else ():
                for to in successors(each):
                    if state.get(to) == 1:
                        found.append(to)
                    elif not state.get(to):
                        stack.append((to, False))
        return found

    # -- writing

    def write(self) -> None:
        code = self.code
        code.get(0)
        code.load(0)
        code.set(self.point)
        self.steps = code.local()
        self.top = code.loop()
        code.const(0)
        code.load(self.at["STEPS"])
        code.get(self.steps)
        code.op(ADD)
        code.const(0)
        code.load(self.at["MOST_STEPS"])
        code.op(0x4A)
        code.if_()
        code.trap()
        code.end()
        labels = list(self.points)
        entries = [code.block() for _ in [*labels, *self.asking]]
        code.get(self.point)
        count = len(entries)
        code.out += b"\x0e" + leb(count) + b"".join(leb(number) for number in range(count)) + leb(count - 1 if count else 0)
        for label in labels:
            code.end()
            self.block(label)
        for label in self.asking:
            code.end()
            self.instruction(self.blocks[label].code[-1], len(self.blocks[label].code) - 1, label)
        code.end()
        code.const(0)
        self.to.module.define(f"unit {self.name}", code)

    def block(self, label: int) -> None:
        block = self.blocks[label]
        self.code.get(self.steps)
        self.code.const(len(block.code))
        self.code.op(ADD)
        self.code.set(self.steps)
        for number, each in enumerate(block.code):
            self.instruction(each, number, label)

    def go(self, label: int) -> None:
        """Go on with a block of this unit: at its point, or written here."""
        if label in self.points:
            self.code.const(self.points[label])
            self.code.set(self.point)
            self.code.br(self.top)
        else:
            self.block(label)

    def rest(self, label: int) -> None:
        """Remember where to go on when what is called now has ended."""
        self.code.get(0)
        self.code.const(self.points[label])
        self.code.store(0)

    def leave(self, result: int) -> None:
        self.code.const(0)
        self.code.const(0)
        self.code.load(self.at["STEPS"])
        self.code.get(self.steps)
        self.code.op(ADD)
        self.code.store(self.at["STEPS"])
        self.code.const(result)
        self.code.op(0x0F)

    def put_name(self, slot: int) -> None:
        """Give a name the value on the stack."""
        local = self.w.bound.get(slot)
        if local is not None:
            self.code.set(local)
            return
        value = self.code.local()
        self.code.set(value)
        self.code.get(0)
        self.code.get(value)
        self.code.store(NAMES + 4 * slot)
        self.code.release(value)

    def instruction(self, node: Any, number: int, label: int) -> None:
        w, code = self.w, self.code
        match node:
            case c.Let(slot=slot, value=value):
                if slot in w.bound:
                    w.value(value)
                    code.set(w.bound[slot])
                else:
                    code.get(0)
                    w.value(value)
                    code.store(NAMES + 4 * slot)
            case c.Set():
                self.set(node)
            case c.Put(what=what, to=to):
                place, thing = code.local(), code.local()
                w.value(to)
                code.tee(place)
                code.const(0)
                code.op(GE)
                code.if_()
                w.value(what)
                several = w.shape(what) != "one"
                if not several:
                    code.tee(thing)
                    code.const(0)
                    code.op(GE)
                    code.if_()
                    code.get(thing)
                code.get(place)
                code.const(int(node.position == "bottom"))
                code.const(int(node.crowd))
                code.get(0)
                w.drop("move_all" if several else "move")
                if not several:
                    code.end()
                code.end()
                code.release(place, thing)
            case c.Settle():
                pass  # nothing is shuffled by persons here
            case c.Shuffle(place=of):
                place = code.local()
                w.value(of)
                code.tee(place)
                code.const(0)
                code.op(GE)
                code.if_()
                code.get(place)
                code.get(0)
                w.drop("shuffle")
                code.end()
                code.release(place)
            case c.Roll(slot=slot, die=die):
                faces = [self.linked.encoded(face) for face in self.linked.world.graph["dice"][die]["faces"]]
                face = code.local()
                code.const(len(faces))
                w.runtime("below")
                code.const(2)
                code.op(SHL)
                code.load(self.layout.table(("die", die), faces))
                code.set(face)
                code.get(face)
                self.put_name(slot)
                dice = list(self.linked.world.graph["dice"])
                self.noted(6, lambda: code.const(dice.index(die)), lambda: code.get(face))
                code.release(face)
            case c.Pick():
                self.pick(node)
            case c.Show(what=what, to=to):
                w.value(what)
                self.bits(to)
                code.get(0)
                w.drop("show")
            case c.Say():
                self.say(node, self.linked.starts[label] + number)
            case c.Outcome(players=players, how=how):
                w.value(players)
                code.const(OUTCOMES.index(how))
                code.get(0)
                w.drop("outcome")
            case c.Install():
                self.install(node)
            case c.Expire(event=event):
                for unit in self.to.program.once_per.get(event, ()):
                    code.const(self.to.once_number(unit))
                    w.drop("free_used")
                code.const(self.event_number(event))
                code.get(0)
                w.drop("expire")
            case c.Use(unit=unit, of=of):
                code.const(self.to.once_number(unit))
                w.value(of)
                w.drop("use")
            case c.Result():
                for place, slot in enumerate((node.value, node.status, node.cancelled)):
                    if slot is not None:
                        code.const(0)
                        code.load(self.at["GIVEN"] + 4 * place)
                        self.put_name(slot)
            case c.Jump(to=to):
                self.go(to)
            case c.Branch(test=test, then=then, otherwise=otherwise):
                w.test(test)
                code.if_()
                self.go(then)
                code.else_()
                self.go(otherwise)
                code.end()
                code.trap()
            case c.Dispatch(of=of, cases=cases, otherwise=otherwise):
                nouns, case, thing = tuple(cases), code.local(), code.local()
                w.value(of)
                code.tee(thing)
                code.const(0)
                code.op(LT)
                code.if_(I32)
                code.const(len(nouns))
                code.else_()
                w.indexed(thing, self.layout.case(nouns))
                code.end()
                code.set(case)
                self.cases(case, list(enumerate(cases.values())), otherwise)
                code.release(case, thing)
            case c.Switch(value=value, cases=cases, otherwise=otherwise):
                case = code.local()
                w.value(value)
                code.set(case)
                self.cases(case, list(cases.items()), otherwise)
                code.release(case)
            case c.Next():
                self.next(node)
            case c.Batch():
                w.drop("begin_batch")
            case c.Defer():
                self.defer(node)
            case c.RunDeferred(then=then):
                self.run_deferred(then, label)
            case c.Call(unit=unit, arguments=arguments, then=then):
                self.call(unit, list(arguments), then)
            case c.CallHook():
                self.call_hook(node)
            case c.Proceed():
                self.proceed(node)
            case c.Return():
                self.return_(node)
            case c.Ask():
                self.ask(node, self.linked.starts[label] + number, label)
            case c.EndGame():
                self.noted(9)
                root = code.local()
                code.const(0)
                code.const(self.at["STACK"])
                code.tee(root)
                code.store(self.at["FP"])
                code.const(0)
                code.const(self.at["STACK"] + self.frame_size("the game"))
                code.store(self.at["SP"])
                over = self.to.addresses[self.linked.over][1]
                code.get(root)
                code.const(over)
                code.const(self.to.addresses[self.linked.ending][1])
                code.get(root)
                code.load(0)
                code.const(over)
                code.op(EQ, 0x1B)
                code.store(0)
                code.release(root)
                self.leave(0)
            case c.Finish():
                code.const(0)
                code.const(0)
                code.store(self.at["FP"])
                code.const(0)
                code.const(self.at["STACK"])
                code.store(self.at["SP"])
                code.const(0)
                code.const(1)
                code.store(self.at["ENDED"])
                self.leave(0)
            case _:
                code.trap()

    def event_number(self, event: str) -> int:
        return self.to.events.setdefault(event, len(self.to.events))

    def frame_size(self, unit: str) -> int:
        return NAMES + 4 * len(self.to.program.units[unit].locals)

    def bits(self, to: Any) -> None:
        """Who is told something, as bits."""
        if to is None:
            self.code.const(self.linked.world.everyone)
        else:
            self.w.value(to)
            self.w.runtime("told_bits")

    def noted(self, kind: int, *parts: Any) -> None:
        """An entry of the log, if one is kept."""
        code = self.code
        code.const(0)
        code.load(self.at["LOG_ON"])
        code.if_()
        code.const(kind)
        code.get(0)
        self.w.drop("record")
        for part in parts:
            part()
            self.w.drop("note")
        code.end()

    def cases(self, case: int, cases: list[tuple[int, int]], otherwise: int) -> None:
        code = self.code
        for number, label in cases:
            code.get(case)
            code.const(number)
            code.op(EQ)
            code.if_()
            self.go(label)
            code.end()
        self.go(otherwise)

    # -- the longer ones

    def set(self, node: c.Set) -> None:
        w, code, world = self.w, self.code, self.linked.world
        thing, index, value, before = (code.local() for _ in range(4))
        w.value(node.of)
        code.tee(thing)
        code.const(0)
        code.op(GE)
        code.if_()
        w.indexed(thing, self.layout.slots(node.field))
        code.tee(index)
        code.const(0)
        code.op(GE)
        code.if_()
        w.value(node.value)
        code.set(value)
        ranges = {kind: world.ranges[kind][node.field] for kind in world.slots if node.field in world.slots[kind]}
        if any(low is not None for low, _ in ranges.values()):
            self.check_range(node.field, index, value)
        w.indexed(index, self.at["VALUES"])
        code.set(before)
        if w.shape(c.Field(c.Const(None), node.field)) != "one":
            code.get(before)
            code.get(value)
            w.runtime("same_order")
            code.op(0x45)
        else:
            code.get(before)
            code.get(value)
            code.op(NE)
        code.if_()
        code.get(index)
        code.const(2)
        code.op(SHL)
        code.const(self.at["VALUES"])
        code.op(ADD)
        code.tee(index)
        w.drop("j")
        code.get(index)
        code.get(value)
        code.store(0)
        code.const(0)
        code.const(0)
        code.load(self.at["VERSION"])
        code.const(1)
        code.op(ADD)
        code.store(self.at["VERSION"])
        code.const(0)
        code.load(self.at["LOG_ON"])
        code.if_()
        self.note_set(node, thing, before, value)
        code.end()
        code.end()
        code.end()
        code.end()
        code.release(thing, index, value, before)

    def check_range(self, field: str, index: int, value: int) -> None:
        """Stop if a number is beyond what the field can hold."""
        world, code = self.linked.world, self.code
        count = len(self.linked.start_values)
        low, high = [-(2**31) + 1] * count, [2**31 - 1] * count
        for number, kind in enumerate(world.kinds):
            slot = world.slots[kind].get(field)
            if slot is not None and world.ranges[kind][field][0] is not None:
                least, most = world.ranges[kind][field]
                assert least is not None
                low[world.base[number] + slot] = least
                high[world.base[number] + slot] = len(world.graph["tracks"][world.definitions[number]]["spaces"]) if most is None else most
        code.get(value)
        code.const(NONE)
        code.op(NE)
        code.if_()
        for table, how in ((self.layout.table(("low", field), low), LT), (self.layout.table(("high", field), high), 0x4A)):
            code.get(value)
            code.get(index)
            code.const(2)
            code.op(SHL)
            code.load(table)
            code.op(how)
            code.if_()
            code.trap()
            code.end()
        code.end()

    def note_set(self, node: c.Set, thing: int, before: int, value: int) -> None:
        """The entry of a field that was set: who can read it."""
        w, code, graph = self.w, self.code, self.linked.world.graph
        fields = {kind: declared["fields"][node.field] for kind, declared in graph["kinds"].items() if node.field in declared["fields"]}
        bits = code.local()
        code.get(thing)
        w.runtime("seers_of")
        code.set(bits)
        if any(kind == "#track" for kind in self.linked.world.slots if node.field in self.linked.world.slots[kind]):
            pass
        for kind, field in fields.items():
            of, several = field["type"], field["type"]["how"] in ("set", "list")
            refers, guarded = (of.get("of") or of)["how"] in ("kind", "place"), field["seen_by"] is not None
            if not refers and not guarded:
                continue
            code.get(thing)
            code.const(2)
            code.op(SHL)
            code.load(self.kind_numbers())
            code.const(list(graph["kinds"]).index(kind))
            code.op(EQ)
            code.if_()
            if guarded:
                self.readers(kind, node.field, field["seen_by"], thing)
                w.indexed(thing, self.at["KNOWN"])
                code.op(0x72)
                code.get(bits)
                code.op(0x71)
                code.set(bits)
            if refers:
                for each in (before, value):
                    self.seen_too(each, several, bits)
            code.end()
        code.const(2)
        code.get(0)
        w.drop("record")
        slots = list(dict.fromkeys(name for kind in graph["kinds"].values() for name in kind["fields"])) + ["space"]
        for part in (lambda: code.get(thing), lambda: code.const(slots.index(node.field))):
            part()
            w.drop("note")
        lists = w.shape(c.Field(c.Const(None), node.field)) != "one"
        for each in (before, value):
            code.get(each)
            w.drop("note_list" if lists else "note")
        code.get(bits)
        w.drop("note")
        code.release(bits)

    def kind_numbers(self) -> int:
        world = self.linked.world
        order = {kind: number for number, kind in enumerate(world.graph["kinds"])}
        return self.layout.table("kinds", (order.get(world.kinds[n], -1) if n < world.count else -1 for n in range(world.place_count)))

    def readers(self, kind: str, field: str, rule: dict[str, Any], thing: int) -> None:
        if rule["op"] == "const":
            self.code.const(self.linked.world.everyone if rule["value"] == "everyone" else 0)
            return
        function = self.to.program.sight.fields[f"{kind}.{field}"]
        self.code.get(thing)
        self.code.get(thing)
        self.code.call(self.to.function(function))
        self.w.runtime("player_bits")

    def seen_too(self, each: int, several: bool, bits: int) -> None:
        """Who reads that a field refers to something has to be able to tell that."""
        w, code = self.w, self.code

        def one(thing: int) -> None:
            code.get(thing)
            code.const(0)
            code.op(GE)
            code.if_()
            code.get(thing)
            w.runtime("teller")
            code.get(bits)
            code.op(0x71)
            code.set(bits)
            code.end()

        if several:
            item, made = code.local(), code.local()
            code.get(each)
            code.const(0)
            code.get(each)
            code.const(0)
            code.op(GE, 0x1B)
            code.set(made)
            w.walk(made, item, one)
            code.release(item, made)
        else:
            one(each)

    def pick(self, node: c.Pick) -> None:
        w, code = self.w, self.code
        made, chosen = code.local(), code.local()
        w.value(node.source)
        code.set(made)
        code.const(NONE)
        code.set(chosen)
        code.get(made)
        code.load(0)
        code.if_()
        if node.place is not None:
            place = code.local()
            w.value(node.place)
            code.set(place)
            w.indexed(place, self.layout.printed("bag"))
            code.op(0x45)
            code.if_()
            code.get(made)
            code.load(0)
            code.const(2)
            code.op(SHL)
            code.get(made)
            code.op(ADD)
            code.load(0)
            code.set(chosen)
            code.else_()
            self.random_item(made, chosen)
            code.end()
            code.release(place)
        else:
            self.random_item(made, chosen)
        code.end()
        code.get(chosen)
        self.put_name(node.slot)
        code.release(made, chosen)

    def random_item(self, made: int, chosen: int) -> None:
        code = self.code
        code.get(made)
        code.load(0)
        self.w.runtime("below")
        code.const(2)
        code.op(SHL)
        code.get(made)
        code.op(ADD)
        code.load(4)
        code.set(chosen)

    def say(self, node: c.Say, at: int) -> None:
        w, code = self.w, self.code
        parts = [part for part in node.text.parts if not isinstance(part, str)]
        code.const(0)
        code.load(self.at["LOG_ON"])
        code.if_()
        locals_ = []
        for part in parts:
            local = code.local()
            w.value(part.of)
            code.set(local)
            locals_.append((local, w.shape(part.of), part.how))
        bits, learnt, items = code.local(), code.local(), w.start()
        self.bits(node.to)
        code.set(bits)
        for local, shape, how in locals_:
            if how in ("kind", "any"):
                if shape == "one":
                    code.get(local)
                    w.drop("item")
                else:
                    code.get(local)
                    w.drop("items")
        w.collect(items)
        made = code.local()
        code.set(made)
        code.const(0)
        w.runtime("alloc")
        code.set(learnt)
        code.get(made)
        code.get(bits)
        code.get(learnt)
        w.drop("learn")
        code.const(5)
        code.get(0)
        w.drop("record")
        code.const(at)
        w.drop("note")
        for local, shape, _ in locals_:
            code.get(local)
            w.drop("note" if shape == "one" else "note_list")
        code.get(bits)
        w.drop("note")
        code.get(learnt)
        w.drop("note_list")
        code.end()
        code.release(bits, learnt, made, *(local for local, _, _ in locals_))

    def install(self, node: c.Install) -> None:
        w, code = self.w, self.code
        for hook in node.hooks:
            record = code.local()
            code.const(self.linked.hook_numbers[hook])
            code.const(self.event_number(node.until))
            w.runtime("hold")
            code.set(record)
            for number, (_, value) in enumerate(node.keep):
                code.get(record)
                w.value(value)
                code.store(4 * number)
            code.release(record)

    def next(self, node: c.Next) -> None:
        w, code = self.w, self.code
        cursor, made = code.local(), code.local()
        w.get_name(node.cursor)
        code.set(cursor)
        w.get_name(node.list)
        code.tee(made)
        code.load(0)
        code.get(cursor)
        code.op(0x4C)
        code.if_()
        self.go(node.after)
        code.end()
        code.get(made)
        code.get(cursor)
        code.const(2)
        code.op(SHL, ADD)
        code.load(4)
        self.put_name(node.slot)
        code.get(cursor)
        code.const(1)
        code.op(ADD)
        self.put_name(node.cursor)
        code.release(cursor, made)
        self.go(node.body)

    def push(self, unit: str, values: list[Any], then: int | None, point: int = 0) -> None:
        """Begin a unit: its frame on top of this one, with the values that functions leave on the stack."""
        w, code, declared = self.w, self.code, self.to.program.units[unit]
        if then is None:
            code.get(0)
            code.const(point)
            code.store(0)
        else:
            self.rest(then)
        locals_ = []
        for value in values:
            local = code.local()
            value()
            code.set(local)
            locals_.append(local)
        own = self.linked.own[unit]
        code.const(self.layout.unit_numbers[unit])
        code.const(self.frame_size(unit))
        code.const(-1 if declared.cause is None else self.layout.cause_numbers[declared.cause])
        code.const(int(declared.phase))
        if own is not None and own < len(values):
            code.get(locals_[own])
        else:
            code.const(NONE)
        code.get(0)
        w.runtime("push")
        frame = code.local()
        code.set(frame)
        for number, local in enumerate(locals_):
            code.get(frame)
            code.get(local)
            code.store(NAMES + 4 * number)
        self.blank(unit, frame, len(values))
        code.release(frame, *locals_)
        self.leave(0)

    def blank(self, unit: str, frame: int, given: int) -> None:
        """The names that a unit could read before it gives them a value hold nothing."""
        declared = self.to.program.units[unit]
        for slot in slots(self.to.live.entering(unit)[declared.entry]):
            if slot >= given:
                self.code.get(frame)
                self.code.const(NONE)
                self.code.store(NAMES + 4 * slot)

    def call(self, unit: str, arguments: list[Any], then: int) -> None:
        self.push(unit, [lambda argument=argument: self.w.value(argument) for argument in arguments], then)

    def defer(self, node: c.Defer) -> None:
        """Put a hook off until the batch is over: which hook, for what, with what it is given."""
        w, code = self.w, self.code
        if node.hook is None:  # those that were installed keep more than numbers
            code.block()
            w.each(node.key, lambda each: code.trap())
            code.end()
            return
        given = [*node.arguments, node.it, node.result]
        if any(w.shape(each) != "one" for each in given):
            code.trap()
            return
        made, number = w.start(), self.linked.hook_numbers[node.hook]

        def put_off(key: int) -> None:
            record = w.start()
            code.const(number)
            w.drop("item")
            code.get(key)
            w.drop("item")
            for each in given:
                w.value(each)
                w.drop("item")
            w.collect(record)
            w.drop("item")

        w.each(node.key, put_off)
        w.collect(made)
        w.drop("gather")

    def run_deferred(self, then: int, label: int) -> None:
        """The hooks of the innermost batch, one after another."""
        w, code, hooks = self.w, self.code, self.to.program.hooks
        record = code.local()
        again = code.loop()
        w.runtime("next_deferred")
        code.tee(record)
        code.op(0x45)
        code.if_()
        self.go(then)
        code.end()
        for name in self.to.deferred:
            hook = hooks[name]
            assert hook.applies is not None
            code.get(record)
            code.load(4)
            code.const(self.linked.hook_numbers[name])
            code.op(EQ)
            code.if_()
            count = self.to.program.functions[hook.applies].parameters
            for value in self.deferred_values(hook, record, count):
                value()
            code.call(self.to.function(hook.applies))
            code.const(1)
            code.op(EQ)
            code.if_()
            if hook.once:
                code.const(self.to.once_number(name))
                self.bearer(record)
                w.drop("use")
            if hook.unit is not None:
                self.push(hook.unit, self.deferred_values(hook, record, self.to.program.units[hook.unit].parameters), None, self.ask_points[label])
            code.end()
            code.br(again)
            code.end()
        code.trap()
        code.end()
        code.trap()
        code.release(record)

    def bearer(self, record: int) -> None:
        """Leave the component that a hook which was put off is written on."""
        code, local = self.code, self.code.local()
        code.get(record)
        code.load(8)
        code.const(self.linked.stride)
        code.op(0x6F)
        code.const(2)
        code.op(0x6B)
        code.set(local)
        code.const(NONE)
        code.get(local)
        code.get(local)
        code.const(0)
        code.op(LT, 0x1B)
        code.release(local)

    def deferred_values(self, hook: c.Hook, record: int, count: int) -> list[Any]:
        """What leaves the values of the parameters of a hook that was put off on the stack."""
        code = self.code
        found: list[Any] = [lambda: code.const(NONE)] * count
        width = len(self.to.linked.program.hooks and self.to.event_arguments(hook))

        def loaded(number: int) -> Any:
            def load() -> None:
                code.get(record)
                code.load(12 + 4 * number)

            return load

        if hook.bearer is not None:
            found[hook.bearer] = loaded(0) if hook.event.endswith(".runs_out") and width else lambda: self.bearer(record)
        if hook.it is not None:
            found[hook.it] = loaded(width)
        if hook.result is not None:
            found[hook.result] = loaded(width + 1)
        for number, slot in enumerate(hook.arguments):
            found[slot] = loaded(number)
        return found

    def call_hook(self, node: c.CallHook) -> None:
        """Carry out whichever hook it is that holds."""
        w, code = self.w, self.code
        record, key = code.local(), code.local()
        w.value(node.key)
        code.tee(key)
        w.runtime("held_at")
        code.set(record)
        for number, value in enumerate((NONE, self.linked.word("done"), NONE)):
            code.const(0)
            code.const(value)
            code.store(self.at["GIVEN"] + 4 * number)
        code.get(record)
        code.if_()
        for name in self.to.program.hooks:
            hook = self.to.program.hooks[name]
            if not self.to.is_installed(name) or hook.restores is not None or len(hook.arguments) > len(node.arguments) or hook.timing.startswith("cost"):
                continue
            if hook.timing == "change":
                continue
            code.get(record)
            code.load(0)
            code.const(self.linked.hook_numbers[name])
            code.op(EQ)
            code.if_()
            if hook.once:
                code.const(self.to.once_number(name))
                code.get(key)
                w.drop("use")
            if hook.unit is not None:
                count = self.to.program.units[hook.unit].parameters
                self.push(hook.unit, list(w.hook_values(hook, record, node.arguments, node.it, node.result, count)), node.then)
            else:
                self.go(node.then)
            code.end()
        code.trap()
        code.end()
        code.release(record, key)
        self.go(node.then)

    def proceed(self, node: c.Proceed) -> None:
        """The event below once more, with some of its arguments changed: its frame is copied."""
        w, code = self.w, self.code
        event, unit, frame = code.local(), code.local(), code.local()
        self.rest(node.then)
        code.get(0)
        code.load(8)
        code.tee(event)
        code.load(4)
        code.set(unit)
        names = [name for name, each in self.to.program.units.items() if each.arguments or name.startswith("event ")]
        changed = []
        for _, value in node.changes:
            local = code.local()
            w.value(value)
            code.set(local)
            changed.append(local)
        candidates = [name for name in names if all(number < len(self.to.program.units[name].arguments) for number, _ in node.changes)]
        for name in candidates:
            declared = self.to.program.units[name]
            code.get(unit)
            code.const(self.layout.unit_numbers[name])
            code.op(EQ)
            code.if_()
            code.get(unit)
            code.const(self.frame_size(name))
            code.const(-1)
            code.const(0)
            code.const(NONE)
            code.get(0)
            w.runtime("push")
            code.set(frame)
            for slot in range(declared.parameters):
                code.get(frame)
                code.get(event)
                code.load(NAMES + 4 * slot)
                code.store(NAMES + 4 * slot)
            for (number, _), local in zip(node.changes, changed, strict=True):
                code.get(frame)
                code.get(local)
                code.store(NAMES + 4 * declared.arguments[number])
            self.blank(name, frame, declared.parameters)
            self.leave(0)
            code.end()
        code.trap()
        code.release(event, unit, frame, *changed)

    def return_(self, node: c.Return) -> None:
        w, code = self.w, self.code
        defaults = (NONE, self.linked.word("done"), NONE)
        for number, part in enumerate((node.value, node.status, node.cancelled)):
            code.const(0)
            if part is None:
                code.const(defaults[number])
            else:
                w.value(part)
            code.store(self.at["GIVEN"] + 4 * number)
        code.get(0)
        w.drop("pop")
        self.leave(0)

    def ask(self, node: c.Ask, at: int, label: int) -> None:
        w, code = self.w, self.code
        if f"choice {node.question}" not in self.to.module.functions:
            self.note_choice(node)
        player, made = code.local(), code.local()
        otherwise = code.block()
        w.value(node.player)
        code.tee(player)
        w.runtime("asked")
        code.op(0x45)
        code.br_if(otherwise)
        w.value(node.values)
        code.tee(made)
        w.runtime("any_real")
        code.op(0x45)
        code.br_if(otherwise)
        if self.linked.owes:
            self.trap_if_owing()
        for cell, value in (("PLAYER", player), ("VALUES_AT", made)):
            code.const(0)
            code.get(value)
            code.store(self.at[cell])
        for cell, number in (("ASKED", at), ("QUESTION", node.question), ("SLOT", NAMES + 4 * node.slot), ("THEN", self.points[node.then])):
            code.const(0)
            code.const(number)
            code.store(self.at[cell])
        code.get(0)
        code.const(self.ask_points[label])
        code.store(0)
        self.leave(1)
        code.end()
        code.const(NONE)
        self.put_name(node.slot)
        code.release(player, made)
        self.go(node.otherwise)

    def note_choice(self, node: c.Ask) -> None:
        """The function that writes an answer to the log: `record` of the reference, for one question. It is given the frame and the value."""
        question = self.to.program.questions[node.question]
        code = Code(2)
        outer, self.code = self.code, code
        w, self.w = self.w, Writer(self.to, self.unit.locals, 0, code)
        for slot in self.to.queried.get(self.name, ()):
            self.w.bound[slot] = code.local()
        note = self.w.drop
        code.const(3)
        code.get(0)
        note("record")
        code.const(0)
        code.load(self.at["PLAYER"])
        note("note")
        code.const(node.question)
        note("note")
        code.get(1)
        note("note")
        thing = code.local()
        self.named_in(question, thing)
        self.note_hidden(question, thing)
        public = code.local()
        code.const(int(not question.secret))
        code.set(public)
        self.note_label(question, public)
        if question.values in ("things", "rules") and not (question.written and all(question.written)):
            self.unless_seen(thing, public)
        self.note_prompt(question)
        code.const(1)
        code.const(0)
        code.load(self.at["PLAYER"])
        code.op(SHL)
        note("note")
        self.silence(question)
        silent = code.local()
        code.set(silent)
        code.get(public)
        code.get(silent)
        code.op(0x45, 0x71)
        note("note")
        code.get(silent)
        note("note")
        code.const(0)
        self.to.module.define(f"choice {node.question}", code)
        self.code, self.w = outer, w

    def named_in(self, question: c.Question, thing: int) -> None:
        """The component that an answer names; -1 if it names none."""
        code, stride, count = self.code, self.linked.stride, self.linked.world.count
        code.const(-1)
        code.set(thing)
        if question.values not in ("things", "places", "actions", "rules"):
            return
        code.get(1)
        if question.values in ("actions", "rules"):
            code.const(stride)
            code.op(0x6F)
            code.const(1 if question.values == "actions" else 2)
            code.op(0x6B)
        code.set(thing)
        for test in (lambda: (code.get(1), code.const(0), code.op(LT)), lambda: (code.get(thing), code.const(count), code.op(GE))):
            test()
            code.if_()
            code.const(-1)
            code.set(thing)
            code.end()

    def note_hidden(self, question: c.Question, thing: int) -> None:
        """Where the thing that an answer names lies, if the player cannot tell what it is."""
        code, w = self.code, self.w
        if not self.to.secretive or question.values not in ("things", "places", "actions", "rules"):
            for _ in range(3):
                code.const(NONE)
                w.drop("note")
            return
        code.get(thing)
        code.const(0)
        code.op(GE)
        code.if_(I32)
        code.const(0)
        code.load(self.at["PLAYER"])
        code.get(thing)
        w.runtime("knows")
        code.op(0x45)
        code.else_()
        code.const(0)
        code.end()
        code.if_()
        if any(question.written):
            code.trap()
        code.const(0)
        code.load(self.at["PLAYER"])
        code.get(thing)
        w.drop("plainly_hidden")
        code.const(0)
        code.load(self.at["PLAYER"])
        code.get(thing)
        w.runtime("position")
        code.const(1)
        code.op(ADD)
        w.drop("note")
        w.indexed(thing, self.at["WHERE"])
        w.drop("note")
        code.get(thing)
        w.drop("note")
        code.else_()
        for _ in range(3):
            code.const(NONE)
            w.drop("note")
        code.end()

    def note_label(self, question: c.Question, public: int) -> None:
        """The values in the words of the option that was taken, behind how many there are; -1 if there are no words."""
        code, w = self.code, self.w
        worded = question.labels and question.values in ("options", "actions")
        if question.values == "rules":
            code.get(1)
            code.const(0)
            code.op(LT)
            code.if_()
            code.trap()
            code.end()
        for number, text in enumerate(question.labels if worded else ()):
            code.get(1)
            code.const(number if question.values == "options" else -1 - number)
            code.op(EQ)
            code.if_()
            parts = [part for part in text.parts if not isinstance(part, str)]
            code.const(len(parts))
            w.drop("note")
            for part in parts:
                self.note_value(part.of)
                if question.values == "options" and part.how in ("kind", "any"):
                    one = code.local()
                    w.each(part.of if w.shape(part.of) != "one" else c.Many(part.of), lambda each: self.unless_seen(each, public), one)
                    code.release(one)
            code.else_()
        code.const(-1)
        w.drop("note")
        for _ in question.labels if worded else ():
            code.end()

    def note_value(self, node: Any) -> None:
        """A value with its depth before it, so that it can be read again."""
        code, w = self.code, self.w
        shape = w.shape(node)
        if shape == "lists":
            code.trap()
            return
        code.const(0 if shape == "one" else 1)
        w.drop("note")
        w.value(node)
        w.drop("note" if shape == "one" else "note_list")

    def unless_seen(self, thing: int, public: int) -> None:
        """A choice is no public one if it names something that not everyone can tell."""
        code, w = self.code, self.w
        if not self.to.secretive:
            return
        code.get(thing)
        code.const(0)
        code.op(GE)
        code.get(thing)
        code.const(self.linked.world.count)
        code.op(LT, 0x71)
        code.if_()
        code.get(public)
        code.get(thing)
        w.runtime("seers_of")
        code.const(self.linked.world.everyone)
        code.op(EQ, 0x71)
        code.set(public)
        code.end()

    def note_prompt(self, question: c.Question) -> None:
        """The values in the words of the question, where the choice alone does not say it."""
        code, w = self.code, self.w
        parts = [part for part in question.prompt.parts if not isinstance(part, str)]

        def told() -> None:
            code.const(len(parts))
            w.drop("note")
            for part in parts:
                self.note_value(part.of)

        if question.worded or question.kind in ("order", "replacement", "reaction"):
            told()
            return
        code.get(1)
        code.const(NONE)
        code.op(EQ)
        code.if_()
        told()
        code.else_()
        code.const(-1)
        w.drop("note")
        code.end()

    def silence(self, question: c.Question) -> None:
        """Leave whether nobody else learns that something was chosen."""
        code = self.code
        if question.secret and question.picked is not None:
            self.w.get_name(question.picked)
            code.load(0)
            code.const(0)
            code.op(NE)
        elif question.kind == "reaction":
            code.get(1)
            code.const(NONE)
            code.op(EQ)
        else:
            code.const(0)

    def trap_if_owing(self) -> None:
        """What is asked in the middle of a payment is left to `step`, which tries out what can still be paid."""
        code, frame = self.code, self.code.local()
        owing = [self.to.addresses[at] for at in self.linked.owes if at in self.to.addresses]
        code.get(0)
        code.set(frame)
        out, again = code.block(), code.loop()
        code.get(frame)
        code.op(0x45)
        code.br_if(out)
        for unit, point in owing:
            code.get(frame)
            code.load(4)
            code.const(unit)
            code.op(EQ)
            code.get(frame)
            code.load(0)
            code.const(point)
            code.op(EQ, 0x71)
            code.if_()
            code.trap()
            code.end()
        code.get(frame)
        code.load(8)
        code.set(frame)
        code.br(again)
        code.end()
        code.end()
        code.release(frame)


def to_blocks(to: Compilation) -> dict[str, dict[int, c.Block]]:
    """The blocks of each unit."""
    found: dict[str, dict[int, c.Block]] | None = getattr(to, "_blocks", None)
    if found is None:
        found = {}
        for label, block in enumerate(to.program.blocks):
            found.setdefault(block.unit, {})[label] = block
        to._blocks = found  # type: ignore[attr-defined]
    return found


def bound_in(node: Any, found: set[int]) -> None:
    """The slots that expressions inside something give values."""
    if isinstance(node, msgspec.Struct):
        if isinstance(node, BINDING):
            found.add(node.slot)
        if isinstance(node, c.Fold):
            found.add(node.result)
        for name in node.__struct_fields__:
            part = getattr(node, name)
            if isinstance(part, msgspec.Struct | tuple | dict):
                bound_in(part, found)
    elif isinstance(node, tuple | dict):
        for part in node.values() if isinstance(node, dict) else node:
            if isinstance(part, msgspec.Struct | tuple):
                bound_in(part, found)


BINDING = (c.Query, c.Bind, c.Fold, c.Map, c.Measure, c.Through, c.Selection)


# -- numbers of 64 bits


def wide(code: Code) -> int:
    """A local of 64 bits; those of 32 bits must all be there already."""
    code.wide.append(0)
    return code.count + len(code.wide) - 1


def const64(code: Code, value: int) -> None:
    code.out += b"\x42" + sleb(value - (1 << 64) if value >= 1 << 63 else value)


def mix(code: Code, state: int, bits: int) -> None:
    """The next state of splitmix64, and its bits."""
    code.get(state)
    const64(code, 0x9E3779B97F4A7C15)
    code.op(0x7C)
    code.tee(state)
    code.set(bits)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, None)):
        code.get(bits)
        code.get(bits)
        const64(code, shift)
        code.op(0x88, 0x85)
        if factor is not None:
            const64(code, factor)
            code.op(0x7E)
        code.set(bits)


def load64(code: Code, at: int) -> None:
    code.const(0)
    code.out += b"\x29\x03" + leb(at)


def below(random: int) -> Code:
    """A random number below a limit, as `chance.below` gives it."""
    code = Code(1)
    state, bits = wide(code), wide(code)
    load64(code, random)
    code.set(state)
    mix(code, state, bits)
    code.get(bits)
    const64(code, (1 << 64) - 1)
    code.get(0)
    code.op(0xAD, 0x7D, 0x56)  # beyond all but the last few numbers: so seldom that `step` may see to it
    code.if_()
    code.trap()
    code.end()
    code.const(0)
    code.get(state)
    code.out += b"\x37\x03" + leb(random)
    code.get(bits)
    code.get(0)
    code.op(0xAD, 0x82, 0xA7)
    return code


def seed(seeds: int, first: int, random: int) -> Code:
    """The random state of the next of many games, as `chance.start` gives it."""
    code = Code(0)
    state, bits = wide(code), wide(code)
    load64(code, seeds)
    code.const(0)
    code.load(first)
    code.op(0xAD, 0x7C)
    const64(code, 0x9E3779B97F4A7C15)
    code.op(0x7E)
    const64(code, 0xD1B54A32D192ED03)
    code.op(0x7C)
    code.set(state)
    mix(code, state, bits)
    code.const(0)
    code.get(bits)
    code.out += b"\x37\x03" + leb(random)
    code.const(0)
    return code


def policy(at: int) -> Code:
    """A number below a limit for whoever plays at random: not the game's own chance."""
    code = Code(1)
    state, bits = wide(code), wide(code)
    load64(code, at)
    code.set(state)
    mix(code, state, bits)
    code.const(0)
    code.get(state)
    code.out += b"\x37\x03" + leb(at)
    code.get(bits)
    const64(code, 32)
    code.op(0x88)
    code.get(0)
    code.op(0xAD, 0x7E)
    const64(code, 32)
    code.op(0x88, 0xA7)
    return code


def divide() -> Code:
    """Division that rounds down; by zero it stops."""
    code = Code(2)
    result = code.local()
    code.get(0)
    code.get(1)
    code.op(0x6D)
    code.set(result)
    code.get(result)
    code.get(result)
    code.get(1)
    code.op(0x6C)
    code.get(0)
    code.op(NE)
    code.get(0)
    code.const(0)
    code.op(LT)
    code.get(1)
    code.const(0)
    code.op(LT, NE, 0x71, 0x6B)
    return code


def modulo() -> Code:
    """What is left of a division, never negative."""
    code = Code(2)
    other = code.local()
    code.get(1)
    code.const(0)
    code.get(1)
    code.op(0x6B)
    code.get(1)
    code.const(0)
    code.op(GE, 0x1B)
    code.set(other)
    code.get(0)
    code.get(other)
    code.op(0x6F)
    code.get(other)
    code.op(ADD)
    code.get(other)
    code.op(0x6F)
    return code


def multiply() -> Code:
    """A product; one that is too great stops."""
    code = Code(2)
    product = wide(code)
    code.get(0)
    code.op(0xAC)
    code.get(1)
    code.op(0xAC, 0x7E)
    code.set(product)
    code.get(product)
    const64(code, c.GREATEST)
    code.op(0x7C)
    const64(code, 2 * c.GREATEST)
    code.op(0x56)
    code.if_()
    code.trap()
    code.end()
    code.get(product)
    code.op(0xA7)
    return code
