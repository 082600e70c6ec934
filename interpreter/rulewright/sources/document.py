"""What is read of a YAML file: plain data in which every value knows its place. `yamltree` makes it of a text, or it is kept from an earlier time."""

from __future__ import annotations

from typing import Any

import msgspec

from rulewright.diagnostics import Span


class Node(msgspec.Struct):
    """A value with its place. A mapping also knows the places of its keys; a scalar how it was written."""

    data: Any
    span: Span
    raw: str
    keys: dict[str, Span]
    items: dict[str | int, Node]


class Document(msgspec.Struct, frozen=True):
    """The content of a YAML file: plain data, and the place of everything in it."""

    file: str
    root: Node

    @property
    def data(self) -> Any:
        """The content as dict, list, str, int, float, bool and None."""
        return self.root.data

    def node(self, *path: str | int) -> Node:
        """The value at a path of keys and list positions, or its nearest ancestor that exists."""
        node = self.root
        for step in path:
            if (child := node.items.get(step)) is None:
                break
            node = child
        return node

    def span(self, *path: str | int) -> Span:
        """The place of the value at a path, or of its nearest ancestor that exists."""
        return self.node(*path).span

    def key_span(self, *path: str | int) -> Span:
        """The place of the key at a path; of the value where there is no key."""
        parent = self.node(*path[:-1])
        key = path[-1] if path else None
        if isinstance(key, str) and key in parent.keys:
            return parent.keys[key]
        return self.span(*path)
