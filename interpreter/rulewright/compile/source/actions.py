"""Actions as Python: what of them can be offered, whether an answer to one of their choices leads on, what has to be paid, and options in words.

For each offer there is a function `z<number>(m, actor, player)` that gives its options, as far as they are actions: all actions that the offer could have are
followed to their ends (see `following`) in one piece. An action where that takes loops, because one choice depends on another, has a function
`a<number>(m, actor, s)` for it, `s` being the component whose action it is. Further functions are, with the local names in `V`: `j<number>(m, V, w)`,
whether an action can be carried out to the end after the answer `w`; `u<number>(m, V)`, which asks for that answer; `b<number>(m, V)`, its bills;
`o<number>(m, V, who)`, the options in words of a choice or offer; `p<number>(m, V, before)`, which asks for one more of several things;
`l<number>(m, V)`, whether a reaction can be carried out to the end.
"""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from rulewright.compile.play.offering import fixed_words
from rulewright.compile.source.answers import Answers
from rulewright.compile.source.costing import ACTOR, Costs
from rulewright.compile.source.expressions import Expressions
from rulewright.compile.source.facts import SEVERAL, Facts
from rulewright.compile.source.following import Action, Following, Node
from rulewright.compile.source.granting import granters
from rulewright.compile.source.writing import LIST, ONE, Code, Module, Scope, Writer
from rulewright.core.world import spoken_of


class Written(NamedTuple):
    """Which functions there are: by offer what it offers, by action whether it is possible and what is to be paid, by choice what leads on and what asks,
    by node the options in words; by choice of several things what asks for the next; by reaction whether it is possible."""

    offers: dict[str, int]
    possible: dict[str, int]
    leading: dict[str, int]
    planned: dict[str, int]
    bills: dict[str, int]
    words: dict[str, int]
    several: dict[str, int]
    reactions: dict[str, int]


def write_actions(module: Module, facts: Facts) -> Written:
    """All functions about actions."""
    return Actions(module, facts).write()


class Actions:
    """Writes the functions about actions."""

    def __init__(self, module: Module, facts: Facts) -> None:
        self.module, self.facts, self.graph, self.costs = module, facts, module.graph, Costs(module, facts)
        reactions = {hook["action"] for hook in self.graph["hooks"].values() if hook["timing"] == "react"}
        self.offered = {path: action for path, action in self.graph["actions"].items() if path not in reactions}
        self.reactions = [path for path in self.graph["actions"] if path in reactions]

    def write(self) -> Written:
        looping = [
            path for path, action in self.offered.items() if any(spoken_of(self.graph, action, each) for each in range(len(action["choices"])))
        ]
        possible = {path: number for number, path in enumerate(looping)}
        for path, number in possible.items():
            writer = Writer(self.module, f"def a{number}(m, actor, s):")
            Following(self.costs, writer, path, "return True").offered("return False")
            writer.line("return False")
            self.module.add(writer)
        offers = {identity: number for number, identity in enumerate(self._nodes("offer"))}
        for identity, number in offers.items():
            self._offer(number, self.graph["nodes"][identity], possible)
        leading: dict[str, int] = {}
        planned: dict[str, int] = {}
        for path, action in self.graph["actions"].items():
            for done, choice in enumerate(action["choices"]):
                if self.graph["nodes"][choice]["form"] not in SEVERAL:
                    leading[choice] = len(leading)
                    writer = Writer(self.module, f"def j{leading[choice]}(m, V, w):")
                    Following(self.costs, writer, path, "return True").after(done, "return False")
                    if writer.lines[-1] != "    return True":
                        writer.line("return False")
                    self.module.add(writer)
                if _asks_for_one(self.graph["nodes"][choice]):
                    planned[choice] = len(planned)
                    self._asks(f"def u{planned[choice]}(m, V):", path, done, f"j{leading[choice]}")
        bills = {path: number for number, path in enumerate(self.offered)}
        for path, number in bills.items():
            self._bills(number, path)
        worded = [identity for identity in self._nodes("choose", "offer") if self.graph["nodes"][identity]["options"]]
        words = {identity: number for number, identity in enumerate(worded)}
        for identity, number in words.items():
            self._words(number, identity, self.graph["nodes"][identity])
        for identity, number in self.facts.several.items():
            self._next(f"def p{number}(m, V, before):", identity, self.graph["nodes"][identity])
        reactions = {path: number for number, path in enumerate(self.reactions)}
        for path, number in reactions.items():
            writer = Writer(self.module, f"def l{number}(m, V):")
            Following(self.costs, writer, path, "return True").reaction("return False")
            if writer.lines[-1] != "    return True":
                writer.line("return False")
            self.module.add(writer)
        return Written(offers, possible, leading, planned, bills, words, self.facts.several, reactions)

    def _nodes(self, *operations: str) -> list[str]:
        return [identity for identity, node in self.graph["nodes"].items() if node["op"] in operations]

    # -- offers

    def _offer(self, number: int, node: Node, possible: dict[str, int]) -> None:
        """The function of an offer; how often answers come up in it is known when it has been written once."""
        head, groups = f"def z{number}(m, actor, player):", set(node["groups"])
        wanted = [(path, action) for path, action in self.offered.items() if not groups or not groups.isdisjoint(action["groups"])]
        answers = Answers()
        self._all_offered(Writer(self.module, head), wanted, answers, possible)
        writer, answers = Writer(self.module, head), Answers(answers)
        self._all_offered(writer, wanted, answers, possible)
        writer.lines[:0] = [f"    {line}" for line in ["found = []", *answers.opening(writer.lines)]]
        writer.line("return found")
        self.module.add(writer)

    def _all_offered(self, writer: Writer, wanted: list[tuple[str, Action]], answers: Answers, possible: dict[str, int]) -> None:
        for by, actions in groupby(wanted, lambda each: each[1]["by"]):
            writer.line(f"if actor in {self.module.lookup('nouns', by)}:")
            answers.known.clear()
            with writer.inside():
                for path, action in actions:
                    self._offered(writer, path, action, answers, possible.get(path))

    def _offered(self, writer: Writer, path: str, action: Action, answers: Answers, loops: int | None) -> None:
        """One action of an offer: if it is possible its option is added, or one for each component that grants it."""
        options = self.module.lookup("options", path)
        answers.times = 1
        answers.begin(writer, always=True)
        if action["of"] is None:
            found, source, granter, succeed = "", "ONCE", "_", f"found.append({options})"
        else:
            found, granter = writer.name(), "s"
            source = granters(Expressions(self.module, self.facts, writer, answers), path, ACTOR) or (
                f"granting(m, {self.module.constant(path).text}, {self.module.lookup('action', path)}, actor)"
            )
            succeed = f"{found}.append(s)"
            writer.line(f"{found} = []")
        writer.line(f"for {granter} in {source}:")
        with writer.inside():
            answers.begin(writer, always=not found)
            answers.times = 2 if found else 1
            if loops is None:
                Following(self.costs, writer, path, succeed, answers).offered("continue")
            else:
                writer.line(f"if a{loops}(m, actor, {'s' if found else 'None'}): {succeed}")
        if found:
            writer.line(f"if {found}: found += called(m, player, {found}, {options})")

    # -- choices

    def _asks(self, head: str, path: str, done: int, leads: str) -> None:
        """The function that asks for one component in an action."""
        action = self.graph["actions"][path]
        node, who = self.graph["nodes"][action["choices"][done]], self.graph["nodes"][action["choices"][done]]["who"]
        writer, scope = Writer(self.module, head), Scope({}, dynamic=True, shapes=self.facts.names)
        expressions = Expressions(self.module, self.facts, writer)
        chooser = expressions.kept(who["of"] if who["op"] == "decider" else who, scope)
        found = expressions.value(node["from"], scope)
        things = found.text if found.shape == LIST else f"many({found.text})"
        words = f"Choose {node['name'].replace('_', ' ')} ({action['label']})" if node["prompt"] is None else ""
        spoken = spoken_of(self.graph, action, done)
        constants = [self.module.constant(each).text for each in (node["name"], node["optional"], words, [path, done], spoken)]
        identity = self.module.constant(action["choices"][done]).text
        writer.line(f"return ask_planned(m, {identity}, {chooser.text}, {things}, V, {', '.join(constants)}, {leads})")
        self.module.add(writer)

    def _next(self, head: str, identity: str, node: Node) -> None:
        """The function that asks for one more of several components, unless there are enough of them."""
        writer, scope, who = Writer(self.module, head), Scope({}, dynamic=True, shapes=self.facts.names), node["who"]
        expressions = Expressions(self.module, self.facts, writer)
        if node["amount"] is not None and node["form"] != "any_number":
            writer.line(f"if len(before) >= ({expressions.value(node['amount'], scope).text} or 0):")
            writer.line(f"    V[{self.module.constant(node['name']).text}] = list(before)")
            writer.line("    return 0")
        chooser = expressions.kept(who["of"] if who["op"] == "decider" else who, scope)
        found = expressions.value(node["from"], scope)
        things = found.text if found.shape == LIST else f"many({found.text})"
        writer.line(f"return ask_several(m, {self.module.lookup('one', identity)}, {chooser.text}, {things}, V, before)")
        self.module.add(writer)

    # -- bills

    def _bills(self, number: int, path: str) -> None:
        action = self.graph["actions"][path]
        writer = Writer(self.module, f"def b{number}(m, V):")
        expressions = Expressions(self.module, self.facts, writer)
        left = self.costs.left(path, expressions)
        if action["costs"] or left is not None:
            writer.line("actor = V[ACTOR]")
        if left is not None:
            writer.line(f"if {left}: return bills(m, costs_of(m, {self.module.lookup('action', path)}, V), actor, V)")
        scope = Scope({"actor": ACTOR}, dynamic=True, shapes=self.facts.names)
        writer.line(f"return {self.costs.bills(action['costs'], ACTOR, scope, expressions, path)}")
        self.module.add(writer)

    # -- options in words

    def _words(self, number: int, identity: str, node: Node) -> None:
        writer = Writer(self.module, f"def o{number}(m, V, who):")
        expressions = Expressions(self.module, self.facts, writer)
        scope = Scope({}, dynamic=True, shapes=self.facts.names)
        offered = node["op"] == "offer"
        writer.line("found = []")
        for position, option in enumerate(node["options"]):
            guarded = option["when"] is not None or option["costs"]
            if guarded:
                writer.line("for _ in ONCE:")
                writer.depth += 1
                if option["when"] is not None:
                    writer.line(f"if not {expressions.test(option['when'], scope).text}: continue")
                table = ("option_costs", identity, position)
                self.costs.payable(option["costs"], table, Code("who", ONE, True), scope, expressions, "continue")
            value = f"(OPTION, {position})" if offered else str(position)
            label = fixed_words(option["label"])
            if label is not None:
                writer.line(f"found.append({self.module.lookup('word', label, ['option', position] if offered else position)})")
            else:
                writer.line(f"found.append(worded({expressions.value(option['label'], scope).text}, {value}))")
            if guarded:
                writer.depth -= 1
        writer.line("return found")
        self.module.add(writer)


def _asks_for_one(node: Node) -> bool:
    """Whether a choice asks somebody for one component."""
    plain = node["form"] == "one" and node["as"] == "kind" and node["each"] is None and node["name"] is not None
    return plain and node["who"] is not None and node["who"]["op"] in ("var", "decider")
