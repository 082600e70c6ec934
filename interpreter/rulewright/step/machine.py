"""The machine: a linked program, a state, and the primitives by which instructions read and change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, Protocol

from rulewright.core import chance
from rulewright.core import program as c
from rulewright.core.chance import Doubt
from rulewright.core.world import BOX, OWN, World
from rulewright.errors import RulesError
from rulewright.limits import Budget
from rulewright.step.closures import COPIED, FEW, code
from rulewright.step.link import Linked
from rulewright.step.state import Cause, Frame, Held, State, Value

OVER = "over"  # at the head of a batch whose hooks are being carried out


class Sampler(Protocol):
    """Who answers for chance where it is not the seed alone. What a person has to answer first is raised as `chance.Needed`."""

    answers: tuple[object, ...]  # given beforehand and not used yet

    def copy(self) -> Sampler:
        """One that goes on from here by itself."""

    def face(self, machine: Machine, die: str, faces: Sequence[Value]) -> Value:
        """A face of a die."""

    def pick(self, machine: Machine, what: Doubt, things: Sequence[Value]) -> Value:
        """One of several components."""

    def option(self, machine: Machine, question: int, values: Sequence[Value]) -> Value:
        """One of the answers to a question."""

    def order(self, machine: Machine, things: Sequence[Value]) -> list[int]:
        """An order for a shuffle."""

    def settle(self, machine: Machine, there: Value, among: Sequence[Value], what: Doubt) -> Value:
        """What lies where a component seems to lie."""

    def laid_out(self, machine: Machine, found: Sequence[Value], wanted: int, from_top: bool) -> tuple[Value, ...]:
        """Things, the first or last so many of which are certain."""


class Machine:
    """Runs one state of one world."""

    def __init__(self, linked: Linked, state: State, budget: Budget | None = None, sampler: Sampler | None = None) -> None:
        self.linked = linked
        self.program = linked.program
        self.world: World = linked.world
        self.state = state
        self.budget = budget or Budget()
        self.sampler = sampler
        self.trial = False  # whether something is only tried out
        self.supposed = 0  # how many things are only thought of as done, one inside the other
        self.asked: tuple[int, tuple[Value, ...]] | None = None  # who has to decide, and what may be chosen, if that is known
        self.looked = self.steps = 0
        self.value_depth = 0
        self.needed: chance.Needed | None = None  # what a person is asked to say that chance gives; `asked` has the answers
        self.running = False

    # -- errors and budgets

    def fail(self, message: str, answer: object = None) -> NoReturn:
        """The rules have gone wrong, or what chance was told to give does not fit."""
        frame, graph = self.state.frames[-1] if self.state.frames else None, self.world.graph
        unit = "the game" if frame is None else frame.cause[0]
        origin = None if frame is None else self.linked.origin_at(frame.at)
        sort, _, name = unit.partition(" ")
        part = graph["nodes"].get(origin) or graph["effects"].get(unit) or graph.get(f"{sort}s", {}).get(name, {})
        raise RulesError(f"{message} (in '{unit}')", unit, part.get("span"), answer)

    def look(self, amount: int) -> None:
        """Count what is looked at."""
        self.looked += amount
        if self.looked > self.budget.looks:
            self.fail(f"more than {self.budget.looks:,} things looked at without a decision")

    # -- asking the program

    def apply(self, function: str, names: list[Value]) -> Value:
        """What a function gives."""
        self.deeper(function)
        try:
            size, code_ = self.linked.function(function)
            return code_(self, names if len(names) >= size else [*names, *([None] * (size - len(names)))])
        finally:
            self.value_depth -= 1

    def deeper(self, function: str) -> None:
        """Go into a function, if that is not too deep."""
        if self.value_depth >= self.budget.depth:
            self.fail(f"the value '{function}' asks itself without end")
        self.value_depth += 1

    def ask_function(self, name: str, *arguments: Value) -> Value:
        """What a function gives for some arguments."""
        size = len(self.program.functions[name].locals)
        return self.apply(name, [*arguments, *([None] * (size - len(arguments)))])

    def held(self, key: int) -> Held | None:
        """The hook that holds for a time under a key."""
        self.look(len(self.state.held) if len(self.state.held) > FEW[0] else 0)
        return next((each for each in self.state.held if each.number == -key), None)

    def hook_names(self, hook: c.Hook, kept: Sequence[Value], arguments: Sequence[Value], it: Value, result: Value, size: int) -> list[Value]:
        """The names of a hook that was installed."""
        names: list[Value] = [None] * size
        its = [] if it is None else [(hook.it, it)]  # an event of nobody leaves what was called `it` when the hook was installed
        for slot, value in (*zip(hook.kept, kept, strict=True), *its, (hook.result, result), *zip(hook.arguments, arguments, strict=False)):
            if slot is not None:
                names[slot] = value
        return names

    # -- reading

    def owner(self, component: int) -> int | None:
        """The player in one of whose places a component lies, directly or inside something else."""
        around, where, players = self.world.around, self.state.where, self.world.players
        found: int | None = component
        for _ in range(20):
            if found is None or found < players:
                return found
            found = around[where[found]]
        return None

    def decider(self, component: Value) -> int | None:
        """The player who decides for a component."""
        if component is None or component >= self.world.count:
            return None
        slot = self.world.deciders[component]
        if slot is None:
            found = self.ask_function(self.program.sight.deciders[self.world.kinds[component]], component)
        elif slot < 0:
            return int(component) if slot == OWN else None
        else:
            found = self.state.values[slot]
        return found if type(found) is int else None

    def is_asked(self, player: Value) -> bool:
        """Whether there is such a player and they are still asked things."""
        return player is not None and 0 <= player < self.world.players and self.state.outcomes[player] != "eliminated"

    def room_in(self, place: int) -> int:
        """How many more components a place can take."""
        capacity = self.world.capacities[place]
        return 10**9 if capacity is None else max(capacity - len(self.state.members[place]), 0)

    def likeness(self, thing: Value) -> Any:
        """Something that two things have in common if it makes no difference which of them is meant."""
        world, state = self.world, self.state
        if type(thing) is not int or not 0 <= thing < world.count:
            return thing
        base = world.base[thing]
        fields = state.values[base : base + len(world.slots[world.kinds[thing]])]
        return world.definitions[thing], state.where[thing], state.known[thing], tuple(fields)

    def selections(self, things: list[Value], size: int) -> Iterator[list[Value]]:
        """The ways to take so many of some things; of things that are alike it does not matter which."""
        alike: dict[Any, list[Value]] = {}
        for each in things:
            alike.setdefault(self.likeness(each), []).append(each)

        def taken(groups: list[list[Value]], wanted: int) -> Iterator[list[Value]]:
            self.look(1)
            if not groups:
                if wanted == 0:
                    yield []
                return
            for number in range(min(wanted, len(groups[0])), -1, -1):
                for rest in taken(groups[1:], wanted - number):
                    yield groups[0][:number] + rest

        return taken(list(alike.values()), size)

    # -- who knows what

    def bits(self, rule: Any, function: str | None, owner: int | None) -> int:
        """The players that a rule about sight names."""
        world = self.world
        if rule is None or (rule["op"] == "const" and rule["value"] == "everyone"):
            return world.everyone
        if rule["op"] == "const" and rule["value"] == "nobody":
            return 0
        assert function is not None
        found = self.ask_function(function, owner, owner)
        return sum(1 << player for player in set(found) if type(player) is int and 0 <= player < world.players)

    def seers_into(self, place: int) -> int:
        """The players who can see into a place, as bits."""
        known = self.world.sight[place]
        if known is not None:
            return known
        name = self.world.place_names[place]
        return self.bits(self.world.place_spec(place)["seen_by"], self.program.sight.places.get(name), self.world.place_owner.get(place))

    def seers_of(self, component: int) -> int:
        """The players who can tell what a component is, as bits."""
        world, state = self.world, self.state
        bits = self.seers_into(state.where[component])
        hidden = world.hidden_while[component] is not None and bits == world.everyone
        if hidden and self.ask_function(self.program.sight.hidden[world.kinds[component]], component):
            bits = 0
        return bits | state.known[component]

    def knows(self, player: Value, component: Value) -> bool:
        """Whether a player can tell what a component is; who is no player sees what everyone does."""
        bit = self.world.players if player is None else player
        return component is not None and self.seers_of(component) >> bit & 1 == 1

    def tellers(self, *places: int) -> int:
        """The players who can tell places: one that is, or belongs to, a component is told by those who can tell the component."""
        bits = self.world.everyone
        for place in places:
            holder = self.world.holders[place]
            if holder is not None:
                bits &= self.seers_of(holder)
        return bits

    def field_readers(self, component: int, name: str) -> int:
        """The players who can read a field of a component, if they can tell the component."""
        kind = self.world.kinds[component]
        rule = self.world.graph["kinds"][kind]["fields"][name]["seen_by"]
        if rule is None:
            return self.world.everyone
        return self.bits(rule, self.program.sight.fields.get(f"{kind}.{name}"), component) | self.state.known[component]

    def readers_of(self, component: int, name: str, *values: Value) -> int:
        """The players who can read a field of a component, and tell the components it refers to."""
        world = self.world
        kind = world.graph["kinds"].get(world.kinds[component])
        if kind is None:
            return world.everyone
        field = kind["fields"][name]
        of, bits = field["type"], self.seers_of(component)
        if field["seen_by"] is not None:
            bits &= self.field_readers(component, name)
        if (of.get("of") or of)["how"] in ("kind", "place"):
            for value in values:
                bits &= self.tellers(*(value if type(value) is tuple else () if value is None else (value,)))
        return bits

    def bits_of(self, told: Sequence[Value]) -> int:
        """Those who are told something, as bits: players, and whoever decides for others."""
        self.look(len(told))
        return sum(1 << player for player in {self.decider(each) for each in told} if player is not None)

    def back_of(self, component: int) -> tuple[tuple[str, Value], ...]:
        """What everyone can read on a component as it lies, whoever can tell which one it is. Of a pile only the top can be seen, and nothing in a bag; nor what
        somebody has shuffled at a table without saying yet how it came out."""
        world, state = self.world, self.state
        place = state.where[component]
        if not world.backs[component] or place in world.bags or (place in world.piles and state.members[place][-1] != component):
            return ()
        if any(component in group for group in state.loose):
            return ()
        return tuple([(name, state.values[world.base[component] + slot]) for name, slot, _ in world.backs[component]])

    def back_in_words(self, component: int) -> str:
        """The same as a text, so that it comes in an order that does not depend on how words are numbered."""
        return str({name: self._spelled(value) for name, value in self.back_of(component)})

    def _spelled(self, value: Value) -> Any:
        if type(value) is tuple:
            return [self._spelled(each) for each in value]
        return self.linked.spelled[value - c.WORDS] if value is not None and value >= c.WORDS else value

    def lying_in(self, player: Value, place: int) -> Sequence[int]:
        """What lies in a place, in the order in which somebody sees it. Who sees into a place can arrange what lies there, and who does not cannot follow that: so
        what can be read on things that cannot be told is seen in an order of its own."""
        world, members = self.world, self.state.members[place]
        if not world.has_backs or place in world.bags or place in world.piles:
            return members
        seers = self.seers_into(place)
        if not seers or seers >> (world.players if player is None else player) & 1:
            return members
        self.look(len(members))
        hidden = sorted((each for each in members if not self.knows(player, each)), key=self.back_in_words)
        arranged, among = iter(hidden), set(hidden)
        return [next(arranged) if each in among else each for each in members]

    def lying_at(self, player: Value, place: int) -> tuple[int, ...]:
        """Where a place comes in an order that somebody can see: one that belongs to a component they cannot tell, where that component lies."""
        holder = self.world.holders[place]
        if holder is None or self.knows(player, holder):
            return (place,)
        parts = self.world.places_of[holder]
        return (*self.lying_at(player, self.state.where[holder]), self.position(player, holder), parts.index(place))

    def position(self, player: Value, component: int) -> int:
        """Which of the things in its place a component is as somebody sees them, from 1. A bag has no order that anybody could see: there it is another one after
        every roll."""
        place = self.state.where[component]
        lying = self.lying_in(player, place)
        index = lying.index(component)
        self.look(len(lying) if place in self.world.bags else len(lying) // COPIED)
        if place in self.world.bags:
            index = chance.permutation(self.state.random, len(lying))[1].index(index)
        return index + 1

    def veiled(self, things: tuple[Value, ...], player: Value) -> tuple[Value, ...]:
        """Things in their order, but those that somebody cannot tell by where they lie."""
        if player is None:
            return things
        count = self.world.count
        hidden = [each for each in things if type(each) is int and 0 <= each < count and not self.knows(player, each)]
        if len(hidden) < 2:
            return things
        chosen = set(hidden)
        lying = iter(sorted(hidden, key=lambda each: (*self.lying_at(player, self.state.where[each]), self.position(player, each))))
        return tuple([next(lying) if each in chosen else each for each in things])

    def know(self, component: int, bits: int) -> None:
        """Let exactly these players know a component from now on, wherever it goes."""
        self.state.known[component] = bits

    # -- changing

    def set(self, component: int, name: str, value: Value) -> None:
        """Give a field another value."""
        world, state = self.world, self.state
        kind = world.kinds[component]
        slot = world.slots[kind].get(name)
        if slot is None:
            return
        low, high = world.ranges[kind][name]
        if low is not None and type(value) is int and value < c.WORDS:
            if high is None:
                high = len(world.graph["tracks"][world.definitions[component]]["spaces"])
            if not low <= value <= high:
                self.fail(f"'{name}' of {world.labels[component]} is set to {value}, but it goes from {low} to {high}")
        index = world.base[component] + slot
        before = state.values[index]
        self.look(len(value) if type(value) is tuple else 0)
        if before != value:
            state.values[index] = value
            state.version += 1
            self.write("set", component, name, before, value, self.readers_of(component, name, before, value))

    def put(self, component: int, to: int, position: str) -> None:
        """Put a component somewhere else."""
        state, world = self.state, self.world
        if component in world.hollow and self.contains(component, to):
            self.fail(f"{world.labels[component]} is to be put into itself")
        before, members = state.where[component], state.members
        seen = self.seers_of(component)
        lying = members[before]
        index = lying.index(component)
        self.look((len(lying) + len(members[to])) // (COPIED * COPIED))
        members[before], state.where[component] = lying[:index] + lying[index + 1 :], to
        there = members[to]
        members[to] = (component, *there) if position == "bottom" else (*there, component)
        state.version += 1
        if to in world.bags:
            self.know(component, 0)  # what goes into a bag cannot be followed any more
        self.write("move", component, before, to, seen | self.seers_of(component), self.tellers(before, to))

    def use(self, unit: str, of: int | None) -> None:
        """Remember that something that may happen once has happened."""
        self.look(len(self.state.used) if len(self.state.used) > FEW[1] else 0)
        self.state.used = (*self.state.used, (unit, of))

    def contains(self, component: int, place: int) -> bool:
        """Whether a place is a component, belongs to it, or is in something that lies in it."""
        for _ in range(20):
            holder = self.world.around[place]
            if holder is None or holder == component:
                return holder == component
            place = self.state.where[holder]
        return False

    # -- the log

    def write(self, kind: str, *parts: Any) -> None:
        """Note what happened, with its parts as `state.ENTRIES` names them, and what caused it."""
        log = self.state.log
        if len(log) >= self.budget.log:
            self.fail(f"the log has more than {self.budget.log:,} entries")
        log.append((kind, self.state.frames[-1].cause, *parts))

    def shown(self, value: Value, how: str) -> str:
        """A value as it appears in a text of the rules."""
        return self.linked.wording.shown(value, how)

    # -- chance

    def below(self, limit: int) -> int:
        """A random number from 0 to limit - 1."""
        self.state.random, found = chance.below(self.state.random, limit)
        return found

    def laid_out(self, found: tuple[Value, ...], wanted: int, from_top: bool) -> tuple[Value, ...]:
        """Things of which some are loose: whoever knows is asked which ones come first, where something is carried out and not only looked at."""
        if self.sampler is None or not self.running or isinstance(self.linked.code[self.state.frames[-1].at], c.Ask):
            return found
        return self.sampler.laid_out(self, found, wanted, from_top)

    def open_batch(self) -> int | None:
        """The innermost batch that still gathers."""
        batches = self.state.batches
        return next((number for number in range(len(batches) - 1, -1, -1) if batches[number][:1] != (OVER,)), None)

    # -- payments

    def can_pay(self, unit: str, arguments: list[Value]) -> bool:
        """Whether a payment can be made to its end, tried out on a copy."""
        from rulewright.step.rehearse import can_pay

        return can_pay(self, unit, arguments)

    def supposing(self, unit: str, arguments: list[Value], then: Callable[[Machine], Value]) -> Value:
        """What somebody would find after a unit has been carried out, tried out on a copy."""
        from rulewright.step.rehearse import supposing

        return supposing(self, unit, arguments, then)

    # -- calling

    def push(self, unit: str, arguments: Sequence[Value]) -> None:
        """Begin a unit."""
        linked, frames = self.linked, self.state.frames
        names = [*arguments, *([None] * (linked.sizes[unit] - len(arguments)))]
        cause = self.cause_of(unit, names)
        frames.append(Frame(linked.entries[unit], names, cause))
        if cause[2] > self.budget.depth:
            self.fail(f"effects inside effects more than {self.budget.depth} deep")

    def cause_of(self, unit: str, names: list[Value]) -> Cause:
        """What the doings of a unit are put down to."""
        declared, around = self.program.units[unit], self.state.frames[-1].cause
        if declared.cause is None:
            return around
        own = self.linked.own[unit]
        return (declared.cause, None if own is None else names[own], around[2] + 1, declared.cause if declared.phase else around[3])


def first_state(linked: Linked, seed: int) -> State:
    """The state before setup: everything at its starting place, with its starting values."""
    world, state = linked.world, State()
    state.values = linked.start_values[:]
    state.known = [0] * world.count
    state.where = [world.global_places[BOX]] * world.count
    state.members = [()] * world.place_count
    state.outcomes = ("",) * world.players
    state.random = chance.start(seed)
    state.frames = [Frame(linked.entries["the game"], [None] * linked.sizes["the game"], ("the game", None, 0, None))]
    machine = Machine(linked, state)
    lying: list[list[int]] = [[] for _ in range(world.place_count)]
    for component in range(world.count):
        declared = linked.program.beginnings.get(world.definitions[component])
        place = code(linked, declared)(machine, []) if declared is not None else None
        state.where[component] = place if place is not None else world.global_places[BOX]
        lying[state.where[component]].append(component)
    state.members = [tuple(each) for each in lying]
    return state
