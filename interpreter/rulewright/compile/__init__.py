"""The fast engine: the effect graph as Python source.

`source` writes it, `kept_code` keeps it, `linking` joins it with a world, `play` plays by it.
"""

from __future__ import annotations

from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

from rulewright.compile.kept_code import code_for
from rulewright.compile.source.generate import Generated

if TYPE_CHECKING:
    from rulewright.compile.play.engine import Compiled
    from rulewright.core.world import World


class Code(NamedTuple):
    """The code of a ruleset, for worlds of any number of players."""

    generated: Generated
    compiled: CodeType

    @classmethod
    def of(cls, graph: dict[str, Any]) -> Code:
        """The code of a graph: from the cache, or made now."""
        return cls(*code_for(graph))


def link(world: World, code: Code) -> Compiled:
    """Join code with a world."""
    from rulewright.compile.linking import link as joined

    return joined(world, code.generated, code.compiled)


__all__ = ["Code", "link"]
