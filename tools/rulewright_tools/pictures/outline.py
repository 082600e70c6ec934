"""One effect, action, value, cost or hook of the graph as a picture.

What must hold and what is paid comes first, then the choices, then the body as a flow; called effects are boxes that
lead to their own drawing. What hooks before, after or instead of it is attached with dashed arrows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright_tools.pictures.flow import DONE, START, Around, Flow
from rulewright_tools.pictures.labels import Labels, as_span
from rulewright_tools.pictures.model import Box, Graph, Picture, clean, shortened
from rulewright_tools.pictures.names import key_of, record_of, sort_of
from rulewright_tools.pictures.words import costs_in_words, in_words

Record = dict[str, Any]
_LONGEST_TITLE = 90


def outline(graph: Graph, key: str, labels: Labels) -> Picture:
    """The picture of what the key stands for."""
    record, flow = record_of(graph, key), Flow(graph, labels)
    section, _, name = key.partition(":")
    sort = sort_of(graph, key)
    flow.add(
        Box(
            START,
            "hook" if sort == "hook" else "start",
            title_of(graph, key) if section == "methods" else labels.header(record, title_of(graph, key)),
            as_span(record["span"]),
            cites=tuple(record.get("cites", ())),
            note=_note(record, record["what"] if section == "methods" else sort),
        )
    )
    flow.add(Box(DONE, "done", "done"))
    if record.get("what") == "value" or section == "values":
        _value(flow, record, name)
    else:
        _body(flow, record, _demands(flow, record, name))
    if section == "hooks":
        _hooked(flow, record)
    if section == "methods":
        _version(flow, record)
    _hooks_on(flow, record["event"] if section == "methods" else name)
    reached = {arrow.target for arrow in flow.arrows.values()} | {arrow.source for arrow in flow.arrows.values()}
    boxes = tuple(box for box in flow.boxes.values() if box.id != DONE or DONE in reached)
    return Picture(title_of(graph, key), boxes, tuple(flow.arrows.values()))


def title_of(graph: Graph, key: str) -> str:
    """What a drawing is called, in words."""
    record, name = record_of(graph, key), key.partition(":")[2]
    if key.startswith("hooks:"):
        return shortened(clean(hook_in_words(record)), _LONGEST_TITLE)
    label = record.get("label") or ""
    sort = record["what"] if key.startswith("methods:") else sort_of(graph, key)
    return shortened(clean(f"{sort} {name}" + (f" “{label}”" if label and label != name else "")), _LONGEST_TITLE)


def hook_in_words(hook: Mapping[str, Any]) -> str:
    """What a hook hangs on, in words."""
    timing = {"instead": "instead of", "react": "reaction to", "cost": "cost of"}.get(hook["timing"], hook["timing"])
    when = f" when {in_words(hook['when'])}" if hook["when"] else ""
    return f"{timing} {'the first ' if hook['first'] else ''}{hook['event']}{when}"


def _note(record: Record, sort: str) -> str:
    of = f" of {record['of']}" if record.get("of") else ""
    return clean(f"{sort}{of}, {record['package']}")


def _demands(flow: Flow, record: Record, name: str) -> str:
    """Adds requirements, costs and choices in a row after the start; gives the box that the body follows."""
    last = START
    steps = [
        Box(f"needs:{at}", "needs", flow.labels.requirement(needed), as_span(needed["span"])) for at, needed in enumerate(record.get("requires", ()))
    ]
    steps += [Box(f"while:{at}", "needs", clean(f"while {in_words(test)}")) for at, test in enumerate(record.get("while", ()))]
    if record.get("costs"):
        steps.append(Box("costs", "needs", clean(f"cost {costs_in_words(record['costs'])}")))
    for box in steps:
        flow.join(last, flow.add(box))
        last = box.id
    choices = [id for id in record.get("choices", ()) if id in flow.graph["nodes"]]
    onward = record["entry"] or DONE
    if choices:
        flow.join(last, choices[0])
        for id, follows in zip(choices, [*choices[1:], onward], strict=True):
            flow.body(id, Around(follows))
        return ""
    return last


def _body(flow: Flow, record: Record, last: str) -> None:
    """Adds the body, or the bodies by kind; they follow the box `last` unless something leads there already."""
    methods = record.get("methods") or {}
    for kind, entry in methods.items():
        flow.join(last or START, entry or DONE, f"a {kind}")
    if record["entry"] or not methods:
        if last:
            flow.join(last, record["entry"] or DONE, "else" if methods else "")
        if record.get("value") is not None:
            _result(flow, last or START, "becomes", record["value"])
            flow.arrows.pop((last, DONE, ""), None)
    for entry in (record["entry"], *methods.values()):
        if entry:
            flow.body(entry, Around(DONE))


def _value(flow: Flow, record: Record, name: str) -> None:
    for kind, value in record["methods"].items():
        _result(flow, START, f"a {kind}", value)
    if record["value"] is not None:
        _result(flow, START, "else" if record["methods"] else "", record["value"])


def _result(flow: Flow, source: str, label: str, value: object) -> None:
    box = Box(f"value:{len(flow.boxes)}", "value", clean(in_words(value)))
    flow.join(source, flow.add(box), label)


def _hooked(flow: Flow, hook: Record) -> None:
    """Adds the event that a hook hangs on."""
    event = hook["event"]
    link = next((key_of(part, event) for part in ("effects", "actions", "values") if event in flow.graph[part]), None)
    flow.join(flow.add(Box("event", "call", clean(event), link=link)), START, hook["timing"], "hook")


def _version(flow: Flow, record: Record) -> None:
    """Adds the effect or value that this is a component's own version of."""
    flow.join(flow.add(Box("version", "call", clean(record["event"]), link=record["version_of"])), START, f"of {record['of']}", "call")


def _hooks_on(flow: Flow, name: str) -> None:
    """Attaches the hooks on what is drawn: before it above, after it below, all others beside its start."""
    last = DONE if any(arrow.target == DONE for arrow in flow.arrows.values()) else START
    for id, hook in flow.graph["hooks"].items():
        if hook["event"] != name:
            continue
        text = flow.labels.header(hook, hook_in_words(hook))
        note = clean(f"{hook['of']}, {hook['package']}" if hook["of"] else hook["package"])
        box = flow.add(Box(f"hook:{id}", "hook", text, as_span(hook["span"]), key_of("hooks", id), "", tuple(hook["cites"]), note))
        if hook["timing"] == "before":
            flow.join(box, START, "before", "hook")
        elif hook["timing"] == "after":
            flow.join(last, box, "after", "hook")
        else:
            flow.join(START, box, hook["timing"], "hook")
