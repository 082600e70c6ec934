"""Trees to a linked ruleset: parents and layers become one set of named things.

Takes the packages of a ruleset, parents first, with the trees of their files; gives `Linked`: everything by its name, after every layer has had its
say, with a record of who changed what, and the hooks in order. Refuses a second declaration of a name, a change to something that is not there, a
change outside a layer, two layers that change the same thing without an order between them, and citations that no rulebook has.
"""

from __future__ import annotations

from rulewright.resolve.layers import how_to_be_a_layer, resolve
from rulewright.resolve.linked import ChangeRecord, HookItem, Item, Linked

__all__ = ["ChangeRecord", "HookItem", "Item", "Linked", "how_to_be_a_layer", "resolve"]
