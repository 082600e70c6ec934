"""Passes: from a program to one that means the same and asks for less. Each is a function from a program to a program, and is tested by stepping both."""

from __future__ import annotations

from rulewright.core import program as c
from rulewright.core.passes.inline import inline
from rulewright.core.passes.prices import priced
from rulewright.core.passes.tabulate import Evaluate, tabulate
from rulewright.core.world import World


def optimised(program: c.Program, world: World, evaluate: Evaluate) -> c.Program:
    """A program after all passes, for a world; `evaluate` works out an expression that depends on nothing but the world."""
    return tabulate(inline(priced(program)), world, evaluate)


__all__ = ["Evaluate", "inline", "optimised", "tabulate"]
