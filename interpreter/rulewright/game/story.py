"""Stories: a game as people tell it, for one pair of eyes: headings, what somebody does and what it costs, what comes of it, and how it ends.

Takes a game, gives lines; transcripts, tables and replays show these and nothing else. What is told of the log:

- A phase and its steps are headings, and so is what the rules say with `heading`; steps inside effects are not. Of the set-up only what the rules say, and what is chosen.
- An effect that says something (`log`, `because`) speaks for itself: what it moves, changes and rolls is not told besides, nor the choice just before if it names who made it. Fields and places that are `untold` are not told at all.
  What only some are shown, they are told.
- An action or a reaction is one line, with the choices that belong to it and what is paid for it. What somebody declines is not told.
- Equal lines that are neighbours are told once. Whatever somebody cannot tell is counted.
- How everybody came off stands on the last page; it is told where it happens only if the game goes on.
- What is decided is numbered alike for everybody: payments, further choices of an action or of several things, and what is openly declined belong to what they are
  told with; what not everyone may notice has no number either.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from rulewright.game.log_text import causes
from rulewright.game.past import Past
from rulewright.game.sentences import Draft, Sentences, sentence
from rulewright.game.views import standings
from rulewright.step.machine import Machine
from rulewright.step.state import Entry

if TYPE_CHECKING:
    from rulewright.game.game import Game

CHAPTER, PHASE, STEP, TURN = 1, 2, 3, 4  # levels of headings: said in a phase, a phase, a step of one, said in an effect
AT_ONCE = frozenset({"message", "heading", "end"})  # what cannot go on
RAW = frozenset({"move", "set", "roll", "shuffle", "show"})


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a story.

    `kind` is heading, action, choice, event, message, outcome or end. `level` is that of a heading, from 1; of other lines how deep inside other effects they happened. `number` is
    that of the decision, `player` who made it, both from 1; `components` are the ids of what it is about; `cause` and `cites` the rule behind it, `phase` the path of the
    phase and step, `position` where in the log it stands.
    """

    kind: str
    text: str
    level: int = 0
    number: int | None = None
    player: int | None = None
    components: tuple[str, ...] = ()
    cause: str = ""
    cites: tuple[str, ...] = ()
    phase: str | None = None
    position: int = 0


class Story:
    """The story of a game for a player (from 1), for a spectator (None), or with everything; piece by piece, as the game goes on."""

    def __init__(self, game: Game, player: int | None = None, *, everything: bool = False, start: int = 0, language: str | None = None) -> None:
        world = game.world
        bit = world.players if player is None else player - 1
        self._game, self._words = game, game._worded(language)
        self._told = Sentences(Past(game._machine, game.log_length, self._words), lambda bits: True)
        self._can = (lambda bits: True) if everything else (lambda bits: bits >> bit & 1 == 1)
        self._everything = everything
        self._read, self._number = start, 0
        self._before: Entry | None = None  # the last entry that was read, bookkeeping apart
        for entry in game._machine.state.log[:start] if start else ():
            self._number += self._is_numbered(entry)
            self._keep(entry)
        self._over: int | None = None  # where the log of a game that is over stood after its last decision
        self._open: Draft | None = None  # the last one, which may go on
        self._phase: str | None = None  # the path of the phase that is going on
        self._root: str | None = None
        self._step: str | None = None
        self._reasons: dict[int, str] = {}
        self._decided: dict[int, int] = {}
        self._rolled = 0
        self._spoken = _Spoken(world.tracks)
        self._lines: list[Line] = []

    def more(self, *, eager: bool = False) -> list[Line]:
        """What is certain to be told as it is, of what has happened since: the last line may go on. Who is `eager` is told it too, unless it is of who has to decide
        next; what would have been told together with it is told by itself then."""
        machine = self._game._machine
        log = machine.state.log[self._read :]
        if log:
            past = Past(machine, self._read, self._words)
            told = self._told = Sentences(past, self._can)
            spoken = self._spoken.among(log, told)
            if machine.state.ended:
                self._over = next((at for at in range(len(machine.state.log), 0, -1) if machine.state.log[at - 1][0] == "choice"), 0)
            for offset, entry in enumerate(log):
                past.forward(entry)
                self._tell(machine, told, entry, self._read + offset, offset in spoken)
            self._read += len(log)
        if self._open is not None and (self._open.kind in AT_ONCE or (eager and not self._may_go_on())):
            self._close(machine)
        lines, self._lines = self._lines, []
        return lines

    def _may_go_on(self) -> bool:
        """Whether the last line is of the player who has to decide next."""
        asked = self._game._engine.asked()
        return asked is not None and self._open is not None and self._open.player == asked[0] + 1

    def rest(self) -> list[Line]:
        """What is left to be told, and the last page if the game is over."""
        lines, machine = self.more(), self._game._machine
        self._close(machine)
        if machine.state.ended:
            self._last_page(machine)
        lines += self._lines
        self._lines = []
        return lines

    def pending(self) -> list[Line]:
        """What is left, told as it stands by now; this story goes on from before it."""
        other = copy.copy(self)
        other._lines = []
        return other.rest()

    # -- one entry after another

    def _tell(self, machine: Machine, told: Sentences, entry: Entry, position: int, spoken_for: bool) -> None:
        kind, cause = entry[0], entry[1]
        in_setup = cause[3] is not None and cause[3].split(".")[0] == "setup"
        self._rolled += kind == "roll"
        draft = None if kind in RAW and (spoken_for or in_setup) and not cause[0].startswith("cost ") else told.draft(entry, position)
        if kind == "choice":
            self._count(draft, entry)
        self._keep(entry)
        if cause[3] is not None and machine.world.graph["effects"].get(cause[3].split(".")[0], {}).get("what") == "phase":
            self._phase = cause[3]
        if draft is None:
            return
        draft.phase = self._phase
        if self._goes_on(draft):
            return
        self._close(machine)
        if draft.kind != "declined":
            self._open = draft

    def _count(self, draft: Draft | None, entry: Entry) -> None:
        if self._is_numbered(entry):
            self._decided[entry[2]] = self._decided.get(entry[2], 0) + 1
            self._number += 1
            if draft is not None:
                draft.number = self._number

    def _keep(self, entry: Entry) -> None:
        """What stands between two choices parts them, unless nobody is told of it."""
        if entry[0] != "set" or not self._told.is_bookkeeping(entry[2], entry[3]):
            self._before = entry

    def _is_numbered(self, entry: Entry) -> bool:
        """Whether something has a number of its own, whoever reads of it: it is decided for everyone to notice, and no part of what was decided just before."""
        if entry[0] != "choice":
            return False
        _, (unit, *where), player, question, value, _, _, _, seen, public, silent = entry
        declined = question is not None and value is None and (public or seen == self._game.world.everyone)
        if silent or declined or unit.startswith("cost "):
            return False
        last = self._before
        if last is None or last[0] != "choice" or last[2] != player:
            return True
        return not (unit.startswith("action ") or (question is not None and (last[1], last[3]) == ((unit, *where), question)))

    def _goes_on(self, draft: Draft) -> bool:
        """Whether something is part of what is being told: of an action, of a choice of several things, or once more the same."""
        last, unit = self._open, str(draft.cause[0])
        if last is None:
            return False
        if last.deed is not None:
            if draft.kind in ("choice", "declined") and draft.player == last.player and unit.startswith("cost "):
                return True
            if draft.kind == "choice" and draft.player == last.player and unit == f"action {last.deed}" and draft.picks and not last.things:
                last.names = {**last.names, "question": ", ".join(filter(None, [last.names.get("question"), *draft.picks]))}
                last.components = [*last.components, *draft.components]
                return True
            if draft.kind == "event" and unit.startswith("cost ") and draft.template == "pays":
                if draft.components != last.components[:1]:  # what is played is not paid for itself
                    _join(last, draft)
                return True
        if draft.kind == "declined":
            return last.kind == "choice" and last.player == draft.player and last.cause == draft.cause
        if draft.kind == "outcome" and last.kind == "reason":
            draft.template, draft.names = f"{draft.template} because", {"reason": last.names["text"]}
            draft.position, self._open = last.position, None
            return False
        if draft.kind == "message" and last.kind == "choice" and draft.cause == last.cause and last.player in draft.named:
            draft.number, draft.player, self._open = last.number, last.player, None
            return False
        if draft.kind == last.kind == "choice" and not draft.picks and draft.key == last.key:
            return True
        if draft.kind == last.kind == "choice" and draft.question is not None and draft.question == last.question and draft.key == last.key:
            last.picks = [*last.picks, *draft.picks]
            last.components = [*last.components, *draft.components]
            return True
        if draft.kind == last.kind and draft.kind in ("event", "outcome") and draft.key == last.key:
            _join(last, draft)
            return True
        return False

    def _close(self, machine: Machine) -> None:
        """Write down what was being told."""
        draft, self._open = self._open, None
        if draft is None:
            return
        if draft.deed is not None:
            draft.template = _deed(draft)
        if draft.kind == "outcome":
            for player in draft.components:
                self._reasons[player] = draft.names.get("reason", "")
            if self._over is not None and draft.position >= self._over:
                return
        if draft.kind == "heading":
            if machine.world.graph["effects"].get(draft.cause[0], {}).get("what") in ("phase", "step"):
                self._write(machine, draft, CHAPTER)
                self._root = self._step = None
            else:
                self._enter(machine, draft)
                self._write(machine, draft, TURN)
            return
        self._enter(machine, draft)
        self._write(machine, draft, int(draft.cause[2]))

    def _write(self, machine: Machine, draft: Draft, level: int) -> None:
        cause, cites = causes(machine.world, draft.cause[0])
        self._lines.append(
            Line(
                kind="message" if draft.kind == "reason" else draft.kind, text=self._told.text(draft), level=level, number=draft.number, player=draft.player,
                components=tuple(dict.fromkeys(machine.world.identities[each] for each in draft.components if each < machine.world.count)),
                cause=cause, cites=tuple(cites), phase=draft.phase, position=draft.position,
            )
        )  # fmt: skip

    def _enter(self, machine: Machine, draft: Draft) -> None:
        """The headings above the first line of a phase, and of a step of one."""
        effects, path = machine.world.graph["effects"], draft.phase
        if path is None:
            return
        root, _, step = path.partition(".")
        if root != self._root:
            self._root, self._step = root, None
            if root != "play" or effects[root]["label"] != "play":
                self._head(self._phase_name(effects, root), PHASE, path, draft)
        if step and step != self._step:
            parts = path.split(".")
            names = (self._phase_name(effects, ".".join(parts[: at + 1])) for at in range(1, len(parts)))
            self._head(": ".join(names), STEP, path, draft)
        self._step = step

    def _phase_name(self, effects: dict[str, Any], path: str) -> str:
        own = effects[path]["label"] if path in effects else path.rpartition(".")[2].replace("_", " ")
        return self._words.catalog.names.get(path) or str(own)

    def _head(self, text: str, level: int, path: str, draft: Draft) -> None:
        self._lines.append(Line(kind="heading", text=text[:1].upper() + text[1:], level=level, phase=path, cause=path, position=draft.position))

    # -- the last page

    def _last_page(self, machine: Machine) -> None:
        words = Past(machine, self._read, self._words).words
        position = len(machine.state.log)
        self._lines.append(Line(kind="heading", text=sentence(words, "last page"), level=CHAPTER, position=position))
        for player, outcome in enumerate(standings(machine.state.outcomes, True)):
            seat, name = self._words.labels[player], words.labels[player]
            who = seat if seat == name else sentence(words, "player", player=seat, name=name)
            text = sentence(words, f"stands {outcome}", who=who, reason=self._reasons.get(player, "")).strip()
            self._lines.append(Line(kind="outcome", text=text, player=player + 1, components=(machine.world.identities[player],), position=position))
        made = ", ".join(sentence(words, "decisions of", who=words.labels[player], count=count) for player, count in sorted(self._decided.items()))
        told = [sentence(words, "decisions", count=sum(self._decided.values()), each=made)] if made else []
        told += [sentence(words, "rolled", count=self._rolled)] if self._rolled else []
        result = self._game.result
        if result is not None and result.points:
            points = ", ".join(words.say("none") if each is None else str(each) for each in result.points)
            told.insert(0, sentence(words, "score", points=points))
        self._lines += [Line(kind="message", text=text, position=position) for text in told]


def story(game: Game, player: int | None = None, *, everything: bool = False, language: str | None = None) -> list[Line]:
    """The whole story so far."""
    return Story(game, player, everything=everything, language=language).rest()


def _join(last: Draft, more: Draft) -> None:
    """What is told together with something."""
    last.things = dict(last.things)
    for name, count in more.things.items():
        last.things[name] = last.things.get(name, 0) + count
    last.components = [*last.components, *more.components]


def _deed(draft: Draft) -> str:
    """The template of an action: with what, and for what."""
    if draft.things:
        return "does with, for" if "question" in draft.names else "does for"
    return "does, asked" if "question" in draft.names else "does"


# -- what effects say themselves


class _Call:
    """An effect that is going on: what it has done since the last choice, and whether it has said anything."""

    __slots__ = ("depth", "done", "said", "unit")

    def __init__(self, unit: tuple[Any, Any, Any], depth: int) -> None:
        self.unit, self.depth, self.said = unit, depth, False
        self.done: list[int] = []


def _alike(one: tuple[Any, Any, Any], other: tuple[Any, Any, Any]) -> bool:
    """Whether two entries may come of one call: whose a track is that advances is not known."""
    return one == other or (None in (one[0], other[0]) and one[2] == other[2])


class _Spoken:
    """Finds what is done by effects that speak for themselves: they have said something, or do so before the next choice. The marker of a track is moved by whoever lets
    it advance."""

    def __init__(self, tracks: Iterable[str]) -> None:
        self._advancing = {f"{track}.advance" for track in tracks}
        self._calls: list[_Call] = []
        self._found: set[int] = set()

    def among(self, log: Sequence[Entry], told: Sentences) -> set[int]:
        """The positions among these entries, which go on where the last ones ended."""
        self._found = set()
        for position, (kind, cause, *parts) in enumerate(log):
            call = self._call(cause)
            if kind in RAW and not (kind == "show" and told.is_let_in(parts[1])):
                call.done.append(position)
            elif kind == "message" and told.can(parts[2]) and told.tells(parts[0], cause[0]) != "heading":
                call.said = True
            elif kind == "choice":
                self._settle()
        self._settle()
        return self._found

    def _call(self, cause: Any) -> _Call:
        """The call that an entry belongs to; those further in are over."""
        unit, by, depth, phase = cause
        own = (None if unit in self._advancing else unit, by, phase)
        depth -= unit in self._advancing
        self._leave(depth)
        if self._calls and self._calls[-1].depth == depth and not _alike(self._calls[-1].unit, own):
            self._leave(depth - 1)
        if not self._calls or self._calls[-1].depth < depth:
            self._calls.append(_Call(own, depth))
        call = self._calls[-1]
        if call.unit[0] is None:
            call.unit = own
        return call

    def _leave(self, depth: int) -> None:
        while self._calls and self._calls[-1].depth > depth:
            self._finish(self._calls.pop())

    def _settle(self) -> None:
        for call in self._calls:
            self._finish(call)

    def _finish(self, call: _Call) -> None:
        if call.said:
            self._found.update(call.done)
        call.done = []
