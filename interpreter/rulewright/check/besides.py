"""Besides: a few effects and hooks that are read where everything else has been checked already, to see whether anything could be wrong with them.

Takes the units of a ruleset in which nothing is wrong, and declarations of names that nothing in it speaks of, so that all it says goes on meaning what it meant. Says whether
they are flawless, and leaves nothing behind. Of anything else, and of whatever it has doubts about, it says no: then everything has to be checked together, which also tells what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.check.collect import BEGIN_STATEMENTS, UNNAMEABLE, collect_callable
from rulewright.check.scope import Scope
from rulewright.check.sense import check_consequences
from rulewright.resolve import Item
from rulewright.resolve.cites import walk_lines

if TYPE_CHECKING:
    from rulewright.check.units import Checked, Units

LINKED = t.Cite | t.Source | t.Was | t.Step | t.Until  # what has to be held against everything else


def flawless(units: Units, checked: Checked, declarations: Sequence[tuple[Any, str]]) -> bool:
    """Whether nothing is wrong with declarations, each with the package that it belongs to."""
    symbols, report, statements = units.symbols, units.report, units.statements
    effects = [(each, package) for each, package in declarations if isinstance(each, t.EffectDecl)]
    hooks = [(each, package) for each, package in declarations if isinstance(each, t.HookDecl)]
    names = [effect.name for effect, _ in effects]
    if len(effects) + len(hooks) < len(declarations) or len({*names}) < len(names) or not {*names}.isdisjoint(_taken(checked)):
        return False
    if any(effect.what != "effect" or effect.body is None or "." in effect.name for effect, _ in effects):
        return False
    if any(isinstance(line, LINKED) for declaration, _ in declarations for line in walk_lines(declaration)):
        return False
    known, answers, steps = dict(units.hooks), dict(units.answers), dict(statements.steps)
    complaints = len(report.diagnostics), len(report.doubts)
    for effect, package in effects:
        collect_callable(Item(effect.name, "effect", effect, package), symbols, report)
    made = {path: units.effect(symbols.effects[path]) for path in names}
    for hook, package in hooks:
        units.hook(units.numbered(hook), hook, package, Scope(), None, [])
    check_consequences(replace(checked, effects={**checked.effects, **made}, hooks=units.hooks), statements, report)
    good = (len(report.diagnostics), len(report.doubts)) == complaints and not statements.installed and statements.steps == steps
    units.hooks, units.answers, statements.steps = known, answers, steps
    for path in names:
        del symbols.effects[path]
    return good


def _taken(checked: Checked) -> set[str]:
    """Every name that means something, and every word that can be no name."""
    return {*checked.symbols.everything(), *checked.linked.left_open, *UNNAMEABLE, *BEGIN_STATEMENTS}
