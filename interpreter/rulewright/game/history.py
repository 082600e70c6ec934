"""History: checkpoints to go back to, and whether a choice may be taken back.

A checkpoint has the columns of a state in chunks, which it shares with the checkpoint before as far as nothing has changed in them; of the log, which only grows, it
has the length. Nothing in a checkpoint is ever altered: going back makes a state of its own out of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rulewright.core import chance
from rulewright.core import program as c
from rulewright.core.world import World
from rulewright.step.machine import Machine
from rulewright.step.state import Entry, State, Value

COLUMNS = ("values", "where", "members", "known")
CHUNK, CHUNKS = 64, 32  # things in a chunk at least, and chunks of a column at most where that makes them longer


class Checkpoint(NamedTuple):
    """A moment of a game: a state without columns, and these. `answers` are those that a script has left; `log` may have grown since it was so long."""

    state: State
    columns: list[list[list[Any]]]
    log: list[Any]
    length: int
    asked: tuple[int, tuple[Value, ...]] | None
    needed: chance.Needed | None
    spared: tuple[int, tuple[Value, ...]] | None
    answers: tuple[object, ...]


def checkpoint(machine: Machine, spared: tuple[int, tuple[Value, ...]] | None, before: Checkpoint | None) -> Checkpoint:
    """This moment."""
    state, sampler = machine.state, machine.sampler
    kept = State.__new__(State)
    for name in State.__slots__:
        setattr(kept, name, [] if name in COLUMNS or name == "log" else getattr(state, name))
    kept.frames = [frame.copy() for frame in state.frames]
    columns = [_chunks(getattr(state, name), None if before is None else before.columns[number]) for number, name in enumerate(COLUMNS)]
    return Checkpoint(kept, columns, state.log, len(state.log), machine.asked, machine.needed, spared, () if sampler is None else sampler.answers)


def _chunks(column: list[Any], before: list[list[Any]] | None) -> list[list[Any]]:
    """A column in chunks; those that are still the same are taken from before."""
    size = max(CHUNK, len(column) // CHUNKS)
    chunks = [column[start : start + size] for start in range(0, len(column), size)]
    return chunks if before is None else [old if old == new else new for old, new in zip(before, chunks, strict=True)]


def restored(moment: Checkpoint) -> State:
    """A state of its own, as it was at a moment."""
    state = moment.state.clone()
    for name, chunks in zip(COLUMNS, moment.columns, strict=True):
        setattr(state, name, [each for chunk in chunks for each in chunk])
    state.log = moment.log[: moment.length]
    return state


def sealed(machine: Machine, before: State, length: int) -> bool:
    """Whether something random happened, or something hidden was revealed to somebody, since an earlier moment, at which the log was so long."""
    state, everyone = machine.state, machine.world.everyone
    if before.random != state.random or _answered(machine, before):
        return True
    shown = shown_in(state.log[length:], everyone)
    if shown is None:
        return True
    shown += [(each, machine.seers_of(each)) for each in range(machine.world.count)]
    earlier = Machine(machine.linked, before, machine.budget)
    tops, covered = ([members[place][-1] for place in machine.world.piles if members[place]] for members in (state.members, before.members))
    return any(seen & ~earlier.seers_of(each) for each, seen in shown) or not uncovered(machine.world, tops) <= uncovered(machine.world, covered)


def shown_in(entries: list[Entry], everyone: int) -> list[tuple[int, int]] | None:
    """What some entries of the log have shown, and to whom; None if something was said to some only: who knows what it said."""
    found: list[tuple[int, int]] = []
    for entry in entries:
        if entry[0] == "message":
            if entry[4] != everyone:
                return None
            found += [(each, everyone) for each in entry[5] or ()]
        elif entry[0] == "show":
            found += [(each, entry[3]) for each in entry[2]]
        elif entry[0] == "move":
            found.append((entry[2], entry[5]))
    return found


def uncovered(world: World, tops: Iterable[int]) -> set[int]:
    """What of that which lies on top of piles everyone can read something on."""
    return {top for top in tops if world.backs[top]} if world.has_backs else set()


def _answered(machine: Machine, before: State) -> bool:
    """Whether a secret choice of several players that was going on has been completed, so that its answers may be known."""
    number, question = len(before.frames) - 1, _asked(machine, before, len(before.frames) - 1)
    if question is None:
        return False
    declared = machine.program.questions
    together, now = c.joint(question, declared[question]), _asked(machine, machine.state, number)
    return together is not None and (now is None or c.joint(now, declared[now]) != together)


def _asked(machine: Machine, state: State, number: int) -> int | None:
    """The question at which a frame stands."""
    node = machine.linked.code[state.frames[number].at] if 0 <= number < len(state.frames) else None
    return node.question if isinstance(node, c.Ask) else None
