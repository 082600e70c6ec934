"""Kinds, places and components: defaults, visibility, the values of fields, and what components do in their own way."""

from __future__ import annotations

from typing import Any

from rulewright import tree as t
from rulewright.check import adjectives, advice
from rulewright.check.expressions import Core, Expressions
from rulewright.check.labels import labels
from rulewright.check.report import Report
from rulewright.check.results import as_expression
from rulewright.check.scope import Scope
from rulewright.check.statements import Context, Statements
from rulewright.check.symbols import Callable, Definition, Field, Kind, Symbols, pluralised
from rulewright.diagnostics import Related, Span
from rulewright.limits import Limits
from rulewright.resolve import Linked
from rulewright.types import FLAG, LOST, PLACE, TEXT, Type, element, fits, kind_type, many, out_of_range, set_of, shown

Unit = dict[str, Any]
EVERYONE: Core = {"op": "const", "value": "everyone"}
READABLE = ("flag", "number", "text", "words", "any")  # what says the same to whoever reads it; `any` after another complaint


class Components:
    """Reads what exists."""

    def __init__(self, expressions: Expressions, limits: Limits) -> None:
        self.expressions = expressions
        self.limits = limits
        self.symbols: Symbols = expressions.symbols
        self.report: Report = expressions.report
        self.links: list[Unit] = []
        self.defaults: dict[tuple[str, str], Any] = {}

    def all(self, linked: Linked) -> dict[str, Unit]:
        """Every component."""
        for kind in self.symbols.kinds.values():
            for field in kind.fields.values():
                if field.kind == kind.name:
                    self.defaults[kind.name, field.name] = self.default(field)
        return {name: self.component(definition) for name, definition in self.symbols.definitions.items()}

    # -- values of fields

    def default(self, field: Field) -> Any:
        """What a field holds when a component says nothing."""
        declaration = field.declaration
        if declaration is not None and declaration.default:
            if many(field.type):
                return [self.literal(value, element(field.type), field.name) for value in declaration.default]
            return self.literal(declaration.default[0], field.type, field.name)
        if field.type.optional:
            return None
        match field.type.how:
            case "flag":
                return False
            case "number":
                return field.type.low or 0
            case "text":
                return ""
            case "set" | "list":
                return []
        return None

    def literal(self, node: Any, of: Type, where: str) -> Any:
        """A value written in a component or as a default."""
        if isinstance(node, t.Number):
            if of.how == "number" and out_of_range(node.value, of):
                self.report("R402", f"'{where}' must be {shown(of)}, not {node.value}", node.span)
            elif of.how not in ("number", "any") and node.value not in of.words:
                self.report("R401", f"'{where}' must be {shown(of)}, not {node.value}", node.span)
            return node.value
        if isinstance(node, t.Text):
            if of.how not in ("text", "any"):
                inside = "".join(part for part in node.parts if isinstance(part, str))
                hint = f"leave out the quotes: {inside}" if inside in of.words else None
                self.report("R401", f"'{where}' must be {shown(of)}, not a text", node.span, hint)
            return "".join(part for part in node.parts if isinstance(part, str))
        return self.word(node, of, where)

    def word(self, node: Any, of: Type, where: str) -> Any:
        word = node.word if isinstance(node, t.Name) else "?"
        if of.how == "words" and word in of.words:
            return word
        if word == "none":
            if not of.optional:
                self.report("R401", f"'{where}' must be {shown(of)}", node.span, "add 'or none' to the type of the field")
            return None
        if of.how == "flag" and word in ("true", "yes", "false", "no"):
            return word in ("true", "yes")
        if of.how == "number" and word in self.symbols.numbers:
            self.symbols.used.add(word)
            return self.symbols.numbers[word].value
        if of.how == "number" and isinstance(node, t.Name):
            self.report("R301", f"'{where}' must be {shown(of)}, and there is no number '{word}'", node.span, guess=(word, self.symbols.numbers))
            return None
        if of.how in ("kind", "place"):
            return self.reference(node, word, of, f"'{where}'")
        if of.how != "any":
            self.report("R401", f"'{where}' must be {shown(of)}, not '{word}'", node.span, guess=(word, [*map(str, of.words), "true", "false"]))
        return None

    def reference(self, node: Any, word: str, of: Type, where: str) -> Any:
        """A component or place named as the value of a field."""
        self.symbols.used.add(word)
        if word in self.symbols.lost:
            return None
        cell = self.symbols.cell(word)
        found = kind_type(word) if word in self.symbols.definitions else PLACE if word in self.symbols.places else kind_type(cell) if cell else None
        if found is None:
            known = [*self.symbols.definitions, *self.symbols.places]
            self.report("R301", f"there is no component '{word}'", node.span, guess=(word, known))
        elif not fits(found, of, self.symbols.inherits):
            self.report("R401", f"{where} must be {shown(of)}, and '{word}' is {shown(found)}", node.span)
        return {"component": word} if found is not None and found.how == "kind" else {"place": word}

    # -- components

    def component(self, definition: Definition) -> Unit:
        declaration, kind = definition.declaration, self.symbols.kinds[definition.kind]
        fields: dict[str, Any] = {}
        given: dict[str, Span] = {}
        complaints = len(self.report.diagnostics)
        for member in declaration.members:
            if isinstance(member, t.FieldLine):
                if member.name in given:
                    self.report("R302", f"'{member.name}' is given twice", member.span)
                given[member.name] = member.span
                self.field_line(definition, kind, member, fields)
        if all(one.code != "R404" for one in self.report.diagnostics[complaints:]):  # a misspelt field is not missing too
            self.missing_fields(definition, kind, given)
        if declaration.ends is not None or kind.links is not None:
            self.link(definition, kind, "one_way" in given)
        place = self.starting_place(definition, kind)
        label = declaration.label or definition.name.replace("_", " ")
        titles = {"labels": labels(self, definition, declaration.title, fields)} if declaration.title is not None else {}
        from rulewright.check.units import cites_in

        return {
            "kind": definition.kind, "label": label, **titles, "copies": definition.copies, "place": place, "fields": fields,
            "cites": cites_in(declaration), "span": declaration.span,
        }  # fmt: skip

    def field_line(self, definition: Definition, kind: Kind, line: t.FieldLine, fields: dict[str, Any]) -> None:
        if line.name == "one_way" and kind.links is not None:
            return
        field = kind.fields.get(line.name)
        if field is None:
            if not self.bare_word(kind, line, fields):
                known = [*kind.fields, *(str(word) for each in kind.fields.values() for word in each.type.words)]
                there = f"its fields are {advice.listed(kind.fields)}" if kind.fields else "it has no fields"
                hint = (
                    f"{there}; to give it one write in a layer 'add to kind {kind.name}: {line.name}: number', else '{line.name}: number' in the kind"
                )
                self.report("R404", f"the kind '{kind.name}' has no field '{line.name}'", line.span, hint, guess=(line.name, known))
            return
        if not line.values:
            if field.type.how != "flag":
                self.report("R401", f"'{line.name}' needs a value: {shown(field.type)}", line.span)
            fields[line.name] = True
        elif many(field.type):
            fields[line.name] = [self.literal(value, element(field.type), line.name) for value in line.values]
        elif len(line.values) == 1:
            fields[line.name] = self.literal(line.values[0], field.type, line.name)
        elif len(line.values) == definition.copies:
            fields[line.name] = {"copies": [self.literal(value, field.type, line.name) for value in line.values]}
        else:
            message = f"'{line.name}' has {len(line.values)} values for {definition.copies} copies"
            self.report("R401", message, line.span, "give one value, or one for each copy")

    def bare_word(self, kind: Kind, line: t.FieldLine, fields: dict[str, Any]) -> bool:
        """A line that is only a value of some field: `red` for `colour red`."""
        if line.values:
            return False
        found = [name for name, field in kind.fields.items() if field.type.how == "words" and line.name in field.type.words]
        if found:
            fields[found[0]] = line.name
        if len(found) > 1:
            adjectives.ambiguous(self.expressions, line.name, found, kind.name, line.span)
        return bool(found)

    def missing_fields(self, definition: Definition, kind: Kind, given: dict[str, Span]) -> None:
        words = set(given) | {member.name for member in definition.declaration.members if isinstance(member, t.MemberDef)}  # of those a sign is told
        given = {**given, **dict.fromkeys(words, definition.declaration.span)}
        for name, field in kind.fields.items():
            has_default = bool(field.declaration and field.declaration.default) or field.type.optional
            if name not in given and not has_default and field.type.how in ("words", "kind", "place") and not words & set(map(str, field.type.words)):
                hint = f"add '{name} ...', or give the field a default or 'or none'"
                self.report("R409", f"'{definition.name}' does not say its {name} ({shown(field.type)})", definition.declaration.span, hint)

    def link(self, definition: Definition, kind: Kind, one_way: bool) -> None:
        declaration = definition.declaration
        if kind.links is None:
            self.report("R401", f"the kind '{kind.name}' links nothing", declaration.span, f"declare: kind {kind.name} links A, B")
            return
        if declaration.ends is None:
            self.report("R409", f"'{definition.name}' does not say what it links", declaration.span, "write: from A to B")
            return
        ends = []
        for end, wanted in zip(declaration.ends, kind.links, strict=True):
            word = end.word if isinstance(end, t.Name) else "?"
            of = PLACE if wanted == "place" else kind_type(wanted)
            found = self.reference(end, word, of, "an end of a link")
            ends.append(str(found and (found.get("component") or found.get("place"))))
        self.links.append({"component": definition.name, "ends": ends, "one_way": one_way})

    def starting_place(self, definition: Definition, kind: Kind) -> Core | None:
        node = definition.declaration.place
        line = kind.lines.get("starts")
        if node is None and line is not None:
            node = line.value
        if node is None:
            return None
        core, of = self.expressions.read(node, Scope())
        if of.how not in ("place", "any") and not (of.how == "kind" and self.symbols.inherits(of.name, "place")):
            self.report("R411", f"a component lies in a place, and this is {shown(of)}", node.span)
        return core

    # -- methods

    def methods(self, statements: Statements, effects: dict[str, Unit], values: dict[str, Unit]) -> None:
        """Each component's own version of the effects and values of its kind."""
        for path, methods in self.symbols.methods.items():
            for kind_name, own_version in methods.items():
                self.kind_method(path, kind_name, own_version, statements, effects, values)
        for definition in self.symbols.definitions.values():
            kind = self.symbols.kinds[definition.kind]
            own: set[str] = set()
            for member in definition.declaration.members:
                if isinstance(member, t.MemberDef):
                    own.add(member.name)
                    self.method(definition, kind, member, statements, effects, values)
            for name, target in [*kind.effects.items(), *kind.values.items()]:
                if target.open and name not in own:
                    message = f"'{definition.name}' does not say its '{name}', which every {target.of} has"
                    self.report(
                        "R409", message, definition.declaration.span, f"add '{name}: ...'" if target.what == "effect" else f"add '{name} = ...'"
                    )

    def kind_method(self, path: str, kind: str, own: Callable, statements: Statements, effects: dict[str, Unit], values: dict[str, Unit]) -> None:
        """A kind's own version of what its parent has, or left open."""
        declaration = own.declaration
        scope = Scope({parameter.name: parameter.type for parameter in own.parameters}).with_self(kind_type(kind))
        if own.what == "value" and path in values:
            of = self.expressions.value_type(self.symbols.values[path])
            if own.gives is not None and own.gives != of and LOST not in (own.gives, of):
                related = (Related(self.symbols.values[path].declaration.span, "declared here"),)
                self.report("R401", f"'{own.path}' gives {shown(own.gives)}, but '{path}' {shown(of)}", declaration.span, related=related)
            if declaration.value is not None:
                core, found = self.expressions.read(declaration.value, scope, of)
                self.expressions.check_type(core, found, of, declaration.span, f"'{own.path}'")
            else:
                body = statements.whole(declaration.body, scope, Context(own.path, "value", own.package, of, found=[]))
                core = as_expression(body, declaration.span, self.report, self.limits)
            values[path]["methods"][kind] = core
        elif own.what == "effect" and path in effects:
            context = Context(own.path, "method", own.package, own.gives, found=[])
            effects[path]["methods"][kind] = statements.whole(declaration.body, scope, context)

    def method(
        self, definition: Definition, kind: Kind, member: t.MemberDef, statements: Statements, effects: dict[str, Unit], values: dict[str, Unit]
    ) -> None:
        target = kind.values.get(member.name) or (kind.effects.get(member.name) if member.body is not None else None)
        if target is None:
            known = [*kind.effects, *kind.values, *kind.fields]
            sort = "effect" if member.body is not None else "value"
            if member.name in kind.fields:
                line = advice.field_line(member, kind.fields[member.name].type)
                self.report("R404", f"'{member.name}' is a field, and a field is given without a sign", member.span, f"write: {line}")
                return
            hint = advice.no_field(member.name, kind.name, definition.name)
            known = [] if hint else known
            self.report("R404", f"the kind '{kind.name}' has no {sort} '{member.name}'", member.span, hint, guess=(member.name, known))
            return
        scope = Scope({parameter.name: parameter.type for parameter in target.parameters}).with_self(kind_type(definition.name))
        package = self.symbols.package_of(member, definition.package)
        if target.what == "effect":
            context = Context(f"{definition.name}.{member.name}", "method", package, target.gives, found=[])
            effects[target.path]["methods"][definition.name] = statements.whole(member.body, scope, context)
            return
        of = self.expressions.value_type(target)
        if member.body is None:
            core, found = self.expressions.read(member.value, scope, of)
            self.expressions.check_type(core, found, of, member.span, f"'{member.name}'")
        else:
            body = statements.whole(member.body, scope, Context(f"{definition.name}.{member.name}", "value", package, of, found=[]))
            core = as_expression(body, member.span, self.report, self.limits)
        values[target.path]["methods"][definition.name] = core

    # -- kinds and places

    def kinds(self) -> dict[str, Unit]:
        return {name: self.kind(kind) for name, kind in self.symbols.kinds.items()}

    def kind(self, kind: Kind) -> Unit:
        scope = Scope().with_self(kind_type(kind.name))
        fields = {}
        for name, field in kind.fields.items():
            seen = field.declaration.seen_by if field.declaration else None
            span = field.declaration.span if field.declaration else Span("", 1, 1, 1, 1)
            seers = self.seers(seen, scope) if seen is not None else None
            if seers == EVERYONE and field.kind == kind.name and element(field.type).how not in READABLE:
                message = f"'{name}' is seen by everyone, also on what lies hidden, but it is {shown(field.type)}, which may be hidden itself"
                self.report("R401", message, span, "let it be a flag, a number, a text or one of some words, or leave out 'seen by everyone'")
            fields[name] = {
                "type": field.type,
                "default": self.defaults.get((field.kind, name)),
                "seen_by": seers,
                "untold": bool(field.declaration and field.declaration.untold),
                "span": span,
            }
        declaration = kind.declaration
        lines = {how: self.line(line, scope) for how, line in kind.lines.items() if how not in ("holds", "starts")}
        holds = kind.lines.get("holds")
        starts = self.expressions.read(kind.lines["starts"].value, Scope())[0] if "starts" in kind.lines else None
        return {
            "label": (declaration.label if declaration else None) or kind.name.replace("_", " "),
            "plural": (declaration.plural if declaration else None) or pluralised(kind.name),
            "parent": kind.parent, "is_place": kind.is_place, "links": list(kind.links) if kind.links else None, "fields": fields,
            "places": [place.id for place in kind.places.values()], "starts": starts, "decided_by": lines.get("decided"),
            "hidden_while": lines.get("hidden"), "described_as": lines.get("described"), "actions_for": lines.get("actions"), "capacity": holds.amount if holds else None,
            "holds": self.held(holds), "span": declaration.span if declaration else Span("", 1, 1, 1, 1),
        }  # fmt: skip

    def held(self, line: t.KindLine | None) -> str | None:
        if line is None or not isinstance(line.value, t.Name):
            return None
        noun = self.symbols.noun(line.value.word)
        if noun is None:
            known = [*self.symbols.kinds, *self.symbols.definitions]
            self.report("R301", f"there is no kind '{line.value.word}'", line.span, guess=(line.value.word, known))
        self.symbols.used.add(noun or "")
        return noun

    def line(self, line: t.KindLine, scope: Scope) -> Core:
        match line.how:
            case "decided":
                return self.expressions.expect(line.value, scope, kind_type("player"), "who decides")
            case "hidden":
                return self.expressions.expect(line.value, scope, FLAG, "the condition")
            case "described":
                return self.expressions.expect(line.value, scope, TEXT, "what it is called")
        query: Any = line.value.query if isinstance(line.value, t.Quantified) else line.value
        found, _, _ = self.expressions.find(query, scope)
        return found

    def seers(self, node: Any, scope: Scope) -> Core:
        """Who can see into a place or know a field."""
        if isinstance(node, t.Name) and node.word in ("everyone", "nobody"):
            return {"op": "const", "value": node.word}
        return self.expressions.expect(node, scope, set_of(kind_type("player")), "who can see it")

    def places(self) -> dict[str, Unit]:
        made = {}
        for place in self.symbols.places.values():
            scope = Scope().with_self(kind_type(place.of)) if place.of else Scope()
            if place.of == "player":
                scope.names["owner"] = kind_type("player")
            seen = place.declaration.seen_by
            seers = self.seers(seen, scope) if seen is not None else EVERYONE
            noun = self.symbols.noun(place.holds) if place.holds else None
            made[place.id] = {
                "label": place.declaration.label or place.name.replace("_", " "), "of": place.of, "shape": place.shape, "holds": noun,
                "seen_by": seers, "capacity": place.declaration.capacity, "untold": place.declaration.untold, "span": place.declaration.span,
            }  # fmt: skip
        return made
