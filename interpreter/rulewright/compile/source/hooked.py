"""The part of an effect's function that hooks have in it: what could come instead of it, before it and after it.

Nothing is made for hooks that do not hold. What comes before an event, or after it, is a function of its own, since an event that was left at a decision
goes on there: it asks one hook after another and runs the body of each that holds. An event on which something hooks for a time only is left to the
reference engine.
"""

from __future__ import annotations

from typing import Any

from rulewright.compile.source.chains import Chains
from rulewright.compile.source.expressions import Expressions
from rulewright.compile.source.facts import Facts
from rulewright.compile.source.hooking import TIMINGS, asked, names_of, on_none, owner_of, where_it_holds
from rulewright.compile.source.writing import ANY, NONE, ONE, Code, Module, Scope, Writer

BEFORE, AFTER = ("before", "react"), ("after",)
RESULT = Code("result", ANY, True)


def standing(module: Module, facts: Facts, path: str, timings: tuple[str, ...]) -> list[str]:
    """The hooks on an event that always stand, of some timings, in the order in which they have their say."""
    hooks = module.graph["hooks"]
    return [identity for identity in facts.hooks if hooks[identity]["event"] == path and hooks[identity]["timing"] in timings]


class Hooked:
    """Writes what hooks do into the function of an effect. Of an effect without hooks it writes nothing."""

    def __init__(self, module: Module, facts: Facts, writer: Writer, path: str, given: list[str]) -> None:
        self.module, self.facts, self.writer, self.path = module, facts, writer, path
        hooks = module.graph["hooks"]
        self.instead, self.before, self.after = (standing(module, facts, path, timings) for timings in (("instead",), BEFORE, AFTER))
        self.installed = sorted(
            identity for identity in facts.hooks_on.get(path, ()) if hooks[identity]["installed"] and hooks[identity]["timing"] in TIMINGS
        )
        self.batches = facts.batches
        self.going_on = "HELD" if self.after or self.installed else "CALL"  # what goes on with a body that was left
        self.constant, self.given, self.arguments = module.constant(path).text, given, f"[{', '.join(given)}]"

    def _installed(self) -> str:
        return f"S.installed and is_installed(m, {self.module.lookup('set', *self.installed)})"

    def entering(self) -> None:
        """What comes instead of the event, and before it."""
        writer = self.writer
        if self.installed:
            writer.line(f"if {self._installed()}:")
            writer.line(f"    m.pending.append(event_frame({self.constant}, s, {self.arguments}, name, outcome))")
            writer.line("    return 1")
        for identity in self.instead:
            with where_it_holds(Expressions(self.module, self.facts, writer), identity, "s", NONE):
                event = self.module.lookup("event", self.path)
                writer.line(f"return instead(m, {event}, s, {self.arguments}, name, outcome)")
        if self.before:
            given = ", ".join(["m", "0", "-1", "s", *self.given, "name", "outcome", "NO_EXTRA"])
            writer.line(f"x = y{self.facts.hooks[self.before[0]]}({given})")
            writer.line("if x: return x")

    def leaving(self) -> None:
        """What comes after the event, if its status is already known."""
        writer = self.writer
        tests = [self._installed()] if self.installed else []
        if self.after and self.batches:
            tests.append("in_batch(m)")
        if tests:
            writer.line(f"if {' or '.join(tests)}:")
            writer.line(f"    m.pending.append(over_frame({self.constant}, s, {self.arguments}, version, result, name, outcome))")
            writer.line("    return 1")
        if self.after:
            given = ", ".join(["m", "0", "-1", "s", *self.given, "version", "result", "status", "name", "outcome", "NO_EXTRA"])
            writer.line(f"x = w{self.facts.hooks[self.after[0]]}({given})")
            writer.line("if x: return x")


# -- before and after


def write_stages(module: Module, facts: Facts, chains: Chains) -> None:
    """Functions of what comes before events and after them, each with the number of the first hook that has its say there:

    `y<number>(m, i, c, it, p0 ..., name, outcome, extra)` and `w<number>(m, i, c, it, p0 ..., version, result, status, name, outcome, extra)`.

    They begin with the hook at position `i`, on components with a greater number than `c`, and give 0, or 1 if a body stops, 5 if the game ends.
    """
    for path in dict.fromkeys(hook["event"] for hook in module.graph["hooks"].values()):
        for letter, timings in (("y", BEFORE), ("w", AFTER)):
            hooks = standing(module, facts, path, timings)
            if hooks:
                stage = Stage(module, facts, chains, path, f"{letter}{facts.hooks[hooks[0]]}", after=timings is AFTER)
                stage.write(hooks)


class Stage:
    """Writes the function of what comes before an event, or after it."""

    def __init__(self, module: Module, facts: Facts, chains: Chains, path: str, function: str, after: bool) -> None:
        self.module, self.facts, self.chains, self.after = module, facts, chains, after
        self.given = [f"p{position}" for position in range(len(facts.told(path)))]
        self.event, self.of_something = module.lookup("event", path), owner_of(module.graph, path) is not None
        self.more = ["version", "result", "status", "name", "outcome", "extra"] if after else ["name", "outcome", "extra"]
        self.writer = Writer(module, f"def {function}({', '.join(['m', 'i', 'c', 'it', *self.given, *self.more])}):")

    def write(self, hooks: list[str]) -> None:
        """The whole function."""
        for position, identity in enumerate(hooks):
            if position < len(hooks) - 1:
                self.writer.line(f"if i < {position + 1}:")
                with self.writer.inside():
                    self._hook(position, identity)
            else:
                self._hook(position, identity)
        self.writer.line("return 0")
        self.module.add(self.writer)

    def _hook(self, position: int, identity: str) -> None:
        """One hook: its body is run on every component on which it holds."""
        writer, hook, result = self.writer, self.module.graph["hooks"][identity], RESULT if self.after else NONE
        if on_none(hook):
            with where_it_holds(Expressions(self.module, self.facts, writer), identity, "it", result):
                self._run(position, identity, hook)
            return
        question = asked(self.facts.hooks[identity], "it", "{}", result, self.given)
        writer.line(f"x = {question.format(f'c if i == {position} else -1' if position else 'c')}")
        writer.line("while x is not None:")
        with writer.inside():
            self._run(position, identity, hook)
            writer.line(f"x = {question.format('x')}")

    def _run(self, position: int, identity: str, hook: dict[str, Any]) -> None:
        """Run the body of a hook that holds: on the component in `x`, unless it is written on none."""
        writer = self.writer
        component = "0" if on_none(hook) else "x"
        where = f"m, {self.event}, {position}, {component}, it, [{', '.join(self.given)}]"
        if hook["timing"] == "react":
            depth = writer.depth
            self._may_react(identity, hook)
            writer.line(f"if react({where}, {', '.join(self.more)}): return 1")
            writer.depth = depth
            return
        if hook["first"] or hook["once_per"] is not None:
            writer.line(f"used(m, {self.module.constant(identity).text}, {'None' if on_none(hook) else 'x'})")
        if hook["entry"] is None:
            writer.line("pass")
            return
        component, names = self._names(hook, False)
        if self.of_something:
            names = f"{names} if it is None else {self._names(hook, True)[1]}"
        writer.line(f"V = {names}")
        writer.line("said = m.said")
        writer.line(f"m.said = own = ({self.module.constant(f'hook {identity}').text}, {component}, said[2] + 1, said[3])")
        writer.line("m.depth += 1")
        writer.line(f"r = c{self.chains.numbers[hook['entry']]}(m, V, 0)")
        writer.line("m.depth -= 1")
        writer.line("m.said = said")
        writer.line(f"if r == 1: return stopped_{'after' if self.after else 'before'}({where}, V, own, {', '.join(self.more)})")
        writer.line("if r == 5: return 5")

    def _may_react(self, identity: str, hook: dict[str, Any]) -> None:
        """What is written after this is done only if nothing that is quickly seen is in the way of a reaction."""
        writer, expressions, component = self.writer, Expressions(self.module, self.facts, self.writer), "None"
        names = {**names_of(hook, self.facts.told(hook["event"])), "result": NONE}
        if not on_none(hook):
            component = "x"
            names["self"] = Code("x", ONE, True, sure=True, kind=self.facts.kind_of(hook["of"]))
        player = expressions.kept(hook["by"], Scope(names, dynamic=False))
        writer.line(f"if may_act(m, {player.text}, {self.module.constant(identity).text}, {component}):")
        writer.depth += 1
        action = self.module.graph["actions"][hook["action"]]
        required = [each["test"] for each in action["requires"] if each.get("after", 0) == 0]
        if required and action["once_per"] is None:
            own = Scope({**names, "actor": Code(player.text, ONE, True, sure=True)}, dynamic=False)
            writer.line(f"if {expressions.test({'op': 'and', 'parts': required}, own).text}:")
            writer.depth += 1

    def _names(self, hook: dict[str, Any], it: bool) -> tuple[str, str]:
        """The component that is `self` for a hook, and all its local names with what they stand for."""
        own = None if on_none(hook) else "x"
        if own is None and self.given and hook["event"].endswith(".runs_out"):
            own = self.given[0]
        names = [f"{self.module.constant(name).text}: {value}" for name, value in zip(hook["names"], self.given, strict=False)]
        names += ["IT: it"] * it + [f"SELF: {own}"] * (own is not None) + ["RESULT: result"] * self.after
        return own or "None", f"{{{', '.join(names)}}}"
