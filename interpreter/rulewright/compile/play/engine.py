"""The fast engine: goes on with what was left behind by the functions of bodies, and leaves to the reference engine what is rare.

Between decisions bodies call each other as Python functions; at a decision they have left behind what says the same as the frames that the reference
engine has there (see `resuming`). So either engine can go on where the other stopped. Frames that an earlier moment may share are never altered here: they
are replaced. The reference engine does alter frames; before it is asked for the first time between two decisions, all of them are copied.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.compile.play import doing, stages
from rulewright.compile.play.moving import counted
from rulewright.compile.play.offering import Offer
from rulewright.compile.play.resuming import (
    WAITING,
    Point,
    block,
    block_frames,
    choice,
    choice_frames,
    each,
    each_frames,
    event_frame,
    loosened,
    repeat,
    repeat_frames,
    spliced,
    surroundings,
    too_long,
    unit,
    unit_frames,
    unwound,
)
from rulewright.compile.play.running import Choosing, pick, picked
from rulewright.errors import RulesError
from rulewright.run import acting, questions, walk
from rulewright.run.asking import DONE, NONE, SEVERAL, Option, limit_of, payer
from rulewright.run.machine import Machine
from rulewright.run.state import Frame, Left, copied

Resumes = dict[str, Point]
EARLY = 8  # generated code looks at less than the reference engine does to find the same
PLAIN_UNIT = {"f", "unit", "node", "vars"}


class Compiled:
    """Runs games of one world by generated code."""

    def __init__(
        self,
        resumes: Resumes,
        bodies: frozenset[str],
        events: dict[str, Any],
        units: dict[str, Any],
        bounds: frozenset[str],
        names: dict[str, Any],
        spans: list[tuple[int, str]],
        named: list[Option],
        words: dict[str, str],
        deeds: dict[str, doing.Deed],
        choosing: dict[str, Choosing],
        several: dict[str, Any],
    ) -> None:
        self.early = EARLY
        self.resumes = resumes
        self.bodies = bodies
        self.events = events
        self.units = units
        self.bounds = bounds  # events with which something ends
        self.costs = {unit[5:]: (unit, body) for unit, body in units.items() if unit.startswith("cost ")}
        self.names = names
        self.spans = spans
        self.named = named  # components and places as options for who can tell them
        self.words = words  # what choices ask, where that does not depend on the state
        self.plain = not {DONE, NONE} & {option.id for option in named}  # whether no component is called as an option that is none
        self.deeds = deeds
        self.choosing = choosing
        # What the accelerator has, if there is one.
        self.straight: Callable[[Any, Any], bool] | None = None
        self.copied: Callable[[Any], Any] | None = None
        self.begun: Callable[[Any, Any, int], Any] | None = None
        self.several = several  # what asks for the next of several things
        self.steps = {
            "root": self._root,
            "unit": self._unit,
            "block": self._block,
            "each": self._each,
            "repeat": self._repeat,
            "event": stages.event,
            "action": doing.action,
            "costs": doing.costs,
        }

    def kept(self, stack: list[Left], before: Sequence[Left]) -> Sequence[Left]:
        """What is going on at this moment, for later: it is not altered here."""
        return tuple(stack)

    def apart(self, stack: list[Left]) -> Sequence[Left]:
        """What is going on, for a copy of the game: nothing that may be shared is altered here."""
        return stack

    def take(self, m: Machine, option: Option) -> None:
        """Carry out an answer."""
        stack = m.state.stack
        top = stack[-1]
        m.private, m.fresh, m.owned = False, {}, {}
        if type(top) is tuple:
            stack.pop()
            node = m.world.graph["nodes"][top[4]]
            form, below = node["form"], stack[-1]
            if form == "one" and type(below) is tuple and below[2] is not None:
                names = {**below[2], node["name"]: option.value}
                m.fresh[id(names)] = names
                stack[-1] = (below[0], below[1], names, *below[3:])
            elif form in SEVERAL:
                picked(m, top, node, option.value, stack)
            else:
                self._answer(m, node, option)
        elif top["f"] == "offer" and option.value[0] == "action":
            stack.pop()
            _, path, granter = option.value
            variables = acting.start_variables(top["who"], granter)
            m.fresh[id(variables)] = variables
            _, _, depth, phase = m.cause()
            said = (f"action {path}", granter, depth + 1, phase)
            stack.append((doing.doing, doing.doing_frames, variables, said, path, 0))
        elif top["f"] == "offer":
            stack.pop()
            chosen = m.world.graph["nodes"][top["node"]]["options"][option.value[1]]
            self._take_option(m, chosen, top["who"], {"actor": top["who"]})
        else:
            self._top(m)
            surroundings(m, stack)
            questions.take(m, option)

    def _answer(self, m: Machine, node: dict[str, Any], option: Option) -> None:
        """Give the result of a choice of one thing to whoever asked."""
        stack = m.state.stack
        if node["form"] not in ("option", "yes_no"):
            if node["name"] is not None:
                surroundings(m, stack)[0][node["name"]] = option.value
            return
        if option.value is not None:
            chosen = node["options"][option.value]
            self._take_option(m, chosen, payer(m, node, surroundings(m, stack)[0]) if chosen["costs"] else None, {})

    def _take_option(self, m: Machine, chosen: dict[str, Any], who: Any, more: dict[str, Any]) -> None:
        """Carry out an option in words: its costs, which somebody pays, then its body. `more` are names beyond the usual for the costs."""
        stack = m.state.stack
        if chosen["body"] is not None:
            stack.append((block, block_frames, None, None, chosen["body"]))
        if chosen["costs"]:
            bills = acting.bills(m, chosen["costs"], who, {**surroundings(m, stack)[0], **more})
            stack.append({"f": "costs", "todo": [[name, bound] for name, bound in bills]})

    # -- going on

    def run(self, m: Machine) -> None:
        """Go on until somebody has to decide or the game is over."""
        if m.script.ask or m.state.answers:
            self.privately(m)
            walk.run(m)
            return
        state = m.state
        log = state.log = state.log[: state.log_length] if len(state.log) > state.log_length else state.log  # clones share it
        m.looked = m.depth = 0
        m.begun = m.steps
        m.last_step = m.begun + m.soon
        m.note = log.append if len(log) < m.much else counted(m)
        try:
            self._go_on(m, 0)
        except RulesError as error:
            self._place(m, error)
            raise
        finally:
            m.said = m.local = m.note = None
            state.log_length = len(log)
            m.pending.clear()
            m.inner.clear()

    def answered(self, m: Machine, one: Choosing | Offer, chosen: int | Option) -> None:
        """Carry out the answer to something that lies right above who asked, with local names: `take` and `run` in one piece.

        Mostly what comes next is the next choice; then everything is put on the stack here.
        """
        state, pending = m.state, m.pending
        stack, log = state.stack, state.log
        if m.private or m.owned or m.fresh:
            m.private, m.owned, m.fresh = False, {}, {}
        m.looked = m.depth = 0
        m.begun = m.steps
        m.last_step = m.begun + m.soon
        m.note = log.append if len(log) < m.much else counted(m)
        try:
            if one.single:
                stack.pop()
                left = stack.pop()
                names = left[2].copy()
                names[one.name] = chosen if type(chosen) is int else None
                while left[0] is spliced and type(stack[-1][2]) is dict:  # see there
                    m.inner.append((names, left))
                    left = stack.pop()
                    names = left[2].copy()
                ended = left[0](m, left, stack, names)
            else:
                ended = self._begin(m, one, chosen)
            room = m.most_frames - len(stack)
            if ended == 1 and m.extra is None and type(top := pending[0]) is tuple and top[0] is choice and len(pending) <= room:
                pending.reverse()
                stack += pending
            else:
                self._go_on(m, ended, 1)
        except RulesError as error:
            self._place(m, error)
            raise
        finally:
            m.said = m.local = m.note = None
            state.log_length = len(log)
            pending.clear()
            m.inner.clear()

    def _begin(self, m: Machine, one: Choosing | Offer, chosen: int | Option) -> int:
        """Begin with what was chosen, if it is not one component alone; gives how that ended."""
        stack = m.state.stack
        asked, left = stack[-1], stack[-2]
        value: Any = chosen.value if isinstance(chosen, Option) else chosen
        if one.several:
            several = asked[6] if value is None else (*asked[6], value)
            stack.pop()
            if value is not None and len(several) < limit_of(m, one.node, left[2]):
                return pick(m, (pick, choice_frames, None, None, asked[4], asked[5], several), stack)
            stack.pop()
            names = left[2].copy()
            if one.name is not None:
                names[one.name] = list(several)
            return int(left[0](m, left, stack, names))
        if isinstance(chosen, Option) and (one.worded or value[0] != "action"):
            self.take(m, chosen)
            return 0
        stack.pop()
        _, path, granter = value
        said, names = (f"action {path}", granter, left[3][2] + 1, left[3][3]), acting.start_variables(asked["who"], granter)
        return doing.doing(m, (doing.doing, doing.doing_frames, names, said, path, 0), stack, names)

    def _go_on(self, m: Machine, ended: int, steps: int = 0) -> None:
        """Go on after a step that ended so."""
        stack, pending, budget = m.state.stack, m.pending, m.budget
        while True:
            while ended:
                if ended == 1:
                    if m.extra is not None:
                        self._extend(m)
                    pending.reverse()
                    stack += pending
                    pending.clear()
                    if len(stack) > m.most_frames:
                        m.said = None
                        m.exhaust(f"effects inside effects more than {budget.depth} deep")
                    if m.generic:
                        ended = self._rare(m)
                        continue
                    top, ended = stack[-1], 0
                    if top[0] is choice if type(top) is tuple else top["f"] in ("choose", "offer"):
                        return
                elif ended == WAITING:
                    return
                else:
                    ended = self._leave(m, ended)
            m.steps += steps
            if m.steps > m.last_step:
                too_long(m)
            if not stack:
                return
            top, steps = stack[-1], 1
            if type(top) is tuple:
                stack.pop()
                ended = top[0](m, top, stack)
            else:
                ended = self.steps.get(top["f"], self.walk)(m, top)

    def _extend(self, m: Machine) -> None:
        """Give one of the frames left behind what it has beyond the usual."""
        assert m.extra is not None
        (number, extra), pending = m.extra, m.pending
        made = pending[number:][::-1]
        loosened(made)
        made[-1].update(extra)
        pending[number:] = made[::-1]
        m.extra = None

    def _rare(self, m: Machine) -> int:
        """What is on top is left to the reference engine."""
        stack, m.generic, m.said = m.state.stack, False, None
        loosened(stack)
        return self.walk(m, stack[-1])

    def _leave(self, m: Machine, ended: int) -> int:
        """Leave a body or a loop, or end the game."""
        stack = m.state.stack
        m.said = None
        if ended == 5:
            root = stack[0]
            if root.get("hold") is None and (root["stage"] == 3 or walk.PHASES[2] not in m.world.graph["effects"]):  # nothing comes after it
                stack.clear()
                m.state.ended = True
                return WAITING
            stack[:] = [{**root, "stage": 2 if root["stage"] < 3 else 3}]
            return 0
        found = unwound(m, ended, stack)
        if found is not None:
            return found
        self.privately(m)
        if ended == 2:
            gathered = walk._unwind(m, ("unit",))
            stack.pop()
            if stack and stack[-1]["f"] == "event" and stack[-1]["stage"] in ("after", "replaced"):
                stack[-1]["result"] = m.value
        else:
            gathered = walk._unwind(m, ("each", "repeat"))
            if ended == 3:
                walk._leave(m)
        walk._after_batch(m, gathered)
        return 0

    def walk(self, m: Machine, frame: Frame) -> int:
        """One step by the reference engine, which finds the cause in the frames. Most alter nothing but the frame on top and the local names."""
        m.said = None
        if not m.private:
            if self._reaches_down(m, frame):
                self.privately(m)
            else:
                self._top(m)
                surroundings(m, m.state.stack)
            frame = m.state.stack[-1]
        return WAITING if walk.FRAMES[frame["f"]](m, frame) is walk.WAITING else 0

    def _reaches_down(self, m: Machine, frame: Frame) -> bool:
        """Whether a step may alter frames further down."""
        if frame["f"] in ("unit", "block"):
            node = m.world.graph["nodes"].get(frame["node"], {"op": "end"})
            return node["op"] in ("return", "jump", "end") or frame["node"] not in self.bodies
        return frame["f"] == "batch" or (frame["f"] == "event" and frame["stage"] not in ("instead", "before", "require"))

    def _top(self, m: Machine) -> None:
        """Make the frame on top the state's own."""
        stack = m.state.stack
        frame = stack[-1]
        if id(frame) not in m.owned:
            stack[-1] = frame = copied(frame)
            m.owned[id(frame)] = frame
            if "vars" in frame:
                m.fresh[id(frame["vars"])] = frame["vars"]

    def privately(self, m: Machine) -> None:
        """Copy all frames, so that they may be altered."""
        frames = m.state.frames
        frames[:] = copied(frames)
        m.private, m.fresh, m.owned = True, {}, {}

    def _place(self, m: Machine, error: RulesError) -> None:
        """Where in the rules the generated code was when it failed, if it was that."""
        found, trace, graph = None, error.__traceback__, m.world.graph
        while trace is not None:
            if trace.tb_frame.f_globals is self.names and trace.tb_frame.f_code.co_name.startswith("c"):
                found = trace.tb_lineno
            trace = trace.tb_next
        if found is not None:
            node = next(node for line, node in reversed(self.spans) if line < found)
            error.span = graph["nodes"][node]["span"]

    # -- frames, as a save has them or the reference engine leaves them

    def _root(self, m: Machine, frame: Frame) -> int:
        """The game itself: its next phase, or its end."""
        stage, stack = frame["stage"], m.state.stack
        if frame.get("hold") == stage:
            return WAITING
        if stage >= len(walk.PHASES):
            stack.pop()
            m.state.ended = True
            return 0
        stack[-1] = {**frame, "stage": stage + 1}
        if walk.PHASES[stage] in m.world.graph["effects"]:
            stack.append(event_frame(walk.PHASES[stage], None, [], None, None))
        return 0

    def _unit(self, m: Machine, frame: Frame) -> int:
        """A body with local names of its own."""
        stack = m.state.stack
        if frame["node"] is not None and (frame["node"] not in self.resumes or "again" in frame):
            return self.walk(m, frame)  # something ran out, and the rules have answered that
        extra = {key: part for key, part in frame.items() if key not in PLAIN_UNIT}
        stack[-1] = (unit, unit_frames, frame["vars"], m.cause(), frame["unit"], frame["node"], extra)
        return 0

    def _block(self, m: Machine, frame: Frame) -> int:
        """A body inside another."""
        if frame["node"] is not None and (frame["node"] not in self.resumes or "again" in frame):
            return self.walk(m, frame)
        m.state.stack[-1] = (block, block_frames, None, None, frame["node"])
        return 0

    def _each(self, m: Machine, frame: Frame) -> int:
        """A loop over things."""
        body = frame["body"]
        if body is not None and body not in self.resumes:
            return self.walk(m, frame)
        if frame["chooser"] is not None or "next" in frame:
            return self._in_order(m, frame)
        left = (frame["name"], body, tuple(frame["items"]), tuple(frame["ties"]), 0, tuple(frame["outer"]), False, None)
        m.state.stack[-1] = (each, each_frames, None, None, *left)
        return 0

    def _in_order(self, m: Machine, frame: Frame) -> int:
        """A loop over things of which somebody says which comes next, where some come at the same time."""
        stack, items, ties = m.state.stack, frame["items"], frame["ties"]
        if items and ties[0] > 1 and "next" not in frame and m.is_asked(frame["chooser"]):
            return WAITING
        stack.pop()
        names, _ = surroundings(m, stack)
        if not items:
            names[frame["name"]], names["it"] = frame["outer"]
            return 0
        item = frame["next"] if frame.get("next") is not None else items[0]
        at = items.index(item)
        made = {key: part for key, part in frame.items() if key != "next"}
        made["items"], made["ties"] = items[:at] + items[at + 1 :], [ties[0] - 1, *ties[1:]] if ties[0] > 1 else ties[1:]
        stack.append(made)
        names[frame["name"]] = names["it"] = item
        if frame["body"] is not None:
            stack.append((block, block_frames, None, None, frame["body"]))
        return 0

    def _repeat(self, m: Machine, frame: Frame) -> int:
        """A loop without end, or with a condition."""
        if frame["body"] is None or frame["body"] not in self.resumes:
            return self.walk(m, frame)
        until = None if frame["until"] is None else m.world.own_condition(frame["until"])
        m.state.stack[-1] = (repeat, repeat_frames, None, None, until, frame["body"], frame["left"], False, None)
        return 0
