"""Printer: a program of the core as text, for people.

A unit is a heading and its blocks, an instruction a line, expressions in infix, slots by their names (with their number where several of a unit have the
same). `EXPRESSIONS` and `INSTRUCTIONS` say how each is written: a template, in which braces hold a part of the node, or a function.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulewright.core import program as c
from rulewright.core.flow import targets

Writing = str | Callable[["Names", Any], str]
PART = re.compile(r"\{(\w+)\}")


def printed(program: c.Program, unit: str | None = None) -> str:
    """A program as text; or only what belongs to one unit or function, found by its name or the last words of it."""
    wanted = None if unit is None else frozenset(found(program, unit))
    pieces = [] if wanted is not None else [heading(program)]
    pieces += [unit_text(program, each) for name, each in program.units.items() if wanted is None or name in wanted]
    pieces += [function_text(each) for name, each in program.functions.items() if wanted is None or name in wanted]
    return "\n".join(pieces)


def found(program: c.Program, name: str) -> list[str]:
    """The units and functions that a name speaks of: so called, or something of it."""
    return [each for each in (*program.units, *program.functions) if each == name or each.endswith(f" {name}") or each.startswith(f"open {name},")]


def heading(program: c.Program) -> str:
    """How large a program is, and its tables."""
    count = sum(len(block.code) for block in program.blocks)
    lines = [f"# {len(program.units)} units, {len(program.blocks)} blocks, {count} instructions, {len(program.functions)} functions"]
    lines += [f"hook {name}: {hook.timing} {hook.event}{', once' if hook.once else ''}" for name, hook in program.hooks.items()]
    lines += [f"question {number}: {question.kind} of {question.values}" for number, question in enumerate(program.questions)]
    return "\n".join(lines) + "\n"


def unit_text(program: c.Program, unit: c.Unit) -> str:
    """A unit: its heading and its blocks, in the order in which they are come to."""
    names = Names(unit.locals, program)
    cause = "" if unit.cause in (None, unit.name) else f", put down to '{unit.cause}'"
    lines = [f"unit '{unit.name}'({parameters(unit.locals, unit.parameters)}){cause}"]
    for label in in_order(program, unit.entry):
        block = program.blocks[label]
        lines.append(f"  {label}:{' # something is left to pay' if block.owes else ''}")
        lines += [f"    {instruction(names, each)}" for each in block.code]
    return "\n".join(lines) + "\n"


def function_text(function: c.Function) -> str:
    """A function: its parameters and what it gives."""
    names = Names(function.locals)
    return f"function '{function.name}'({parameters(function.locals, function.parameters)}) gives {function.shape} =\n    {names.expression(function.body)}\n"


def parameters(names: Sequence[c.Local], count: int) -> str:
    return ", ".join(f"{each.name}{'' if each.shape == 'one' else f': {each.shape}'}" for each in names[:count])


def in_order(program: c.Program, entry: c.Label) -> list[c.Label]:
    """The blocks of a unit from its beginning on, each as near as can be behind one that leads to it."""
    todo, order = [entry], []
    while todo:
        label = todo.pop()
        if label not in order:
            order.append(label)
            todo += reversed(targets(program.blocks[label].code[-1]))
    return order


def instruction(names: Names, node: c.Instruction) -> str:
    """An instruction, and the node of the effect graph it was made for."""
    origin = getattr(node, "origin", None)
    text = names.written(INSTRUCTIONS[type(node)], node)
    return text if origin is None else f"{text}  # {origin}"


class Names:
    """The names of the unit or function whose parts are printed."""

    def __init__(self, names: Sequence[c.Local], program: c.Program | None = None) -> None:
        self.program = program
        counts = Counter(each.name for each in names)
        self.names = [each.name if counts[each.name] == 1 else f"{each.name}.{slot}" for slot, each in enumerate(names)]

    def slot(self, slot: c.Slot) -> str:
        """The name of a slot."""
        return self.names[slot] if slot < len(self.names) else f"slot.{slot}"

    def written(self, writing: Writing, node: Any) -> str:
        """A node by the template or function of its type."""
        if not isinstance(writing, str):
            return writing(self, node)
        return PART.sub(lambda match: self.part(match[1], getattr(node, match[1])), writing)

    def part(self, name: str, value: Any) -> str:
        """One part of a node."""
        if name in SLOTS and isinstance(value, int):
            return self.slot(value)
        if isinstance(value, c.Node):
            return self.inner(value)
        if isinstance(value, tuple):
            return ", ".join(self.part("", each) for each in value)
        if isinstance(value, dict):
            return ", ".join(f"{case}: {self.part('', each)}" for case, each in value.items())
        return f"slot {value}" if name in SLOTS else str(value)

    def expression(self, node: Any) -> str:
        """An expression."""
        return self.written(EXPRESSIONS[type(node)], node)

    def inner(self, node: Any) -> str:
        """An expression inside another: in brackets, if it could be misread."""
        text = self.expression(node)
        return f"({text})" if isinstance(node, INFIX) else text

    def joined(self, nodes: Iterable[Any], between: str) -> str:
        return between.join(self.inner(node) for node in nodes)

    def where(self, tests: Sequence[Any]) -> str:
        return f" where {self.joined(tests, ' and ')}" if tests else ""

    def ways(self, through: c.Through | None) -> str:
        """What counts as a way."""
        return "" if through is None else f" through {self.slot(through.slot)} in {self.inner(through.source)}{self.where(through.tests)}"

    def optional(self, before: str, node: Any) -> str:
        return "" if node is None else f"{before}{self.inner(node)}"


SLOTS = frozenset({"slot", "result", "list", "cursor", "value", "status", "cancelled"})
INFIX = (c.Compare, c.Same, c.And, c.Or, c.If, c.Arithmetic, c.IsKind, c.In, c.Lies, c.Among, c.Bind, c.Fold, c.Query, c.Map, c.Measure)


def word(names: Names, node: c.Word) -> str:
    return f"'{node.word}'"


def const(names: Names, node: c.Const) -> str:
    return "none" if node.value is None else str(node.value)


def place_of(names: Names, node: c.PlaceOf) -> str:
    return f"{names.inner(node.of)}.{node.place.rpartition('.')[2]}"


def arithmetic(names: Names, node: c.Arithmetic) -> str:
    bounds = "" if node.low is None else f" within {node.low}..{node.high}"
    return f"{names.inner(node.left)} {node.how} {names.inner(node.right)}{bounds}"


def fold(names: Names, node: c.Fold) -> str:
    test = names.where(() if node.test is None else (node.test,))
    result = names.slot(node.result)
    return f"{result} from {names.inner(node.start)}, for {names.slot(node.slot)} in {names.inner(node.source)}{test}: {names.inner(node.value)}"


def query(names: Names, node: c.Query) -> str:
    orders = ", ".join(f"{names.inner(order.key)}{' descending' if order.descending else ''}" for order in node.orders)
    return f"{names.slot(node.slot)} in {names.inner(node.source)}{names.where(node.tests)}{f' by {orders}' if orders else ''}"


def all_(names: Names, node: c.All) -> str:
    return f"all {node.noun}" if node.grid is None else f"all {node.noun} of {node.grid}"


def text(names: Names, node: c.Text) -> str:
    made = "".join(part if isinstance(part, str) else f"{{{names.expression(part.of)}}}" for part in node.parts)
    return '"' + made.replace("\n", "\\n") + '"'


def chosen(names: Names, node: Any) -> str:
    """A call of a function that is only known when it is asked."""
    return f"{node.what} of hook {names.inner(node.key)}({names.joined(node.arguments, ', ')}; it {names.inner(node.it)}, result {names.inner(node.result)})"


def selection(names: Names, node: c.Selection) -> str:
    amount = f"{names.inner(node.least)} to {names.inner(node.most)}"
    return f"some({names.slot(node.slot)}: {amount} of {names.inner(node.source)} with {names.inner(node.picked)} where {names.inner(node.test)})"


EXPRESSIONS: dict[type, Writing] = {
    c.Const: const, c.Word: word, c.Component: "{name}", c.Place: "{name}", c.PlaceOf: place_of, c.Name: "{slot}", c.Field: "{of}.{name}",
    c.Needed: "needed({of})", c.Decider: "decider({of})", c.Asked: "asked({player})", c.Compare: "{left} {how} {right}", c.Same: "{left} same as {right}",
    c.And: lambda names, node: names.joined(node.parts, " and ") or "yes", c.Or: lambda names, node: names.joined(node.parts, " or ") or "no",
    c.Not: "not {part}", c.If: "{yes} if {test} else {no}", c.Arithmetic: arithmetic, c.IsKind: "{of} is a {noun}",
    c.In: lambda names, node: f"{names.inner(node.item)} in {names.inner(node.list)}", c.Lies: "{item} lies in {places}",
    c.Among: lambda names, node: f"{names.inner(node.item)} among {names.inner(node.list)}", c.Empty: "empty({of})", c.Full: "full({of})",
    c.Apply: "'{function}'({arguments})", c.ByKind: "by kind of {of} [{cases}; else {otherwise}]",
    c.Bind: lambda names, node: f"let {names.slot(node.slot)} = {names.inner(node.value)} in {names.inner(node.body)}", c.Fold: fold,
    c.Exists: lambda names, node: f"any({names.expression(node.list)})", c.Count: lambda names, node: f"count({names.expression(node.list)})",
    c.First: lambda names, node: f"first({names.expression(node.list)})", c.Last: lambda names, node: f"last({names.expression(node.list)})",
    c.Best: "{how} of {parts}", c.Measure: lambda names, node: f"{node.how} of {names.inner(node.value)} for {names.slot(node.slot)} in {names.inner(node.source)}",
    c.Distance: lambda names, node: f"distance({names.inner(node.start)} to {names.inner(node.goal)}{names.ways(node.through)})",
    c.Table: lambda names, node: f"table({names.expression(node.otherwise)})", c.Charge: "{of}", c.Lookup: "{of}[{key}]", c.Version: "version()", c.Key: "key('{hook}', {of})", c.HookOf: "hook({key})", c.BearerOf: "bearer({key})", c.ApplyHook: chosen,
    c.Used: "used('{unit}', {of})", c.Trial: "trial()", c.Deed: "deed('{action}', {of})", c.ActionOf: "action({deed})", c.GranterOf: "granter({deed})",
    c.Batched: "batched()", c.Ongoing: lambda names, node: f"ongoing('{node.unit}', {names.inner(node.of)})", c.Knows: "knows({player}, {component})",
    c.Payable: "payable '{unit}'({arguments})", c.Supposing: "supposing '{unit}'({arguments}): {body}", c.Selection: selection, c.Listed: "[{parts}]", c.Many: "many({of})", c.All: all_, c.Members: "members({of})",
    c.OfKind: "{source}.of({noun})", c.Once: "once({source})", c.Query: query,
    c.Map: lambda names, node: f"{names.inner(node.value)} for {names.slot(node.slot)} in {names.inner(node.source)}",
    c.Take: lambda names, node: f"{'last' if node.backwards else 'first'}({names.inner(node.amount)} of {names.inner(node.source)})",
    c.Without: "{source} without {out}", c.Both: lambda names, node: names.joined(node.parts, " + "), c.Numbers: "{low}..{high}",
    c.Choices: "those of [{tests}]", c.Links: "links({kind}, {of})", c.Belonging: "belonging({of})",
    c.Neighbours: lambda names, node: f"next to({names.inner(node.of)}{names.ways(node.through)})", c.Within: "within({limit} of {of})",
    c.Reachable: lambda names, node: f"reachable({names.inner(node.of)}{names.optional(' in ', node.limit)}{names.ways(node.through)})",
    c.Visible: lambda names, node: f"visible({names.inner(node.of)}{names.optional(' past ', node.blocked)})", c.Lines: "lines({length} of {grid})",
    c.Veiled: "veiled({source} for {player})", c.Installed: lambda names, node: f"held({node.event}: {', '.join(node.timings)})", c.Text: text,
}  # fmt: skip


def put(names: Names, node: c.Put) -> str:
    return f"put {names.inner(node.what)} to {names.inner(node.to)}{' at the bottom' if node.position == 'bottom' else ''}{' whatever fits' if node.crowd else ''}"


def pick(names: Names, node: c.Pick) -> str:
    return f"pick {names.slot(node.slot)} of {names.inner(node.source)}{names.optional(' drawn from ', node.place)}"


def settle(names: Names, node: c.Settle) -> str:
    among = "" if node.list is None else f" among {names.slot(node.list)}"
    return f"settle {names.slot(node.slot)}{names.optional(' for ', node.player)}{among}"


def install(names: Names, node: c.Install) -> str:
    kept = ", ".join(f"{name} = {names.inner(value)}" for name, value in node.keep)
    return f"install {', '.join(node.hooks)} until {node.until}{f' keeping {kept}' if kept else ''}"


def proceed(names: Names, node: c.Proceed) -> str:
    changes = ", ".join(f"{number} = {names.inner(value)}" for number, value in node.changes)
    return f"proceed{f' with {changes}' if changes else ''}, then {node.then}"


def cases(names: Names, value: str, node: Any) -> str:
    return f"{value} [{', '.join(f'{case}: {label}' for case, label in node.cases.items())}; else {node.otherwise}]"


def result(names: Names, node: c.Result) -> str:
    return ", ".join(f"{names.slot(slot)} = given.{what}" for what in ("value", "status", "cancelled") if (slot := getattr(node, what)) is not None)


def return_(names: Names, node: c.Return) -> str:
    given = [f"{what} {names.inner(part)}" for what in ("value", "status", "cancelled") if (part := getattr(node, what)) is not None]
    return f"return {', '.join(given)}".rstrip()


def ask(names: Names, node: c.Ask) -> str:
    asked = f"ask {names.inner(node.player)} for {names.slot(node.slot)} of {names.inner(node.values)}"
    return f"{asked}, question {node.question}, then {node.then} else {node.otherwise}"


def told(names: Names, word: str, what: Any, to: Any) -> str:
    return f"{word} {names.inner(what)}{names.optional(' to ', to)}"


INSTRUCTIONS: dict[type, Writing] = {
    c.Let: lambda names, node: f"{names.slot(node.slot)} = {names.expression(node.value)}",
    c.Set: lambda names, node: f"set {names.inner(node.of)}.{node.field} = {names.expression(node.value)}", c.Put: put, c.Shuffle: "shuffle {place}",
    c.Roll: "roll {slot} of {die}", c.Pick: pick, c.Settle: settle, c.Show: lambda names, node: told(names, "show", node.what, node.to),
    c.Say: lambda names, node: told(names, "say", node.text, node.to), c.Outcome: "{players} {how}", c.Install: install, c.Expire: "expire '{event}'",
    c.Use: "use '{unit}' of {of}", c.Batch: "batch",
    c.Defer: lambda names, node: f"defer {names.inner(node.key)}({names.joined(node.arguments, ', ')}; it {names.inner(node.it)}, result {names.inner(node.result)})",
    c.Result: result, c.Proceed: proceed, c.Jump: "go {to}", c.Branch: "if {test} go {then} else {otherwise}",
    c.Dispatch: lambda names, node: cases(names, f"by kind of {names.inner(node.of)}", node),
    c.Switch: lambda names, node: cases(names, f"switch {names.inner(node.value)}", node),
    c.Next: lambda names, node: f"next {names.slot(node.slot)} of {names.slot(node.list)} by {names.slot(node.cursor)} go {node.body} else {node.after}",
    c.Call: "call '{unit}'({arguments}), then {then}",
    c.CallHook: lambda names, node: f"call hook {names.inner(node.key)}({names.joined(node.arguments, ', ')}; it {names.inner(node.it)}, result {names.inner(node.result)}), then {node.then}",
    c.RunDeferred: "run deferred, then {then}", c.Return: return_, c.Ask: ask, c.Fail: "fail", c.EndGame: "end the game", c.Finish: "finish",
}  # fmt: skip
