"""Walking: what each node of the graph does, and how frames go on.

`NODES` is the table from node type to function: the readable definition of the language. A function is given the machine, the node and the local
names; the frame already points at what comes next. `FRAMES` is the table from frame type to the function that takes it one step further.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.core.chance import Needed
from rulewright.run import acting, asking, events, sampling
from rulewright.run.evaluate import Variables, evaluate, many, truth
from rulewright.run.finding import binders, in_order
from rulewright.run.hooks import hook_of
from rulewright.run.machine import Machine
from rulewright.run.state import MEMBERS, Frame

Node = dict[str, Any]
PHASES = ("setup", "play", "ending")
WAITING = "waiting"


# -- nodes that compute and change


def bind(machine: Machine, node: Node, variables: Variables) -> None:
    value = evaluate(machine, node["value"], variables)
    if type(value) is list:
        machine.copy(len(value))
        value = value[:]
    variables[node["name"]] = value


def set_(machine: Machine, node: Node, variables: Variables) -> None:
    of = evaluate(machine, node["of"], variables)
    if of is not None:
        machine.set(of, node["field"], evaluate(machine, node["value"], variables))


def move(machine: Machine, node: Node, variables: Variables) -> None:
    """Take what there is; if there is too little and the rules answer that, let them, and take again."""
    to = evaluate(machine, node["to"], variables)
    what = many(evaluate(machine, node["what"], variables))
    short = events.shortage(machine, node, node["what"], variables) if not what else None
    if short is not None and not _answered(machine, node):
        events.run_out(machine, *short)
        return
    machine.state.stack[-1].pop("again", None)
    if to is not None:
        machine.move_all(what, to, node["position"], crowd=bool(node.get("crowd")))


def _answered(machine: Machine, node: Node) -> bool:
    """Whether the rules have already answered that something ran out for this node; asks the node to be done again if not."""
    frame = machine.state.stack[-1]
    if frame.pop("again", False):
        return True
    frame["again"] = True
    frame["node"] = machine.world.node_id(node)
    return False


def draw(machine: Machine, node: Node, variables: Variables) -> None:
    """The top of a pile, any of a bag at random; what runs out on the way is answered once."""
    place = evaluate(machine, node["from"], variables)
    to = evaluate(machine, node["to"], variables) if node["to"] is not None else None
    frame = machine.state.stack[-1]
    if "wanted" not in frame:  # how many are wanted is settled before the first comes
        frame["wanted"] = max(evaluate(machine, node["amount"], variables) or 0, 0)
    wanted, drawn = frame["wanted"], frame.setdefault("drawn", [])
    found = _drawable(machine, node, place, variables, drawn)
    while place is not None and found and len(drawn) < wanted and (node["to"] is None if to is None else machine.room_in(to) > 0):
        chosen, what = found[-1], f"What comes from {machine.label(place)}?"
        if place in machine.world.bags:
            chosen = sampling.random_pick(machine, what, found)
        elif machine.state.loose:
            chosen = sampling.settle(machine, chosen, found, what)
        machine.copy(len(found))
        found.remove(chosen)
        drawn.append(chosen)
        if to is not None:
            machine.move(chosen, to)
    short = events.shortage(machine, node, {"op": "members", "of": node["from"]}, variables) if len(drawn) < wanted and not found else None
    if short is not None and not _answered(machine, node):
        events.run_out(machine, *short)
        return
    frame.pop("again", None)
    del frame["drawn"], frame["wanted"]
    if node["name"] is not None:
        variables[node["name"]] = drawn if node["many"] else (drawn[0] if drawn else None)


def _drawable(machine: Machine, node: Node, place: int | None, variables: Variables, drawn: list[int]) -> list[int]:
    """What could be drawn, but for what was drawn already."""
    if place is None:
        return []
    found, gone = machine.state.members[place], set(drawn)
    machine.look(len(found))
    kind = node["kind"]
    names = (node["binder"], "it")
    return [
        each
        for each in found
        if (kind is None or machine.world.is_a(each, kind))
        and each not in gone
        and all(evaluate(machine, condition, {**variables, **dict.fromkeys(names, each)}) for condition in node["filters"])
    ]


def shuffle(machine: Machine, node: Node, variables: Variables) -> None:
    place = evaluate(machine, node["place"], variables)
    if place is None:
        return
    members = machine.state.members[place]
    machine.look(len(members))
    order = sampling.random_order(machine, members)
    machine.state.journal.append((MEMBERS, place, members))
    machine.state.members[place] = tuple(members[number] for number in order)
    for component in members:
        if machine.state.known[component]:
            machine.know(component, 0)
    if machine.script.ask:
        sampling.loosen(machine, members)
    machine.state.version += 1
    machine.write("shuffle", place, machine.tellers(place))


def roll(machine: Machine, node: Node, variables: Variables) -> None:
    faces = machine.world.graph["dice"][node["die"]]["faces"]
    face = sampling.random_face(machine, node["die"], faces)
    variables[node["name"]] = face
    machine.write("roll", node["die"], face)


def show(machine: Machine, node: Node, variables: Variables) -> None:
    """Who is shown something knows it from then on."""
    things = many(evaluate(machine, node["what"], variables))
    if machine.holds_places(things) and things[0] >= machine.world.count:
        things = [member for place in things for member in machine.state.members[place]]
    to = many(evaluate(machine, node["to"], variables)) if node["to"] is not None else None
    bits = machine.everyone() if to is None else machine.bits_of(to)
    machine.look(len(things))
    for component in things:
        if bits & ~machine.state.known[component]:
            machine.know(component, machine.state.known[component] | bits)
            machine.state.version += 1
    if things:
        machine.write("show", things, bits)


def log(machine: Machine, node: Node, variables: Variables) -> None:
    to = many(evaluate(machine, node["to"], variables)) if node["to"] is not None else None
    bits = machine.everyone() if to is None else machine.bits_of(to)
    text = node["text"]
    parts = [part for part in text.get("parts", ()) if type(part) is dict and part["as"] in ("kind", "any")]
    machine.tell(evaluate(machine, text, variables), bits, [evaluate(machine, part["of"], variables) for part in parts])


def outcome(machine: Machine, node: Node, variables: Variables) -> None:
    words = {"win": "won", "lose": "lost", "eliminate": "eliminated"}
    for player in many(evaluate(machine, node["player"], variables)):
        if machine.state.outcomes[player] == words[node["how"]] or (machine.state.outcomes[player] == "eliminated" and node["how"] != "win"):
            continue  # who is out stays out: to lose as well changes nothing
        machine.state.outcomes = [words[node["how"]] if number == player else each for number, each in enumerate(machine.state.outcomes)]
        machine.state.version += 1
        machine.write("outcome", player, words[node["how"]])


def end(machine: Machine, node: Node, variables: Variables) -> None:
    """The game ends: nothing that was going on goes on, then the phase `ending` has its say."""
    machine.write("end")
    del machine.state.stack[1:]
    root = machine.state.stack[0]
    root["stage"] = 2 if root["stage"] < 3 else 3


def install(machine: Machine, node: Node, variables: Variables) -> None:
    for hook in node["hooks"]:
        machine.copy(len(machine.state.installed))
        kept = {name: variables.get(name) for name in node["keep"]}
        machine.state.installs += 1
        machine.state.installed = [*machine.state.installed, {"hook": hook, "number": machine.state.installs, "vars": kept, "until": node["until"]}]


# -- nodes that lead somewhere


def branch(machine: Machine, node: Node, variables: Variables) -> None:
    _enter(machine, node["then"] if truth(machine, node["test"], variables) else node["else"])


def match(machine: Machine, node: Node, variables: Variables) -> None:
    value = evaluate(machine, node["value"], variables)
    for case in node["cases"]:
        for pattern in case["values"]:
            fits = (
                evaluate(machine, pattern, {**variables, "#": value})
                if pattern["op"] == "is_kind"
                else evaluate(machine, pattern, variables) == value
            )
            if fits:
                _enter(machine, case["body"])
                return
    _enter(machine, node["else"])


def _enter(machine: Machine, body: str | None) -> None:
    if body is not None:
        machine.state.stack.append({"f": "block", "node": body})


def each(machine: Machine, node: Node, variables: Variables) -> None:
    items = list(many(evaluate(machine, node["query"], variables)))
    machine.copy(len(items))
    ties, chooser = [len(items)], None
    if node["orders"]:
        items, ties = in_order(machine, node["orders"], binders(node["query"]), items, variables)
        choices = [order for order in node["orders"] if order["choice"]]
        chooser = machine.decider(evaluate(machine, choices[0]["key"], variables)) if choices else None
    outer = [variables.get(node["name"]), variables.get("it")]
    made = {"f": "each", "name": node["name"], "body": node["body"], "items": items, "ties": ties, "chooser": chooser, "outer": outer}
    machine.state.stack.append(made)


def repeat(machine: Machine, node: Node, variables: Variables) -> None:
    left = evaluate(machine, node["times"], variables) if node["times"] is not None else None
    machine.state.stack.append({"f": "repeat", "until": node["until"], "body": node["body"], "left": left})


def batch(machine: Machine, node: Node, variables: Variables) -> None:
    machine.state.stack.append({"f": "batch", "gathered": [], "done": False})
    _enter(machine, node["body"])


def jump(machine: Machine, node: Node, variables: Variables) -> None:
    gathered = _unwind(machine, ("each", "repeat"))
    if node["how"] == "leave":
        _leave(machine)
    _after_batch(machine, gathered)


def _unwind(machine: Machine, to: tuple[str, ...]) -> list[Any]:
    """Give up what is going on, down to a frame of some type; what batches have gathered on the way has still happened."""
    frames = machine.state.stack
    gathered: list[Any] = []
    while frames[-1]["f"] not in to:
        gathered += frames.pop().get("gathered", ())
    return gathered


def _after_batch(machine: Machine, gathered: list[Any]) -> None:
    if gathered:
        machine.state.stack.append({"f": "batch", "gathered": gathered, "done": False})


def _leave(machine: Machine) -> None:
    """End the loop on top; the names it used mean again what they meant before."""
    frame = machine.state.stack.pop()
    if frame["f"] == "each":
        variables = machine.variables()
        variables[frame["name"]], variables["it"] = frame["outer"]


def return_(machine: Machine, node: Node, variables: Variables) -> None:
    value = evaluate(machine, node["value"], variables) if node["value"] is not None else None
    frames = machine.state.stack
    gathered = _unwind(machine, ("unit",))
    frames.pop()
    if frames and frames[-1]["f"] == "event" and frames[-1]["stage"] in ("after", "replaced"):  # a hook before or after it gives no result
        frames[-1]["result"] = value
    _after_batch(machine, gathered)


# -- frames


def root(machine: Machine, frame: Frame) -> Any:
    """The phases of a game, one after another; a scenario may hold the game where it is."""
    stage = frame["stage"]
    if frame.get("hold") == stage:
        return WAITING
    frame["stage"] += 1
    if stage < len(PHASES):
        if PHASES[stage] in machine.world.graph["effects"]:
            events.begin(machine, PHASES[stage], None, [])
    else:
        machine.state.stack.pop()
        machine.state.ended = True
    return None


def body(machine: Machine, frame: Frame) -> Any:
    """A unit or block: the next node, or the end."""
    identity = frame["node"]
    if identity is None:
        machine.state.stack.pop()
        return None
    node = machine.world.graph["nodes"][identity]
    frame["node"] = node["next"]
    machine.here, machine.carrying_out = identity, True
    try:
        NODES[node["op"]](machine, node, machine.variables())
    except Needed as needed:
        frame["node"] = identity
        return _ask_chance(machine, needed)
    finally:
        machine.carrying_out = False
    return None


def _ask_chance(machine: Machine, needed: Needed) -> Any:
    """A person is to say what chance gives; then the node is done again."""
    machine.state.stack.append({"f": "chance", "what": needed.what, "options": needed.options})
    return WAITING


def choosing(machine: Machine, frame: Frame) -> Any:
    """A choice; chance may be the one who chooses."""
    machine.here = frame["node"] if frame["plan"] is None else None
    try:
        return asking.step(machine, frame)
    except Needed as needed:
        return _ask_chance(machine, needed)


def each_frame(machine: Machine, frame: Frame) -> Any:
    """The next of several things; a player may say which."""
    if not frame["items"]:
        _leave(machine)
        return None
    if frame["ties"][0] > 1 and "next" not in frame and machine.is_asked(frame["chooser"]):
        return WAITING
    item = frame.get("next")
    if item is None:
        item = frame["items"][0]
    if machine.state.loose and sampling.is_loose(machine, item):
        try:
            item = sampling.settle(
                machine, item, frame["items"][: frame["ties"][0]], f"What comes next in {machine.label(machine.state.where[item])}?"
            )
        except Needed as needed:
            return _ask_chance(machine, needed)
    frame.pop("next", None)
    frame["items"].remove(item)
    frame["ties"][0] -= 1
    if frame["ties"][0] == 0:
        frame["ties"].pop(0)
    variables = machine.variables()
    variables[frame["name"]] = item
    variables["it"] = item
    _enter(machine, frame["body"])
    return None


def repeat_frame(machine: Machine, frame: Frame) -> Any:
    """Once more, or enough."""
    enough = frame["left"] is not None and frame["left"] <= 0
    if enough or (frame["until"] is not None and truth(machine, machine.world.own_condition(frame["until"]), machine.variables())):
        machine.state.stack.pop()
        return None
    if frame["left"] is not None:
        frame["left"] -= 1
    _enter(machine, frame["body"])
    return None


def batch_frame(machine: Machine, frame: Frame) -> Any:
    """What reacts to a batch, after it, in the order of hooks; a batch inside another leaves that to the other."""
    if not frame["done"]:
        frame["done"] = True
        outer = events.open_batch(machine)
        if outer is not None:
            outer["gathered"] += frame["gathered"]
            frame["gathered"] = []
        frame["gathered"].sort(key=lambda each: machine.world.hook_order[hook_of(each[0])])
    if not frame["gathered"]:
        machine.state.stack.pop()
        return None
    events.run_gathered(machine, frame["gathered"].pop(0))
    return None


def offering(machine: Machine, frame: Frame) -> Any:
    """An offer that waits for a choice; one with nothing left to choose is over."""
    if acting.still_offers(machine, frame):
        return WAITING
    machine.state.stack.pop()
    return None


def waiting(machine: Machine, frame: Frame) -> Any:
    """Somebody has to decide."""
    return WAITING


NODES: dict[str, Callable[[Machine, Node, Variables], Any]] = {
    "bind": bind, "set": set_, "move": move, "draw": draw, "shuffle": shuffle, "roll": roll, "choose": asking.choose, "branch": branch, "match": match,
    "each": each, "repeat": repeat, "batch": batch, "call": events.call, "return": return_, "jump": jump, "log": log, "show": show,
    "outcome": outcome, "end": end, "install": install, "cancel": events.cancel, "proceed": events.proceed, "offer": acting.offer, "pay": acting.pay,
}  # fmt: skip

FRAMES: dict[str, Callable[[Machine, Frame], Any]] = {
    "root": root, "unit": body, "block": body, "each": each_frame, "repeat": repeat_frame, "batch": batch_frame, "event": events.step,
    "choose": choosing, "offer": offering, "chance": waiting, "halt": waiting, "action": acting.step, "costs": acting.pay_step,
}  # fmt: skip


def run(machine: Machine) -> None:
    """Go on until somebody has to decide or the game is over."""
    state, budget = machine.state, machine.budget
    begun = machine.steps
    machine.looked = 0
    stack = state.stack
    while stack:
        if FRAMES[stack[-1]["f"]](machine, stack[-1]) is WAITING:
            return
        machine.steps += 1
        if machine.steps - begun > budget.steps:
            machine.exhaust(f"more than {budget.steps:,} steps without a decision: something repeats for ever")
