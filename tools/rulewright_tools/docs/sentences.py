"""Statements as lists: what happens, one thing after another, with what depends on something set in below it.

Takes statements of the syntax tree, gives markup: a list with an item for each. Citations and sources are left out, they stand below an entry. Every sort of
statement has its function in `SENTENCES`; a test holds that table against the tree. A statement that a layer put into a rule is marked with that layer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulewright import tree as t
from rulewright_tools.docs import phrases
from rulewright_tools.docs.lexicon import Lexicon, spaced
from rulewright_tools.docs.phrases import Say, arguments, joined, text
from rulewright_tools.page import escape

SILENT = (t.Cite, t.Source, t.Was)
SINGLE = (
    t.Let, t.Set, t.Adjust, t.AddItem, t.RemoveItem, t.Move, t.Draw, t.Swap, t.Shuffle, t.Show, t.Log, t.End, t.Outcome, t.Score, t.WinByScore, t.Give, t.Plain, t.Proceed,
    t.Advance, t.Perform, t.Pay, t.Choose,
)  # fmt: skip
PLAIN = {
    "stop": "stop here",
    "nothing": "nothing happens",
    "cancel": "it does not happen",
    "leave": "stop repeating",
    "skip": "go on with the next one",
}
ENDS = {"win": ("wins", "win"), "lose": ("loses", "lose"), "eliminate": ("is out of the game", "are out of the game")}


class Tell(Say):
    """Says statements too. `foreign` gives the title of the layer that a line comes from, where that is another than the rule's own."""

    def __init__(
        self, lexicon: Lexicon, this: str = "", foreign: Callable[[Any], str] = lambda node: "", hook: Callable[[Tell, Any], str] | None = None
    ) -> None:
        super().__init__(lexicon, this)
        self.foreign, self.hook = foreign, hook
        self.gives = "it is"

    def block(self, statements: Iterable[Any]) -> str:
        """Statements as a list."""
        return f'<ul class="does">{"".join(self._item(each) for each in statements if not isinstance(each, SILENT))}</ul>'

    def body(self, block: t.Block) -> str:
        """What stands behind a colon: one thing on the same line, several as a list below it."""
        there = [each for each in block.statements if not isinstance(each, SILENT)]
        if len(there) == 1 and isinstance(there[0], SINGLE) and not self.foreign(there[0]):
            return f" {SENTENCES[type(there[0])](self, there[0])}"
        return self.block(there)

    def _item(self, node: Any) -> str:
        if layer := self.foreign(node):  # what is inside it needs no mark of its own
            own, self.foreign = self.foreign, lambda node: ""
            said = f'<li class="now">{SENTENCES[type(node)](self, node)} <span class="mark changed">{escape(layer)}</span></li>'
            self.foreign = own
            return said
        quiet = ' class="say"' if isinstance(node, t.Log) else ""
        return f"<li{quiet}>{SENTENCES[type(node)](self, node)}</li>"


def word_of(control: str) -> str:
    """A word that steers what happens."""
    return f"<b>{control}</b>"


# -- things change


def _let(say: Tell, node: t.Let) -> str:
    if isinstance(node.value, t.Roll):
        die = say.lexicon.link(say.lexicon.thing(node.value.die), say.lexicon.label(node.value.die))
        return f"roll {die}: {say.variable(node.name)} is what it shows"
    said = say(node.value)
    return f"{say.variable(node.name)} is {'the result of ' if _happens(say, node.value) else ''}{said}"


def _happens(say: Say, node: t.Expr) -> bool:
    """Whether it is a call of something that happens, not only a value."""
    return isinstance(node, t.Call) and isinstance(node.target, t.Name) and f"{node.target.word}()" in say.lexicon.items


def _set(say: Tell, node: t.Set) -> str:
    until = f" until {_event(say, node.until)}" if node.until is not None else ""
    target, value = node.target, node.value
    if isinstance(target, t.Dot) and isinstance(value, t.Name) and value.word in ("true", "false"):
        now = "is now" if value.word == "true" else "is no longer"
        return f"{say(target.base)} {now} {phrases.word(say, target.word)}{until}"
    return f"{say(target)} becomes {say(value)}{until}"


def _adjust(say: Tell, node: t.Adjust) -> str:
    return f"{node.how} {say(node.target)} by {say(node.amount)}"


def _remove(say: Tell, node: t.RemoveItem) -> str:
    return f"remove {say(node.what)}" + (f" from {say(node.target)}" if node.target is not None else "")


def _move(say: Tell, node: t.Move) -> str:
    where = f", at the {node.position}" if node.position else ""
    return f"move {say(phrases.taken(node.what))} to {say(node.to)}{where}"


def _draw(say: Tell, node: t.Draw) -> str:
    to = f" to {say(node.to)}" if node.to is not None else ""
    said = say(phrases.taken(node.what))
    return f"draw {said}{to}" + (f": {say.variable(node.name)}" if node.name is not None else "")


def _show(say: Tell, node: t.Show) -> str:
    return f"show {say(node.what)} to {say(node.to)}" if node.to is not None else f"reveal {say(node.what)}"


def _log(say: Tell, node: t.Log) -> str:
    to = f' <span class="with">(to {say(node.to)})</span>' if node.to is not None else ""
    return f'<span class="told">{text(say, node.text)}</span>{to}'


def _outcome(say: Tell, node: t.Outcome) -> str:
    why = f", because {text(say, node.because, quoted=False)}" if node.because is not None else ""
    many = isinstance(node.player, t.Several) or (isinstance(node.player, t.Quantified) and node.player.how == "all")
    return f"{say(node.player)} {word_of(ENDS[node.how][many])}{why}"


def _give(say: Tell, node: t.Give) -> str:
    asked = isinstance(node.value, t.Compare | t.Logic | t.Not) or (isinstance(node.value, t.Quantified) and node.value.how in ("any", "every", "no"))
    return f"{say.gives} {'yes if ' if asked else ''}{say(node.value)}"


def _proceed(say: Tell, node: t.Proceed) -> str:
    changes = ", ".join(f"{escape(spaced(name))} is {say(value)}" for name, value in zip(node.names, node.values, strict=True))
    return "go on as usual" + (f", but {changes}" if changes else "")


def _perform(say: Tell, node: t.Perform) -> str:
    call = node.call
    if isinstance(call, t.Call) and isinstance(call.target, t.Name):
        key = phrases.lexicon_key(say, call.target.word)
        label = say.lexicon.label(call.target.word) if key is not None else spaced(call.target.word)
        return f'<span class="go">{say.lexicon.link(key, label)}</span>{arguments(say, call.arguments)}'
    return f'<span class="go">{say(call)}</span>'


def costs(say: Say, items: Iterable[t.CostItem]) -> str:
    """What has to be paid."""

    def item(node: t.CostItem) -> str:
        one = isinstance(node.amount, t.Number) and node.amount.value == 1
        label = say.lexicon.label(node.name)
        key = say.lexicon.doing(node.name)
        said = label if not one or not label.endswith("s") or say.lexicon.catalog.names.get(node.name) else label.removesuffix("s")
        return f"{say(node.amount)} {say.lexicon.link(key, said)}{arguments(say, node.arguments)}"

    return joined([item(each) for each in items])


# -- choices


def choice(say: Say, node: t.Choose) -> str:
    """What is chosen from, what it is called, and how it is asked."""
    name = say.variable(node.name) if node.name else ""
    told = say(node.selection) + (f" ({name})" if name else "")
    told += f", or {text(say, node.declining)}" if node.declining is not None else ""
    return told + (f" — {text(say, node.asking)}" if node.asking is not None else "")


def _choose(say: Tell, node: t.Choose) -> str:
    who = say(node.who) if node.who is not None else "the actor"
    secretly = " secretly" if node.secretly else ""
    verb = f"may{secretly} choose" if node.optional else f"{secretly.strip()} chooses".strip()
    return f"{'each ' if node.each else ''}{who} {word_of(verb)} {choice(say, node)}"


def _choose_one(say: Tell, node: t.ChooseOne) -> str:
    verb = "may choose one" if node.optional else "chooses one"
    declining = f", or {text(say, node.declining)}" if node.declining is not None else ""
    return f"{say(node.who)} {word_of(verb)}{declining}:{options(say, node.options)}"


def options(say: Tell, given: Iterable[t.Option]) -> str:
    """What can be chosen, each with what comes of it."""

    def option(node: t.Option) -> str:
        when = f" {word_of('if')} {say.test(node.when)}" if node.when is not None else ""
        price = f" for {costs(say, node.costs)}" if node.costs else ""
        return f'<li><span class="option">{text(say, node.label, quoted=False)}</span>{when}{price}:{say.body(node.body)}</li>'

    return f'<ul class="options">{"".join(map(option, given))}</ul>'


def _ask(say: Tell, node: t.Ask) -> str:
    no = f"<li>{word_of('No')}:{say.body(node.no)}</li>" if node.no is not None else ""
    return f'ask {say(node.who)} {text(say, node.question)}<ul class="options"><li>{word_of("Yes")}:{say.body(node.yes)}</li>{no}</ul>'


def _offer(say: Tell, node: t.Offer) -> str:
    groups = f" ({', '.join(escape(spaced(group)) for group in node.groups)})" if node.groups else ""
    return f"{say(node.who)} {word_of('may take an action')}{groups}" + (f", or:{options(say, node.options)}" if node.options else "")


# -- what steers


def _if(say: Tell, node: t.If, start: str = "if") -> str:
    told = f"{word_of(start)} {say.test(node.test)}:{say.body(node.then)}"
    if node.other is None:
        return told
    return told + f'<div class="else">{_otherwise(say, node.other)}</div>'


def _otherwise(say: Tell, block: t.Block) -> str:
    if len(block.statements) == 1 and isinstance(inner := block.statements[0], t.If):
        return _if(say, inner, "otherwise, if")
    return f"{word_of('otherwise')}:{say.body(block)}"


def _match(say: Tell, node: t.Match) -> str:
    def case(each: t.Case) -> str:
        patterns = joined([say(pattern) for pattern in each.patterns], "or") or "anything else"
        return f'<li><span class="option">{patterns}</span>:{say.body(each.body)}</li>'

    return f'{word_of("depending on")} {say(node.value)}:<ul class="options">{"".join(map(case, node.cases))}</ul>'


def _for_each(say: Tell, node: t.ForEach) -> str:
    to = f" to {say(node.to)}" if node.to is not None else ""
    at_once = ", all at once" if node.at_once else ""
    return f"{word_of('for each')} {say(node.query)}{to}{at_once}:{say.body(node.body)}"


def _repeat(say: Tell, node: t.Repeat) -> str:
    how = f" {say(node.times)} times" if node.times is not None else f" until {say.test(node.until)}" if node.until is not None else ""
    return f"{word_of('repeat')}{how}:{say.body(node.body)}"


def _step(say: Tell, node: t.Step) -> str:
    return f'<span class="step">{escape(spaced(node.name))}</span>{say.block(node.body.statements)}'


def _event(say: Say, path: str) -> str:
    """Something that happens, by its name."""
    words = spaced(path.removesuffix(".ends").replace(".", ", "))
    return say.lexicon.link(say.lexicon.doing(path), words)


def _until(say: Tell, node: t.Until) -> str:
    assert say.hook is not None
    hooks = "".join(f"<li>{say.hook(say, each)}</li>" for each in node.hooks)
    return f'{word_of("until")} {_event(say, node.event)}:<ul class="does">{hooks}</ul>'


def _try(say: Tell, node: t.Try) -> str:
    other = f'<div class="else">{word_of("otherwise")}:{say.body(node.other)}</div>' if node.other is not None else ""
    return f"{word_of('if')} {_perform(say, t.Perform(node.span, node.call))} {word_of('was done')}:{say.body(node.then)}{other}"


def require(say: Say, node: t.Require) -> str:
    """What has to hold, and what is said where it does not."""
    why = f" — {text(say, node.because)}" if node.because is not None else ""
    return f"{word_of('only if')} {say.test(node.test)}{why}"


SENTENCES: dict[type, Callable[[Tell, Any], str]] = {
    t.Let: _let,
    t.Set: _set,
    t.Adjust: _adjust,
    t.AddItem: lambda say, node: f"add {say(node.what)} to {say(node.target)}",
    t.RemoveItem: _remove,
    t.Move: _move,
    t.Draw: _draw,
    t.Swap: lambda say, node: f"swap {say(node.left)} with {say(node.right)}",
    t.Shuffle: lambda say, node: f"shuffle {say(node.place)}",
    t.Show: _show,
    t.Log: _log,
    t.End: lambda say, node: word_of("the game ends"),
    t.Outcome: _outcome,
    t.Score: lambda say, node: f"{say(node.who)} scores {say(node.points)}",
    t.WinByScore: lambda say, node: f"whoever has the {node.best} score {word_of('wins')}",
    t.Give: _give,
    t.Plain: lambda say, node: PLAIN[node.word],
    t.Proceed: _proceed,
    t.Advance: lambda say, node: f"advance {say(node.track)} by {say(node.amount)}",
    t.Perform: _perform,
    t.Pay: lambda say, node: f"{say(node.who)} pays {costs(say, node.costs)}",
    t.Choose: _choose,
    t.If: _if,
    t.Match: _match,
    t.ForEach: _for_each,
    t.EachSecretly: lambda say, node: f"{word_of('each')} {say(node.query)} {word_of('secretly')}:{say.body(node.body)}",
    t.Repeat: _repeat,
    t.Step: _step,
    t.AtOnce: lambda say, node: f"{word_of('at once')}:{say.body(node.body)}",
    t.Until: _until,
    t.Try: _try,
    t.ChooseOne: _choose_one,
    t.Ask: _ask,
    t.Offer: _offer,
    t.Require: require,
    t.Cite: lambda say, node: "",
    t.Source: lambda say, node: "",
    t.Was: lambda say, node: "",
}
