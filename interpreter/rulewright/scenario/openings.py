"""Openings: what several scenarios begin with, written once under a name.

An opening says whatever comes before the first step: players, seats, options, the set-up, what is given. It stands under `openings` in the file of the
scenarios that use it, or in the file `openings.yaml` beside that, and may go on from another one. Takes the nodes of a file, gives those of the openings
that a scenario begins with, the first one first. Refuses openings that there are not, or that begin with each other.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from rulewright.diagnostics import Diagnostic, complain, did_you_mean
from rulewright.limits import Limits
from rulewright.sources.document import Node
from rulewright.sources.locate import shown
from rulewright.sources.yamlfile import read_yaml

BESIDE = "openings.yaml"
KEY = "opening"


class Openings:
    """The openings that the scenarios of a file may use, the texts they stand in, and what is wrong with them."""

    def __init__(self, path: Path, root: Node, limits: Limits, texts: dict[str, str]) -> None:
        self.path, self.root, self.limits = path, root, limits
        self.problems: list[Diagnostic] = []
        self.all_texts = texts
        self.texts = {shown(path): texts[shown(path)]}

    @functools.cached_property
    def known(self) -> dict[str, Node]:
        """Openings by their names; those of the file itself go before those beside it."""
        return self._beside() | _named(self.root)

    def _beside(self) -> dict[str, Node]:
        """What the file beside it has; read only if a name is looked for."""
        there = self.path.parent / BESIDE
        if self.path.name == BESIDE or not there.is_file():
            return {}
        document, problems = read_yaml(there, shown(there), "scenario", self.limits, texts=self.all_texts)
        self.problems += problems
        if shown(there) in self.all_texts:
            self.texts[shown(there)] = self.all_texts[shown(there)]
        return {} if document is None else _named(document.root)

    def lines(self, file: str) -> list[str]:
        """The lines of one of the texts."""
        return self.texts[file].split("\n")

    def before(self, nodes: Sequence[Node]) -> list[Node]:
        """The openings that come before some nodes, of which the last one that names one says which."""
        found: list[Node] = []
        names: list[str] = []
        says = next((node.items[KEY] for node in reversed(nodes) if KEY in node.items), None)
        while says is not None:
            name = str(says.data)
            if name in names:
                message = f"the opening '{name}' begins with itself" + (f", by way of {', '.join(names[1:])}" if names[1:] else "")
                self.problems.append(complain("R307", message, says.span, hint="let one of them begin without the other"))
                return []
            if name not in self.known:
                hint = did_you_mean(name, self.known) or f"write it under 'openings:' in this file, or in {BESIDE} beside it"
                self.problems.append(complain("R301", f"there is no opening '{name}'", says.span, hint=hint))
                return []
            names.append(name)
            found.insert(0, self.known[name])
            says = self.known[name].items.get(KEY)
        return found


def _named(root: Node) -> dict[str, Node]:
    return {str(name): node for name, node in root.items["openings"].items.items()} if "openings" in root.items else {}
