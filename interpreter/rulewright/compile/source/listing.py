"""The generated code of a ruleset for people to look at: every function under the name of what it is, every constant where it is first spoken of.

What is shown beside the code comes from the ruleset and stands in comments, in ASCII, on one line each: the listing is still Python.
"""

from __future__ import annotations

import json
import re
from typing import Any

from rulewright.compile.source.chains import Chains
from rulewright.compile.source.generate import asked_for, generate

WIDEST = 100
NAME = re.compile(r"\b[kt][0-9]+\b")
HEAD = re.compile(r"def ([vefcghzajubopl])([0-9]+)")


def listing(graph: dict[str, Any]) -> str:
    """The source with explanations."""
    made = generate(graph)
    titles = {
        "v": [f"value {path}" for path in graph["values"]], "f": [f"effect {path}" for path in graph["effects"]],
        "z": [f"what is offered at {node}" for node in made.offers],
        "a": [f"whether {path} is possible" for path in made.possible], "j": [f"what leads on at {choice}" for choice in made.leading],
        "u": [f"asking at {choice}" for choice in made.planned],
        "b": [f"what is to be paid for {path}" for path in made.bills], "o": [f"options of {node}" for node in made.words],
        "p": [f"asking for the next at {choice}" for choice in made.several],
        "l": [f"whether one can react by {path}" for path in made.reactions],
        "h": [f"hook {identity}" for identity in made.hooks], "g": [f"who grants {path}" for path in made.granting], "c": [f"body {entry}" for entry in Chains(graph).entries], "e": [f"expression {each['op']}" for each in asked_for(graph)],
    }  # fmt: skip
    lines, told = [], set()
    for line in made.source.splitlines():
        head = HEAD.match(line)
        if head is not None:
            lines.append(f"# {_shown(titles[head[1]][int(head[2])])}")
        for name in NAME.findall(line):
            if name not in told:
                told.add(name)
                value = made.constants[int(name[1:])] if name[0] == "k" else made.lookups[int(name[1:])]
                lines.append(f"# {name} = {_shown(value)}")
        lines.append(line)
    return "\n".join(lines) + "\n"


def _shown(value: Any) -> str:
    """A value of a ruleset in ASCII on one line."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 3]}..."
