"""What people write in YAML files out of habit, and what is written there instead.

The same for manifests, boards and rulebooks as `parse.habits` for rules: takes a key or a value that a schema refuses, gives what to write, with the
author's own words in it, or None.
"""

from __future__ import annotations

import re
from typing import Any

PARENTS = "layer over parent base extends extend game requires depends depends_on dependencies builds_on ruleset"
# Keys that a manifest does not have, and the one that is meant.
KEYS = {
    **dict.fromkeys(PARENTS.split(), "parents"),
    **dict.fromkeys(("name", "label", "heading"), "title"),
    **dict.fromkeys(("author", "authors", "by", "about", "summary", "notes", "note", "comment"), "description"),
    **dict.fromkeys(("rules", "file", "include", "includes", "rules_files", "script", "scripts"), "files"),
    **dict.fromkeys(("player", "player_count", "number_of_players", "num_players", "min_players", "max_players", "seats"), "players"),
    **dict.fromkeys(("settings", "variants", "modes"), "options"),
    **dict.fromkeys(("modules", "expansions"), "parts"),
    **dict.fromkeys(("language", "lang"), "languages"),
}
EXAMPLES = {"players": "{min: 2, max: 4}", "options": "{NAME: {values: [A, B], default: A}}", "parts": "{NAME: {files: [NAME.rules]}}"}
# Keys that scenarios do not have, each where it is written: what is written there instead.
SCENARIO = {
    **dict.fromkeys(["steps", "do", "act", "action", "actions", "play", "moves"], "when"),
    **dict.fromkeys(["expect", "expected", "expects", "assert", "asserts", "check", "checks", "should", "outcome", "results", "result"], "then"),
    **dict.fromkeys(["background", "arrange", "state", "board", "position", "before", "init", "initial"], "given"),
    **dict.fromkeys(["title", "description", "scenario", "test", "about", "it"], "name"),
    **dict.fromkeys(["game", "rules", "over", "base"], "ruleset"),
    **dict.fromkeys(["layer", "expansion", "expansions"], "layers"),
    **dict.fromkeys(["seats", "cast", "casting", "characters", "roles"], "write a line for each seat: seat 1: PART"),
    **dict.fromkeys(["chance", "dice", "roll", "rolls", "random"], "what chance gives stands in 'when', before what asks for it: - chance: ANSWER"),
    **dict.fromkeys(["choose", "choice", "choices"], "what is chosen stands in 'when': - choose: OPTION"),
    **dict.fromkeys(["cite", "citation", "citations"], "cites"),
    **dict.fromkeys(["player", "player_count", "number_of_players"], "players"),
}
STEPS = {
    **dict.fromkeys(["call", "run", "effect", "perform", "execute", "statement"], "do"),
    **dict.fromkeys(["choice", "pick", "option", "select", "action", "play"], "choose"),
    **dict.fromkeys(["roll", "rolls", "dice", "die", "draw", "random", "shuffle"], "chance"),
    **dict.fromkeys(["check", "expect", "assert", "given"], "then"),
}
CLAIMS = {
    **dict.fromkeys(["option", "options", "choices", "choice"], "offers"),
    **dict.fromkeys(("only", "exactly", "options only", "offers exactly", "only offers"), "offers only"),
    **dict.fromkeys(["order", "sequence", "ordered", "before"], "in order"),
    **dict.fromkeys(["logs", "says", "said", "message", "text"], "log"),
    **dict.fromkeys(["winner", "winners", "wins", "win"], "write: result: {winners: [1]}"),
    **dict.fromkeys(["loser", "losers", "loses"], "write: result: {losers: [1]}"),
    **dict.fromkeys(["asks", "prompt", "asked", "question"], "decision"),
    **dict.fromkeys(["illegal", "forbidden", "refuses", "cannot"], "refused"),
    **dict.fromkeys(
        ["hidden", "hides", "secret"], "write: not knows: {player: 1, what: ...}, or of a field: not sees: {player: 1, what: card.colour}"
    ),
    **dict.fromkeys(["fails", "raises", "exception"], "error"),
}
LISTS = ("parents", "files", "languages", "after", "locales", "shared_by")
RULE = re.compile(r"(?:after|before|instead of|set|kind|effect|phase|action|when|replace|remove|add to|number|place|die|card) ?\b.*[ (]")
COUNTS = re.compile(r"(\d+) *(?:-|–|to|\.\.|,) *(\d+)\Z")


def key_advice(schema: str, path: list[str | int], key: str, value: Any) -> str | None:
    """What to write for a key that the files of a schema do not have; `value` is what stands behind it."""
    if value is None and (" " in key or path):
        return "if it belongs to the text before the comma, put that text in quotes"
    if schema == "scenario":
        return _scenario_advice(path, key.lower(), value)
    if path:
        return None
    if RULE.match(key):
        return f"this is a rule: it stands in a .rules file, and 'files' names that: files: [{'NAME'}.rules]"
    meant = KEYS.get(key.lower().replace("-", "_").replace(" ", "_"))
    if meant == "files" and isinstance(value, str) and not value.strip().endswith(".rules"):
        return "rules stand in a file of their own, which the manifest names: files: [NAME.rules]"
    return f"write: {meant}: {_example(meant, value)}" if meant is not None else None


def _scenario_advice(path: list[str | int], key: str, value: Any) -> str | None:
    """The same for scenarios: which key is meant depends on where it stands, in a step, among claims, or in the scenario itself."""
    if key.startswith("seat") and not key.startswith("seats"):
        part = value if isinstance(value, str) else "PART"
        return f"write the number of the seat: seat 1: {part}"
    where = next((part for part in reversed(path) if isinstance(part, str)), "")
    meant = CLAIMS.get(key) if where == "then" else STEPS.get(key) if where == "when" else SCENARIO.get(key)
    return meant if meant is None or ":" in meant else f"write: {meant}: ..."


def _example(key: str, value: Any) -> str:
    """A value as it stands behind a key that takes it in another form."""
    words = [str(item) for item in value] if isinstance(value, list) else [str(value)] if isinstance(value, str | int) else ["..."]
    if key in LISTS:
        return f"[{', '.join(words)}]"
    return EXAMPLES.get(key) or ", ".join(words)


def value_advice(path: list[str | int], wanted: Any, value: Any) -> str | None:
    """What to write for a value of another sort than its key takes; `wanted` is the type that the schema asks for."""
    key = path[-1] if path else ""
    if key == "players" and len(path) == 1:
        return f"write: players: {_players(value)}"
    if path[:1] == ["options"] and len(path) == 2 and wanted == "object":
        words = [str(word) for word in value] if isinstance(value, list) and value else ["A", "B"]
        return f"write: {key}: {{values: [{', '.join(words)}], default: {words[0]}}}"
    if wanted == "array" and isinstance(key, str) and isinstance(value, str | int | float) and not isinstance(value, bool):
        words = re.split(r"\s*,\s*", value) if isinstance(value, str) else [str(value)]
        return f"write: {key}: [{', '.join(words)}]"
    if wanted in ("integer", "number") and isinstance(value, str) and value.lstrip("-").isdigit():
        return f"leave out the quotes: {value}"
    return None


def _players(value: Any) -> str:
    if isinstance(value, int):
        return f"{{min: {value}, max: {value}}}"
    said = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{{min: {found[1]}, max: {found[2]}}}" if (found := COUNTS.match(said)) is not None else "{min: 2, max: 4}"


def text_advice(pattern: str, value: str) -> str | None:
    """What to write for a text that has not the form its key asks for: a name, or the path of a file."""
    if pattern.endswith(r"\.rules$") and value:
        return f"write: {re.sub(r'[.][^./]*$', '', value)}.rules"
    name = re.sub(r"[^a-z0-9]+", "_", value.lower()).strip("_")
    if pattern.startswith("^[a-z]") and name[:1].isalpha() and re.fullmatch(pattern.replace(r"\Z", "$"), name):
        return f"write: {name}"
    return None
