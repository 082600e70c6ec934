"""The fast engine: takes frames further by the functions of their bodies, and leaves to the reference engine what is rare.

Between decisions bodies call each other as Python functions; at a decision they have left behind the same frames that the reference engine has there. So
either engine can go on where the other stopped. Frames that an earlier moment may share are never altered here: they are replaced. The reference
engine does alter frames; before it is asked for the first time between two decisions, all of them are copied.
"""

from __future__ import annotations

from typing import Any

from interpreter.compile.happening import deed, happened, is_installed, pay
from interpreter.compile.running import ask
from interpreter.run import acting, questions, walk
from interpreter.run.asking import SEVERAL, Option
from interpreter.run.events import open_batch
from interpreter.run.machine import Machine, RulesError
from interpreter.run.state import Frame, copied

Resumes = dict[str, tuple[Any, int]]


class Compiled:
    """Runs games of one world by generated code."""

    def __init__(
        self,
        resumes: Resumes,
        bodies: frozenset[str],
        events: dict[str, Any],
        units: dict[str, Any],
        names: dict[str, Any],
        spans: list[tuple[int, str]],
    ) -> None:
        self.resumes = resumes
        self.bodies = bodies
        self.events = events
        self.units = units
        self.costs = {unit[5:]: body for unit, body in units.items() if unit.startswith("cost ")}
        self.names = names
        self.spans = spans
        self._steps = {
            "unit": self._body,
            "block": self._body,
            "each": self._each,
            "repeat": self._repeat,
            "event": self._event,
            "action": self._action,
        }

    def kept(self, frames: list[Frame], before: list[Frame]) -> list[Frame]:
        """The frames of this moment, for later: they are not altered here."""
        return frames[:]

    def take(self, m: Machine, option: Option) -> None:
        """Carry out an answer."""
        frame = m.state.frames[-1]
        m.private, m.fresh, m.owned = False, {}, {}
        if frame["f"] == "choose" and frame["waiting"] is None:
            node = m.world.graph["nodes"][frame["node"]]
            if node["form"] not in SEVERAL and node["form"] not in ("option", "yes_no"):
                m.state.frames.pop()
                if node["name"] is not None:
                    self._own(m)[node["name"]] = option.value
                return
        elif frame["f"] == "offer":
            questions.take(m, option)
            return
        self._top(m)
        self._own(m)
        questions.take(m, option)

    # -- going on

    def run(self, m: Machine) -> None:
        """Go on until somebody has to decide or the game is over."""
        if m.script.ask or m.state.answers:
            self.privately(m)
            walk.run(m)
            return
        state = m.state
        begun = state.steps
        m.looked, m.last_step = 0, begun + m.budget.steps
        m.depth = 0
        frames, deepest = state.frames, m.budget.depth * 4
        steps = self._steps
        try:
            while frames:
                step = steps.get(frames[-1]["f"], self._walk)
                if step(m, frames[-1]) is walk.WAITING:
                    return
                frames = state.frames
                state.steps += 1
                if state.steps - begun > m.budget.steps:
                    m.fail(f"more than {m.budget.steps:,} steps without a decision: something repeats for ever")
                if len(frames) > deepest:
                    m.fail(f"effects inside effects more than {m.budget.depth} deep")
        except RulesError as error:
            self._place(m, error)
            raise
        finally:
            m.said = m.local = None
            m.pending.clear()

    def _walk(self, m: Machine, frame: Frame) -> Any:
        """One step by the reference engine. Most steps alter nothing but the frame on top and the local names."""
        if not m.private:
            if self._reaches_down(m, frame):
                self.privately(m)
            else:
                self._top(m)
                self._own(m)
            frame = m.state.frames[-1]
        return walk.FRAMES[frame["f"]](m, frame)

    def _reaches_down(self, m: Machine, frame: Frame) -> bool:
        """Whether a step may alter frames further down."""
        if frame["f"] in ("unit", "block"):
            node = m.world.graph["nodes"].get(frame["node"], {"op": "end"})
            return node["op"] in ("cancel", "return", "jump", "end") or frame["node"] not in self.bodies
        return frame["f"] == "batch" or (frame["f"] == "event" and frame["stage"] not in ("instead", "before", "require"))

    def _top(self, m: Machine) -> None:
        """Make the frame on top the state's own."""
        frames = m.state.frames
        frame = frames[-1]
        if id(frame) not in m.owned:
            frames[-1] = frame = copied(frame)
            m.owned[id(frame)] = frame
            if "vars" in frame:
                m.fresh[id(frame["vars"])] = frame["vars"]

    def privately(self, m: Machine) -> None:
        """Copy all frames, so that they may be altered."""
        m.state.frames[:] = copied(m.state.frames)
        m.private, m.fresh, m.owned = True, {}, {}

    def _place(self, m: Machine, error: RulesError) -> None:
        """Where in the rules the generated code was when it failed: at a node, or else somewhere in a unit."""
        found, trace, graph = None, error.__traceback__, m.world.graph
        while trace is not None:
            if trace.tb_frame.f_globals is self.names and trace.tb_frame.f_code.co_name.startswith("c"):
                found = trace.tb_lineno
            trace = trace.tb_next
        if found is not None:
            node = next(node for line, node in reversed(self.spans) if line < found)
            error.span = graph["nodes"][node]["span"]
        elif error.span is None:
            table, _, name = error.unit.rpartition(" ")
            error.span = graph.get(f"{table or 'effect'}s", {}).get(name, {}).get("span")

    # -- local names and causes

    def _own(self, m: Machine) -> dict[str, Any]:
        """The local names of what is going on, as a mapping that no earlier moment shares."""
        frames = m.state.frames
        for number in range(len(frames) - 1, -1, -1):
            frame = frames[number]
            if "vars" in frame:
                variables: dict[str, Any] = frame["vars"]
                if id(variables) not in m.fresh and not m.private and type(variables) is dict:  # a scenario has names of its own sort
                    variables = dict(variables)
                    m.fresh[id(variables)] = variables
                    frames[number] = {**frame, "vars": variables}
                return variables
        return {}

    # -- frames

    def _body(self, m: Machine, frame: Frame) -> Any:
        """A unit or block: the rest of its body."""
        identity, frames = frame["node"], m.state.frames
        if identity is None:
            frames.pop()
            return None
        found = self.resumes.get(identity)
        if found is None or "again" in frame:  # something ran out, and the rules have answered that
            return self._walk(m, frame)
        variables = self._own(m)
        m.said = m.cause()
        own = frames.pop()
        return self._ended(m, found[0](m, variables, found[1]), own)

    def _ended(self, m: Machine, ended: int, own: Frame) -> Any:
        """How a body came to an end: what is left of it becomes frames again."""
        m.said = None
        frames = m.state.frames
        if ended == 0:
            return None
        if ended == 1:
            frames.append({**own, "node": m.at})
            return self._stopped(m)
        self.privately(m)
        if ended == 5:
            del frames[1:]
            root = frames[0]
            root["stage"] = 2 if root["stage"] < 3 else 3
            return None
        frames.append(own)
        if ended == 2:
            gathered = walk._unwind(m, ("unit",))
            frames.pop()
            if frames and frames[-1]["f"] == "event":
                frames[-1]["result"] = m.value
        else:
            gathered = walk._unwind(m, ("each", "repeat"))
            if ended == 3:
                walk._leave(m)
        walk._after_batch(m, gathered)
        return None

    def _stopped(self, m: Machine) -> Any:
        """Put the frames that were left behind on the stack; gives whether somebody has to decide."""
        frames, pending = m.state.frames, m.pending
        if m.extra is not None:
            (pending[0] if pending else frames[-1]).update(m.extra)
            m.extra = None
        while pending:
            frame = pending.pop()
            if "vars" in frame:
                m.fresh[id(frame["vars"])] = frame["vars"]
            frames.append(frame)
        if m.generic:
            m.generic = False
            return self._walk(m, frames[-1])
        return walk.WAITING if frames[-1]["f"] in ("choose", "offer") else None

    def _each(self, m: Machine, frame: Frame) -> Any:
        """The rest of a loop over things."""
        items, ties = frame["items"], frame["ties"]
        if frame["chooser"] is not None or "next" in frame or (frame["body"] is not None and frame["body"] not in self.resumes):
            return self._walk(m, frame)
        variables, name = self._own(m), frame["name"]
        frames = m.state.frames
        frames.pop()
        m.said = m.cause()
        body = self.resumes[frame["body"]][0] if frame["body"] is not None else None
        for done, item in enumerate(items, 1):
            m.state.steps += 1
            if m.state.steps > m.last_step:
                self.names["too_long"](m)
            variables[name] = variables["it"] = item
            ended = body(m, variables, 0) if body is not None else 0
            if ended in (0, 4):
                continue
            if ended == 3:
                break
            left = self.names["each_frame"](name, frame["body"], items, ties, done, frame["outer"])
            if ended == 1:
                frames.append(left)
                return self._ended(m, 1, {"f": "block", "node": None})
            frames.append(left)
            return self._ended(m, ended, {"f": "block", "node": None})
        variables[name], variables["it"] = frame["outer"]
        m.said = None
        return None

    def _repeat(self, m: Machine, frame: Frame) -> Any:
        """The rest of a loop without end, or with a condition."""
        if frame["body"] is None or frame["body"] not in self.resumes:
            return self._walk(m, frame)
        variables, left, until = self._own(m), frame["left"], frame["until"]
        frames = m.state.frames
        frames.pop()
        m.said = m.cause()
        body = self.resumes[frame["body"]][0]
        while not ((left is not None and left <= 0) or (until is not None and m.holds(until, variables))):
            m.state.steps += 1
            if m.state.steps > m.last_step:
                self.names["too_long"](m)
            if left is not None:
                left -= 1
            ended = body(m, variables, 0)
            if ended in (0, 4):
                continue
            if ended == 3:
                break
            frames.append({**frame, "left": left})
            return self._ended(m, ended, {"f": "block", "node": None})
        m.said = None
        return None

    def _action(self, m: Machine, frame: Frame) -> Any:
        """The rest of an action: its choices, its costs, the deed itself."""
        if "reaction" in frame or m.trial:
            return self._walk(m, frame)
        variables, frames, path, stage = self._own(m), m.state.frames, frame["action"], frame["stage"]
        action, nodes = m.world.graph["actions"][path], m.world.graph["nodes"]
        choices = action["choices"]
        m.said = m.cause()
        own = frames.pop()
        ended = 0
        while not ended and stage < len(choices) + 2:
            stage += 1
            if stage <= len(choices):
                node = nodes[choices[stage - 1]]
                ended = 2 if node["each"] is not None or node["who"] is None else ask(m, node, choices[stage - 1], variables, [path, stage - 1])
                if ended == 2:  # chance chooses, or several do
                    m.said, m.generic = None, False
                    frames.append({**own, "stage": stage - 1})
                    return self._walk(m, frames[-1])
            elif stage == len(choices) + 1:
                if action["once_per"] is not None:
                    m.state.once = [*m.state.once, acting.once_key(path, variables)]
                ended = pay(m, acting.bills(m, acting.costs_of(m, action, variables), variables["actor"], variables), self.costs)
            else:
                ended = deed(m, path, self.events["action"], self.events[path], self.units[f"action {path}"], action, variables)
        m.said = None
        if ended == 1:
            frames.append({**own, "stage": stage})
            return self._stopped(m)
        if ended:
            frames.append(own)
            return self._ended(m, ended, own)
        return None

    def _event(self, m: Machine, frame: Frame) -> Any:
        """What comes after an event whose body is done."""
        if frame["stage"] != "after" or frame.get("pass_on"):
            return self._walk(m, frame)
        event = self.events[frame["effect"]]
        if (event.installable and is_installed(m, event.installable)) or (event.after and open_batch(m) is not None):
            return self._walk(m, frame)
        frames = m.state.frames
        frames.pop()
        m.said = m.cause()
        extra = {"run": frame["run"]} if "run" in frame else {}
        ended = happened(m, event, frame["of"], frame["arguments"], frame["version"], frame["result"], frame["name"], frame["outcome"], extra)
        m.said = None
        if ended == 1:
            return self._stopped(m)
        if ended:
            frames.append(frame)
            return self._ended(m, ended, frame)
        if frame["name"] is not None or frame["outcome"] is not None:
            variables = self._own(m)
            if frame["name"] is not None:
                variables[frame["name"]] = m.result
            if frame["outcome"] is not None:
                variables[frame["outcome"]] = m.status
        return None
