"""The state of the table: `state round: number = 1` is a field of one component that no author can name.

Takes the declarations; puts the component, its kind and its fields among the symbols, so that saves, views, undo and the log know them as they know any
other field. Refuses a state that does not say what it begins with, where its type does not.
"""

from __future__ import annotations

from typing import Any

from rulewright import tree as t
from rulewright.check.report import Report
from rulewright.check.symbols import Definition, Field, Kind, Symbols
from rulewright.types import TABLE, Type, shown


def declare_states(items: list[Any], symbols: Symbols, report: Report, types: dict[str, Type]) -> None:
    """Put the state of the table among the symbols; `types` are those that were written."""
    declared = [item for item in items if isinstance(item.declaration, t.StateDecl)]
    if not declared:
        return
    kind = symbols.kinds[TABLE] = Kind(TABLE, None, declared[0].package)
    for item in declared:
        state: t.StateDecl = item.declaration
        of = types[item.path]
        if not state.default and not of.optional and of.how in ("words", "kind", "place"):
            hint = f"write: state {state.name}: ... = VALUE, or add 'or none'"
            report("R409", f"the state '{state.name}' does not say what it begins with ({shown(of)})", state.span, hint)
            of = Type(of.how, of.name, of.low, of.high, of.words, of.of, True)
        made = t.FieldDecl(state.span, state.name, state.type, state.default, state.seen_by, state.untold)
        kind.fields[state.name] = symbols.states[state.name] = Field(state.name, of, TABLE, made)
    cites = tuple(cite for item in declared for cite in item.declaration.cites)
    declaration = t.ComponentDecl(declared[0].declaration.span, TABLE, TABLE, "Table", members=cites)
    symbols.definitions[TABLE] = Definition(TABLE, TABLE, 1, declaration, declared[0].package)
