"""Nodes that change the state, as Python: to move, draw and set, to say something, to end the game.

Mostly that is a call of a function that was made for the world (see `play.moving`). Where nothing can ever be hidden from anybody, the usual case of a move and of
a message is written out.
"""

from __future__ import annotations

from typing import Any

from rulewright.compile.play.helpers import LABELLED
from rulewright.compile.play.moving import DIGITS
from rulewright.compile.source.chains import may_run_out
from rulewright.compile.source.fusing import Fusing
from rulewright.compile.source.writing import ONE, Code
from rulewright.run.evaluate import LONGEST
from rulewright.run.state import MOVED

Node = dict[str, Any]
OUTCOMES = {"win": "won", "lose": "lost", "eliminate": "eliminated"}


class Changing(Fusing):
    """The part of `Statements` that changes the state."""

    def _leave_to_walk(self, identity: str) -> None:
        self.writer.line("m.generic = True")
        self.stop(identity)

    def _value(self, expression: Any) -> Code:
        return self.expressions.value(expression, self.scope)

    def _kept(self, expression: Any) -> Code:
        return self.expressions.kept(expression, self.scope)

    def _plain(self, identity: str) -> None:
        """What the function of the reference engine does, which needs no frame."""
        node = self.module.lookup("node", identity)
        self.writer.line(f"{self.module.lookup('walk', self.chains.nodes[identity]['op'])}(m, {node}, {self.unit.names})")

    def _show(self, identity: str, node: Node) -> None:
        self._plain(identity)

    _shuffle = _roll = _install = _show

    def _outcome(self, identity: str, node: Node) -> None:
        self.writer.line(f"settle(m, {self._value(node['player']).text}, {self.module.constant(OUTCOMES[node['how']]).text})")

    def _end(self, identity: str, node: Node) -> None:
        self.writer.line(f"m.write({self.module.constant('end').text})")
        self.writer.line("return 5")

    def _set(self, identity: str, node: Node) -> None:
        of = self._kept(node["of"])
        self.writer.line(f"if {of.text} is not None:")
        with self.writer.inside():
            self.writer.line(f"{self.module.lookup('assigning', node['field'])}(m, {of.text}, {self._value(node['value']).text})")

    # -- moving

    def _move(self, identity: str, node: Node) -> None:
        to, what = self._kept(node["to"]), self._value(node["what"])
        if may_run_out(node):
            what = self.writer.kept(what)
            nothing = f"{what.text} is None" if what.shape == ONE else f"not many({what.text})"
            self.writer.line(f"if {nothing}:")
            with self.writer.inside():
                self._leave_to_walk(identity)
        how = node["position"], bool(node.get("crowd"))
        if what.shape != ONE:
            self.writer.line(f"{self.module.lookup('putting_all', *how)}(m, {what.text}, {to.text})")
            return
        what = self.writer.kept(what)
        self.writer.line(f"if {what.text} is not None and {to.text} is not None:")
        with self.writer.inside():
            put = f"{self.module.lookup('putting', *how)}(m, {what.text}, {to.text})"
            if self.facts.open:
                self._put(what.text, to.text, node, put)
            else:
                self.writer.line(put)

    def _put(self, what: str, to: str, node: Node, put: str) -> None:
        """One thing is put somewhere, and everyone sees it; `put` is what is called if that is not the usual case."""
        line, (before, there, left, note) = self.writer.line, [self.writer.name() for _ in range(4)]
        state, where, members = (self.writer.column(name) for name in ("S", "where", "members"))
        line(f"if TWINS: {put}")
        line("else:")
        with self.writer.inside():
            line(f"{before}, {there} = {where}[{what}], {members}[{to}]")
            unusual = [f"len({there}) >= {self.module.lookup('rooms', bool(node.get('crowd')))}[{to}]", f"{before} == {to}"]
            if not self.facts.holds_nothing(_noun(node["what"])):
                unusual.append(f"{self.module.lookup('odd')}[{what}]")
            line(f"if {' or '.join(unusual)}: {put}")
            line("else:")
            with self.writer.inside():
                line(f"{left} = {members}[{before}]")
                line(f"{state}.journal.append(({MOVED}, {what}, {before}, {left}, {there}))")
                line(f"{members}[{before}] = {left}[1:] if {left}[0] == {what} else without({left}, {what})")
                line(f"{members}[{to}] = " + (f"({what},) + {there}" if node["position"] == "bottom" else f"{there} + ({what},)"))
                line(f"{where}[{what}] = {to}")
                line(f"{state}.version += 1")
                line(f"{note} = m.note")
                line(f"{note}(({self.module.constant('move').text}, m.said, {what}, {before}, {to}, EVERYONE, EVERYONE))")

    def _draw(self, identity: str, node: Node) -> None:
        place = self._value(node["from"])
        to = self._value(node["to"]).text if node["to"] is not None else "None"
        amount = self._value(node["amount"])
        result = self.writer.name()
        draw = self.module.lookup("drawing", identity)
        self.writer.line(f"{result} = {draw}(m, {self.unit.names}, {place.text}, {to}, max({amount.text} or 0, 0))")
        self.writer.line(f"if {result}:")
        with self.writer.inside():
            self.stop(identity, result)

    # -- words

    def _log(self, identity: str, node: Node) -> None:
        if node["to"] is None and node["text"]["op"] == "text":
            self._tell(node["text"]["parts"])
            return
        bits = "EVERYONE" if node["to"] is None else f"m.bits_of(many({self._value(node['to']).text}))"
        text, named = self.expressions.text_and_named(node["text"], self.scope) if node["text"]["op"] == "text" else (self._value(node["text"]), [])
        self.writer.line(f"m.tell({text.text}, {bits}, [{', '.join(named)}])")

    def _tell(self, parts: list[Any]) -> None:
        """A message for everyone: quickly if all that is put into the words are numbers, of things or plain ones."""
        constant, values, quick, slow = self.module.constant, [], [], []
        for part in parts:
            if type(part) is str:
                quick.append(constant(part).text)
                slow.append(constant(part).text)
                continue
            value, how = self._kept(part["of"]), part["as"]
            values.append((value, how))
            quick.append(f"LABELS[{value.text}]" if how in LABELLED else value.text)
            slow.append(f"shown(m, {value.text}, {constant(how).text})")
        named = "".join([f"{value.text}, " for value, how in values if how in ("kind", "any")])
        unsure = list(dict.fromkeys(f"type({value.text}) is int" for value, _ in values if value.kind is None))
        self.writer.line(f"if {' and '.join(unsure) or 'True'}:")
        with self.writer.inside():
            letters, things = sum(len(part) for part in parts if type(part) is str), sum(how in LABELLED for _, how in values)
            self._tell_quickly(f"({', '.join(quick)},)", f"({named})", letters, things, len(values) - things)
        if unsure:
            self.writer.line("else:")
            with self.writer.inside():
                self.writer.line(f"tell(m, ({', '.join(slow)},), ({named}))")

    def _tell_quickly(self, parts: str, named: str, letters: int, things: int, numbers: int) -> None:
        """A message of words with so many letters, and of so many labels and numbers."""
        if self.facts.open and letters + things * self.facts.longest_label + numbers * DIGITS <= LONGEST:
            note = self.writer.name()
            self.writer.line(f"{note} = m.note")
            self.writer.line(f"{note}(({self.module.constant('message').text}, m.said, {parts}, EVERYONE, None))")
        else:
            self.writer.line(f"{self.module.lookup('telling', letters, things, numbers)}(m, {parts}, {named})")


def _noun(expression: Any) -> str | None:
    """The kind of which something is, if an expression says that."""
    query = expression["query"] if expression["op"] == "pick" else expression
    source = query["source"] if query["op"] == "query" else {}
    return source["kind"] if source.get("op") == "of_kind" else None
