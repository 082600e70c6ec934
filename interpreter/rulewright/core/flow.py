"""Control flow: where instructions lead, which blocks can be reached, and a program with only those."""

from __future__ import annotations

import msgspec

from rulewright.core import program as c

# What may end a block, and by which of its parts it leads on.
LEADING: dict[type, tuple[str, ...]] = c.parts_with("Label") | {c.Return: (), c.Fail: (), c.EndGame: (), c.Finish: ()}


def targets(node: c.Instruction) -> list[c.Label]:
    """The blocks that an instruction may lead on to."""
    found: list[c.Label] = []
    for name in LEADING.get(type(node), ()):
        to = getattr(node, name)
        found += to.values() if isinstance(to, dict) else [to]
    return found


def reachable(program: c.Program, since: c.Label = 0) -> list[c.Label]:
    """The blocks that can be reached from the beginning of some unit, in the order in which they stand; of what was added last, those from `since` on."""
    todo = [unit.entry for unit in program.units.values()] + [*program.phases, program.over]
    found: set[c.Label] = set()
    while todo:
        label = todo.pop()
        if label >= since and label not in found:
            found.add(label)
            block = program.blocks[label]
            if not block.code or type(block.code[-1]) not in LEADING:
                raise AssertionError(f"block {label} of '{block.unit}' leads nowhere")
            todo += targets(block.code[-1])
    return sorted(found)


def prune(program: c.Program, since: c.Label = 0) -> dict[c.Label, c.Label]:
    """Leave out blocks that nothing leads to, from `since` on; gives the new numbers of the others of those. What was there before keeps its numbers."""
    kept = reachable(program, since)
    numbers = {label: number for number, label in enumerate(kept, start=since)}
    blocks = [program.blocks[label] for label in kept]
    for block in blocks:
        block.code[-1] = relabelled(block.code[-1], numbers)
    program.blocks[since:] = blocks
    for unit in program.units.values():
        if unit.entry >= since:
            unit.entry = numbers[unit.entry]
            unit.happens = tuple((event, numbers[label]) for event, label in unit.happens if label in numbers)
    if not since:
        program.phases = tuple(numbers[label] for label in program.phases)
        program.ending, program.over = numbers[program.ending], numbers[program.over]
    return numbers


def relabelled(last: c.Instruction, numbers: dict[c.Label, c.Label]) -> c.Instruction:
    """An instruction that leads on to the same blocks under other numbers."""
    changed = {}
    for name in LEADING[type(last)]:
        to = getattr(last, name)
        changed[name] = {case: numbers[label] for case, label in to.items()} if isinstance(to, dict) else numbers[to]
    return msgspec.structs.replace(last, **changed) if changed else last
