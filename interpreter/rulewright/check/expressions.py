"""Expressions: from what is written to what it means.

`Expressions.read` takes a tree expression and a scope; gives the expression as a plain tree of operations (what goes into the effect graph) and its
type. Names are looked up, adjectives and nouns understood, sugar removed. What does not make sense is reported and becomes a constant of any type.
"""

from __future__ import annotations

from collections.abc import Callable as Function
from typing import Any

from rulewright import tree as t
from rulewright.check import advice, predicates, quantifiers, queries, supposing
from rulewright.check.narrowing import condition, refused
from rulewright.check.observe import Observer
from rulewright.check.report import Report
from rulewright.check.scope import Scope
from rulewright.check.symbols import BUILT_IN, Callable, Kind, Parameter, Symbols
from rulewright.check.unknown import bare_kind, unknown
from rulewright.diagnostics import Span
from rulewright.types import (
    ANY,
    CHANCE,
    FLAG,
    LOST,
    NONE,
    NUMBER,
    PLACE,
    TABLE,
    TEXT,
    Type,
    common,
    element,
    fits,
    innermost,
    kind_type,
    many,
    out_of_range,
    set_of,
    shown,
    shown_as,
    words_of,
)

Core = dict[str, Any]
Read = tuple[Core, Type]
NOTHING: Core = {"op": "const", "value": None}
ORDERED = ("<", "<=", ">", ">=")
TRACK_MEMBERS = ("space", "colour")
NEVER_NOTHING = ("kind", "place", "words", "number", "text")  # of flags and several things nothing is one, too: false, or none of them
ALWAYS_THERE = ("place", "copy", "label", "seat", "row", "column")  # what every component that has it always has
CERTAIN = ("component", "number", "place", "text", "arithmetic", "count")


def constant(value: Any) -> Core:
    return {"op": "const", "value": value}


def variable(name: str) -> Core:
    return {"op": "var", "name": name}


def _names_in(core: Any) -> set[str]:
    """The local names that an expression speaks of."""
    if isinstance(core, list):
        return set().union(*map(_names_in, core))
    if not isinstance(core, dict):
        return set()
    own = {core["name"]} if core.get("op") == "var" else set()
    return own.union(*map(_names_in, core.values()))


class Expressions:
    """Reads expressions against the symbols of a ruleset."""

    def __init__(
        self,
        symbols: Symbols,
        report: Report,
        infer: Function[[Callable], Type],
        inferred: dict[str, Type] | None = None,
        observer: Observer | None = None,
    ) -> None:
        """`infer` says of what type a value is whose expression has not been read yet; `inferred` knows some."""
        self.symbols = symbols
        self.report = report
        self.observer = observer
        self.inferred = {} if inferred is None else inferred
        self.infer = infer
        self.supposed: list[tuple[str, Span]] = []  # effects that are thought of as done, and where

    def read(self, expression: Any, scope: Scope, wanted: Type | None = None) -> Read:
        """What an expression means. `wanted` helps with words that stand for values of a field; it is not checked here."""
        read = READERS.get(type(expression))
        if read is None:
            self.report("R401", "this can only stand where something is chosen", expression.span)
            return NOTHING, LOST
        complaints = len(self.report.diagnostics)
        core, of = read(self, expression, scope, wanted)
        if self.observer is not None:
            self.observer.expression(expression, scope, core, of)
        if len(self.report.diagnostics) > complaints and element(of).how not in ("kind", "any"):
            of = LOST  # something in it is wrong, so its type says nothing
        return core, of

    def find(self, node: Any, scope: Scope, *aliases: str, naming: bool = False) -> tuple[Core, Type, str]:
        """Several things: the core query, the type of one of them, and the name it has inside; `naming` if what follows may use that name."""
        return queries.find(self, node, scope, *aliases, naming=naming)

    def expect(self, expression: Any, scope: Scope, wanted: Type, where: str) -> Core:
        """Read an expression that has to be of a type; if something in it is wrong already, that is enough."""
        complaints = len(self.report.diagnostics)
        core, found = self.read(expression, scope, wanted)
        if len(self.report.diagnostics) == complaints:
            hint = None if fits(found, wanted, self.symbols.inherits) else advice.misfit(self.symbols, expression, found, wanted)
            self.check_type(core, found, wanted, expression.span, where, hint)
        return core

    def check_type(self, core: Core, found: Type, wanted: Type, span: Span, where: str, hint: str | None = None) -> None:
        if not fits(found, wanted, self.symbols.inherits):
            hint = f"if nothing may be meant there, say so: {shown(wanted)} or none" if found.how == "none" else hint
            self.report("R401", f"{where} must be {shown(wanted)}, but this is {shown(found)}", span, hint)
        elif core.get("op") == "const" and type(core["value"]) is int and out_of_range(core["value"], wanted):
            self.report("R402", f"{where} must be {shown(wanted)}, not {core['value']}", span)

    # -- names

    def name(self, node: t.Name, scope: Scope, wanted: Type | None) -> Read:
        word = node.word
        if word in scope.names:
            return self.local(node, scope, wanted)
        if word in scope.may_be_unset:
            scope.used.add(word)
            self.report(
                "R311", f"'{word}' is given a value only in some branches before this", node.span, f"give it one before them: let {word} = ..."
            )
            return NOTHING, LOST
        if word in scope.mixed:
            scope.used.add(word)
            one, other = scope.mixed[word]
            self.report("R401", f"'{word}' is {shown(one)} after one branch and {shown(other)} after another", node.span, "give them different names")
            return NOTHING, LOST
        for element_ in reversed(scope.elements):
            found = self.member(variable(element_.variable), element_.type, word, node.span)
            if found is not None:
                scope.used.add(element_.variable)
                return found
        if wanted is not None and word in element(wanted).words:
            return constant(word), words_of(word)
        found = self.global_name(word)
        if found is not None:
            return found
        if not self.excused(word, scope, wanted):
            unknown(self, node, scope, wanted)
        return NOTHING, LOST

    def check_new(self, name: str, scope: Scope, span: Span, hint: str = "give it another name") -> None:
        """Complain of a new local name that cannot be one."""
        from rulewright.check.collect import UNNAMEABLE

        if name in UNNAMEABLE:
            self.report("R108", f"'{name}' is a word of the language and cannot be a name", span, "choose a name that says more")
            scope.used.add(name)
        elif name in scope.names:
            self.report("R309", f"'{name}' is already the name of something here", span, hint)

    def excused(self, word: str, scope: Scope, wanted: Type | None) -> bool:
        """Whether a name is unknown only because of a mistake that has been told already."""
        lost = wanted is not None and element(wanted) == LOST
        return lost or word in self.symbols.lost or word in scope.missed or any(each.type == LOST for each in scope.elements)

    def local(self, node: t.Name, scope: Scope, wanted: Type | None) -> Read:
        word = node.word
        of = scope.type_of(word)
        if wanted is not None and wanted.how == "words" and word in wanted.words and of.how != "words":
            return constant(word), words_of(word)
        scope.used.add(word)
        self.check_hidden(node, of, scope)
        return variable(word), of

    def check_hidden(self, node: t.Name, of: Type, scope: Scope) -> None:
        """Warn where a local name stands for itself, and might be taken for a member of the thing a query looks at."""
        word = node.word
        for each in reversed(scope.elements):
            kind = self.symbols.kind_of(each.type.name) if each.type.how == "kind" else None
            if kind is None or scope.names[word] is not each.outside.get(word) or word in each.hidden:
                continue
            if word in kind.fields or word in kind.places or (word in kind.values and not kind.values[word].parameters):
                each.hidden.add(word)
                hint = f"if the {word} of the {kind.name} is meant write 'it.{word}'; if not, give the local name another name"
                self.report.doubt("R312", f"'{word}' is the local name here, not the {word} of each {kind.name}", node.span, hint)

    def common(self, left: Type, right: Type) -> Type | None:
        """The narrowest type that two others fit."""
        return common(left, right, self.symbols.nearest)

    def global_name(self, word: str) -> Read | None:
        """A name that means the same everywhere."""
        symbols = self.symbols
        symbols.used.add(word)
        if word in ("true", "yes"):
            return constant(True), FLAG
        if word in ("false", "no"):
            return constant(False), FLAG
        if word == "none":
            return NOTHING, NONE
        if word == "chance":
            return constant("chance"), CHANCE
        if word in symbols.numbers:
            return {"op": "number", "name": word}, NUMBER
        if word in symbols.states:
            return {"op": "field", "of": {"op": "component", "name": TABLE}, "name": word}, symbols.states[word].type
        if word == "box" and word not in symbols.definitions:
            return {"op": "place", "place": "box"}, PLACE
        if word in symbols.places and symbols.places[word].of is None:
            return {"op": "place", "place": word}, PLACE
        if word in symbols.grids:
            return {"op": "all", "of": symbols.grids[word].kind, "grid": word}, set_of(kind_type(symbols.grids[word].kind))
        if word in symbols.tracks:
            return {"op": "component", "name": word}, Type("track", word)
        if word in symbols.definitions:
            return {"op": "component", "name": word}, kind_type(word)
        if (kind := symbols.cell(word)) is not None:
            return {"op": "component", "name": word}, kind_type(kind)
        if word in symbols.values and symbols.values[word].of is None and not symbols.values[word].parameters:
            return self.apply_value(symbols.values[word], None, ())
        if word in symbols.plurals:
            return {"op": "all", "of": symbols.plurals[word]}, set_of(kind_type(symbols.plurals[word]))
        return None

    def number(self, node: t.Number, scope: Scope, wanted: Type | None) -> Read:
        return constant(node.value), Type("number", low=node.value, high=node.value)

    def roll(self, node: t.Roll, scope: Scope, wanted: Type | None) -> Read:
        self.symbols.used.add(node.die)
        message, hint = (
            "a die is rolled by a statement, and this is asked for without one, or only sometimes",
            f"roll it on a line before: let face = roll {node.die}",
        )
        self.report("R508", message, node.span, hint)
        return NOTHING, LOST

    def text(self, node: t.Text, scope: Scope, wanted: Type | None) -> Read:
        parts: list[Any] = []
        for part in node.parts:
            if isinstance(part, str):
                parts.append(part)
            else:
                core, of = self.read(part, scope)
                parts.append({"op": "shown", "as": shown_as(innermost(of)), "of": core})
        return {"op": "text", "parts": parts}, TEXT

    # -- members

    def dot(self, node: t.Dot, scope: Scope, wanted: Type | None) -> Read:
        if isinstance(node.base, t.Name) and node.base.word == "option" and "option" not in scope.names:
            return self.option(node)
        if bare_kind(self, node, scope):
            return NOTHING, LOST
        core, of = self.read(node.base, scope)
        if of.how == "any":
            return self.member_of_any(core, of, node)
        found = self.member(core, of, node.word, node.span)
        if found is not None:
            return found
        self.no_member(node.word, of, node.span, node.base)
        return NOTHING, LOST

    def member_of_any(self, core: Core, of: Type, node: t.Dot) -> Read:
        """A member of something whose kind is not known before the game: looked up when it is asked for."""
        if of == LOST:
            return NOTHING, of
        found = [self.member(core, kind_type(name), node.word, node.span) for name in self.symbols.kinds if name != TABLE]
        types = [read[1] for read in found if read is not None]
        if not types:
            self.report("R404", f"no kind has a field, place or value '{node.word}'", node.span)
            return NOTHING, LOST
        same = all(each == types[0] for each in types)
        return {"op": "field", "of": core, "name": node.word}, types[0] if same else ANY

    def option(self, node: t.Dot) -> Read:
        if node.word not in self.symbols.options:
            message = f"the ruleset has no option '{node.word}'"
            there = f"it has {advice.listed(self.symbols.options)}" if self.symbols.options else "options are declared in ruleset.yaml"
            self.report("R301", message, node.span, there, guess=(node.word, self.symbols.options))
            return NOTHING, LOST
        values = self.symbols.options[node.word]
        of = FLAG if set(values) <= {True, False} else words_of(*values)
        return {"op": "option", "name": node.word}, of

    def member(self, core: Core, of: Type, word: str, span: Span) -> Read | None:
        """A field, place or value of a component; of several components, all of theirs; None if there is none."""
        if many(of):
            inner = self.member(variable("it"), element(of), word, span)
            if inner is None:
                return self.list_member(core, of, word)
            query = {"op": "query", "source": core, "binder": "it", "filters": [], "orders": []}
            return {"op": "gather", "query": query, "value": inner[0]}, set_of(element(inner[1]))
        if of.how == "track":
            return self.track_member(core, of, word)
        if of.how == "place":
            return ({"op": "field", "of": core, "name": "holder"}, ANY) if word == "holder" else None
        if of.how != "kind":
            return None
        kind = self.symbols.kind_of(of.name)
        if kind is None:
            return None
        self.symbols.used.add(word)
        if word in kind.fields:
            return {"op": "field", "of": core, "name": word}, kind.fields[word].type
        if word in kind.places:
            return {"op": "place_of", "of": core, "place": kind.places[word].id}, PLACE
        if word in kind.values and not kind.values[word].parameters:
            return self.apply_value(kind.values[word], core, ())
        return self.built_in(core, kind, word)

    def list_member(self, core: Core, of: Type, word: str) -> Read | None:
        """What several things have as such."""
        if word in ("first", "last"):
            return {"op": "pick", "how": word, "query": core}, element(of)
        return ({"op": "count", "query": core}, NUMBER) if word == "length" else None

    def track_member(self, core: Core, of: Type, word: str) -> Read | None:
        faces = self.symbols.tracks[of.name].faces
        if word == "space":
            return {"op": "field", "of": core, "name": "space"}, NUMBER
        if word == "colour":
            return {"op": "field", "of": core, "name": "colour"}, words_of(*(face.value for face in faces))
        return None

    def built_in(self, core: Core, kind: Kind, word: str) -> Read | None:
        """What every component knows of itself."""
        if word in BUILT_IN and not (word == "owner" and kind.name == "player"):
            return {"op": "field", "of": core, "name": word}, BUILT_IN[word]
        if word == "sort" and kind.name != "player":
            return {"op": "field", "of": core, "name": "sort"}, self.symbols.sorts(kind.name)
        if word == "seat" and kind.name == "player":
            return {"op": "field", "of": core, "name": "seat"}, NUMBER
        if word in ("row", "column") and any(self.symbols.inherits(grid.kind, kind.name) for grid in self.symbols.grids.values()):
            return {"op": "field", "of": core, "name": word}, NUMBER
        if word == "ends" and kind.links:
            ends = [end for end in kind.links if end != "place"]
            return {"op": "field", "of": core, "name": "ends"}, set_of(kind_type(ends[0]) if ends else PLACE)
        return None

    def no_member(self, word: str, of: Type, span: Span, base: Any = None) -> None:
        kind = self.symbols.kind_of(of.name) if of.how == "kind" else None
        if many(of) and word in ("number", "amount", "size", "len"):
            self.report("R404", f"several things have no '{word}'", span, f"to count them write: count of {advice.said(base) or '...'}")
            return
        if kind is None:
            self.report("R404", f"{shown(of)} has no '{word}'", span, guess=(word, TRACK_MEMBERS if of.how == "track" else ()))
            return
        if word in kind.effects:
            self.report("R408", f"'{word}' is an effect of {kind.name}; it happens, it has no value", span)
            return
        if word in kind.values:
            wanted = ", ".join(parameter.name for parameter in kind.values[word].parameters)
            self.report("R403", f"the value '{word}' is asked for something", span, f"write: {word}({wanted})")
            return
        known = [*kind.fields, *kind.places, *kind.values, *BUILT_IN, *(["seat"] if kind.name == "player" else ())]
        message, elsewhere = f"the kind '{kind.name}' has no field, place or value '{word}'", advice.through(self.symbols, kind, word, base)
        self.report("R404", message, span, elsewhere or advice.members(kind), guess=None if elsewhere else (word, known))

    # -- calls

    def call(self, node: t.Call, scope: Scope, wanted: Type | None) -> Read:
        if isinstance(node.target, t.Name):
            return self.call_by_name(node, node.target.word, scope)
        if isinstance(node.target, t.Dot):
            core, of = self.read(node.target.base, scope)
            kind = self.symbols.kind_of(of.name) if of.how == "kind" else None
            word = node.target.word
            if kind is not None and word in kind.values:
                self.symbols.used.add(word)
                return self.apply_value(kind.values[word], core, self.arguments(node, kind.values[word], scope))
            if kind is not None and (word in kind.fields or word in kind.places):
                self.report(
                    "R403", f"'{word}' is a {'field' if word in kind.fields else 'place'} and takes nothing", node.span, "leave out the brackets"
                )
            elif of.how != "any":
                self.no_member(word, of, node.span, node.target.base)
            return NOTHING, LOST
        self.report("R403", "this is not something that can be called", node.span)
        return NOTHING, LOST

    def call_by_name(self, node: t.Call, word: str, scope: Scope) -> Read:
        self.symbols.used.add(word)
        if word == "lines" and word not in self.symbols.values:
            return quantifiers.lines(self, node, scope)
        if word in ("lowest_of", "highest_of") and word not in self.symbols.values:
            parts = [self.expect(argument, scope, NUMBER, "each of them") for argument in node.arguments]
            return {"op": "measure", "how": word.removesuffix("_of"), "parts": parts}, NUMBER
        value = self.symbols.values.get(word) or self.member_value(word, scope)
        if value is None:
            self.bad_call(node, word)
            return NOTHING, LOST
        of = variable("self") if value.of is not None else None
        return self.apply_value(value, of, self.arguments(node, value, scope))

    def is_value(self, node: t.Call, scope: Scope) -> bool:
        """Whether a call asks for a value by its name."""
        return isinstance(node.target, t.Name) and (node.target.word in self.symbols.values or self.member_value(node.target.word, scope) is not None)

    def member_value(self, word: str, scope: Scope) -> Callable | None:
        """A value of the kind whose member this is, called without `self.`."""
        kind = self.symbols.kind_of(scope.names["self"].name) if "self" in scope.names else None
        return kind.values.get(word) if kind else None

    def bad_call(self, node: t.Call, word: str) -> None:
        if word in self.symbols.effects:
            hint = f"call it on a line before: let found = {word}(...)"
            self.report("R408", f"'{word}' is an effect; it happens, and cannot happen inside this", node.span, hint)
        elif word in self.symbols.grids:
            cell = "_".join([word, *(str(part.value) if isinstance(part, t.Number) else "1" for part in node.arguments[:2])])
            self.report("R403", f"'{word}' is a grid", node.span, f"a cell is named by its row and column: {cell}")
        elif self.global_name(word) is not None:
            self.report("R403", f"'{word}' is no value with parameters", node.span, "leave out the brackets")
        else:
            instead = advice.function(word, node.arguments)
            known = None if instead else (word, [*self.symbols.values, *self.symbols.effects])
            self.report("R301", f"there is no value called '{word}'", node.target.span, instead, guess=known)

    def arguments(self, node: t.Call, target: Callable, scope: Scope) -> tuple[Core, ...]:
        """The arguments of a call, compared with the parameters."""
        if (plainly := advice.without_names(node, target, scope.names)) is not None:
            self.report("R403", "what is given to a call has no names, only its order", node.span, plainly)
            return ()
        if len(node.arguments) != len(target.parameters):
            wanted = ", ".join(f"{parameter.name}: {shown(parameter.type)}" for parameter in target.parameters) or "nothing"
            message = f"'{target.path}' takes {len(target.parameters)} ({wanted}), but {len(node.arguments)} are given"
            self.report("R403", message, node.span, advice.several(node, target) or advice.wanted(target))
            return tuple(self.read(argument, scope)[0] for argument in node.arguments)
        cores = []
        for argument, parameter in zip(node.arguments, target.parameters, strict=False):
            cores.append(self.expect(argument, scope, parameter.type, f"'{parameter.name}' of {target.path}"))
        return tuple(cores)

    def needed(self, core: Core, parameter: Parameter, target: Callable, scope: Scope) -> Core:
        """What is handed to an effect; if it might be nothing and the effect does not say `or none`, that is looked at when it happens."""
        of = parameter.type
        if of.optional or of.how not in NEVER_NOTHING or self.certain(core, scope):
            return core
        return {"op": "needed", "of": core, "to": f"'{parameter.name}' of {target.path}", "wanted": shown(of)}

    def certain(self, core: Core, scope: Scope) -> bool:
        """Whether an expression is known never to give nothing."""
        match core["op"]:
            case "const":
                return core["value"] is not None
            case "var":
                return core["name"] in scope.sure and core["name"] not in scope.changed
            case "field" if core["name"] in ALWAYS_THERE or self.counted(core["name"]):
                return self.certain(core["of"], scope)
            case "place_of":
                return self.certain(core["of"], scope)
            case "if":
                return self.certain(core["yes"], scope) and self.certain(core["no"], scope)
        return core["op"] in CERTAIN

    def counted(self, field: str) -> bool:
        """Whether a field is a number wherever there is one of that name, and so begins as one."""
        types = [kind.fields[field].type for kind in self.symbols.kinds.values() if field in kind.fields]
        return bool(types) and all(of.how == "number" and not of.optional for of in types)

    def apply_value(self, value: Callable, of: Core | None, arguments: tuple[Core, ...]) -> Read:
        core: Core = {"op": "value", "value": value.path, "arguments": list(arguments)}
        if of is not None:
            core["of"] = of
        return core, self.value_type(value)

    def value_type(self, value: Callable) -> Type:
        """What a value results in: as declared, or as its expression says."""
        if value.gives is not None:
            return value.gives
        known = self.inferred.get(value.path)
        if known is None:
            self.inferred[value.path] = ANY
            known = self.infer(value)
            self.inferred[value.path] = known
        return known

    # -- operators

    def compare(self, node: t.Compare, scope: Scope, wanted: Type | None) -> Read:
        self.note_told_apart(node, scope)
        if node.op in ("is", "is not"):
            return predicates.predicate(self, node, scope)
        if node.op in ("is in", "is not in"):
            return self.inside(node, scope)
        if node.op in ("holds", "holds only"):
            return predicates.holds(self, node, scope)
        doubts = len(self.report.doubts)
        left, right, left_type, right_type = self.sides(node, scope)
        self.check_same(left, right, node.span, scope, doubts)
        if node.op in ORDERED:
            for core, of, side in ((left, left_type, node.left), (right, right_type, node.right)):
                bracketed = "if the number before a 'where' is meant, put it in brackets: (count of ... where ...) < 2"
                hint = bracketed if of.how == "flag" else advice.counting(side, of, NUMBER)
                self.check_type(core, of, NUMBER, side.span, f"what stands beside '{node.op}'", hint)
        else:
            self.check_comparable(left_type, right_type, node.span, self.elsewhere(node, left_type, right_type))
        self.check_range(left, left_type, right, node.op, node.span)
        return {"op": "compare", "how": node.op, "left": left, "right": right}, FLAG

    def check_range(self, core: Core, of: Type, other: Core, how: str, span: Span) -> None:
        """Warn where a field is compared with a number that it cannot pass."""
        if (plain := advice.not_within(core, of, other, how)) is not None:
            message = f"'{core['name']}' goes from {of.low} to {of.high}, so this {plain} holds"
            self.report.doubt("R314", message, span, f"compare it with another number from {of.low} to {of.high}, or leave it out")

    def note_told_apart(self, node: t.Compare, scope: Scope) -> None:
        """Who writes `it.side = side` knows that one is the member and the other the local name."""
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, t.Name) and isinstance(other, t.Dot) and other.word == one.word:
                for each in scope.elements:
                    each.hidden.add(one.word)

    def check_same(self, left: Core, right: Core, span: Span, scope: Scope, doubts: int) -> None:
        """Warn where something is compared with itself; if a name in it was doubted, that is why."""
        if left == right and left.get("op") != "const" and len(self.report.doubts) == doubts and not _names_in(left) & scope.covered:
            self.report.doubt("R313", "this is compared with itself", span, "one of the two is meant to be something else")

    def sides(self, node: Any, scope: Scope) -> tuple[Core, Core, Type, Type]:
        """Both sides of a comparison, each read in the light of the other: words are values of what they are compared with."""
        if isinstance(node.left, t.Name) and node.left.word not in scope.names and not isinstance(node.right, t.Name):
            right, right_type = self.read(node.right, scope)
            left, left_type = self.read(node.left, scope, right_type)
        else:
            left, left_type = self.read(node.left, scope)
            right, right_type = self.read(node.right, scope, left_type)
        return left, right, left_type, right_type

    def elsewhere(self, node: t.Compare, left: Type, right: Type) -> str | None:
        """What to write where a thing is compared with what only something of it can be."""
        way, other = advice.behind(self.symbols, node.left, left, right, self.value_type), advice.said(node.right)
        return f"write: {way} {'is not' if node.op in ('!=', 'is not in') else 'is'} {other}" if way is not None and other is not None else None

    def check_comparable(self, left: Type, right: Type, span: Span, hint: str | None = None) -> None:
        if "none" in (left.how, right.how) or fits(left, right, self.symbols.inherits) or fits(right, left, self.symbols.inherits):
            return
        self.report("R407", f"{shown(left)} and {shown(right)} are never the same", span, hint)

    def inside(self, node: t.Compare, scope: Scope) -> Read:
        right, right_type = self.read(node.right, scope)
        left, left_type = self.read(node.left, scope, element(right_type))
        place = right_type.how == "place" or (right_type.how == "kind" and self.symbols.inherits(right_type.name, "place"))
        if place:
            if left_type.how not in ("kind", "any"):
                self.report("R401", f"only a component can be in a place, and this is {shown(left_type)}", node.left.span)
        elif many(right_type):
            if not self.places_of(right_type) or left_type.how != "kind":
                self.check_comparable(left_type, element(right_type), node.span)
        elif right_type.how != "any":
            self.report("R401", f"nothing can be in {shown(right_type)}", node.right.span, self.elsewhere(node, left_type, right_type))
        core: Core = {"op": "is_in", "item": left, "set": right}
        if many(right_type) and element(right_type).how != "any" and not (self.places_of(right_type) and left_type.how in ("kind", "any")):
            core["plain"] = True
        return (core if node.op == "is in" else {"op": "not", "part": core}), FLAG

    def places_of(self, of: Type) -> bool:
        """Whether several things are places."""
        inner = element(of)
        return inner.how == "place" or (inner.how == "kind" and self.symbols.inherits(inner.name, "place"))

    def narrow(self, node: t.Narrow, scope: Scope, wanted: Type | None) -> Read:
        return refused(self, node, scope), FLAG

    def logic(self, node: t.Logic, scope: Scope, wanted: Type | None) -> Read:
        if node.op == "and" and any(isinstance(part, t.Narrow) for part in node.parts[:-1]) and not isinstance(node.parts[-1], t.Narrow):
            return condition(self, node, scope).core, FLAG
        return {"op": node.op, "parts": [self.joined(node, at, scope) for at in range(len(node.parts))]}, FLAG

    def joined(self, node: t.Logic, at: int, scope: Scope) -> Core:
        """One of the parts that `and` or `or` joins; each is a statement of its own."""
        found, part = self.report.diagnostics, node.parts[at]
        complaints = len(found)
        core = self.expect(part, scope, FLAG, f"what '{node.op}' joins")
        if len(found) > complaints and (hint := advice.one_of(node, at)) is not None:
            del found[complaints:]
            self.report("R401", f"what '{node.op}' joins must be a whole statement, and '{advice.said(part)}' is none", part.span, hint)
        return core

    def negation(self, node: t.Not, scope: Scope, wanted: Type | None) -> Read:
        return {"op": "not", "part": self.expect(node.part, scope, FLAG, "what follows 'not'")}, FLAG

    def arithmetic(self, node: t.Arithmetic, scope: Scope, wanted: Type | None) -> Read:
        left = self.expect(node.left, scope, NUMBER, f"what stands beside '{node.op}'")
        right = self.expect(node.right, scope, NUMBER, f"what stands beside '{node.op}'")
        if node.op in ("/", "mod") and right == constant(0):
            self.report("R402", "a division by zero", node.span)
        return {"op": "arithmetic", "how": node.op, "left": left, "right": right}, NUMBER

    def conditional(self, node: t.Conditional, scope: Scope, wanted: Type | None) -> Read:
        test = condition(self, node.test, scope)
        yes, yes_type = self.read(node.yes, test.inner, wanted)
        for one in reversed(test.given):
            yes = {"op": "let", "name": one.name, "value": one.core, "in": yes}
        no, no_type = self.read(node.no, scope, wanted or yes_type)
        of = self.common(yes_type, no_type)
        if of is None:
            self.report("R407", f"{shown(yes_type)} and {shown(no_type)} are never the same", node.span)
        return {"op": "if", "test": test.core, "yes": yes, "no": no}, of or LOST


READERS: dict[type, Function[[Expressions, Any, Scope, Type | None], Read]] = {
    t.Name: Expressions.name, t.Number: Expressions.number, t.Text: Expressions.text, t.Dot: Expressions.dot, t.Call: Expressions.call, t.Query: queries.read_query,
    t.Quantified: quantifiers.quantified, t.Measure: quantifiers.measure, t.Distance: quantifiers.distance, t.Compare: Expressions.compare, t.Narrow: Expressions.narrow,
    t.Logic: Expressions.logic, t.Not: Expressions.negation, t.After: supposing.after, t.Arithmetic: Expressions.arithmetic,
    t.Conditional: Expressions.conditional, t.Roll: Expressions.roll, t.Several: quantifiers.several,
}  # fmt: skip
