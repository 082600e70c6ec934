"""The fast engine: the effect graph as Python source.

`generate` writes the source (`expressions`, `queries` with `beginnings`, `statements`, `effects`, `hooking`, `granting`, `actions` with `following` and
`costing`, by way of `writing`, with what `facts` knows), `cache` keeps it, `linking` joins it with a world, `engine` runs it; `helpers`, `running`,
`offering` and `happening` are what the source calls.
"""

from __future__ import annotations

from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.compile.cache import code_for
from interpreter.compile.generate import Generated

if TYPE_CHECKING:
    from interpreter.compile.engine import Compiled
    from interpreter.run.world import World


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
    from interpreter.compile.linking import link as joined

    return joined(world, code.generated, code.compiled)


__all__ = ["Code", "link"]
