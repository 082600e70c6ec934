"""Expressions as Python: a value becomes a Python expression, with the statements it needs written before it.

`Expressions` knows every operation of the graph that `run.evaluate` knows, by a method of its name; what it does not write itself (rare searches on
boards) it leaves to the function that `run` makes. Values of the rules are written into the places where they are used, as long as nothing can change
them there (no versions of their own on components, no hooks) and they do not lead to themselves.
"""

from __future__ import annotations

import re
from typing import Any

from rulewright.compile.play.helpers import LABELLED
from rulewright.compile.source.answers import LASTING, Answers
from rulewright.compile.source.facts import Facts, size
from rulewright.compile.source.queries import Queries
from rulewright.compile.source.writing import ANY, BOOL, FALSE, INT, LIST, NONE, ONE, TRUE, Code, Module, Scope, Writer
from rulewright.core.graph import nothing_given
from rulewright.run.evaluate import GREATEST

Expr = dict[str, Any]
INLINE, INLINE_ONCE = 14, 40  # operations that a value may have to be written where it is used, or if that is in one place only
NESTED = 3
LARGER, DEEPER = 60, 5  # the same where answers are kept
LITERAL = re.compile(r"-?\d+|True|False")
COMPARED = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
COUNTED = {"+": "+", "-": "-", "*": "*"}
BUILT_IN = ("place", "owner", "ends", "label", "colour", "holder")


class Expressions(Queries):
    """Writes expressions into one function."""

    def __init__(self, module: Module, facts: Facts, writer: Writer, answers: Answers | None = None) -> None:
        self.module, self.facts, self.writer = module, facts, writer
        self.answers = answers  # what the function keeps, if it does
        self.inlined: list[str] = []
        self.rows = {}

    # -- the two ways to ask

    def value(self, expression: Expr, scope: Scope) -> Code:
        """The exact value of an expression."""
        key = self.answers.key(expression, scope) if self.answers is not None else None
        if self.answers is not None and key is not None:
            return self.answers.answer(self.writer, key, lambda: self._made(expression, scope))
        return self._made(expression, scope)

    def _made(self, expression: Expr, scope: Scope) -> Code:
        made = getattr(self, f"_{expression['op']}", None)
        found: Code = made(expression, scope) if made is not None else self._left(expression, scope)
        return found

    def test(self, expression: Expr | None, scope: Scope) -> Code:
        """An expression that is true or false as the condition is; no condition always holds."""
        if expression is None:
            return TRUE
        if expression["op"] in ("and", "or"):
            return self._junction(expression, scope, exact=False)
        if expression["op"] == "not":
            return _opposite(self.test(expression["part"], scope))
        return self.value(expression, scope)

    def kept(self, expression: Expr, scope: Scope) -> Code:
        """The value of an expression, under a name if it is not simple."""
        return self.writer.kept(self.value(expression, scope))

    def _left(self, expression: Expr, scope: Scope) -> Code:
        """What the reference engine evaluates."""
        function = self.module.lookup("code", expression)
        if expression["op"] == "lines" and expression["length"]["op"] == "const":
            return Code(self.module.lookup("lines", expression["grid"], expression["length"]["value"]), LIST, True)
        shape = LIST if expression["op"] in ("belonging", "within", "reachable", "visible", "lines", "gather", "next", "links") else ANY
        return Code(f"{function}(m, {scope.as_dict(self.module)})", shape)

    # -- simple things

    def _const(self, expression: Expr, scope: Scope) -> Code:
        return self.module.constant(expression["value"])

    def _var(self, expression: Expr, scope: Scope) -> Code:
        return scope.get(self.module, expression["name"])

    def _component(self, expression: Expr, scope: Scope) -> Code:
        kind = self.facts.kind_of(expression["name"])
        return Code(self.module.lookup("first", expression["name"]), ONE, True, kind is not None, kind)

    def _number(self, expression: Expr, scope: Scope) -> Code:
        return self.module.constant(self.module.graph["numbers"][expression["name"]]["value"])

    def _option(self, expression: Expr, scope: Scope) -> Code:
        return self.module.constant(self.module.graph["ruleset"]["options"].get(expression["name"]))

    def _list(self, expression: Expr, scope: Scope) -> Code:
        parts = [self.value(part, scope).text for part in expression["parts"]]
        return Code(f"[{', '.join(parts)}]", LIST)

    def _text(self, expression: Expr, scope: Scope) -> Code:
        return self.text_and_named(expression, scope)[0]

    def text_and_named(self, expression: Expr, scope: Scope) -> tuple[Code, list[str]]:
        """A text, and the values in it that stand for things."""
        if all(type(part) is str for part in expression["parts"]):
            return self.module.constant("".join(expression["parts"])), []
        parts, named = self.parts_and_named(expression, scope)
        return Code(f"text(m, ({', '.join(parts)},))", ONE), named

    def parts_and_named(self, expression: Expr, scope: Scope) -> tuple[list[str], list[str]]:
        """The parts of a text, and the values in it that stand for things."""
        parts, named = [], []
        for part in expression["parts"]:
            if type(part) is str:
                parts.append(self.module.constant(part).text)
                continue
            how = part["as"]
            value = self.writer.kept(self.value(part["of"], scope))
            if how in ("kind", "any"):
                named.append(value.text)
            plain = f"LABELS[{value.text}]" if how in LABELLED else f"str({value.text})"
            parts.append(f"({plain} if type({value.text}) is int else shown(m, {value.text}, {self.module.constant(how).text}))")
        return parts, named

    def _let(self, expression: Expr, scope: Scope) -> Code:
        value = self.kept(expression["value"], scope)
        return self.value(expression["in"], scope.with_names({expression["name"]: value}))

    def _needed(self, expression: Expr, scope: Scope) -> Code:
        of = self.kept(expression["of"], scope)
        if not of.sure and of.shape not in (INT, BOOL, LIST) and not LITERAL.fullmatch(of.text):
            self.writer.line(f"if {of.text} is None: m.fail({self.module.constant(nothing_given(expression)).text})")
        return of

    def _entry(self, expression: Expr, scope: Scope) -> Code:
        of, key = self.value(expression["of"], scope), self.value(expression["key"], scope)
        return Code(f"({of.text} or EMPTY).get(str({key.text}))")

    # -- components and places

    def _place(self, expression: Expr, scope: Scope) -> Code:
        return Code(self.module.lookup("place", expression["place"]), ONE, True)

    def _place_of(self, expression: Expr, scope: Scope) -> Code:
        of = self.value(expression["of"], scope)
        beside = self.beside(of, "owned", expression["place"])
        return Code(f"{self.module.lookup('owned', expression['place'])}.get({of.text})", ONE) if beside is None else Code(beside, ONE, True)

    def _field(self, expression: Expr, scope: Scope) -> Code:
        name = expression["name"]
        of = self.value(expression["of"], scope)
        declared = self.facts.declares(name)
        if not declared and self.facts.printed(name):
            beside = self.beside(of, "printed", name)
            return Code(f"{self.module.lookup('printed', name)}.get({of.text})", ONE) if beside is None else Code(beside, ONE, True)
        if not declared and name == "ends":
            return Code(f"{self.module.lookup('ends')}.get({of.text})")
        of = self.writer.kept(of)
        if not declared and name == "place":
            where = self.writer.column("where")
            if of.kind is not None:
                return Code(f"{where}[{of.text}]", ONE, sure=True)
            return Code(f"({where}[{of.text}] if {of.text} is not None and {of.text} < COUNT else None)", ONE)
        constant = self.module.constant(name).text
        if not declared and name in ("owner", "label"):
            found = f"m.owner({of.text})" if name == "owner" else f"{self.module.lookup('labels')}[{of.text}]"
            return Code(found if of.kind is not None else f"({found} if {of.text} is not None and {of.text} < COUNT else None)", ONE)
        if not declared:
            return Code(f"field(m, {of.text}, {constant})")
        slots, values = self.module.lookup("slots", name), self.writer.column("values")
        if of.kind is not None and self.facts.kind_declares(of.kind, name):
            if expression["of"]["op"] == "component":
                return Code(f"{values}[{self.module.lookup('slot', name, expression['of']['name'])}]", self.facts.field_shape(name))
            slot = self.beside(of, "slots", name) or f"{slots}[{of.text}]"
            return Code(f"{values}[{slot}]", self.facts.field_shape(name))
        rest = "None" if self.facts.only_declared(name) else f"field(m, {of.text}, {constant})"
        return Code(f"({values}[{slots}[{of.text}]] if {of.text} in {slots} else {rest})", self.facts.field_shape(name))

    def _decider(self, expression: Expr, scope: Scope) -> Code:
        return Code(f"m.decider({self.value(expression['of'], scope).text})", ONE)

    # -- tests

    def _compare(self, expression: Expr, scope: Scope) -> Code:
        left, right, how = self.value(expression["left"], scope), self.value(expression["right"], scope), expression["how"]
        sign = COMPARED[how]
        if how in ("=", "!="):
            if LIST in (left.shape, right.shape) or ANY in (left.shape, right.shape):
                same = f"same({left.text}, {right.text})"
                return Code(same if how == "=" else f"(not {same})", BOOL)
            if right.text in ("None", "True", "False") and how == "=" and left.shape == ONE and right.text == "None":
                return Code(f"({left.text} is None)", BOOL)
            return Code(f"({left.text} {sign} {right.text})", BOOL)
        tests = []
        left, right = self._compared(left), self._compared(right)
        for side in (left, right):
            if side.shape not in (INT, BOOL):
                tests.append(f"{side.text} is not None")
        return Code(f"({' and '.join([*tests, f'{left.text} {sign} {right.text}'])})", BOOL)

    def _compared(self, code: Code) -> Code:
        return code if code.shape in (INT, BOOL) else self.writer.kept(code)

    def _and(self, expression: Expr, scope: Scope) -> Code:
        return self._junction(expression, scope, exact=True)

    _or = _and

    def _junction(self, expression: Expr, scope: Scope, exact: bool) -> Code:
        """`and` and `or`: in one line if no part needs statements of its own, else step by step."""
        word = expression["op"]
        made: list[tuple[list[str], Code]] = []
        for part in expression["parts"]:
            with self.writer.apart() as lines:
                made.append((lines, self.test(part, scope)))
        exactly = [f"bool({code.text})" if exact and code.shape != BOOL else code.text for _, code in made]
        if not made:
            return TRUE if word == "and" else FALSE
        if not any(lines for lines, _ in made[1:]):
            self.writer.lines += [line[4:] for line in made[0][0]]
            return (
                made[0][1]._replace(text=exactly[0])
                if len(made) == 1
                else Code(f"({f' {word} '.join(exactly)})", BOOL if exact or all(code.shape == BOOL for _, code in made) else ANY)
            )
        name = self.writer.name()
        self.writer.lines += [line[4:] for line in made[0][0]]
        self.writer.line(f"{name} = {exactly[0]}")
        for (lines, _), text in list(zip(made, exactly, strict=True))[1:]:
            self.writer.line(f"if {name if word == 'and' else f'not {name}'}:")
            self.writer.lines += lines
            with self.writer.inside():
                self.writer.line(f"{name} = {text}")
        return Code(name, BOOL if exact else ANY, True)

    def _not(self, expression: Expr, scope: Scope) -> Code:
        return Code(f"(not {self.test(expression['part'], scope).text})", BOOL)

    def _if(self, expression: Expr, scope: Scope) -> Code:
        test = self.test(expression["test"], scope)
        with self.writer.apart() as yes_lines:
            yes = self.value(expression["yes"], scope)
        with self.writer.apart() as no_lines:
            no = self.value(expression["no"], scope)
        shape = yes.shape if yes.shape == no.shape else ONE if {yes.shape, no.shape} <= {ONE, BOOL, INT} else ANY
        if not yes_lines and not no_lines:
            return Code(f"({yes.text} if {test.text} else {no.text})", shape)
        name = self.writer.name()
        self.writer.line(f"if {test.text}:")
        with self.writer.inside():
            self.writer.lines += yes_lines
            self.writer.line(f"{name} = {yes.text}")
        self.writer.line("else:")
        with self.writer.inside():
            self.writer.lines += no_lines
            self.writer.line(f"{name} = {no.text}")
        return Code(name, shape, True)

    def _arithmetic(self, expression: Expr, scope: Scope) -> Code:
        left, right = _counted(self.value(expression["left"], scope)), _counted(self.value(expression["right"], scope))
        how = expression["how"]
        low, high = expression.get("range", (None, None))
        if how in COUNTED:
            made = self.writer.kept(Code(f"{left} {COUNTED[how]} {right}", INT))
            self.writer.line(f"if not -{GREATEST} <= {made.text} <= {GREATEST}: too_great(m)")
        else:
            made = self.writer.kept(Code(f"{'quotient' if how == '/' else 'remainder'}(m, {left}, {right})", INT))
        if low is None:
            return made
        return Code(f"min(max({made.text}, {self.module.constant(low).text}), {self.module.constant(high).text})", INT)

    def _is_kind(self, expression: Expr, scope: Scope) -> Code:
        return Code(f"({self.value(expression['of'], scope).text} in {self.module.lookup('nouns', expression['kind'])})", BOOL)

    def _is_deed(self, expression: Expr, scope: Scope) -> Code:
        return Code(f"({self.value(expression['of'], scope).text} in {self.module.lookup('deeds', expression['name'])})", BOOL)

    def _is_in(self, expression: Expr, scope: Scope) -> Code:
        item = self.value(expression["item"], scope)
        if self._at_home(expression, item):
            return Code(f"({self.writer.column('where')}[{item.text}] in {self.module.lookup('owners', expression['set']['place'])})", BOOL)
        within = self.value(expression["set"], scope)
        if expression.get("plain"):
            return Code(f"({item.text} in many({within.text}))", BOOL)
        if within.shape != ONE:
            return Code(f"is_in(m, {item.text}, {within.text})", BOOL)
        item, where = self.writer.kept(item), self.writer.column("where")
        there = "" if item.sure else f"{item.text} is not None and "
        if within.sure or (within.text.startswith("t") and within.simple):
            return Code(f"({there}{where}[{item.text}] == {within.text})", BOOL)
        within = self.writer.kept(within)
        return Code(f"({there}{within.text} is not None and {where}[{item.text}] == {within.text})", BOOL)

    def _at_home(self, expression: Expr, item: Code) -> bool:
        """Whether a condition says that a thing lies in a certain place of the player in one of whose places it lies: that of any player will do."""
        own = {"op": "field", "of": expression["item"], "name": "owner"}
        if expression.get("plain") or expression["set"]["op"] != "place_of" or expression["set"]["of"] != own or self.facts.declares("owner"):
            return False
        if self.module.graph["places"][expression["set"]["place"]]["of"] != "player":
            return False
        return item.kind is not None and item.kind != "player" and all(kind["parent"] != "player" for kind in self.module.graph["kinds"].values())

    def _is_empty(self, expression: Expr, scope: Scope) -> Code:
        of = self.value(expression["of"], scope)
        if of.shape == LIST:
            return Code(f"(not {of.text})", BOOL)
        of, members = self.writer.kept(of), self.writer.column("members")
        if of.shape == ANY:
            return Code(f"is_empty(m, {of.text})", BOOL)
        return Code(f"(not {members}[{of.text}])" if of.sure else f"({of.text} is None or not {members}[{of.text}])", BOOL)

    def _is_full(self, expression: Expr, scope: Scope) -> Code:
        of = self.kept(expression["of"], scope)
        return Code(f"({of.text} is not None and m.room_in({of.text}) == 0)", BOOL)

    # -- values of the rules

    def _value(self, expression: Expr, scope: Scope) -> Code:
        path = expression["value"]
        facts = self.facts.values[path]
        declared = self.module.graph["values"][path]
        if self.inlines(path):
            inner = self.opened(expression, scope)
            self.inlined.append(path)
            try:
                return self.value(declared["value"], inner)
            finally:
                self.inlined.pop()
        of = self.value(expression["of"], scope) if "of" in expression else NONE
        arguments = [self.value(argument, scope) for argument in expression["arguments"]]
        function = f"v{self.facts.numbers[path]}"
        if declared["methods"] and not facts.recursive and not facts.hooked:
            of = self.writer.kept(of)
            function = f"{self.module.lookup('versions', path)}.get({of.text}, {function}_0)"
        given = [of.text, *(argument.text for argument in arguments)]
        return Code(f"{function}({', '.join(['m', *given])})", facts.shape)

    def inlines(self, path: str) -> bool:
        """Whether a value is written where it is used."""
        nested, longest = (NESTED, INLINE if self.facts.asked[path] > 1 else INLINE_ONCE) if self.answers is None else (DEEPER, LARGER)
        if not self.facts.values[path].fixed or len(self.inlined) >= nested or path in self.inlined:
            return False
        return size(self.module.graph["values"][path]["value"]) <= longest

    def opened(self, expression: Expr, scope: Scope) -> Scope:
        """The names inside a value that is written where it is used."""
        of = [("self", self.value(expression["of"], scope))] if "of" in expression else []
        parameters = self.module.graph["values"][expression["value"]]["parameters"]
        arguments = [self.value(argument, scope) for argument in expression["arguments"]]
        names = [*zip((each["name"] for each in parameters), arguments, strict=True), *of]
        return Scope({name: self.writer.kept(code) for name, code in names}, dynamic=False)

    def once(self, code: Code) -> Code:
        """The answer to a question about `actor` that may come up again in this function."""
        return code if self.answers is None else self.answers.answer(self.writer, code.text, lambda: code)

    def together(self, text: str, places: list[Code]) -> str:
        """What lies in several places, which may be asked for again if they stay the same."""
        return self.once(Code(text, ONE)).text if all(LASTING.fullmatch(place.text) for place in places) else text


def _opposite(code: Code) -> Code:
    if code.text.startswith("(not ") and code.text.count("(") == 1:
        return Code(code.text[5:-1])
    return Code(f"(not {code.text})", BOOL)


def _counted(code: Code) -> str:
    """A value as a number: nothing counts as 0."""
    return code.text if code.shape == INT else f"({code.text} or 0)"
