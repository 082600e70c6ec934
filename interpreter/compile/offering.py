"""Offers: the actions that somebody can take now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.run import acting

if TYPE_CHECKING:
    from interpreter.run.machine import Machine

Node = dict[str, Any]
Variables = dict[str, Any]


def offer(m: Machine, node: Node, identity: str, variables: Variables) -> bool:
    """Offer actions; whether somebody has to decide."""
    m.local = variables
    try:
        frame = acting.offer_frame(m, node, identity, variables)
    finally:
        m.local = None
    if frame is None:
        return False
    m.pending.append(frame)
    return True


NAMES: dict[str, Any] = {"offer": offer}
