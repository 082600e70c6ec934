"""Expressions and nodes in readable English, for boxes whose source text is not at hand.

Takes the trees of the graph JSON ("op" and what belongs to it), gives a short text. A tree of an unknown shape is no
mistake here: it is shown as its operation and its parts, so that a picture never fails for want of a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Tree = Mapping[str, Any]
_DEEPEST = 30
_ENDS = {"win": "wins", "lose": "loses", "eliminate": "is out of the game"}
_JUMPS = {"leave": "leave the loop", "skip": "go on with the next"}


class _Printer:
    """Prints one tree; knows how deep it is."""

    def __init__(self) -> None:
        self.depth = 0

    def __call__(self, tree: object) -> str:
        """The words for a tree, a list of trees or a plain value."""
        if isinstance(tree, list | tuple):
            return ", ".join(self(part) for part in tree)
        if not isinstance(tree, Mapping):
            return _plain(tree)
        if self.depth >= _DEEPEST:
            return "…"
        self.depth += 1
        try:
            return self._operation(tree)
        finally:
            self.depth -= 1

    def _operation(self, tree: Tree) -> str:
        op = str(tree.get("op", "?"))
        try:
            return _OPERATIONS[op](self, tree)
        except (KeyError, TypeError, ValueError, AttributeError):
            return self._unknown(op, tree)

    def _unknown(self, op: str, tree: Tree) -> str:
        parts = [self(value) for key, value in tree.items() if key not in ("op", "span", "type") and value is not None]
        name = op.replace("_", " ")
        return f"{name}({', '.join(part for part in parts if part)})" if parts else name


def in_words(tree: object) -> str:
    """An expression in words."""
    return _Printer()(tree)


def _plain(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _first(tree: Tree, *keys: str) -> Any:
    """What stands under the first of the keys that is there."""
    for key in keys:
        if key in tree:
            return tree[key]
    raise KeyError(keys[0])


def _known(tree: Tree, *keys: str) -> Tree:
    """The tree, if it has all the keys and nothing else that matters."""
    extra = [key for key, value in tree.items() if key not in (*keys, "op", "span", "type") and value not in (None, [])]
    if extra:
        raise KeyError(extra[0])
    return tree


Operation = Callable[[_Printer, Tree], str]


def _name(*keys: str) -> Operation:
    return lambda say, tree: say(_first(_known(tree, *keys), *keys))


def _after(words: str, *keys: str) -> Operation:
    """Fixed words, then the one part there is."""
    return lambda say, tree: f"{words} {say(_first(_known(tree, *keys), *keys))}"


def _joined(word: str) -> Operation:
    return lambda say, tree: f" {word} ".join(_nested(say, part) for part in _first(tree, "parts", "of", "items"))


def _nested(say: _Printer, tree: object) -> str:
    compound = isinstance(tree, Mapping) and tree.get("op") in ("and", "or", "if", "arithmetic")
    return f"({say(tree)})" if compound else say(tree)


def _infix(say: _Printer, tree: Tree) -> str:
    sign = _first(tree, "how", "sign", "operator")
    return f"{_nested(say, tree['left'])} {say(sign)} {_nested(say, tree['right'])}"


def _field(say: _Printer, tree: Tree) -> str:
    return f"{_nested(say, tree['of'])}.{say(_first(tree, 'field', 'name'))}"


def _text(say: _Printer, tree: Tree) -> str:
    parts = _first(tree, "parts", "value")
    if isinstance(parts, str):
        return f"“{parts}”"
    return "“" + "".join(part if isinstance(part, str) else f"{{{say(part)}}}" for part in parts) + "”"


def _const(say: _Printer, tree: Tree) -> str:
    value = tree["value"]
    return f"“{value}”" if isinstance(value, str) and " " in value else say(value)


def _value_call(say: _Printer, tree: Tree) -> str:
    arguments = tree.get("arguments") or []
    of = f"{say(tree['of'])}." if tree.get("of") else ""
    return of + say(_first(tree, "value", "name")) + (f"({say(arguments)})" if arguments else "")


def _query(say: _Printer, tree: Tree) -> str:
    text = say(_first(tree, "from", "base", "of", "source"))
    filters = tree.get("filters") or tree.get("where") or []
    for test in filters if isinstance(filters, list) else [filters]:
        text += f" where {say(test)}"
    orders = [say(order.get("key")) + (" descending" if order.get("descending") else "") for order in tree.get("orders") or []]
    return text + (f" ordered by {', '.join(orders)}" if orders else "")


def _conditional(say: _Printer, tree: Tree) -> str:
    yes, no = _first(tree, "then", "yes"), _first(tree, "else", "no")
    return f"{_nested(say, yes)} if {say(tree['test'])} else {_nested(say, no)}"


def _is(word: str, *keys: str) -> Operation:
    return lambda say, tree: f"{_nested(say, _first(tree, 'of', 'what', 'left'))} {word} {say(_first(tree, *keys))}"


_INNER = ("of", "query", "from", "what")
_OPERATIONS: dict[str, Operation] = {
    "const": _const,
    "list": lambda say, tree: say(_first(tree, "items", "parts")),
    "text": _text,
    "var": _name("name"),
    "component": _name("name", "component"),
    "place": _name("name", "place"),
    "place_of": lambda say, tree: f"{say(_first(tree, 'place', 'name'))} of {say(_first(tree, 'of', 'owner'))}",
    "field": _field,
    "number": _name("name", "number"),
    "option": _name("name", "option"),
    "all": _after("every", "kind", "name"),
    "members": _after("all in", "of", "place", "what"),
    "query": _query,
    "exists": _after("any", *_INNER),
    "count": _after("count of", *_INNER),
    "compare": _infix,
    "and": _joined("and"),
    "or": _joined("or"),
    "not": lambda say, tree: f"not {_nested(say, _first(tree, 'of', 'part', 'what'))}",
    "arithmetic": _infix,
    "if": _conditional,
    "value": _value_call,
    "is_kind": _is("is a", "kind", "name"),
    "is_in": _is("is in", "place", "in", "right"),
    "is_empty": lambda say, tree: f"{say(_first(tree, 'of', 'place', 'what'))} is empty",
    "is_full": lambda say, tree: f"{say(_first(tree, 'of', 'place', 'what'))} is full",
}


def node_in_words(node: Tree) -> str:
    """A node in words."""
    say = _Printer()
    try:
        return _NODES[str(node["op"])](say, node)
    except (KeyError, TypeError, AttributeError):
        return str(node.get("op", "?"))


def costs_in_words(costs: list[Tree]) -> str:
    """A list of costs in words."""
    return ", ".join(_cost(_Printer(), cost) for cost in costs)


def _cost(say: _Printer, cost: Tree) -> str:
    arguments = f"({say(cost['arguments'])})" if cost["arguments"] else ""
    return f"{say(cost['amount'])} {cost['cost']}{arguments}"


def _call(say: _Printer, node: Tree) -> str:
    of = f"{say(node['of'])}." if node["of"] else ""
    name = f"{node['name']} = " if node["name"] else ""
    return f"{name}{of}{node['effect']}({say(node['arguments'])})"


def _draw(say: _Printer, node: Tree) -> str:
    text = f"draw {say(node['amount'])} {node['kind'] or ''}".rstrip() + f" from {say(node['from'])}"
    text += "".join(f" where {say(test)}" for test in node["filters"])
    text += f" to {say(node['to'])}" if node["to"] else ""
    return text + (f" as {node['name']}" if node["name"] else "")


def _choose(say: _Printer, node: Tree) -> str:
    who = f"each {node['each']['name']}" if node["each"] else say(node["who"]) if node["who"] else "the actor"
    verb = "may choose" if node["optional"] else "chooses"
    what = f"{node['name']}: " if node["name"] else ""
    forms = {
        "number": lambda: f"a number from {say(node['low'])} to {say(node['high'])}",
        "yes_no": lambda: "yes or no",
        "option": lambda: "one",
        "up_to": lambda: f"up to {say(node['amount'])} of {say(node['from'])}",
        "exactly": lambda: f"{say(node['amount'])} of {say(node['from'])}",
        "any_number": lambda: f"any number of {say(node['from'])}",
    }
    chosen = forms.get(node["form"], lambda: f"one of {say(node['from'])}")()
    asking = f": {say(node['prompt'])}" if node["prompt"] else ""
    return f"{who} {'secretly ' if node['secret'] else ''}{verb} {what}{chosen}{asking}"


def _repeat(say: _Printer, node: Tree) -> str:
    if node["times"]:
        return f"repeat {say(node['times'])} times"
    return f"repeat until {say(node['until'])}" if node["until"] else "repeat"


def _proceed(say: _Printer, node: Tree) -> str:
    changes = ", ".join(f"{name} = {say(value)}" for name, value in node["arguments"].items())
    return f"proceed with {changes}" if changes else "proceed"


def _told(say: _Printer, node: Tree, verb: str, what: str) -> str:
    return f"{verb} {say(node[what])}" + (f" to {say(node['to'])}" if node["to"] else "")


_NODES: dict[str, Operation] = {
    "bind": lambda say, node: f"let {node['name']} = {say(node['value'])}",
    "set": lambda say, node: f"set {_nested(say, node['of'])}.{node['field']} to {say(node['value'])}",
    "move": lambda say, node: f"move {say(node['what'])} to {say(node['to'])}",
    "draw": _draw,
    "shuffle": lambda say, node: f"shuffle {say(node['place'])}",
    "roll": lambda say, node: f"let {node['name']} = roll {node['die']}",
    "choose": _choose,
    "branch": lambda say, node: f"if {say(node['test'])}",
    "match": lambda say, node: f"match {say(node['value'])}",
    "each": lambda say, node: f"for each {node['name']} in {say(node['query'])}",
    "repeat": _repeat,
    "batch": lambda say, node: "at once",
    "call": _call,
    "return": lambda say, node: f"give {say(node['value'])}" if node["value"] else "stop",
    "jump": lambda say, node: _JUMPS[node["how"]],
    "log": lambda say, node: _told(say, node, "log", "text"),
    "show": lambda say, node: _told(say, node, "show", "what"),
    "outcome": lambda say, node: f"{say(node['player'])} {_ENDS[node['how']]}",
    "end": lambda say, node: "end game",
    "install": lambda say, node: f"until {node['until']}: {', '.join(node['hooks'])}",
    "cancel": lambda say, node: "cancel",
    "proceed": _proceed,
    "offer": lambda say, node: f"offer actions {', '.join(node['groups'])} to {say(node['who'])}".replace("  ", " "),
    "pay": lambda say, node: f"{say(node['who'])} pays {costs_in_words(node['costs'])}",
}
