"""Secrets: where in a program the answers that players give in secret, and what chance picks unseen, come to rest.

A data flow over the core: from the slots that such answers are put into, through other slots, arguments and fields, to fields.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rulewright.core import program as c
from rulewright.core.nodes import everything
from rulewright.step.link import Linked

Spot = tuple[str, c.Slot]  # a slot of a unit


class Secrets(NamedTuple):
    """Fields whose values come from what players answer in secret, those whose values chance gives, and what such answers are put down to."""

    answered: frozenset[str]
    drawn: frozenset[str]
    causes: frozenset[str]


def secrets_of(linked: Linked) -> Secrets:
    """What fields are filled with that others cannot know, found when it is asked for the first time."""
    found: Secrets | None = linked.notes.get("secrets")
    if found is None:
        program = linked.program
        placed = [(block.unit, node) for block in program.blocks for node in block.code]
        secret = [(unit, node.slot) for unit, node in placed if isinstance(node, c.Ask) and program.questions[node.question].secret]
        picks = [(unit, node) for unit, node in placed if isinstance(node, c.Pick) and node.question is not None]
        drawn = [(unit, node.slot) for unit, node in picks if _single(program.questions[node.question or 0])]
        causes = frozenset(cause for unit, _ in secret if (cause := program.units[unit].cause) is not None)
        found = Secrets(filled(program, placed, secret), filled(program, placed, drawn), causes)
        linked.notes["secrets"] = found
    return found


def _single(question: c.Question) -> bool:
    """Whether one value is picked."""
    return question.values != "options" and question.picked is None


def filled(program: c.Program, placed: list[tuple[str, c.Instruction]], spots: list[Spot]) -> frozenset[str]:
    """The fields that get their values from some slots, also through other slots, units and fields."""
    names, fields = set(spots), set[str]()
    before = -1
    while spots and before < len(names) + len(fields):
        before = len(names) + len(fields)
        for unit, node in placed:
            if isinstance(node, c.Let) and _speaks(node.value, unit, names, fields):
                names.add((unit, node.slot))
            elif isinstance(node, c.Set) and _speaks(node.value, unit, names, fields):
                fields.add(node.field)
            elif isinstance(node, c.Call):
                names |= {(node.unit, slot) for slot, value in enumerate(node.arguments) if _speaks(value, unit, names, fields)}
    return frozenset(fields)


def _speaks(expression: Any, unit: str, names: set[Spot], fields: set[str]) -> bool:
    """Whether an expression speaks of one of some slots or fields."""
    return any(
        (isinstance(part, c.Name) and (unit, part.slot) in names) or (isinstance(part, c.Field) and part.name in fields)
        for part in everything(expression)
    )
