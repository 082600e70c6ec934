"""Rules that change other rules, and what people can do: hooks, reactions, actions and costs, as markup.

Takes their declarations, gives a head (when it holds) with what happens then below it. Every sort of hook has its function in `HOOKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulewright import tree as t
from rulewright_tools.docs import phrases
from rulewright_tools.docs.lexicon import spaced
from rulewright_tools.docs.phrases import Say, text
from rulewright_tools.docs.sentences import SILENT, Tell, choice, costs, require, word_of
from rulewright_tools.page import escape

TIMINGS = {"before": "before", "after": "after", "instead": "instead of"}


def hook(say: Tell, node: Any) -> str:
    """A hook: when it comes, and what happens then."""
    return HOOKS[type(node)](say, node)


def event(say: Say, path: str, names: Sequence[t.Parameter] | None) -> str:
    """What a hook is on, with the names by which it speaks of what that is about."""
    key = say.lexicon.doing(path) or say.lexicon.member(path.rpartition(".")[2])
    label = say.lexicon.label(path) if "." not in path else spaced(path.replace(".", ": "))
    known = ", ".join(say.variable(name.name) for name in names or ())
    return f'<span class="go">{say.lexicon.link(key, label)}</span>' + (f' <span class="with">({known})</span>' if known else "")


def _when(say: Say, test: t.Expr | None) -> str:
    return f" {word_of('if')} {say.test(test)}" if test is not None else ""


def _once(say: Say, path: str | None) -> str:
    return f", once per {escape(spaced(path.replace('.', ', ')))}" if path is not None else ""


def _hook(say: Tell, node: t.HookDecl) -> str:
    first = "the first " if node.first else ""
    head = f"{word_of(TIMINGS.get(node.timing, node.timing))} {first}{event(say, node.event, node.parameters)}"
    return f"{head}{_when(say, node.when)}{_once(say, node.once)}:{say.body(node.body)}"


def _runs_out(say: Tell, node: t.RunsOut) -> str:
    return f"{word_of('when')} {say(node.place)} {word_of('runs out')}:{say.body(node.body)}"


def _reaches(say: Tell, node: t.Reaches) -> str:
    track = say.lexicon.link(say.lexicon.thing(node.track), say.lexicon.label(node.track))
    return f"{word_of('when')} {track} {word_of('reaches')} {escape(say.lexicon.word(node.space))}:{say.body(node.body)}"


def _change(say: Tell, node: t.ChangeDecl) -> str:
    head = f"{event(say, node.target, node.parameters)}{_when(say, node.when)}"
    if node.value is not None:
        return f"{head} {word_of('becomes')} {say(node.value)}"
    return f"{head} {word_of('becomes')}:{say.body(node.body) if node.body is not None else ''}"


def _cost_change(say: Tell, node: t.CostChange) -> str:
    how = f" {node.how}" if node.how else ""
    return f"{event(say, node.target, ())} {word_of('costs')} {costs(say, [node.item])}{how}{_when(say, node.when)}"


def _reaction(say: Tell, node: t.Reaction) -> str:
    title = text(say, node.title, quoted=False) if node.title is not None else escape(node.label or spaced(node.name or ""))
    named = f' <span class="option">{title}</span>' if title else ""
    head = f"{word_of('reaction')}{named} to {event(say, node.event, node.parameters)} by {say(node.by)}{_when(say, node.when)}"
    return f"{head}:{lines(say, node.lines)}"


HOOKS: dict[type, Callable[[Tell, Any], str]] = {
    t.HookDecl: _hook,
    t.RunsOut: _runs_out,
    t.Reaches: _reaches,
    t.ChangeDecl: _change,
    t.CostChange: _cost_change,
    t.Reaction: _reaction,
    t.RuleDecl: lambda say, node: hook(say, node.hook),
}


# -- actions and costs


def lines(say: Tell, given: Iterable[Any]) -> str:
    """The lines of an action, a cost or a reaction: who, for what, if what, and then."""
    there = [each for each in given if not isinstance(each, SILENT)]
    told = "".join(f"<li>{LINES[type(each)](say, each)}</li>" for each in there if not isinstance(each, t.Do))
    done = "".join(say.block(each.body.statements) for each in there if isinstance(each, t.Do))
    return (f'<ul class="needs">{told}</ul>' if told else "") + done


def _choose(say: Tell, node: t.Choose) -> str:
    return f"{word_of('may choose' if node.optional else 'choose')} {choice(say, node)}"


LINES: dict[type, Callable[[Tell, Any], str]] = {
    t.By: lambda say, node: f"{word_of('for')} {phrases.article(phrases.word(say, node.kind))}",
    t.Cost: lambda say, node: f"{word_of('costs')} {costs(say, node.items)}",
    t.Once: lambda say, node: f"{word_of('once')} per {escape(spaced(node.event.replace('.', ', ')))}",
    t.Choose: _choose,
    t.Require: require,
    t.Do: lambda say, node: say.body(node.body),
}
