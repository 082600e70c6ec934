"""`more`: further copies of a component that is there, written out as if they had been declared with the others."""

from __future__ import annotations

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.diagnostics import Related, Span
from rulewright.resolve.cites import cites_of
from rulewright.resolve.linker import Linker

Given = dict[str, tuple[t.FieldDecl, t.FieldLine]]
Longer = tuple[t.FieldLine, t.Expr | None]  # a value for each copy, and what it was for all before there were others


def apply_more(linker: Linker, change: t.More) -> None:
    """More copies: they are like those there are, but for the lines below."""
    item = linker.items.get(change.path)
    if item is None or not isinstance(item.declaration, t.ComponentDecl):
        linker.missing(change.path, change.span, "component")
        return
    declaration, complaints = item.declaration, len(linker.diagnostics)
    if each := next((member for member in declaration.members if isinstance(member, t.OneForEach)), None):
        fields = ", ".join(field.name for field in each.fields)
        hint = f"declare the others by a name of their own; for so many of each write: set {change.path}.copies to {_amount(declaration) + change.copies}"
        related = (Related(each.span, "it is said here"),)
        linker.complain(
            "R401", f"there is one '{change.path}' for each {fields}, so there cannot be {change.copies} more", change.span, hint, related
        )
        return
    there, said = _given(linker, declaration.kind, declaration), _given(linker, declaration.kind, change)
    _check_lines(linker, declaration.kind, change, said)
    longer: dict[str, Longer | None] = {}
    for name, (field, line) in said.items():
        longer[name] = _longer(linker, declaration, there[name][1] if name in there else None, change, line, field)
    for name, (field, line) in there.items():
        if name not in said:
            longer[name] = _as_before(linker, declaration, line, change, field)
    if len(linker.diagnostics) > complaints:
        return
    cites = tuple(member for member in change.members if isinstance(member, t.Cite))
    mark = f"+{linker.package.id}"
    also = tuple((change.path, name, mark) for name in said)
    if linker.settle((change.path, "copies", mark), change.path, "added to", change.span, cites_of(change), also=also):
        new = {name: made for name, made in longer.items() if made is not None}
        linker.alike |= {(change.path, name): made for name, made in new.items()}
        instead = {id(there[name][1]): line for name, (line, _) in new.items() if name in there}
        members = tuple(instead.get(id(member), member) for member in declaration.members)
        added = tuple(line for name, (line, _) in new.items() if name not in there)
        linker.update(item, replace(declaration, copies=_amount(declaration) + change.copies, members=(*members, *added, *cites)))


def _given(linker: Linker, kind: str, node: t.ComponentDecl | t.More) -> Given:
    """The lines of a component by the field they give, also those that are only a value of it."""
    found: Given = {}
    for line in _lines(node):
        if (field := _field(linker, kind, line)) is not None:
            found.setdefault(field.name, (field, line))
    return found


def _lines(node: t.ComponentDecl | t.More) -> list[t.FieldLine]:
    return [member for member in node.members if isinstance(member, t.FieldLine)]


def _field(linker: Linker, kind: str, line: t.FieldLine) -> t.FieldDecl | None:
    named = linker.field(kind, line.name)
    if named is not None or line.values:
        return named
    return next((field for field in linker.fields(kind) if line.name in _words(linker, field.type)), None)


def _words(linker: Linker, of: t.TypeRef) -> tuple[str | int, ...]:
    listed = linker.items.get(of.name)
    return listed.declaration.words if listed is not None and isinstance(listed.declaration, t.WordsDecl) else of.words


def _check_lines(linker: Linker, kind: str, change: t.More, said: Given) -> None:
    for line in _lines(change):
        field = _field(linker, kind, line)
        if field is None:
            hint = linker.guesser.hint(line.name, [each.name for each in linker.fields(kind)])
            linker.complain("R404", f"the kind '{kind}' has no field '{line.name}'", line.span, hint)
        elif said[field.name][1] is not line:
            linker.complain("R302", f"'{field.name}' is given twice", line.span)


def _longer(
    linker: Linker, declaration: t.ComponentDecl, old: t.FieldLine | None, change: t.More, line: t.FieldLine, field: t.FieldDecl
) -> Longer | None:
    """What a field is for all copies, the new ones last; None if that cannot be said, which has been complained about or will be."""
    added, amount = _values(line, field), _amount(declaration)
    before = _values(old, field) if old is not None else _unsaid(field, line.span)
    if _several(field):
        linker.complain("R401", f"'{field.name}' is a {field.type.how}; copies cannot differ in it", line.span)
    elif len(added) not in (1, change.copies):
        message = f"'{field.name}' has {len(added)} values for {change.copies} more copies"
        linker.complain("R401", message, line.span, "give one value, or one for each of them")
    elif not before and amount:
        related = (Related(declaration.span, "declared here"),)
        linker.complain("R409", f"'{declaration.name}' has no {field.name} that its other copies could keep", line.span, None, related)
    elif len(before) in (1, amount):
        kept = before * amount if len(before) == 1 else before
        values = (*kept, *(added * change.copies if len(added) == 1 else added))
        return t.FieldLine(line.span, field.name, values), before[0] if len(before) == 1 else None
    return None


def _as_before(linker: Linker, declaration: t.ComponentDecl, line: t.FieldLine, change: t.More, field: t.FieldDecl) -> Longer | None:
    """What a field is for all copies if the new ones say nothing of it; None if it goes on being one for all."""
    if _several(field) or not 1 < len(line.values) == _amount(declaration):
        return None
    made, value = linker.alike.get((change.path, field.name), (None, None))
    if made is line and value is not None:
        return replace(line, values=(*line.values, *(value,) * change.copies)), value
    hint = f"say it of these too: {field.name} VALUE, VALUE ..."
    related = (Related(line.span, "it is given here"),)
    linker.complain("R409", f"'{change.path}' has its {field.name} copy by copy, and these copies do not say theirs", change.span, hint, related)
    return None


def _amount(declaration: t.ComponentDecl) -> int:
    return 1 if declaration.copies is None else declaration.copies


def _several(field: t.FieldDecl) -> bool:
    return field.type.how in ("set", "list")


def _values(line: t.FieldLine, field: t.FieldDecl) -> tuple[t.Expr, ...]:
    """The values that a line gives: the flag that it names, or the word that it is, if it says no more."""
    return line.values or (t.Name(line.span, "true" if line.name == field.name else line.name),)


def _unsaid(field: t.FieldDecl, span: Span) -> tuple[t.Expr, ...]:
    """What a field is where nothing is said."""
    if field.default:
        return field.default
    if field.type.optional:
        return (t.Name(span, "none"),)
    match field.type.how:
        case "flag":
            return (t.Name(span, "false"),)
        case "number" | "range":
            return (t.Number(span, field.type.low),)
        case "text":
            return (t.Text(span, ("",)),)
    return ()


# -- faces and spaces


def count_faces(linker: Linker) -> None:
    """Write out how many of each face or space there are where a number says it, after all layers had their say."""
    for key, item in list(linker.items.items()):
        if isinstance(item.declaration, t.DieDecl) and any(face.named for face in item.declaration.faces):
            linker.items[key] = replace(
                item, declaration=replace(item.declaration, faces=tuple(_counted(linker, face) for face in item.declaration.faces))
            )


def _counted(linker: Linker, face: t.Face) -> t.Face:
    """A face with so many copies as a number says."""
    if face.named is None:
        return face
    number = linker.items.get(face.named)
    if number is None or not isinstance(number.declaration, t.NumberDecl):
        numbers = [item.path for item in linker.items.values() if isinstance(item.declaration, t.NumberDecl)]
        hint = linker.guesser.hint(face.named, numbers) or f"declare it: number {face.named} = 3"
        linker.complain("R301", f"there is no number '{face.named}'", face.span, hint)
        return replace(face, named=None)
    value = number.declaration.value
    if value < 1:
        related = (Related(number.declaration.span, "it is declared here"),)
        linker.complain("R402", f"'{face.value}' stands there {value} times, by the number '{face.named}': once at least", face.span, None, related)
    return replace(face, copies=max(value, 1))
