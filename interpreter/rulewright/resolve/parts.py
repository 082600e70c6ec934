"""Parts by name: what a layer can speak of inside a declaration, wherever it stands in it.

Members of kinds and components, also those under `while`, and steps in any body: of an effect, an action, a method, a hook. A path of names leads
from a declaration to a part, to a part of that, and so on.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, get_args

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.resolve.cites import PLAIN

PARTS = (t.Step, t.FieldDecl, t.FieldLine, t.PlaceDecl, t.EffectDecl, t.ValueDecl, t.MemberDef, t.ActionDecl, t.Reaction, t.RuleDecl)
LEAVES = frozenset({*get_args(t.Expr), t.TypeRef, t.Parameter, t.Citation, *PLAIN})  # nothing inside these has a name for layers
SORTS: dict[type, str] = {
    t.Step: "step", t.FieldDecl: "field", t.FieldLine: "field", t.PlaceDecl: "place", t.ValueDecl: "value", t.ActionDecl: "action",
    t.Reaction: "reaction", t.RuleDecl: "rule",
}  # fmt: skip


def parts_of(node: Any) -> Iterator[Any]:
    """The named parts of a node that are not inside another part, in reading order."""
    todo = _inside(node)
    while todo:
        found = todo.pop()
        if isinstance(found, PARTS) and found.name:
            yield found
        elif type(found) not in LEAVES:
            todo += _inside(found)


def _inside(node: Any) -> list[Any]:
    """What a node or tuple consists of, last first."""
    if type(node) is tuple:
        return list(reversed(node))
    return [part for name in reversed(node.__struct_fields__) if type(part := getattr(node, name)) not in LEAVES]


def find_part(node: Any, names: tuple[str, ...]) -> Any | None:
    """The part at the end of a path."""
    for name in names:
        node = next((part for part in parts_of(node) if part.name == name), None)
        if node is None:
            return None
    return node


def part_paths(prefix: str, node: Any) -> list[str]:
    """The paths of all parts of a node, and of theirs."""
    found = []
    for part in parts_of(node):
        path = f"{prefix}.{part.name}"
        found += [path, *part_paths(path, part)]
    return found


def sort_of(part: Any) -> str:
    """What a part is, in the word a layer uses for it."""
    if isinstance(part, t.EffectDecl):
        return part.what
    if isinstance(part, t.MemberDef):
        return "effect" if part.body is not None else "value"
    return SORTS[type(part)]


def with_part(node: Any, part: Any, instead: tuple[Any, ...]) -> Any:
    """The node with other things in place of one of its parts; parts always stand in tuples."""
    if isinstance(node, tuple):
        made = tuple(new for each in node for new in (instead if each is part else (with_part(each, part, instead),)))
        return node if len(made) == len(node) and all(map(operator.is_, made, node)) else made
    if not isinstance(node, t.Node) or type(node) in LEAVES:
        return node
    changed = {name: new for name in node.__struct_fields__ if (new := with_part(old := getattr(node, name), part, instead)) is not old}
    return replace(node, **changed) if changed else node
