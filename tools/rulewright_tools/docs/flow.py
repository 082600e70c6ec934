"""How a game goes: phases one after another, with their steps, what is repeated, and for whom.

Takes the phases of a linked ruleset, gives nested lists of boxes that lead to the rules. What a phase does besides is told in its own entry; here stand only steps, other
phases, rules that are called, and what goes round them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulewright import tree as t
from rulewright.resolve.linked import Item
from rulewright_tools.docs.lexicon import anchor_of, capital, spaced
from rulewright_tools.docs.making import Making
from rulewright_tools.docs.sentences import Tell
from rulewright_tools.page import escape

DEEPEST = 8
MOST = 400  # boxes: with more nobody sees how a game goes


class _Flow:
    """The boxes while they are made."""

    def __init__(self, making: Making) -> None:
        self.making, self.boxes = making, 0
        self.inside: list[str] = []

    def phase(self, key: str, item: Item) -> str:
        """A phase with what is in it."""
        declared = item.declaration
        assert isinstance(declared, t.EffectDecl)
        self.boxes += 1
        self.inside.append(key)
        tell = self.making.tell(item)
        steps = self.steps(tell, declared.body.statements if declared.body is not None else (), item)
        self.inside.pop()
        label = escape(capital(self.making.lexicon.label(item.path)))
        return f'<li class="phase"><a href="#{escape(anchor_of(item))}">{label}</a>{steps}</li>'

    def steps(self, tell: Tell, statements: Iterable[Any], item: Item) -> str:
        """What is in a body, as boxes."""
        found = "".join(self.box(tell, each, item) for each in statements)
        return f"<ol>{found}</ol>" if found else ""

    def box(self, tell: Tell, node: Any, item: Item) -> str:
        """One statement, if it is one that shows how the game goes."""
        if self.boxes > MOST or len(self.inside) > DEEPEST:
            return ""
        self.boxes += 1
        made = _BOXES.get(type(node))
        return made(self, tell, node, item) if made is not None else ""


def _step(flow: _Flow, tell: Tell, node: t.Step, item: Item) -> str:
    path = f"{item.path}.{node.name}"
    label = flow.making.lexicon.catalog.names.get(path) or spaced(node.name)
    layer = tell.foreign(node)
    mark = f' <span class="mark changed">{escape(layer)}</span>' if layer else ""
    phases = [each for each in node.body.statements if isinstance(each, t.Perform) and _is_phase(flow, each) is not None]
    inner = "".join(flow.box(tell, each, item) for each in phases)
    return f'<li class="step-box"><a href="#{escape(anchor_of(item))}">{escape(capital(label))}</a>{mark}{f"<ol>{inner}</ol>" if inner else ""}</li>'


def _is_phase(flow: _Flow, node: t.Perform) -> str | None:
    """The phase that is called, unless we are in it."""
    call = node.call
    if not (isinstance(call, t.Call) and isinstance(call.target, t.Name)):
        return None
    key = f"{call.target.word}()"
    found = flow.making.lexicon.items.get(key)
    return key if found is not None and found.what == "phase" and key not in flow.inside else None


def _perform(flow: _Flow, tell: Tell, node: t.Perform, item: Item) -> str:
    if (key := _is_phase(flow, node)) is not None:
        return flow.phase(key, flow.making.lexicon.items[key])
    if not (isinstance(node.call, t.Call) and isinstance(node.call.target, t.Name)):
        return ""
    name = node.call.target.word
    key = flow.making.lexicon.doing(name)
    return f'<li class="step-box">{flow.making.lexicon.link(key, capital(flow.making.lexicon.label(name)))}</li>' if key is not None else ""


def _around(words: Callable[[Tell, Any], str]) -> Callable[[_Flow, Tell, Any, Item], str]:
    """A box round what is repeated, or done for each."""

    def made(flow: _Flow, tell: Tell, node: Any, item: Item) -> str:
        said = words(tell, node)
        inner = "".join(flow.box(tell, each, item) for each in node.body.statements)
        return f'<li class="loop"><span class="how">{said}</span><ol>{inner}</ol></li>' if inner else ""

    return made


def _repeated(tell: Tell, node: t.Repeat) -> str:
    return f"{tell(node.times)} times" if node.times is not None else f"until {tell(node.until)}" if node.until is not None else "again and again"


def _if(flow: _Flow, tell: Tell, node: t.If, item: Item) -> str:
    said = f"if {tell(node.test)}"
    then = "".join(flow.box(tell, each, item) for each in node.then.statements)
    other = "".join(flow.box(tell, each, item) for each in node.other.statements) if node.other is not None else ""
    made = f'<li class="loop test"><span class="how">{said}</span><ol>{then}</ol></li>' if then else ""
    return made + (f'<li class="loop test"><span class="how">otherwise</span><ol>{other}</ol></li>' if other else "")


_BOXES: dict[type, Callable[[_Flow, Tell, Any, Item], str]] = {
    t.Step: _step,
    t.Perform: _perform,
    t.Repeat: _around(_repeated),
    t.ForEach: _around(lambda tell, node: f"for each {tell(node.query)}"),
    t.AtOnce: _around(lambda tell, node: "at once"),
    t.If: _if,
}


def flow(making: Making) -> str:
    """All phases; those that another one calls stand inside it."""
    linked = making.built.linked
    assert linked is not None
    phases = {key: item for key, item in linked.items.items() if item.what == "phase"}
    made = _Flow(making)
    first = [key for key in ("setup()", "play()") if key in phases]
    boxes = "".join(made.phase(key, phases[key]) for key in first)
    rest = [key for key in phases if key not in first and f'href="#{escape(anchor_of(phases[key]))}"' not in boxes]
    boxes += "".join(made.phase(key, phases[key]) for key in rest)
    return f'<ol class="flow">{boxes}</ol>' if boxes else ""
