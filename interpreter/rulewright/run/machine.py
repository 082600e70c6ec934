"""The machine: a world, a state, and the primitives by which everything else reads and changes it.

The machine steps frames. The frame on top of the stack says what is going on; a table gives the function that takes it one step further. A step either
changes the stack or the state, or finds that somebody has to decide: then the machine stops, and the state is all there is to it.
"""

from __future__ import annotations

from typing import Any, NoReturn

from rulewright.core import chance
from rulewright.core.world import BOX, OWN, World
from rulewright.errors import RulesError
from rulewright.limits import Budget
from rulewright.run.evaluate import Expr, Variables, evaluate, many, truth
from rulewright.run.state import KNOWN, MEMBERS, MOVED, VALUES, WHERE, Frame, Left, State

Cause = tuple[str, int | None, int, str | None]
FRAMES = 32  # of one unit, at most, so that no more need be counted than units
EARLIER = 40  # units inside each other that generated code may go through without counting them
CROWD = 256  # things in the places something is moved from and to, from which on a move is paid for
COPIED = 8  # things that are copied for the price of one that is looked at
SOON, PLENTY = 5_000, 50_000  # steps after which generated code counts what it writes to the log; room in a log that makes that unnecessary before


class Exhausted(RulesError):
    """The rules took more steps, looked at more things or went deeper than they may between two decisions."""


class Machine:
    """Runs one state of one world."""

    __slots__ = (
        "at", "begun", "budget", "carrying_out", "depth", "extra", "fresh", "generic", "happened", "here", "inner", "last_step", "listed", "local", "looked", "most_deep",
        "most_frames", "most_looks", "much", "note", "owned", "pending", "private", "reacting", "result", "said", "script", "soon", "state", "status", "steps", "trial", "value", "value_depth", "world",
    )  # fmt: skip

    def __init__(self, world: World, state: State, budget: Budget, script: chance.Script | None = None) -> None:
        self.world = world
        self.state = state
        self.budget = budget
        self.script = script or chance.Script()
        self.here: str | None = None
        self.carrying_out = False  # whether a node is, so that a person may be asked what chance gives
        self.trial = False  # whether something is only tried out, see rehearsing
        self.value_depth = 0
        self.looked = 0
        self.steps = 0
        engine = getattr(world, "engine", None)  # worlds are put together before they have one
        early = 1 if engine is None else engine.early
        self.most_looks, self.most_deep = budget.looks // early, budget.depth if early == 1 else budget.depth - EARLIER
        self.most_frames = budget.depth * FRAMES
        self.soon, self.much = min(SOON, budget.steps), budget.log - PLENTY
        # The options of a question, as they were found when it came up: the frame on top, the options, who is asked, in what words; and if all of that is
        # certain, what the engine knows about the question, and the options as callers see them. Then a component may stand for the option it is.
        self.listed: tuple[Any, ...] | None = None
        # What generated code (see `compile`) uses while it runs: all of it is empty whenever somebody has to decide.
        self.said: Cause | None = None  # the cause of what happens, by what component, how deep, in what phase
        self.local: Variables | None = None  # the local names, while they are in no frame
        self.pending: list[Left] = []  # what is left behind, the innermost first
        self.inner: list[Left] = []  # what was left behind by what is written into a function that is about to go on, the outermost last
        self.fresh: dict[int, Variables] = {}  # local names that no earlier moment shares
        self.owned: dict[int, Frame] = {}  # frames that no earlier moment shares
        self.private = False  # whether no earlier moment shares any frame
        self.extra: tuple[int, dict[str, Any]] | None = None  # what one of the frames left behind has beyond the usual
        self.generic = False
        self.depth = self.begun = self.last_step = 0
        self.note: Any = None  # puts an entry at the end of the log, which is the state's own meanwhile
        self.happened: list[str] | None = None  # the effects that happen, for whoever wants to know
        # What generated code leaves for who called it.
        self.reacting: Frame | None = None  # the event to which somebody may react
        self.at: Any = None
        self.value: Any = None
        self.result: Any = None
        self.status = ""

    # -- errors

    def unit(self) -> str:
        """The effect, hook or action that is going on."""
        if self.said is not None:
            return self.said[0]
        return self.cause()[0]

    def fail(self, message: str) -> NoReturn:
        """The rules have gone wrong: at a node, or else somewhere in a unit."""
        raise self._error(message)

    def _error(self, message: str) -> RulesError:
        graph, unit = self.world.graph, self.unit()
        sort, _, name = unit.partition(" ")
        part = graph["nodes"].get(self.here) or graph["effects"].get(unit) or graph.get(f"{sort}s", {}).get(name, {})
        return RulesError(f"{message} (in '{unit}')", unit, part.get("span"))

    def look(self, amount: int) -> None:
        """Count what is looked at: every construct pays for what it goes through, so that nothing takes long."""
        self.looked += amount
        if self.looked > self.most_looks:
            self.exhaust(f"more than {self.budget.looks:,} things looked at without a decision")

    def copy(self, amount: int) -> None:
        """Count what is only copied, as a list of things is: that costs much less than to look at each."""
        if amount >= COPIED:
            self.look(amount // COPIED)

    def exhaust(self, message: str) -> NoReturn:
        """The rules go on for too long."""
        error = self._error(message)
        raise Exhausted(str(error), error.unit, error.span)

    def check_depth(self) -> None:
        """Refuse to begin with one more unit inside others if they are too many."""
        stack, most = self.state.stack, self.most_deep
        if len(stack) >= most and self.cause()[2] >= most:
            self.exhaust(f"effects inside effects more than {self.budget.depth} deep")

    # -- reading

    def variables(self) -> Variables:
        """The local names of the unit that is going on."""
        if self.local is not None:
            return self.local
        for each in reversed(self.state.stack):
            found: Variables | None = each[2] if type(each) is tuple else each.get("vars")
            if found is not None:
                return found
        return {}

    def get(self, component: int, name: str) -> Any:
        """A field of a component, declared or built in."""
        world, state = self.world, self.state
        if component >= world.count:
            return world.place_owner.get(component) if name == "holder" else None
        slot = world.slots[world.kinds[component]].get(name)
        if slot is not None:
            return state.values[world.base[component] + slot]
        match name:
            case "place":
                return state.where[component]
            case "owner":
                return self.owner(component)
            case "seat" | "copy":
                return world.copies[component]
            case "row":
                return world.rows.get(component)
            case "column":
                return world.columns.get(component)
            case "ends":
                return list(world.ends.get(component, ()))
            case "label":
                return self.label(component)
            case "colour" if world.kinds[component] == "#track":
                return self.colour(component)
        return self.member(component, name)

    def member(self, component: int, name: str) -> Any:
        """A place or value of a component, by its name alone: for things whose kind the rules do not say."""
        world = self.world
        for kind in world.ancestors.get(world.kinds[component], ()):
            path = f"{kind}.{name}"
            if (component, path) in world.owned_places:
                return world.owned_places[component, path]
            if path in world.graph["values"] and not world.graph["values"][path]["parameters"]:
                return self.value_of(path, component, [])
        return None

    def colour(self, track: int) -> Any:
        """What is printed on the space a track's marker is on."""
        spaces = self.world.graph["tracks"][self.world.definitions[track]]["spaces"]
        return spaces[self.state.values[self.world.base[track]] - 1]

    def owner(self, component: int) -> int | None:
        """The player in one of whose places a component lies, directly or inside something else."""
        around, where, players = self.world.around, self.state.where, self.world.players
        found: int | None = component
        for _ in range(20):
            if found is None or found < players:
                return found
            found = around[where[found]]
        return None

    def decider(self, component: int | None) -> int | None:
        """The player who decides for a component."""
        if component is None:
            return None
        slot = self.world.deciders[component]
        if slot is None:
            found = evaluate(self, self.world.graph["kinds"][self.world.kinds[component]]["decided_by"], {"self": component})
        elif slot < 0:
            return component if slot == OWN else None
        else:
            found = self.state.values[slot]
        return found if type(found) is int else None

    def holds(self, condition: Expr, variables: Variables) -> bool:
        """Whether a condition holds."""
        return bool(evaluate(self, condition, variables))

    def is_asked(self, player: int | None) -> bool:
        """Whether there is such a player and they are still asked things."""
        return player is not None and self.state.outcomes[player] != "eliminated"

    def value_of(self, path: str, of: int | None, arguments: list[Any]) -> Any:
        """A value: its own version for a component, the general one, and what hooks change it to."""
        known = self.world.computing.get(path)
        if known is not None:
            return known(self, of, *arguments)
        self.look(10)
        if self.value_depth >= self.budget.depth:
            self.exhaust(f"the value '{path}' asks itself without end")
        names, methods, expression = self.world.values[path]
        variables = dict(zip(names, arguments, strict=True))
        if of is not None:
            variables["self"] = of
            if methods:
                expression = self.method(methods, of, expression)
        self.value_depth += 1
        try:
            result = evaluate(self, expression, variables) if expression is not None else None
            if path in self.world.hooks or self.state.installed:
                result = self.changed(path, of, arguments, result)
        except RecursionError:
            self.fail(f"the value '{path}' asks itself without end")
        finally:
            self.value_depth -= 1
        return result

    def method(self, methods: dict[str, Any], of: int | None, otherwise: Any) -> Any:
        """A component's own version of something, else its kind's, else the general one."""
        if of is None or not methods:
            return otherwise
        definition = self.world.definitions[of]
        if definition in methods:
            return methods[definition]
        kind: str | None = self.world.kinds[of]
        if kind in methods:
            return methods[kind]
        while kind is not None:
            if kind in methods:
                return methods[kind]
            kind = self.world.graph["kinds"].get(kind, {}).get("parent")
        return otherwise

    def changed(self, path: str, of: int | None, arguments: list[Any], result: Any) -> Any:
        """A value after the hooks that change it."""
        from rulewright.run.hooks import applies, instances

        for key, hook, variables in instances(self, path, ("change",), arguments, of):
            variables["result"] = result
            if applies(self, key, hook, variables):
                result = evaluate(self, hook["value"], variables)
        return result

    def holds_places(self, things: list[Any]) -> bool:
        """Whether a list is one of places."""
        return bool(things) and type(things[0]) is int and self.world.is_place(things[0])

    # -- words

    def label(self, number: int | None) -> str:
        """What people call a component or place."""
        return "nothing" if number is None else self.world.labels[number]

    def shown(self, value: Any, how: str) -> str:
        """A value as it appears in a text."""
        if isinstance(value, list | tuple):
            self.look(len(value))
            return ", ".join(self.shown(each, how) for each in value) or "nothing"
        if type(value) is dict:
            return ", ".join(f"{self.label(int(player))}: {self.shown(each, how)}" for player, each in value.items()) or "nothing"
        if how in ("kind", "place", "track", "any") and (value is None or type(value) is int):
            return self.label(value)
        if value is None:
            return "nothing"
        if type(value) is bool:
            return "yes" if value else "no"
        return str(value)

    # -- changing

    def set(self, component: int, name: str, value: Any) -> None:
        """Give a field another value."""
        world, state = self.world, self.state
        kind = world.kinds[component]
        slot = world.slots[kind].get(name)
        if slot is None:
            return
        low, high = world.ranges[kind][name]
        if low is not None and type(value) is int:
            self.check_range(component, name, value, low, high)
        index = world.base[component] + slot
        before = state.values[index]
        if before != value:
            kept = value
            if type(value) is list:
                self.copy(len(value))
                kept = value[:]
            state.journal.append((VALUES, index, before))
            state.values[index] = kept
            state.version += 1
            self.write("set", component, name, before, kept, self.readers_of(component, name, before, value))

    def check_range(self, component: int, name: str, value: int, low: int, high: int | None) -> None:
        """Refuse a number that a field cannot hold; the end of a track is the number of its spaces."""
        if high is None:
            high = len(self.world.graph["tracks"][self.world.definitions[component]]["spaces"])
        if not low <= value <= high:
            self.fail(f"'{name}' of {self.label(component)} is set to {value}, but it goes from {low} to {high}")

    def move(self, component: int, to: int, position: str = "top") -> None:
        """Put a component somewhere else."""
        state, world = self.state, self.world
        if component in world.hollow and self.contains(component, to):
            self.fail(f"{self.label(component)} is to be put into itself")
        before, members, journal = state.where[component], state.members, state.journal
        seen = self.seers_of(component)
        left, there = members[before], members[to]
        if len(left) + len(there) >= CROWD:
            self.copy(len(left) + len(there))
        at = left.index(component)
        rest = left[:at] + left[at + 1 :]
        if to == before:
            journal.append((MEMBERS, to, left))
            there = rest
        else:
            journal.append((MOVED, component, before, left, there))
            members[before], state.where[component] = rest, to
        members[to] = (component, *there) if position == "bottom" else (*there, component)
        state.version += 1
        if to in world.bags:
            self.know(component, 0)  # what goes into a bag cannot be followed any more
        holders = world.holders
        told = world.everyone if holders[before] is None and holders[to] is None else self.tellers(before, to)
        self.write("move", component, before, to, seen | self.seers_of(component), told)

    def move_all(self, things: list[int], to: int, position: str, *, crowd: bool) -> None:
        """Put components somewhere, one after another, as far as there is room unless it is a crowd."""
        if len(things) > 1 and self._move_together(things, to, position, crowd):
            return
        for component in things[:]:
            if self.state.where[component] == to:
                self.lay(component, to, position)
            elif crowd or self.room_in(to) > 0:
                self.move(component, to, position)

    def _move_together(self, things: list[int], to: int, position: str, crowd: bool) -> bool:
        """The same in one go, where it is plain who sees each of them before and after: whether it is that."""
        state, world = self.state, self.world
        where, members, journal, known = state.where, state.members, state.journal, state.known
        before, there, moved = where[things[0]], members[to], set(things)
        seen, seeing = world.sight[before], world.sight[to]
        usual = seen is not None and seeing is not None and before != to and to not in world.bags and len(moved) == len(things)
        if not usual or not (crowd or len(things) <= self.room_in(to)):
            return False
        if any(where[each] != before or each in world.hollow or world.hidden_while[each] is not None for each in things):
            return False
        left, told, bits = members[before], self.tellers(before, to), (seen or 0) | (seeing or 0)
        self.copy(len(left) + len(there))
        self.look(len(things))
        journal += [(MEMBERS, before, left), (MEMBERS, to, there)]
        members[before] = tuple([each for each in left if each not in moved])
        members[to] = (*things[::-1], *there) if position == "bottom" else (*there, *things)
        for each in things:
            journal.append((WHERE, each, before))
            where[each] = to
            self.write("move", each, before, to, bits | known[each], told)
        state.version += len(things)
        return True

    def contains(self, component: int, place: int) -> bool:
        """Whether a place is a component, belongs to it, or is in something that lies in it."""
        world = self.world
        for _ in range(20):
            holder = world.around[place]
            if holder is None or holder == component:
                return holder == component
            place = self.state.where[holder]
        return False

    def lay(self, component: int, place: int, position: str) -> None:
        """Put a component on top of, or below, the others of the place it is in, if that place has an order."""
        members, ordered = self.state.members[place], self.world.place_spec(place)["shape"] in ("pile", "row")
        if ordered and members[0 if position == "bottom" else -1] != component:
            self.move(component, place, position)

    def likeness(self, thing: Any) -> Any:
        """Something that two things have in common if it makes no difference which of them is meant."""
        world, state = self.world, self.state
        if type(thing) is not int or thing >= world.count:
            return thing
        base = world.base[thing]
        fields = state.values[base : base + len(world.slots[world.kinds[thing]])]
        return world.definitions[thing], state.where[thing], state.known[thing], str(fields)

    def room_in(self, place: int) -> int:
        """How many more components a place can take."""
        capacity = self.world.capacities[place]
        return 10**9 if capacity is None else max(capacity - len(self.state.members[place]), 0)

    # -- who knows what

    def everyone(self) -> int:
        """All players and whoever looks on, as bits: the spectators' comes after the last player's."""
        return self.world.everyone

    def bits_of(self, told: list[Any]) -> int:
        """Those who are told something, as bits: players, and whoever decides for others."""
        return sum(1 << player for player in {self.decider(each) for each in told} if player is not None)

    def seers_of(self, component: int) -> int:
        """The players who can tell what a component is, as bits."""
        world, state = self.world, self.state
        bits, hidden = world.sight[state.where[component]], world.hidden_while[component]
        if bits is None:
            from rulewright.run.visibility import seers_of

            return seers_of(self, component)
        if hidden is not None and bits == world.everyone and truth(self, hidden, {"self": component}):
            bits = 0
        return bits | state.known[component]

    def tellers(self, *places: int) -> int:
        """The players who can tell components and places: a place that belongs to a component is told by those who can tell the component."""
        bits = self.world.everyone
        for place in places:
            holder = self.world.holders[place]
            if holder is not None:
                bits &= self.seers_of(holder)
        return bits

    def readers_of(self, component: int, name: str, *values: Any) -> int:
        """The players who can read a field of a component, and tell the components and places it refers to."""
        from rulewright.run.visibility import readers_of

        kind = self.world.graph["kinds"].get(self.world.kinds[component])
        if kind is None:
            return self.everyone()
        field = kind["fields"][name]
        of, bits = field["type"], self.seers_of(component)
        if field["seen_by"] is not None:
            bits &= readers_of(self, component, field)
        if (of.get("of") or of)["how"] in ("kind", "place"):
            self.look(sum(len(value) for value in values if type(value) is list))
            bits &= self.tellers(*(each for value in values for each in many(value)))
        return bits

    def know(self, component: int, bits: int) -> None:
        """Let exactly these players know a component from now on, wherever it goes."""
        known = self.state.known
        if known[component] != bits:
            self.state.journal.append((KNOWN, component, known[component]))
            known[component] = bits

    # -- the log

    def write(self, kind: str, *parts: Any) -> None:
        """Note what happened, with its parts as `state.ENTRIES` names them, and what caused it."""
        state, log = self.state, self.state.log
        length = state.log_length if self.note is None else len(log)
        if length >= self.budget.log:
            self.fail(f"the log has more than {self.budget.log:,} entries")
        if len(log) > length:  # clones share it
            log = state.log = log[:length]
        log.append((kind, self.said or self.cause(), *parts))
        state.log_length = length + 1

    def tell(self, text: str, seen: int, named: list[Any]) -> None:
        """Note a message; what it names is noted too, as far as somebody learns from it."""
        count = self.world.count
        things = [each for value in named for each in (value if type(value) is list else (value,)) if type(each) is int and each < count]
        self.write("message", text, seen, [each for each in things if seen & ~self.seers_of(each)] or None if things else None)

    def cause(self) -> Cause:
        """What is going on by the frames: the unit, by what component, how many units inside each other, and the phase."""
        stack = self.state.stack
        number = len(stack) - 1
        while number >= 0 and not (type(stack[number]) is tuple and stack[number][3] is not None):
            number -= 1
        found: Cause = stack[number][3] if number >= 0 else ("the game", None, 0, None)
        for frame in stack[number + 1 :]:
            if type(frame) is dict and "unit" in frame:
                unit = frame["unit"]
                found = (unit, frame["vars"].get("self"), found[2] + 1, unit if unit in self.world.phases else found[3])
        return found

    # -- chance

    def below(self, limit: int) -> int:
        """A random number from 0 to limit - 1."""
        self.state.random, found = chance.below(self.state.random, limit)
        return found

    def shuffled(self, count: int) -> list[int]:
        """A random order."""
        permutation = chance.permutation if self.world.twins is None else self.world.twins.permutation
        self.state.random, order = permutation(self.state.random, count)
        return order


def first_state(world: World, seed: int) -> State:
    """The state before setup: everything at its starting place, with its starting values."""
    where, members = first_places(world)
    state = State()
    state.values = world.start_values[:]
    for number in world.start_lists:
        state.values[number] = world.start_values[number][:]
    state.where, state.members = where[:], members[:]
    state.known = [0] * world.count
    state.outcomes = [""] * world.players
    state.random = chance.start(seed)
    root: Frame = {"f": "root", "stage": 0}
    state.frames.append(root)
    return state


def first_places(world: World) -> tuple[list[int], list[tuple[int, ...]]]:
    """Where everything is before setup, found when it is asked for the first time."""
    if world.first_places is None:
        world.first_places = _first_places(world)
    return world.first_places


def _first_places(world: World) -> tuple[list[int], list[tuple[int, ...]]]:
    """Where everything is before setup: the place of each component, and what lies in each place."""
    state = State()
    state.values, state.known = world.start_values, [0] * world.count
    state.where, state.members = [world.global_places[BOX]] * world.count, [()] * world.place_count
    members: list[list[int]] = [[] for _ in range(world.place_count)]
    machine = Machine(world, state, Budget())
    for component in range(world.count):
        declared = world.graph["components"].get(world.definitions[component], {}).get("place")
        place = evaluate(machine, declared, {}) if declared is not None else None
        state.where[component] = place if place is not None else world.global_places[BOX]
        members[state.where[component]].append(component)
    return state.where, [tuple(found) for found in members]


__all__ = ["Expr", "Machine", "first_state"]
