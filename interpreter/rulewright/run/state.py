"""The state of a running game: plain data, and nothing else.

Columns and members say what is where; frames say what is going on and point into the graph; the random state, the log and a few counters complete
it. Nothing here knows how to run anything.

The four long columns (values, where, members, known) are changed in place, and every change leaves what was there before in the journal: going back
to an earlier moment takes as long as what has happened since, however large the game is. Everything else is replaced, never altered, so that a moment is a
handful of references. A clone is a few list copies.

What is going on is a stack. Whoever looks at `frames` finds dictionaries there; until then the fast engine may have left tuples in the stack, which say the
same in less: the second part of each is the function that makes frames of it, the third its local names, if it has any, the fourth what it is the
cause of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Frame = dict[str, Any]
Left = Any  # a frame, or a tuple that stands for some
Entry = tuple[Any, ...]
Change = tuple[Any, ...]  # the column, the number in it, and what was there; or what `MOVED` says
Moment = tuple[Any, ...]  # the length of the journal, then what `KEPT` names, then what whoever remembers it adds

VALUES, WHERE, MEMBERS, KNOWN = range(4)  # the columns as the journal calls them
MOVED = 4  # a component that lies in another place now: the component, its place, what lay in that place, what lay where the component is now

# What an entry of the log holds beside its kind and what was behind it: its cause, by what component it was caused, how deep inside effects and in what phase.
ENTRIES: dict[str, tuple[str, ...]] = {
    "move": ("component", "before", "to", "seen", "told"),
    "set": ("component", "field", "before", "value", "seen"),
    "choice": ("player", "option", "label", "prompt", "seen", "public", "silent"),
    "show": ("components", "seen"),
    "message": ("text", "seen", "components"),  # the text, or its parts; those of which somebody learns something by it
    "roll": ("die", "face"),
    "shuffle": ("place", "told"),
    "outcome": ("player", "outcome"),
    "end": (),
}
NAMED = {kind: ("kind", *parts, "cause", "by", "depth", "phase") for kind, parts in ENTRIES.items()}
# What a moment remembers by reference; `frames` as they are in the stack.
KEPT = ("frames", "random", "log_length", "installed", "once", "outcomes", "answers", "loose", "ended", "version", "installs")


class State:
    """One moment of a game."""

    __slots__ = ("journal", "known", "log", "members", "stack", "values", "where", *KEPT[1:])

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.where: list[int] = []
        self.members: list[tuple[int, ...]] = []
        self.known: list[int] = []
        self.journal: list[Change] = []
        self.stack: list[Left] = []
        self.random: int = 0
        self.log: list[Entry] = []
        self.log_length: int = 0
        self.installed: list[dict[str, Any]] = []
        self.once: list[str] = []
        self.outcomes: list[str] = []
        self.answers: list[Any] = []
        self.loose: list[list[int]] = []  # components shuffled together of which nobody has said yet where they lie
        self.ended: bool = False
        self.version: int = 0
        self.installs: int = 0

    @property
    def frames(self) -> list[Frame]:
        """What is going on, the innermost last."""
        stack = self.stack
        if tuple in map(type, stack):
            stack[:] = spread(stack)
        return stack

    @frames.setter
    def frames(self, frames: list[Left]) -> None:
        self.stack = frames

    def top(self) -> Frame:
        """The innermost of what is going on; everything else is left as it is in the stack."""
        return spread(self.stack[-1:])[-1]

    def opened(self, *keys: str) -> list[Left]:
        """The stack, with nothing but frames down to the innermost frame that has one of some keys."""
        stack = self.stack
        for number in range(len(stack) - 1, -1, -1):
            made = spread(stack[number : number + 1])
            stack[number : number + 1] = made
            if any(key in frame for frame in made for key in keys):
                break
        return stack

    def clone(self, frames: Sequence[Left] | None = None) -> State:
        """A copy that shares nothing that changes; the log is shared until one of the two writes to it, and what has been cannot be gone back to.

        `frames` are those of the copy, if the engine knows how to share some.
        """
        made = State.__new__(State)
        made.values = self.values[:]
        made.where = self.where[:]
        made.members = self.members[:]
        made.known = self.known[:]
        made.journal = []
        made.stack = copied(self.frames) if frames is None else list(frames)
        made.random, made.log, made.log_length = self.random, self.log, self.log_length
        made.installed = copied(self.installed) if self.installed else []
        made.once, made.outcomes, made.answers, made.loose = self.once, self.outcomes, self.answers, self.loose
        made.ended, made.version, made.installs = self.ended, self.version, self.installs
        return made

    def standings(self) -> list[str]:
        """How every player stands: won, lost, eliminated, or nothing yet. When the game is over and somebody has won, everybody else in it has lost."""
        over = self.ended and "won" in self.outcomes
        return [each or "lost" for each in self.outcomes] if over else self.outcomes

    # -- moments

    def moment(self, frames: Sequence[Left], *more: Any) -> Moment:
        """This moment, to be gone back to; `frames` are those of the state, or a copy if somebody alters them, `more` whatever else is to be remembered."""
        return (len(self.journal), frames, self.random, self.log_length, self.installed, self.once, self.outcomes, self.answers, self.loose,
                self.ended, self.version, self.installs, *more)  # fmt: skip

    def go_back(self, moment: Moment) -> list[Change]:
        """Be as at an earlier moment; gives what `go_on` needs to come here again."""
        journal = self.journal
        undone = [self._put_back(change) for change in reversed(journal[moment[0] :])]
        del journal[moment[0] :]
        self._keep(moment)
        return undone

    def go_on(self, moment: Moment, undone: list[Change]) -> None:
        """Be again as at a later moment that was gone back from."""
        self.journal += [self._put_back(change) for change in reversed(undone)]
        self._keep(moment)

    def _put_back(self, change: Change) -> Change:
        """Have again what a change says was there; gives the change that leads here again."""
        if change[0] == MOVED:
            _, component, place, inside, outside = change
            where, members = self.where, self.members
            now = where[component]
            if now == place:  # who was to move it was interrupted before that was done
                left, members[place] = members[place], inside
                return MEMBERS, place, left
            back = (MOVED, component, now, members[now], members[place])
            where[component], members[place], members[now] = place, inside, outside
            return back
        column, index, before = change
        values: list[Any] = (self.values, self.where, self.members, self.known)[column]
        after, values[index] = values[index], before
        return column, index, after

    def _keep(self, moment: Moment) -> None:
        (_, frames, self.random, self.log_length, self.installed, self.once, self.outcomes, self.answers, self.loose,
         self.ended, self.version, self.installs, *_) = moment  # fmt: skip
        self.stack = list(frames)

    # -- the log

    def entries(self, since: int = 0) -> list[dict[str, Any]]:
        """The log of this state, or what has been added to it since it was so long."""
        return [as_entry(entry) for entry in self.log[since : self.log_length]]


def as_entry(entry: Entry) -> dict[str, Any]:
    """An entry of the log with its parts named."""
    kind = entry[0]
    named = dict(zip(NAMED[kind], (kind, *entry[2:], *entry[1]), strict=True))
    if "components" in named and named["components"] is None:
        del named["components"]
    if kind == "message" and type(named["text"]) is tuple:
        named["text"] = "".join(map(str, named["text"]))
    return named


def from_entry(named: dict[str, Any]) -> Entry:
    """An entry of the log from its named parts."""
    cause = (named["cause"], named["by"], named["depth"], named["phase"])
    return (named["kind"], cause, *(named.get(name) for name in ENTRIES[named["kind"]]))


def spread(stack: Sequence[Left]) -> list[Frame]:
    """A stack with nothing but frames in it."""
    found: list[Frame] = []
    for each in stack:
        if type(each) is tuple:
            found += each[1](each)
        else:
            found.append(each)
    return found


def copied(value: Any) -> Any:
    """A deep copy of plain data."""
    if type(value) is dict:
        return {key: copied(part) if type(part) in (dict, list) else part for key, part in value.items()}
    if type(value) is list:
        return [copied(part) if type(part) in (dict, list) else part for part in value]
    return value


def shared(frames: list[Frame], before: Sequence[Frame]) -> list[Frame]:
    """Frames to be kept: what is still the same as earlier is taken from there."""
    same = len(before)
    return [before[number] if number < same and before[number] == frame else frame for number, frame in enumerate(frames)]
