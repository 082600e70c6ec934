"""The core: what rules mean, written out in a small typed language that both engines carry out.

`program` defines it, `lower/` makes it of an effect graph: events and hooks, actions, costs, choices and draws end there. `printer` shows it to people.
"""

from __future__ import annotations
