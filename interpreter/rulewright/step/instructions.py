"""Instructions: what each does. `TABLE` goes from the type of an instruction to the function that makes its executor.

An executor is given the machine and the frame on top, and gives the address to go on with; None if the stack has changed, or somebody has to decide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.core import chance
from rulewright.core import program as c
from rulewright.core.chance import Doubt
from rulewright.core.passes.prices import price_of
from rulewright.step.closures import COPIED, FEW, NAMING, code, codes, flat, many, paid
from rulewright.step.expressions import best_noun
from rulewright.step.link import Linked
from rulewright.step.machine import OVER, Machine
from rulewright.step.state import Frame, Held

Executor = Callable[[Machine, Frame], int | None]
WAIT = -1
NOTHING = None, None, None
CHANCE = -1  # who is asked, where that is chance


class Unpaid(Exception):
    """A trial has come to a cost that can no longer be paid."""


def let(linked: Linked, at: int, node: c.Let) -> Executor:
    slot, value, then = node.slot, code(linked, node.value), at + 1

    def run(machine: Machine, frame: Frame) -> int:
        frame.names[slot] = value(machine, frame.names)
        return then

    return run


def set_(linked: Linked, at: int, node: c.Set) -> Executor:
    of, name, value = code(linked, node.of), node.field, code(linked, node.value)

    def run(machine: Machine, frame: Frame) -> int:
        component = of(machine, frame.names)
        if component is not None:
            machine.set(component, name, value(machine, frame.names))
        return at + 1

    return run


def put(linked: Linked, at: int, node: c.Put) -> Executor:
    what, to, position, crowd, world = code(linked, node.what), code(linked, node.to), node.position, node.crowd, linked.world

    def run(machine: Machine, frame: Frame) -> int:
        place = to(machine, frame.names)
        if place is not None:
            things = many(what(machine, frame.names))
            machine.look(len(things))
            for component in things:
                if machine.state.where[component] == place:
                    lying = machine.state.members[place]
                    ordered = world.place_spec(place)["shape"] in ("pile", "row")
                    if ordered and lying[0 if position == "bottom" else -1] != component:
                        machine.put(component, place, position)
                elif crowd or machine.room_in(place) > 0:
                    machine.put(component, place, position)
        return at + 1

    return run


def shuffle(linked: Linked, at: int, node: c.Shuffle) -> Executor:
    of = code(linked, node.place)

    def run(machine: Machine, frame: Frame) -> int:
        place = of(machine, frame.names)
        if place is not None:
            state = machine.state
            lying = state.members[place]
            machine.look(len(lying))
            if machine.sampler is None:
                state.random, order = chance.permutation(state.random, len(lying))
            else:
                order = machine.sampler.order(machine, lying)
            state.members[place] = tuple([lying[number] for number in order])
            for component in lying:
                state.known[component] = 0
            state.version += 1
            machine.write("shuffle", place, machine.tellers(place))
        return at + 1

    return run


def roll(linked: Linked, at: int, node: c.Roll) -> Executor:
    slot, die = node.slot, node.die
    faces = [linked.encoded(face) for face in linked.world.graph["dice"][die]["faces"]]

    def run(machine: Machine, frame: Frame) -> int:
        face = faces[machine.below(len(faces))] if machine.sampler is None else machine.sampler.face(machine, die, faces)
        frame.names[slot] = face
        machine.write("roll", die, face)
        return at + 1

    return run


def pick(linked: Linked, at: int, node: c.Pick) -> Executor:
    slot, source = node.slot, code(linked, node.source)
    place = code(linked, node.place) if node.place is not None else None

    def run(machine: Machine, frame: Frame) -> int:
        found, sampler = source(machine, frame.names), machine.sampler
        where: Any = place(machine, frame.names) if place is not None else None
        chosen = None
        if found and where is not None and where not in machine.world.bags:
            chosen = found[-1]
            if machine.state.loose and sampler is not None:
                chosen = sampler.settle(machine, chosen, found, Doubt("What comes from {place}?", where))
        elif found and sampler is not None:
            asked = node.question
            chosen = (
                sampler.pick(machine, Doubt("What comes from {place}?", where), found) if asked is None else sampler.option(machine, asked, found)
            )
        elif found:
            chosen = found[machine.below(len(found))]
        frame.names[slot] = chosen
        return at + 1

    return run


def settle(linked: Linked, at: int, node: c.Settle) -> Executor:
    slot, player, items, cursor = node.slot, code(linked, node.player) if node.player is not None else None, node.list, node.cursor

    def run(machine: Machine, frame: Frame) -> int:
        state, sampler, names = machine.state, machine.sampler, frame.names
        there = names[slot]
        if not state.loose or sampler is None or not any(there in group for group in state.loose):
            return at + 1
        place = state.where[there]
        if player is not None:
            if not machine.knows(player(machine, names), there):
                what = Doubt("What is no. {number} in {place}?", place, number=machine.position(player(machine, names), there))
                names[slot] = sampler.settle(machine, there, state.members[place], what)
            return at + 1
        assert items is not None
        first = 0 if cursor is None else names[cursor] - 1
        chosen = names[slot] = sampler.settle(machine, there, names[items][first:], Doubt("What comes next in {place}?", place))
        if cursor is not None:
            swapped = {there: chosen, chosen: there}
            names[items] = tuple([swapped.get(each, each) for each in names[items]])
        return at + 1

    return run


def show(linked: Linked, at: int, node: c.Show) -> Executor:
    what, to = code(linked, node.what), code(linked, node.to) if node.to is not None else None

    def run(machine: Machine, frame: Frame) -> int:
        things, state, world = what(machine, frame.names), machine.state, machine.world
        if things and things[0] >= world.count:
            things = tuple([each for place in things for each in state.members[place]])
        machine.look(len(things))
        bits = world.everyone if to is None else machine.bits_of(to(machine, frame.names))
        for component in things:
            if bits & ~state.known[component]:
                state.known[component] |= bits
                state.version += 1
        if things:
            machine.write("show", things, bits)
        return at + 1

    return run


def say(linked: Linked, at: int, node: c.Say) -> Executor:
    parts = [(code(linked, part.of), part.how) for part in node.text.parts if type(part) is not str]  # type: ignore[union-attr]
    to = code(linked, node.to) if node.to is not None else None

    def run(machine: Machine, frame: Frame) -> int:
        names, count = frame.names, machine.world.count
        values = tuple([part(machine, names) for part, _ in parts])
        machine.look(sum(len(flat(value)) for value in values if type(value) is tuple))
        bits = machine.world.everyone if to is None else machine.bits_of(to(machine, names))
        named = [each for value, (_, how) in zip(values, parts, strict=True) if how in NAMING for each in flat(value) if 0 <= each < count]
        learnt = tuple([each for each in named if bits & ~machine.seers_of(each)])
        machine.write("message", at, values, bits, learnt or None)
        return at + 1

    return run


def outcome(linked: Linked, at: int, node: c.Outcome) -> Executor:
    players, how = code(linked, node.players), node.how

    def run(machine: Machine, frame: Frame) -> int:
        state = machine.state
        found = players(machine, frame.names)
        machine.look(len(found))
        for player in found:
            if state.outcomes[player] == how or (state.outcomes[player] == "eliminated" and how != "won"):
                continue  # who is out stays out
            state.outcomes = tuple([how if number == player else each for number, each in enumerate(state.outcomes)])
            state.version += 1
            machine.write("outcome", player, how)
        return at + 1

    return run


def install(linked: Linked, at: int, node: c.Install) -> Executor:
    kept = [code(linked, value) for _, value in node.keep]

    def run(machine: Machine, frame: Frame) -> int:
        state = machine.state
        values = tuple([value(machine, frame.names) for value in kept])
        machine.look(len(state.held) if len(state.held) > FEW[0] else 0)
        for hook in node.hooks:
            state.installs += 1
            state.held = (*state.held, Held(hook, state.installs, values, node.until))
        return at + 1

    return run


def expire(linked: Linked, at: int, node: c.Expire) -> Executor:
    event, again = node.event, frozenset(linked.program.once_per.get(node.event, ()))

    def run(machine: Machine, frame: Frame) -> int:
        state = machine.state
        over = [each for each in state.held if each.until == event]
        machine.look((1 + len(over)) * len(state.held) if len(state.held) > FEW[0] else 0)
        if over:
            state.held = tuple([each for each in state.held if each.until != event])
        if state.used and again:
            machine.look(len(state.used) if len(state.used) > FEW[1] else 0)
            state.used = tuple([each for each in state.used if each[0] not in again])
        put_back(machine, over)
        return at + 1

    return run


def put_back(machine: Machine, over: list[Held]) -> None:
    """What was set for a time is put back, the last first; what has been set anew since then is put back by that."""
    state, hooks = machine.state, machine.program.hooks
    found = []
    for each in over:
        field = hooks[each.hook].restores
        if field is None:
            continue
        component, before = each.kept
        heir = next(
            (other for other in state.held if other.number > each.number and hooks[other.hook].restores == field and other.kept[0] == component), None
        )
        if heir is None:
            found.append((each, component, field, before))
        else:
            inherited = Held(heir.hook, heir.number, (component, before), heir.until)
            state.held = tuple([inherited if other is heir else other for other in state.held])
    for each, component, field, before in reversed(found):
        if component is not None:
            around = state.frames[-1].cause
            state.frames.append(Frame(state.frames[-1].at, [], (f"hook {each.hook}", None, around[2] + 1, around[3])))
            machine.set(component, field, before)
            state.frames.pop()


def use(linked: Linked, at: int, node: c.Use) -> Executor:
    unit, of = node.unit, code(linked, node.of)

    def run(machine: Machine, frame: Frame) -> int:
        machine.use(unit, of(machine, frame.names))
        return at + 1

    return run


def batch(linked: Linked, at: int, node: c.Batch) -> Executor:
    def run(machine: Machine, frame: Frame) -> int:
        machine.state.batches = (*machine.state.batches, ())
        return at + 1

    return run


def defer(linked: Linked, at: int, node: c.Defer) -> Executor:
    keys, arguments, it, result = code(linked, node.key), codes(linked, node.arguments), code(linked, node.it), code(linked, node.result)

    def run(machine: Machine, frame: Frame) -> int:
        state, names = machine.state, frame.names
        given = tuple([argument(machine, names) for argument in arguments])
        made = []
        for key in keys(machine, names):
            held = machine.held(key) if key < 0 else None
            hook = held.hook if held is not None else linked.hook_names[key // linked.stride]
            made.append((hook, key, held.kept if held is not None else (), given, it(machine, names), result(machine, names)))
        number = machine.open_batch()
        assert number is not None
        machine.look(len(made) + len(state.batches[number]) // COPIED)
        state.batches = tuple([(*gathered, *made) if each == number else gathered for each, gathered in enumerate(state.batches)])
        return at + 1

    return run


def result(linked: Linked, at: int, node: c.Result) -> Executor:
    pairs = [(slot, number) for number, slot in enumerate((node.value, node.status, node.cancelled)) if slot is not None]

    def run(machine: Machine, frame: Frame) -> int:
        for slot, number in pairs:
            frame.names[slot] = machine.state.given[number]
        return at + 1

    return run


# -- where to go on


def jump(linked: Linked, at: int, node: c.Jump) -> Executor:
    to = linked.starts[node.to]
    return lambda machine, frame: to


def branch(linked: Linked, at: int, node: c.Branch) -> Executor:
    test, then, otherwise = code(linked, node.test), linked.starts[node.then], linked.starts[node.otherwise]
    return lambda machine, frame: then if test(machine, frame.names) else otherwise


def dispatch(linked: Linked, at: int, node: c.Dispatch) -> Executor:
    of, cases, otherwise = code(linked, node.of), {noun: linked.starts[to] for noun, to in node.cases.items()}, linked.starts[node.otherwise]
    return lambda machine, frame: cases.get(best_noun(linked.world, of(machine, frame.names), cases) or "", otherwise)


def switch(linked: Linked, at: int, node: c.Switch) -> Executor:
    value, cases, otherwise = (
        code(linked, node.value),
        {number: linked.starts[to] for number, to in node.cases.items()},
        linked.starts[node.otherwise],
    )
    return lambda machine, frame: cases.get(value(machine, frame.names), otherwise)


def next_(linked: Linked, at: int, node: c.Next) -> Executor:
    items, cursor, slot, body, after = node.list, node.cursor, node.slot, linked.starts[node.body], linked.starts[node.after]

    def run(machine: Machine, frame: Frame) -> int:
        names = frame.names
        number = names[cursor]
        if number >= len(names[items]):
            return after
        names[slot], names[cursor] = names[items][number], number + 1
        return body

    return run


def call(linked: Linked, at: int, node: c.Call) -> Executor:
    unit, arguments, then = node.unit, codes(linked, node.arguments), linked.starts[node.then]

    def run(machine: Machine, frame: Frame) -> None:
        given = [argument(machine, frame.names) for argument in arguments]
        frame.at = then
        machine.push(unit, given)

    return run


def call_hook(linked: Linked, at: int, node: c.CallHook) -> Executor:
    key, arguments, it, result_, then = (
        code(linked, node.key),
        codes(linked, node.arguments),
        code(linked, node.it),
        code(linked, node.result),
        linked.starts[node.then],
    )

    def run(machine: Machine, frame: Frame) -> None:
        names = frame.names
        held = machine.held(key(machine, names))
        given = [argument(machine, names) for argument in arguments]
        about = it(machine, names), result_(machine, names)
        frame.at = then
        machine.state.given = (None, machine.linked.word("done"), None)
        if held is not None:
            call_held(machine, held.hook, held.number, held.kept, given, *about)

    return run


def call_held(machine: Machine, name: str, number: int, kept: Any, given: Any, it: Any, result: Any) -> None:
    """Carry out a hook that was installed."""
    hook = machine.program.hooks[name]
    if hook.once:
        machine.use(name, -number)
    if hook.unit is not None:
        machine.push(hook.unit, machine.hook_names(hook, kept, given, it, result, len(hook.locals)))


def run_deferred(linked: Linked, at: int, node: c.RunDeferred) -> Executor:
    """The hooks of the innermost batch, one after another; a batch inside another leaves them to that."""
    then = linked.starts[node.then]

    def run(machine: Machine, frame: Frame) -> int | None:
        state, hooks = machine.state, machine.program.hooks
        inner = state.batches[-1]
        if inner[:1] != (OVER,):
            state.batches = (*state.batches[:-1], (OVER,))
            around = machine.open_batch()
            if around is not None:
                state.batches = tuple([(*gathered, *inner) if each == around else gathered for each, gathered in enumerate(state.batches)])
                inner = ()
            inner = (OVER, *sorted(inner, key=lambda each: hooks[each[0]].order))
        if inner == (OVER,):
            state.batches = state.batches[:-1]
            return then
        _, first, *rest = inner
        machine.look(len(rest) // COPIED)
        state.batches = (*state.batches[:-1], (OVER, *rest))
        name, key, kept, given, it, result_ = first
        hook = hooks[name]
        bearer = key % linked.stride - 2 if key > 0 else -1
        names = machine.hook_names(hook, kept, given, it, result_, len(hook.locals))
        if key > 0 and hook.bearer is not None and bearer >= 0:
            names[hook.bearer] = bearer
        if key > 0 and hook.event.endswith(".runs_out") and given and hook.bearer is not None:
            names[hook.bearer] = given[0]
        used = (name, bearer if key > 0 and bearer >= 0 else (key if key < 0 else None))
        size, test = linked.function(hook.applies or "")
        if not (hook.once and key < 0 and used in state.used) and test(machine, names + [None] * (size - len(names))):
            if hook.once:
                machine.use(*used)
            if hook.unit is not None:
                machine.push(hook.unit, names)
                return None
        return at

    return run


def proceed(linked: Linked, at: int, node: c.Proceed) -> Executor:
    changes, then = [(number, code(linked, value)) for number, value in node.changes], linked.starts[node.then]

    def run(machine: Machine, frame: Frame) -> None:
        event = machine.state.frames[-2]
        unit = machine.linked.unit_at[event.at]
        declared = machine.program.units[unit]
        given = event.names[: declared.parameters]
        for number, value in changes:
            given[declared.arguments[number]] = value(machine, frame.names)
        frame.at = then
        machine.push(unit, given)

    return run


def return_(linked: Linked, at: int, node: c.Return) -> Executor:
    value, cancelled = (code(linked, part) if part is not None else None for part in (node.value, node.cancelled))
    status = code(linked, node.status) if node.status is not None else None
    done = linked.word("done")

    def run(machine: Machine, frame: Frame) -> None:
        names = frame.names
        machine.state.given = (
            value(machine, names) if value is not None else None,
            status(machine, names) if status is not None else done,
            cancelled(machine, names) if cancelled is not None else None,
        )
        machine.state.frames.pop()

    return run


def ask(linked: Linked, at: int, node: c.Ask) -> Executor:
    player, values, slot, otherwise = code(linked, node.player), code(linked, node.values), node.slot, linked.starts[node.otherwise]

    def run(machine: Machine, frame: Frame) -> int:
        who = player(machine, frame.names)
        if machine.is_asked(who):
            found = values(machine, frame.names)
            if len(found) > machine.budget.options:
                machine.fail(f"a choice among {len(found):,} options")
            if any(each is not None for each in found):
                machine.asked = who, found
                return WAIT
        frame.names[slot] = None
        return otherwise

    return run


def fail(linked: Linked, at: int, node: c.Fail) -> Executor:
    def run(machine: Machine, frame: Frame) -> None:
        raise Unpaid

    return run


def end_game(linked: Linked, at: int, node: c.EndGame) -> Executor:
    def run(machine: Machine, frame: Frame) -> None:
        machine.write("end")
        root = machine.state.frames[0]
        machine.state.frames = [root]
        machine.state.batches = ()
        root.at = linked.over if root.at == linked.over else linked.ending

    return run


def finish(linked: Linked, at: int, node: c.Finish) -> Executor:
    def run(machine: Machine, frame: Frame) -> None:
        machine.state.frames = []
        machine.state.ended = True

    return run


TABLE: dict[type, Callable[[Linked, int, Any], Executor]] = {
    c.Let: let, c.Set: set_, c.Put: put, c.Shuffle: shuffle, c.Roll: roll, c.Pick: pick, c.Settle: settle, c.Show: show, c.Say: say, c.Outcome: outcome,
    c.Install: install, c.Expire: expire, c.Use: use, c.Batch: batch, c.Defer: defer, c.Result: result, c.Jump: jump, c.Branch: branch,
    c.Dispatch: dispatch, c.Switch: switch, c.Next: next_, c.Call: call, c.CallHook: call_hook, c.RunDeferred: run_deferred, c.Proceed: proceed,
    c.Return: return_, c.Ask: ask, c.Fail: fail, c.EndGame: end_game, c.Finish: finish,
}  # fmt: skip


def executor(linked: Linked, at: int) -> Executor:
    """The executor of the instruction at an address."""
    found: Executor | None = linked._executors[at]
    if found is None:
        node = linked.code[at]
        found = paid(price_of((node,)), TABLE[type(node)](linked, at, node))
        linked._executors[at] = found = found if linked.watch is None else linked.watch.executor(at, found)
    return found


def run(machine: Machine) -> None:
    """Go on until somebody has to decide or the game is over. What a person has to say that chance gives is asked of player -1; then the instruction is done again."""
    if not machine.trial:  # what is tried out counts as part of what it is tried out for
        machine.looked = machine.steps = 0
    machine.asked, machine.needed, machine.running = None, None, True
    try:
        _run(machine)
        machine.state.given = NOTHING  # a result is read where a call returns
    except chance.Needed as needed:
        machine.asked, machine.needed = (CHANCE, tuple([answer for answer, _ in needed.options])), needed
    finally:
        machine.running = False


def _run(machine: Machine) -> None:
    state, linked, budget = machine.state, machine.linked, machine.budget
    while state.frames:
        frame = state.frames[-1]
        at: int | None = frame.at
        while at is not None:
            frame.at = at
            machine.steps += 1
            if machine.steps > budget.steps:
                machine.fail(f"more than {budget.steps:,} steps without a decision: something repeats for ever")
            at = executor(linked, at)(machine, frame)
            if at == WAIT:
                return


# CPython keeps frames in chunks of 16 KB and gives one back the moment it is empty, so that what is called over and over where a chunk ends costs a hundred times
# as much. A frame that claims more than that gets a larger chunk, with room behind it for all that it calls.
_run.__code__ = _run.__code__.replace(co_stacksize=40_000)


def take(machine: Machine, value: Any) -> None:
    """Give an answer to the question that is asked."""
    if machine.needed is not None:
        machine.state.answers = (*machine.state.answers, value)
        machine.asked = machine.needed = None
        return
    frame = machine.state.frames[-1]
    node = machine.linked.code[frame.at]
    assert isinstance(node, c.Ask)
    frame.names[node.slot] = value
    frame.at = machine.linked.starts[node.then]
    machine.asked = None
