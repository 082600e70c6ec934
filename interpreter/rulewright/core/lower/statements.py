"""Statements: the nodes of a body, one after another, into blocks. `Statements.table` says which function lowers which node."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from rulewright.core import program as c
from rulewright.core.lower.builder import Scope, UnitWriter, shape_of_type, sort_of_type
from rulewright.core.lower.events import DONE
from rulewright.core.lower.expressions import NONE

if TYPE_CHECKING:
    from rulewright.core.lower import Lowering

Node = dict[str, Any]
OUTCOMES = {"win": "won", "lose": "lost", "eliminate": "eliminated"}


class Statements:
    """Lowers bodies."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.nodes = low.graph["nodes"]
        self.table: dict[str, Callable[[Node, str, UnitWriter, Scope], None]] = {
            "bind": self.bind, "set": self.set, "move": self.move, "draw": self.draw, "shuffle": self.shuffle, "roll": self.roll, "show": self.show,
            "log": self.log, "outcome": self.outcome, "end": self.end, "install": self.install, "branch": self.branch, "match": self.match,
            "each": self.each, "repeat": self.repeat, "batch": self.batch, "jump": self.jump, "return": self.return_, "cancel": self.cancel,
            "proceed": self.proceed, "pay": self.pay,
            "call": lambda node, origin, writer, scope: self.low.events.call(node, origin, writer, scope),
            "choose": lambda node, origin, writer, scope: self.low.choices.choose(node, origin, writer, scope),
            "offer": lambda node, origin, writer, scope: self.low.actions.offer(node, origin, writer, scope),
        }  # fmt: skip

    def whole(self, entry: str | None, writer: UnitWriter, replaces: str | None = None) -> None:
        """All of a unit's body, and its end."""
        if replaces is not None:
            gives = self.low.gives(replaces)
            writer.gives = shape_of_type(gives)
            writer.replaces = (writer.fresh("#result", shape_of_type(gives), sort_of_type(gives)), writer.let("#status", DONE, "one", "words"))
        self.chain(entry, writer, Scope(writer))
        if writer.open is not None:
            writer.end(self.ending(writer, None if writer.replaces is None else c.Name(writer.replaces[0])))

    def ending(self, writer: UnitWriter, value: c.Expression | None, origin: str | None = None) -> c.Return:
        """What ends a unit."""
        return c.Return(value, None if writer.replaces is None else c.Name(writer.replaces[1]), origin=origin)

    def chain(self, entry: str | None, writer: UnitWriter, scope: Scope) -> None:
        """Nodes one after another; what comes after the end of a body is never reached."""
        here = entry
        while here is not None and writer.open is not None:
            node = self.nodes[here]
            self.low.mark(here, writer)
            self.table[node["op"]](node, here, writer, scope)
            here = node["next"]

    # -- names and fields

    def bind(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        value = self.low.expressions(node["value"], scope)
        covered = scope.covered.get(node["name"])
        slot = writer.bound(node["name"], self.low.expressions.shape(value, scope), node["as"]) if covered is None else covered
        writer.add(c.Let(slot, self.low.expressions.fitted(value, writer.locals[slot].shape, scope), origin))

    def set(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        expressions = self.low.expressions
        value = expressions.fitted(expressions(node["value"], scope), self.low.field_shape(node["field"]), scope)
        writer.add(c.Set(expressions(node["of"], scope), node["field"], value, origin))

    # -- components

    def move(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        """Take what there is; if there is none and the rules answer that, let them, and take again."""
        expressions = self.low.expressions
        what, to = expressions(node["what"], scope), expressions(node["to"], scope)
        put = c.Put(what, to, node["position"], bool(node.get("crowd")), origin)
        if node["short"] is None and not node.get("wants"):
            writer.add(put)
            return
        none, some = writer.branch(self.nothing(what, scope), origin)
        writer.at(none)
        self.run_out(node, expressions(self.place_in(node["what"]), scope) if self.place_in(node["what"]) else None, origin, writer, scope)
        writer.jump(some)
        writer.at(some)
        writer.add(put)

    def nothing(self, what: c.Expression, scope: Scope) -> c.Expression:
        """Whether there is nothing to take."""
        return c.Compare("=", what, NONE) if self.low.expressions.shape(what, scope) == "one" else c.Not(c.Exists(what))

    def place_in(self, expression: Any) -> Any:
        """The place that an expression takes things from."""
        if not isinstance(expression, dict):
            return None
        if expression.get("op") == "members":
            return expression["of"]
        return next((found for part in expression.values() if (found := self.place_in(part)) is not None), None)

    def run_out(self, node: Node, places: c.Expression | None, origin: str, writer: UnitWriter, scope: Scope) -> None:
        """Something was wanted and there was none: the event of it, if the rules have one for the place."""
        effects, expressions = self.low.graph["effects"], self.low.expressions
        place: c.Expression = NONE
        if places is not None:
            place = c.First(places) if expressions.shape(places, scope) != "one" else places
        where = writer.let("#place", place, "one", "place")

        def happen(event: str) -> None:
            about = (c.Field(c.Name(where), "holder"),) if effects[event]["parameters"] else ()
            self.low.events.perform(event, about, NONE, writer, origin)

        if node["short"] is not None:
            if node["short"] in effects:
                happen(node["short"])
            return
        after = writer.label()
        cases = {f"place {name}": writer.label() for name in self.low.graph["places"] if f"{name}.runs_out" in effects}
        writer.end(c.Dispatch(c.Name(where), cases, after))
        for case, label in cases.items():
            writer.at(label)
            happen(f"{case.removeprefix('place ')}.runs_out")
            writer.jump(after)
        writer.at(after)

    def draw(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        """The top of a pile, any of a bag at random, one after another; what runs out on the way is answered once."""
        expressions = self.low.expressions
        wanted = writer.let("#wanted", c.Arithmetic("+", expressions(node["amount"], scope), c.Const(0), 0, c.GREATEST), "one", "number")
        drawn = writer.let("#drawn", c.Listed(()), "list", "kind")
        one, place = writer.fresh("#one", "one", "kind"), writer.fresh("#place", "one", "place")
        again = writer.let("#again", c.Const(0), "one", "flag") if node["short"] is not None or node.get("wants") else None
        to = expressions(node["to"], scope) if node["to"] is not None else None
        head, taking, over = writer.label(), writer.label(), writer.label()
        writer.jump(head)
        writer.at(head)
        writer.add(c.Let(place, expressions(node["from"], scope)))
        test: list[c.Expression] = [c.Compare("<", c.Count(c.Name(drawn)), c.Name(wanted)), c.Compare("!=", c.Name(place), NONE)]
        found = self.drawable(node, c.Name(place), c.Name(drawn), scope)
        tests = [*test, c.Exists(found)]
        if to is not None:
            tests += [c.Not(c.Full(to)), c.Compare("!=", to, NONE)]
        writer.end(c.Branch(c.And(tuple(tests)), taking, over, origin))
        writer.at(taking)
        writer.add(c.Pick(one, found, c.Name(place), origin=origin))
        writer.add(c.Let(drawn, c.Both((c.Name(drawn), c.Listed((c.Name(one),))))))
        if to is not None:
            writer.add(c.Put(c.Name(one), to, "top", True, origin))
        writer.jump(head)
        writer.at(over)
        if again is not None:
            few: list[c.Expression] = [c.Not(c.Name(again)), c.Compare("<", c.Count(c.Name(drawn)), c.Name(wanted)), c.Not(c.Exists(found))]
            short, enough = writer.branch(c.And(tuple(few)), origin)
            writer.at(short)
            writer.add(c.Let(again, c.Const(1)))
            self.run_out(node, c.Name(place), origin, writer, scope)
            writer.jump(head)
            writer.at(enough)
        if node["name"] is not None:
            many = bool(node["many"])
            slot = writer.bound(node["name"], "list" if many else "one", "kind")
            writer.add(c.Let(slot, c.Name(drawn) if many else c.First(c.Name(drawn))))

    def drawable(self, node: Node, place: c.Expression, drawn: c.Expression, scope: Scope) -> c.Expression:
        """What may be drawn from a place, the last first."""
        found: c.Expression = c.Members(place)
        if node["kind"] is not None:
            found = c.OfKind(found, node["kind"])
        if node["filters"]:
            slot = scope.writer.fresh(node["binder"], "one", "kind")
            inner = scope.covering(slot, node["binder"], "it")
            found = c.Query(found, slot, tuple(self.low.expressions.test(each, inner) for each in node["filters"]))
        return c.Without(found, drawn)

    def shuffle(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        writer.add(c.Shuffle(self.low.expressions(node["place"], scope), origin))

    def roll(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        writer.add(c.Roll(writer.bound(node["name"], "one", "words"), node["die"], origin))

    # -- telling

    def show(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        to = self.low.expressions.several(node["to"], scope) if node["to"] is not None else None
        writer.add(c.Show(self.low.expressions.several(node["what"], scope), to, origin))

    def log(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        to = self.low.expressions.several(node["to"], scope) if node["to"] is not None else None
        writer.add(c.Say(self.low.expressions.text(node["text"], scope), to, origin))

    def outcome(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        writer.add(c.Outcome(self.low.expressions.several(node["player"], scope), OUTCOMES[node["how"]], origin))  # type: ignore[arg-type]

    def end(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        writer.end(c.EndGame(origin))

    def install(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        known = [(name, slot) for name in node["keep"] if (slot := scope.slot(name)) is not None]
        kept = [msgspec.structs.replace(writer.locals[slot], name=name) for name, slot in known]
        for hook in node["hooks"]:
            self.low.hooks.install(hook, kept)
        writer.add(c.Install(tuple(node["hooks"]), tuple((name, c.Name(slot)) for name, slot in known), node["until"], origin))

    # -- where to go on

    def branch(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        after = writer.label()
        then, otherwise = writer.branch(self.low.expressions.test(node["test"], scope), origin)
        for label, entry in ((then, node["then"]), (otherwise, node["else"])):
            writer.at(label)
            self.chain(entry, writer, scope)
            writer.jump(after)
        writer.at(after)

    def match(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        value, after = writer.let("#value", self.low.expressions(node["value"], scope)), writer.label()
        inner = scope.covering(value, "#")
        for case in node["cases"]:
            tests = tuple(self.fits(pattern, value, inner) for pattern in case["values"])
            this, other = writer.branch(tests[0] if len(tests) == 1 else c.Or(tests), origin)
            writer.at(this)
            self.chain(case["body"], writer, scope)
            writer.jump(after)
            writer.at(other)
        self.chain(node["else"], writer, scope)
        writer.jump(after)
        writer.at(after)

    def fits(self, pattern: Node, value: c.Slot, scope: Scope) -> c.Expression:
        found = self.low.expressions(pattern, scope)
        return found if pattern["op"] == "is_kind" else c.Compare("=", found, c.Name(value))

    def in_order(self, node: Node, scope: Scope) -> c.Expression:
        """What a loop goes through, in the order in which it does, but for what somebody chooses on the way."""
        expressions, query = self.low.expressions, node["query"]
        source = expressions.several(query, scope)
        keys = [order for order in node["orders"] if not order["choice"]]
        if not keys:
            return source
        slot, inner = expressions.binding(query, scope)
        return c.Query(source, slot, (), tuple(c.Order(expressions(order["key"], inner), order["descending"]) for order in keys))

    def each(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        if node.get("secretly") is not None:
            self.low.choices.secretly(node, writer, scope)
            return
        expressions, source = self.low.expressions, self.in_order(node, scope)
        lists = expressions.shape(source, scope) == "lists"
        choice = next((order["key"] for order in node["orders"] if order["choice"]), None)
        items = writer.let("#items", source, "lists" if lists else "list", node["as"])
        one = writer.fresh(node["name"], "list" if lists else "one", node["as"])
        inner = scope.covering(one, node["name"], "it")
        head, body, after = writer.label(), writer.label(), writer.label()
        if choice is None:
            cursor = writer.let("#cursor", c.Const(0), "one", "number")
            writer.jump(head)
            writer.at(head)
            writer.end(c.Next(items, cursor, one, body, after))
        else:
            self.next_chosen(node, origin, writer, scope, c.Decider(expressions(choice, scope)), (items, one), (head, body, after))
        writer.at(body)
        if choice is None and not lists and node["as"] in ("kind", "any"):
            writer.add(c.Settle(one, list=items, cursor=cursor))
        writer.loops.append((head, after, writer.batches))
        self.chain(node["body"], writer, inner)
        writer.loops.pop()
        writer.jump(head)
        writer.at(after)

    def next_chosen(
        self, node: Node, origin: str, writer: UnitWriter, scope: Scope, player: c.Expression, slots: tuple[c.Slot, c.Slot], labels: tuple[c.Label, ...]
    ) -> None:  # fmt: skip
        """The next of several things, as a player says: of those that come first. Which have the same keys is settled before the first turn."""
        (items, one), (head, body, after) = slots, labels
        chooser = writer.let("#chooser", player, "one", "kind")
        sizes = writer.let("#sizes", self.tie_sizes(node, c.Name(items), scope), "list", "number")
        cursor, left = writer.let("#cursor", c.Const(0), "one", "number"), writer.let("#left", c.Const(0), "one", "number")
        ties = writer.let("#ties", c.Listed(()), "list", node["as"])
        writer.jump(head)
        writer.at(head)
        some, others, asking, taken = (writer.label() for _ in range(4))
        writer.end(c.Branch(c.Compare(">", c.Name(left), c.Const(0)), some, others))
        writer.at(others)
        writer.end(c.Next(sizes, cursor, left, head, after))
        writer.at(some)
        writer.add(c.Let(ties, c.Take(c.Name(items), c.Name(left), False)), c.Let(one, c.First(c.Name(items))))
        writer.end(c.Branch(c.Compare(">", c.Name(left), c.Const(1)), asking, taken))
        writer.at(asking)
        question = self.low.question(c.Question("order", origin, c.Text((f"Which {node['name'].replace('_', ' ')} next?",)), values="things"))
        back = writer.label()
        writer.end(c.Ask(question, c.Name(chooser), self.low.veiled(c.Name(ties), c.Name(chooser)), one, taken, back, origin))
        writer.at(back)
        writer.add(c.Let(one, c.First(c.Name(items))))
        writer.jump(taken)
        writer.at(taken)
        if node["as"] in ("kind", "any"):
            writer.add(c.Settle(one, list=ties))
        writer.add(c.Let(items, c.Without(c.Name(items), c.Listed((c.Name(one),)))), c.Let(left, c.Arithmetic("-", c.Name(left), c.Const(1))))
        writer.jump(body)

    def tie_sizes(self, node: Node, items: c.Expression, scope: Scope) -> c.Expression:
        """How many things in a row have the same keys, of things in the order of those keys."""
        expressions, query = self.low.expressions, node["query"]
        keys = [order["key"] for order in node["orders"] if not order["choice"]]
        if not keys:
            return c.Listed((c.Count(items),))
        leader, outer = expressions.binding(query, scope)
        other, inner = expressions.binding(query, scope)
        tied = c.Query(items, other, tuple(c.Compare("=", expressions(key, inner), expressions(key, outer)) for key in keys))
        leaders = c.Query(items, leader, (c.Compare("=", c.First(tied), c.Name(leader)),))
        return c.Map(leader, leaders, c.Count(tied))

    def repeat(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        left = None
        if node["times"] is not None:
            times = self.low.expressions(node["times"], scope)
            counted = times if isinstance(times, c.Const) else c.Arithmetic("+", times, c.Const(0))  # nothing counts as 0
            left = writer.let("#left", counted, "one", "number")
        head, body, after = writer.label(), writer.label(), writer.label()
        writer.jump(head)
        writer.at(head)
        tests: list[c.Expression] = [c.Compare("<=", c.Name(left), c.Const(0))] if left is not None else []
        tests += [self.low.expressions.test(node["until"], scope)] if node["until"] is not None else []
        writer.end(c.Branch(tests[0] if len(tests) == 1 else c.Or(tuple(tests)), after, body, origin) if tests else c.Jump(body))
        writer.at(body)
        if left is not None:
            writer.add(c.Let(left, c.Arithmetic("-", c.Name(left), c.Const(1))))
        writer.loops.append((head, after, writer.batches))
        self.chain(node["body"], writer, scope)
        writer.loops.pop()
        writer.jump(head)
        writer.at(after)

    def batch(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        writer.add(c.Batch(origin))
        writer.batches += 1
        self.chain(node["body"], writer, scope)
        writer.batches -= 1
        if writer.open is not None:
            self.settle_batches(writer, 1)

    def settle_batches(self, writer: UnitWriter, count: int) -> None:
        """End batches: what was put off in them happens."""
        for _ in range(count):
            then = writer.label()
            writer.end(c.RunDeferred(then))
            writer.at(then)

    def jump(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        again, after, batches = writer.loops[-1]
        self.settle_batches(writer, writer.batches - batches)
        writer.jump(after if node["how"] == "leave" else again)

    def return_(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        value = self.low.expressions(node["value"], scope) if node["value"] is not None else None
        if value is not None and writer.gives == "list":
            value = self.low.expressions.many(value, scope)
        if value is not None and writer.batches:
            value = c.Name(writer.let("#value", value, self.low.expressions.shape(value, scope)))
        self.settle_batches(writer, writer.batches)
        writer.end(self.ending(writer, value, origin))

    def cancel(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        self.settle_batches(writer, writer.batches)
        writer.end(c.Return(cancelled=c.Const(1), origin=origin))

    def proceed(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        assert writer.replaces is not None
        names = [parameter["name"] for parameter in self.low.parameters_of(self.low.graph["hooks"][writer.name.removeprefix("hook ")]["event"])]
        parameters = self.low.parameters_of(self.low.graph["hooks"][writer.name.removeprefix("hook ")]["event"])
        expressions = self.low.expressions
        changes = tuple(
            (names.index(name), expressions.fitted(expressions(value, scope), shape_of_type(parameters[names.index(name)]["type"]), scope))
            for name, value in node["arguments"].items()
        )
        then = writer.label()
        writer.end(c.Proceed(changes, then, origin))
        writer.at(then)
        writer.add(c.Result(*writer.replaces))

    def pay(self, node: Node, origin: str, writer: UnitWriter, scope: Scope) -> None:
        """What cannot be paid is not."""
        costs, who = self.low.costs, self.low.expressions(node["who"], scope)
        bills = costs.written(node["costs"], scope)
        able, after = writer.branch(costs.payable(bills, who, scope), origin)
        writer.at(able)
        costs.pay(bills, who, writer, scope)
        writer.jump(after)
        writer.at(after)
